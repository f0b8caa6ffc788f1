/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/result_file.h"

#include "store/conditions_json.h"

#include <pthread.h>
#include <string.h>

/* Thousandths, so that equal measurements print alike on every machine. Rounding a rounded value
 * changes nothing. */
static double rounded(double value)
{
    return round(value * 1000) / 1000;
}

static void put_instant(struct ts_json_out *out, const char *key, const struct ts_instant *instant)
{
    const bool known = isfinite(instant->u_ns);
    ts_json_open(out, key, '{');
    if (known)
        ts_json_integer(out, "host_ns", instant->host_ns);
    else
        ts_json_null(out, "host_ns");
    ts_json_number(out, "u_ns", round(instant->u_ns));
    ts_json_number(out, "half_95_ns", known ? round(instant->half_95_ns) : (double)NAN);
    ts_json_close(out, '}');
}

static void put_metric(struct ts_json_out *out, const char *key, const struct ts_metric *metric,
                       double half_95_ms)
{
    ts_json_open(out, key, '{');
    ts_json_number(out, "value", rounded(metric->value));
    ts_json_number(out, "u", rounded(metric->u));
    ts_json_number(out, "u_common", rounded(metric->u_common));
    ts_json_number(out, "half_95", rounded(half_95_ms));
    ts_json_close(out, '}');
}

/* A few digits, so that a rate is told too. */
static double six_digits(double value)
{
    if (value == 0 || !isfinite(value))
        return value;
    const double unit = pow(10, 5 - floor(log10(fabs(value))));
    return round(value * unit) / unit;
}

static void put_budget(struct ts_json_out *out, const char *key, const struct ts_budget *budget)
{
    ts_json_open(out, key, '{');
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const struct ts_term *term = &budget->terms[i];
        if (!(term->u > 0))
            continue;
        ts_json_open(out, ts_term_kinds[i].name, '{');
        ts_json_number(out, "u", six_digits(term->u));
        ts_json_number(out, "sensitivity", six_digits(term->sensitivity));
        ts_json_number(out, "dof", term->dof);
        ts_json_close(out, '}');
    }
    ts_json_close(out, '}');
}

static void put_budgets(struct ts_json_out *out, const struct ts_result *result)
{
    ts_json_open(out, "budgets", '{');
    for (int i = 0; i < TS_BUDGET_COUNT; i++)
        put_budget(out, ts_budget_names[i], &result->budgets[i]);
    ts_json_close(out, '}');
}

/* Only a scene has them. */
static void put_photodiodes(struct ts_json_out *out, const double ms[2])
{
    if (isnan(ms[0]) && isnan(ms[1]))
        return;
    ts_json_open(out, "photodiode_ms", '[');
    ts_json_number(out, NULL, rounded(ms[0]));
    ts_json_number(out, NULL, rounded(ms[1]));
    ts_json_close(out, ']');
}

static void read_photodiodes(struct ts_json_in *in, double ms[2])
{
    ms[0] = ms[1] = NAN;
    if (!ts_json_in_has(in, "photodiode_ms"))
        return;
    const json_t *array = ts_json_in_array(in, "photodiode_ms", 2, 2);
    for (size_t i = 0; i < 2 && array; i++) {
        const json_t *value = json_array_get(array, i);
        if (json_is_number(value))
            ms[i] = json_number_value(value);
    }
}

/* Only of a launch whose plan asks for them, and of these what it asks for. */
static void put_costs(struct ts_json_out *out, const struct ts_costs *costs)
{
    if (!costs->asked)
        return;
    ts_json_open(out, "costs", '{');
    if (costs->asked & TS_METER_ENERGY) {
        ts_json_text(out, "supply", ts_supply_names[costs->supply]);
#define PUT_ENERGY(name) put_metric(out, #name, &costs->name, rounded(costs->name.u) * TS_ENERGY_K);
        TS_ENERGY_LIST(PUT_ENERGY)
#undef PUT_ENERGY
    }
    if (costs->asked & TS_METER_MEMORY)
        ts_json_number(out, "memory_kb", costs->memory_kb);
    if (costs->asked & TS_METER_NETWORK)
        ts_json_number(out, "network_bytes", costs->network_bytes);
    if (costs->asked & TS_METER_CPU)
        ts_json_number(out, "cpu_ms", rounded(costs->cpu_ms));
    ts_json_close(out, '}');
}

