/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/columns.h"

#include "store/ingest.h"

#include <stdio.h>
#include <string.h>

const char *const ts_column_type_names[] = {"text", "number", "integer", "boolean", NULL};

/* Where a value stands, or how it is found. */
enum value {
    AT_DOUBLE, /* at the offset; NAN: unknown */
    AT_INT,
    AT_INT_KNOWN, /* -1: unknown */
    AT_BOOL,
    AT_TEXT,   /* "": unknown */
    AT_STATIC, /* a pointer to a text; NULL: unknown */
    VERDICT,
    FLAGS,
    USABLE,
    COUNTS,
    START_TYPE,
    RULE,
    CONTACT,
    PICKUP,
    LIFT_U,
    START_U,
    PLAN,
    BENCH,
    SEED,
    SESSION,
    STARTED,
    RIG,
    DEVICE,
    VERSION,
};

#define AT(member) offsetof(struct ts_launch, member)
#define MS(name, member, meaning)                                                                  \
    {                                                                                              \
        name, "ms", TS_COLUMN_NUMBER, meaning, AT_DOUBLE, AT(result.member)                        \
    }
/* NOLINTBEGIN(bugprone-macro-parentheses): a name is no expression */
#define METRIC(name, meaning)                                                                      \
    MS(#name "_ms", name.value, meaning),                                                          \
        MS(#name "_u_ms", name.u, "standard uncertainty of " #name "_ms"),                         \
        MS(#name "_u_common_ms", name.u_common,                                                    \
           "the part of " #name "_u_ms that the whole session shares"),                            \
        MS(#name "_half_95_ms", half_95_ms[TS_METRIC_##name],                                      \
           "half of the 95 % interval about " #name "_ms")
/* NOLINTEND(bugprone-macro-parentheses) */
#define COST(name, unit, member, meaning)                                                          \
    {                                                                                              \
        name, unit, TS_COLUMN_NUMBER, meaning, AT_DOUBLE, AT(result.costs.member)                  \
    }
#define CONDITION(name, unit, type, value, member, meaning)                                        \
    {                                                                                              \
        name, unit, type, meaning, value, AT(result.conditions.member)                             \
    }
#define COMPUTED(name, unit, type, value, meaning)                                                 \
    {                                                                                              \
        name, unit, type, meaning, value, 0                                                        \
    }

const struct ts_export_column ts_export_columns[] = {
    {"launch", "", TS_COLUMN_INTEGER, "number of the launch in its session, from 1", AT_INT,
     AT(result.launch)},
    {"app", "", TS_COLUMN_TEXT, "the app, as the plan calls it", AT_TEXT, AT(result.app)},
    {"component", "", TS_COLUMN_TEXT, "the activity that Android displayed", AT_TEXT,
     AT(result.component)},
    COMPUTED("start_type", "", TS_COLUMN_TEXT, START_TYPE,
             "cold, warm or hot, as Android's log shows it; unknown"),
    COMPUTED("verdict", "", TS_COLUMN_TEXT, VERDICT,
             "usable, or the first flag for which the launch is not"),
    COMPUTED("flags", "", TS_COLUMN_TEXT, FLAGS, "everything noticed, with blanks between"),
    COMPUTED("usable", "", TS_COLUMN_BOOLEAN, USABLE, "no flag disqualifies the launch"),
    COMPUTED("counts", "", TS_COLUMN_BOOLEAN, COUNTS,
             "usable, no warm-up and not excluded: it is in every summary"),
    {"warm_up", "", TS_COLUMN_BOOLEAN, "one of the first launches of its app, by the plan", AT_BOOL,
     AT(warm_up)},
    {"excluded", "", TS_COLUMN_TEXT, "why a person took the launch out; empty: nobody did",
     AT_STATIC, AT(excluded)},
    COMPUTED("contact_ms", "ms", TS_COLUMN_NUMBER, CONTACT,
             "the stylus meets the glass; counted from lift, so below 0; empty: nobody tapped"),
    COMPUTED("pickup_ms", "ms", TS_COLUMN_NUMBER, PICKUP,
             "the arm takes the stylus; counted from lift, so below 0; empty: nobody tapped"),
    COMPUTED("lift_u_ms", "ms", TS_COLUMN_NUMBER, LIFT_U,
             "standard uncertainty of lift, from which all times count; empty: nobody tapped"),
    COMPUTED("start_u_ms", "ms", TS_COLUMN_NUMBER, START_U,
             "the same of Android's start, from which they count where launch_from is am"),
    METRIC(first_visual_change, "first visible change"),
    METRIC(last_visual_change, "last visible change; empty when a part never rests"),
    METRIC(settled, "launch time: from here on the screen stays as it is in the end"),
    METRIC(literal_settled, "the same by an older rule: the last frame with a large step"),
    METRIC(visually_complete_85, "visual progress passes 85 % for good"),
    METRIC(speed_index, "a score, not an instant: the area above the visual progress"),
    METRIC(splash, "a first window that is replaced later"),
    METRIC(first_app_frame, "the first change that covers most of the screen"),
    METRIC(main_content, "the change that brings the most visual progress"),
    MS("time_to_initial_display_ms", time_to_initial_display_ms,
       "Android's own number, as it printed it; it counts from its own start of the launch"),
    MS("time_to_full_display_ms", time_to_full_display_ms,
       "Android's own number for apps that report it"),
    COST("energy_mj", "mJ", energy_mj.value,
         "that the phone drew from its supply from lift to settled_ms"),
    COST("energy_u_mj", "mJ", energy_mj.u, "standard uncertainty of energy_mj"),
    COST("energy_u_common_mj", "mJ", energy_mj.u_common,
         "the part of energy_u_mj that the whole session shares"),
    COST("energy_first_change_mj", "mJ", energy_first_change_mj.value,
         "the same from lift to first_visual_change_ms"),
    COST("energy_first_change_u_mj", "mJ", energy_first_change_mj.u,
         "standard uncertainty of energy_first_change_mj"),
    COST("charge_mc", "mC", charge_mc.value, "from lift to settled_ms"),
    COST("charge_u_mc", "mC", charge_mc.u, "standard uncertainty of charge_mc"),
    COST("mean_current_ma", "mA", mean_current_ma.value, "charge_mc by settled_ms"),
    COST("mean_current_u_ma", "mA", mean_current_ma.u, "standard uncertainty of mean_current_ma"),
    COST("memory_kb", "kB", memory_kb, "of the app after the launch: proportional set size"),
    COST("network_bytes", "byte", network_bytes,
         "that the app sent and received from before the tap to after the launch"),
    COST("cpu_ms", "ms", cpu_ms,
         "processor time of the app's process from before the tap to after the launch"),
    CONDITION("package_version", "", TS_COLUMN_TEXT, AT_TEXT, package_version,
              "version of the app"),
    CONDITION("apk_hash", "", TS_COLUMN_TEXT, AT_TEXT, apk_hash, "SHA-256 of the app's file"),
    CONDITION("compiler_filter", "", TS_COLUMN_TEXT, AT_TEXT, compiler_filter,
              "how the app was compiled on the phone"),
    CONDITION("battery_percent", "%", TS_COLUMN_NUMBER, AT_DOUBLE, battery_percent,
              "charge before the tap"),
    CONDITION("temperature_c", "degree Celsius", TS_COLUMN_NUMBER, AT_DOUBLE, temperature_c,
              "of the battery before the tap"),
    CONDITION("brightness", "", TS_COLUMN_NUMBER, AT_DOUBLE, brightness,
              "the phone's setting, 0 to 255"),
    CONDITION("refresh_before_hz", "Hz", TS_COLUMN_NUMBER, AT_DOUBLE, refresh_before_hz,
              "the display's refresh rate before the tap"),
    CONDITION("refresh_after_hz", "Hz", TS_COLUMN_NUMBER, AT_DOUBLE, refresh_after_hz,
              "the same after the launch"),
    CONDITION("window_animation_scale", "", TS_COLUMN_NUMBER, AT_DOUBLE, animation_scale[0],
              "the phone's setting"),
    CONDITION("transition_animation_scale", "", TS_COLUMN_NUMBER, AT_DOUBLE, animation_scale[1],
              "the phone's setting"),
    CONDITION("animator_duration_scale", "", TS_COLUMN_NUMBER, AT_DOUBLE, animation_scale[2],
              "the phone's setting"),
    CONDITION("thermal_status", "", TS_COLUMN_INTEGER, AT_INT_KNOWN, thermal_status,
              "Android's, 0 (none) to 6 (shutdown)"),
    CONDITION("cpu_mhz", "MHz", TS_COLUMN_NUMBER, AT_DOUBLE, cpu_mhz,
              "clock of the phone's fastest core before the tap"),
    CONDITION("cpu_most_mhz", "MHz", TS_COLUMN_NUMBER, AT_DOUBLE, cpu_most_mhz,
              "the highest clock that it was allowed then; heat lowers it"),
    CONDITION("night_mode", "", TS_COLUMN_INTEGER, AT_INT_KNOWN, night_mode, "1: dark theme"),
    CONDITION("rotation", "quarter turns", TS_COLUMN_INTEGER, AT_INT_KNOWN, rotation,
              "of the screen"),
    CONDITION("network", "", TS_COLUMN_TEXT, AT_TEXT, network, "what the phone was connected to"),
    CONDITION("observers", "", TS_COLUMN_TEXT, AT_TEXT, observers,
              "what watched beside camera and stylus"),
    CONDITION("launch_from", "", TS_COLUMN_TEXT, AT_TEXT, launch_from,
              "what began the launch: button and icon count from lift, am from Android's start"),
    CONDITION("profile", "", TS_COLUMN_TEXT, AT_TEXT, profile, "how the phone was treated"),
    CONDITION("guard", "", TS_COLUMN_TEXT, AT_TEXT, guard,
              "what was wrong on the phone around the tap"),
    CONDITION("mended", "", TS_COLUMN_TEXT, AT_TEXT, mended, "what was put right before the tap"),
    {"frames", "", TS_COLUMN_INTEGER, "camera frames of the launch", AT_INT, AT(result.frames)},
    {"dropped", "", TS_COLUMN_INTEGER, "frames that were lost", AT_INT, AT(result.dropped)},
    MS("frame_period_ms", frame_period_ms, "of the camera, as measured"),
    COMPUTED("rule", "", TS_COLUMN_TEXT, RULE, "the end rule behind settled_ms"),
    {"detector_version", "", TS_COLUMN_TEXT, "of that rule", AT_STATIC,
     AT(result.detector_version)},
    COMPUTED("touchstone", "", TS_COLUMN_TEXT, VERSION, "the version that measured"),
    COMPUTED("plan", "", TS_COLUMN_TEXT, PLAN, "name of the plan"),
    COMPUTED("bench", "", TS_COLUMN_TEXT, BENCH, "sim: the simulated bench; live: a real one"),
    COMPUTED("session", "", TS_COLUMN_TEXT, SESSION,
             "number by which a lab's database knows the session"),
    COMPUTED("started", "", TS_COLUMN_TEXT, STARTED, "of the session, UTC"),
    COMPUTED("rig", "", TS_COLUMN_TEXT, RIG, "name of the rig"),
    COMPUTED("device", "", TS_COLUMN_TEXT, DEVICE, "the phone, as `run --device` was told"),
    COMPUTED("seed", "", TS_COLUMN_TEXT, SEED, "of the session; a text, for it may pass 2^53"),
};
const size_t ts_export_column_count = sizeof ts_export_columns / sizeof *ts_export_columns;

static void set_text(struct ts_export_value *out, const char *text)
{
    out->known = text && *text;
    snprintf(out->text, sizeof out->text, "%s", text ? text : "");
}

static void set_number(struct ts_export_value *out, double number)
{
    out->known = isfinite(number);
    out->number = number;
}

static double after_lift_ms(const struct ts_result *result, struct ts_instant instant)
{
    if (isnan(instant.u_ns) || isnan(result->lift.u_ns))
        return NAN;
    const double ms = ((double)instant.host_ns - (double)result->lift.host_ns) / 1e6;
    return round(ms * 1000) / 1000;
}

static void list_flags(const struct ts_result *result, struct ts_export_value *out)
{
    size_t size = 0;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (ts_result_has(result, (enum ts_flag)flag) && size < sizeof out->text)
            size += (size_t)snprintf(out->text + size, sizeof out->text - size, "%s%s",
                                     size ? " " : "", ts_flag_name((enum ts_flag)flag));
    }
    out->known = size > 0;
}

static void compute(enum value value, const struct ts_report_data *data,
                    const struct ts_launch *launch, struct ts_export_value *out)
{
    const struct ts_result *result = &launch->result;
    switch (value) {
    case VERDICT:
        return set_text(out, ts_result_verdict(result));
    case FLAGS:
        return list_flags(result, out);
    case USABLE:
        return set_number(out, ts_result_usable(result));
    case COUNTS:
        return set_number(out, ts_launch_counts(launch));
    case START_TYPE:
        return set_text(out, ts_start_type_name(result->start_type));
    case RULE:
        return set_text(out, ts_rule_name(result->rule));
    case CONTACT:
        return set_number(out, after_lift_ms(result, result->contact));
    case PICKUP:
        return set_number(out, after_lift_ms(result, result->pickup));
    case LIFT_U:
        return set_number(out, round(result->lift.u_ns / 1e3) / 1e3);
    case START_U:
        return set_number(out, round(result->start.u_ns / 1e3) / 1e3);
    case PLAN:
        return set_text(out, data->plan->name);
    case BENCH:
        return set_text(out, data->info->bench);
    case VERSION:
        return set_text(out, data->info->touchstone);
    case SESSION:
        out->known = data->identity != NULL;
        if (out->known)
            snprintf(out->text, sizeof out->text, "%lld",
                     (long long)ts_db_id(data->identity->digest));
        return;
    case STARTED:
        return set_text(out, data->identity ? data->identity->started : NULL);
    case RIG:
        return set_text(out, data->identity ? data->identity->rig : NULL);
    case DEVICE:
        return set_text(out, data->identity ? data->identity->device : NULL);
    default:
        out->known = true;
        snprintf(out->text, sizeof out->text, "%llu", (unsigned long long)data->info->seed);
    }
}

void ts_export_value(const struct ts_export_column *column, const struct ts_report_data *data,
                     const struct ts_launch *launch, struct ts_export_value *out)
{
    const char *at = (const char *)launch + column->offset;
    *out = (struct ts_export_value){.number = NAN};
    switch (column->value) {
    case AT_DOUBLE:
        return set_number(out, *(const double *)(const void *)at);
    case AT_INT:
        return set_number(out, *(const int *)(const void *)at);
    case AT_INT_KNOWN:
        set_number(out, *(const int *)(const void *)at);
        out->known = out->number >= 0;
        return;
    case AT_BOOL:
        return set_number(out, *(const bool *)(const void *)at);
    case AT_TEXT:
        return set_text(out, at);
    case AT_STATIC:
        return set_text(out, *(const char *const *)(const void *)at);
    default:
        compute((enum value)column->value, data, launch, out);
    }
}