static void put_flags(struct ts_json_out *out, const struct ts_result *result)
{
    ts_json_open(out, "flags", '[');
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (ts_result_has(result, (enum ts_flag)flag))
            ts_json_text(out, NULL, ts_flag_name((enum ts_flag)flag));
    }
    ts_json_close(out, ']');
}

static void put_metrics(struct ts_json_out *out, const struct ts_result *result)
{
    ts_json_open(out, "metrics", '{');
#define PUT_METRIC(name)                                                                           \
    put_metric(out, #name "_ms", &result->name, result->half_95_ms[TS_METRIC_##name]);
    TS_METRIC_LIST(PUT_METRIC)
#undef PUT_METRIC
    ts_json_close(out, '}');
    ts_json_open(out, "progress", '{');
    ts_json_number(out, "25_ms", rounded(result->progress_25_ms));
    ts_json_number(out, "50_ms", rounded(result->progress_50_ms));
    ts_json_close(out, '}');
    ts_json_open(out, "android", '{');
    ts_json_number(out, "time_to_initial_display_ms", rounded(result->time_to_initial_display_ms));
    ts_json_number(out, "time_to_full_display_ms", rounded(result->time_to_full_display_ms));
    ts_json_text_or_null(out, "component", result->component);
    ts_json_close(out, '}');
}

static void put_conditions(struct ts_json_out *out, const struct ts_conditions *exact)
{
    struct ts_conditions conditions = *exact;
    conditions.battery_percent = rounded(exact->battery_percent);
    conditions.temperature_c = rounded(exact->temperature_c);
    conditions.brightness = rounded(exact->brightness);
    conditions.refresh_before_hz = rounded(exact->refresh_before_hz);
    conditions.refresh_after_hz = rounded(exact->refresh_after_hz);
    conditions.cpu_mhz = rounded(exact->cpu_mhz);
    conditions.cpu_most_mhz = rounded(exact->cpu_most_mhz);
    for (int i = 0; i < 3; i++)
        conditions.animation_scale[i] = rounded(exact->animation_scale[i]);
    ts_conditions_print(out, "conditions", &conditions);
}

int ts_result_print(const struct ts_result *result, const struct ts_session_info *info,
                    struct ts_buf *buf)
{
    struct ts_json_out out = {.buf = buf, .broken_depth = 2};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "launch", result->launch);
    ts_json_text(&out, "app", result->app);
    ts_json_text(&out, "start_type", ts_start_type_name(result->start_type));
    ts_json_text(&out, "verdict", ts_result_verdict(result));
    put_flags(&out, result);
    ts_json_boolean(&out, "usable", ts_result_usable(result));
    ts_json_text(&out, "rule", ts_rule_name(result->rule));
    ts_json_text_or_null(&out, "detector_version",
                         result->detector_version ? result->detector_version : "");
    put_instant(&out, "contact", &result->contact);
    put_instant(&out, "pickup", &result->pickup);
    put_instant(&out, "lift", &result->lift);
    if (ts_result_from_am(result))
        put_instant(&out, "start", &result->start);
    put_metrics(&out, result);
    put_conditions(&out, &result->conditions);
    ts_json_integer(&out, "frames", result->frames);
    ts_json_integer(&out, "dropped", result->dropped);
    ts_json_number(&out, "frame_period_ms", rounded(result->frame_period_ms));
    put_budgets(&out, result);
    put_photodiodes(&out, result->photodiode_ms);
    put_costs(&out, &result->costs);
    ts_json_seed(&out, "seed", info->seed);
    ts_json_open(&out, "versions", '{');
    ts_json_text_or_null(&out, "touchstone", info->touchstone);
    ts_json_text_or_null(&out, "detector", info->detector);
    ts_json_close(&out, '}');
    ts_json_close(&out, '}');
    if (!out.err)
        out.err = ts_buf_append(buf, "\n", 1);
    return out.err;
}

/* ts_result borrows its detector version for ever; files name few, so they are kept here once.
 * NULL when there is no room for one more. */
static const char *keep_version(const char *version)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char kept[64][32];
    const char *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < sizeof kept / sizeof *kept && !found; i++) {
        if (!kept[i][0])
            memcpy(kept[i], version, strlen(version) + 1);
        if (strcmp(kept[i], version) == 0)
            found = kept[i];
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void read_version(struct ts_json_in *in, struct ts_result *out)
{
    char version[32];
    ts_json_in_text(in, "detector_version", version, sizeof version);
    out->detector_version = version[0] ? keep_version(version) : "";
    if (!out->detector_version)
        ts_json_in_refuse(in, "detector_version", "one of the first 64 versions met");
}

static void read_flags(struct ts_json_in *in, struct ts_result *out)
{
    const json_t *flags = ts_json_in_array(in, "flags", 0, TS_FLAG_COUNT);
    for (size_t i = 0; i < json_array_size(flags); i++) {
        const char *name = json_string_value(json_array_get(flags, i));
        const enum ts_flag flag = name ? ts_flag_by_name(name) : TS_FLAG_COUNT;
        if (flag == TS_FLAG_COUNT)
            ts_json_in_refuse(in, "flags", "names of flags that this version knows");
        else
            ts_result_flag(out, flag);
    }
}

static struct ts_instant read_instant(struct ts_json_in *in, const char *key)
{
    struct ts_instant instant = {0, (double)NAN, (double)NAN};
    struct ts_json_in inner = ts_json_in_enter(in, key);
    if (ts_json_in_has(&inner, "host_ns")) {
        instant.host_ns = ts_json_in_integer(&inner, "host_ns", INT64_MIN, INT64_MAX);
        instant.u_ns = ts_json_in_number(&inner, "u_ns");
        instant.half_95_ns = ts_json_in_number(&inner, "half_95_ns"); /* of later versions */
    }
    ts_json_in_leave(in, &inner);
    return instant;
}

/* Metrics were added over time: an older file has fewer. */
static struct ts_metric read_metric(struct ts_json_in *in, const char *key, double *half_95_ms)
{
    *half_95_ms = (double)NAN;
    if (!ts_json_in_has(in, key))
        return (struct ts_metric){(double)NAN, (double)NAN, (double)NAN};
    struct ts_json_in inner = ts_json_in_enter(in, key);
    const struct ts_metric metric = {ts_json_in_number(&inner, "value"),
                                     ts_json_in_number(&inner, "u"),
                                     ts_json_in_number(&inner, "u_common")};
    *half_95_ms = ts_json_in_number(&inner, "half_95");
    ts_json_in_leave(in, &inner);
    return metric;
}

static void read_budget(struct ts_json_in *in, const char *key, struct ts_budget *budget)
{
    if (!ts_json_in_has(in, key))
        return;
    struct ts_json_in inner = ts_json_in_enter(in, key);
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        struct ts_term *term = &budget->terms[i];
        if (!ts_json_in_has(&inner, ts_term_kinds[i].name))
            continue;
        struct ts_json_in member = ts_json_in_enter(&inner, ts_term_kinds[i].name);
        term->u = ts_json_in_number(&member, "u");
        term->sensitivity = ts_json_in_number(&member, "sensitivity");
        const double dof = ts_json_in_number(&member, "dof");
        term->dof = isnan(dof) ? INFINITY : dof;
        ts_json_in_leave(&inner, &member);
    }
    ts_json_in_leave(in, &inner);
}

/* Sessions of earlier versions have settled's alone, under a name of its own, or none. */
static void read_budgets(struct ts_json_in *in, struct ts_result *out)
{
    read_budget(in, "settled_budget", &out->budgets[TS_BUDGET_SETTLED]);
    if (!ts_json_in_has(in, "budgets"))
        return;
    struct ts_json_in budgets = ts_json_in_enter(in, "budgets");
    for (int i = 0; i < TS_BUDGET_COUNT; i++)
        read_budget(&budgets, ts_budget_names[i], &out->budgets[i]);
    ts_json_in_leave(in, &budgets);
}

static void read_costs(struct ts_json_in *in, struct ts_costs *out)
{
    double half_95;
    ts_costs_unknown(out);
    if (!ts_json_in_has(in, "costs"))
        return;
    struct ts_json_in costs = ts_json_in_enter(in, "costs");
    if (ts_json_in_has(&costs, "supply")) {
        out->asked |= TS_METER_ENERGY;
        out->supply = (enum ts_supply)ts_json_in_name(&costs, "supply", ts_supply_names);
    }
#define READ_ENERGY(name) out->name = read_metric(&costs, #name, &half_95);
    TS_ENERGY_LIST(READ_ENERGY)
#undef READ_ENERGY
#define READ_METER(name, meter)                                                                    \
    out->name = ts_json_in_number(&costs, #name);                                                  \
    out->asked |= json_object_get(costs.object, #name) ? (unsigned)TS_METER_##meter : 0;
    READ_METER(memory_kb, MEMORY)
    READ_METER(network_bytes, NETWORK)
    READ_METER(cpu_ms, CPU)
#undef READ_METER
    ts_json_in_leave(in, &costs);
}

/* Files of earlier versions have none. */
static void read_progress(struct ts_json_in *in, struct ts_result *out)
{
    out->progress_25_ms = out->progress_50_ms = (double)NAN;
    if (!ts_json_in_has(in, "progress"))
        return;
    struct ts_json_in progress = ts_json_in_enter(in, "progress");
    out->progress_25_ms = ts_json_in_number(&progress, "25_ms");
    out->progress_50_ms = ts_json_in_number(&progress, "50_ms");
    ts_json_in_leave(in, &progress);
}

static void read_metrics(struct ts_json_in *in, struct ts_result *out)
{
    struct ts_json_in metrics = ts_json_in_enter(in, "metrics");
#define READ_METRIC(name)                                                                          \
    out->name = read_metric(&metrics, #name "_ms", &out->half_95_ms[TS_METRIC_##name]);
    TS_METRIC_LIST(READ_METRIC)
#undef READ_METRIC
    ts_json_in_leave(in, &metrics);
    read_progress(in, out);
    struct ts_json_in android = ts_json_in_enter(in, "android");
    out->time_to_initial_display_ms = ts_json_in_number(&android, "time_to_initial_display_ms");
    out->time_to_full_display_ms = ts_json_in_number(&android, "time_to_full_display_ms");
    ts_json_in_text(&android, "component", out->component, sizeof out->component);
    ts_json_in_leave(in, &android);
}

int ts_result_parse(const char *text, size_t size, struct ts_result *out, struct ts_why *why)
{
    json_t *root;
    *out = (struct ts_result){0};
    const int err = ts_json_in_parse(text, size, "result", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "result", why, TS_OK};
    out->launch = (int)ts_json_in_integer(&in, "launch", 1, TS_PLAN_LAUNCHES_MAX);
    ts_json_in_text(&in, "app", out->app, sizeof out->app);
    out->start_type = (enum ts_start_type)ts_json_in_name(&in, "start_type", ts_start_type_names);
    read_flags(&in, out);
    out->rule = (enum ts_rule)ts_json_in_name(&in, "rule", ts_rule_names);
    read_version(&in, out);
    out->contact = read_instant(&in, "contact");
    out->pickup = read_instant(&in, "pickup");
    out->lift = read_instant(&in, "lift");
    out->start = (struct ts_instant){0, NAN, NAN};
    if (ts_json_in_has(&in, "start"))
        out->start = read_instant(&in, "start");
    read_metrics(&in, out);
    ts_conditions_read(&in, "conditions", &out->conditions);
    out->frames = (int)ts_json_in_integer(&in, "frames", 0, INT32_MAX);
    out->dropped = (int)ts_json_in_integer(&in, "dropped", 0, INT32_MAX);
    read_budgets(&in, out);
    read_photodiodes(&in, out->photodiode_ms);
    read_costs(&in, &out->costs);
    out->frame_period_ms = ts_json_in_number(&in, "frame_period_ms");
    json_decref(root);
    return in.err;
}
