/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "report/costs.h"
#include "report/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AXIS_COLUMNS 40

/* An event of the timeline, in ms after time zero. */
struct event {
    const char *name;
    double at_ms;
};

static double after_zero_ms(const struct ts_result *result, struct ts_instant instant)
{
    const struct ts_instant *zero = ts_result_zero(result);
    if (isnan(instant.u_ns) || isnan(zero->u_ns))
        return NAN;
    return (double)(instant.host_ns - zero->host_ns) / 1e6;
}

static void put_axis(struct ts_out *out, double share, bool utf8)
{
    const int at = (int)lround(share * (AXIS_COLUMNS - 1));
    for (int column = 0; column < AXIS_COLUMNS; column++) {
        if (column == at)
            ts_out_put(out, utf8 ? "\u25cf" : "o");
        else
            ts_out_put(out, utf8 ? "\u2500" : "-");
    }
}

/* In order of time; what did not happen comes last. */
static int compare_events(const void *one, const void *other)
{
    const double a = ((const struct event *)one)->at_ms, b = ((const struct event *)other)->at_ms;
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static void put_timeline(const struct ts_result *result, struct ts_text_style style,
                         struct ts_out *out)
{
    struct event events[] = {
        {"contact", after_zero_ms(result, result->contact)},
        {"pick-up", after_zero_ms(result, result->pickup)},
        {"lift", after_zero_ms(result, result->lift)},
        {"start", after_zero_ms(result, result->start)},
        {"first change", result->first_visual_change.value},
        {"last change", result->last_visual_change.value},
        {"settled", result->settled.value},
        {"splash", result->splash.value},
        {"app frame", result->first_app_frame.value},
        {"main content", result->main_content.value},
    };
    const size_t count = sizeof events / sizeof *events;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, events[i].at_ms);
        high = fmax(high, events[i].at_ms);
    }
    if (!(high > low))
        return;
    qsort(events, count, sizeof *events, compare_events);
    ts_out_printf(out, "\nTimeline (ms after %s)\n", ts_result_zero_words(result));
    for (size_t i = 0; i < count && isfinite(events[i].at_ms); i++) {
        ts_out_printf(out, "  %-13s %9.1f  ", events[i].name, events[i].at_ms);
        put_axis(out, (events[i].at_ms - low) / (high - low), style.utf8);
        ts_out_put(out, "\n");
    }
}

static void put_row(struct ts_table *table, const char *name, double ms, double u_ms,
                    const char *note)
{
    ts_table_put(table, name);
    ts_table_number(table, ms, 1);
    ts_table_number(table, u_ms, 1);
    ts_table_put(table, note);
}

static void put_instant(struct ts_table *table, const char *name, const struct ts_result *result,
                        struct ts_instant instant, const char *note)
{
    const double ms = after_zero_ms(result, instant);
    put_row(table, name, ms, isfinite(ms) ? instant.u_ns / 1e6 : NAN,
            isfinite(ms) ? note : "not known");
}

/* otherwise: what it means that there is no value. */
static void put_metric(struct ts_table *table, const char *name, struct ts_metric metric,
                       const char *note, const char *otherwise)
{
    put_row(table, name, metric.value, metric.u, isfinite(metric.value) ? note : otherwise);
}

/* What happened on the way to settled. */
static void put_way(struct ts_table *table, const struct ts_result *result)
{
    put_metric(table, "splash", result->splash, "a first window, replaced later", "none seen");
    put_metric(table, "app frame", result->first_app_frame, "first to cover most of the screen",
               "no change covers most of the screen");
    put_metric(table, "main content", result->main_content, "brings the most visual progress",
               "not known");
    put_metric(table, "85 % complete", result->visually_complete_85,
               "visual progress passes 85 % for good", "not known");
    put_metric(table, "speed index", result->speed_index, "a score: the area above the progress",
               "not known");
}

static void put_numbers(const struct ts_launch *launch, struct ts_text_style style,
                        struct ts_out *out)
{
    const struct ts_result *result = &launch->result;
    const char *restless = isfinite(result->first_visual_change.value)
                               ? "the screen did not come to rest"
                               : "no change seen";
    struct ts_table table;
    ts_table_begin(&table, 4, 0x6);
    ts_table_printf(&table, "ms after %s", ts_result_zero_words(result));
    ts_table_put(&table, "value");
    ts_table_put(&table, "u");
    ts_table_put(&table, "");
    if (ts_result_from_am(result)) {
        put_instant(&table, "start", result, result->start, "Android logs its start: time zero");
    } else {
        put_instant(&table, "contact", result, result->contact, "the stylus meets the glass");
        put_instant(&table, "pick-up", result, result->pickup, "the arm takes the stylus");
        put_instant(&table, "lift", result, result->lift, "the stylus leaves the glass: time zero");
    }
    put_metric(&table, "first change", result->first_visual_change,
               "half of the first visible step", "no change seen");
    put_metric(&table, "last change", result->last_visual_change, "half of the last step",
               ts_launch_never_rests(launch) ? "part of the screen never rests" : restless);
    put_metric(&table, "settled", result->settled, "within 2 % of the final picture from here on",
               restless);
    put_way(&table, result);
    put_metric(&table, "literal rule", result->literal_settled,
               "last frame with a step over 10 % of full scale",
               "no frame with a step over 10 % of full scale");
    ts_table_end(&table, style, out);
    if (!isfinite(result->settled.u))
        return;
    ts_out_put(out, "u: standard uncertainty in ms; of settled's, ");
    ts_out_number(out, result->settled.u_common, 2, ts_plain_numbers);
    ts_out_put(out, " ms is shared by all launches.\n");
}

static void put_android_ms(const char *name, double ms, struct ts_out *out)
{
    ts_out_printf(out, "  %-23s  ", name);
    if (isfinite(ms))
        ts_out_printf(out, "%.0f ms\n", ms);
    else
        ts_out_put(out, "not reported\n");
}

static void put_android(const struct ts_result *result, struct ts_text_style style,
                        struct ts_out *out)
{
    ts_out_put(out, "\nAndroid's own numbers\n");
    put_android_ms("time to initial display", result->time_to_initial_display_ms, out);
    put_android_ms("time to full display", result->time_to_full_display_ms, out);
    ts_out_printf(out, "  start type               %s\n", ts_start_type_name(result->start_type));
    ts_out_put(out, "  component                ");
    ts_out_text(out, *result->component ? result->component : "not reported",
                style.width > 30 ? style.width - 27 : 0, style);
    ts_out_put(out, "\n");
}

static void put_flags(const struct ts_launch *launch, struct ts_text_style style,
                      struct ts_out *out)
{
    const struct ts_result *result = &launch->result;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (!ts_result_has(result, (enum ts_flag)flag))
            continue;
        const struct ts_flag_words *words = ts_flag_words((enum ts_flag)flag);
        ts_out_put(out, "\n");
        ts_out_coloured(out, ts_flag_disqualifies((enum ts_flag)flag) ? TS_INK_BAD : TS_INK_BOLD,
                        ts_flag_name((enum ts_flag)flag), style);
        ts_out_put(out, "\n");
        ts_out_wrapped(out, words->meaning, 2, style);
        ts_out_wrapped(out, words->advice, 2, style);
    }
}

void ts_text_launch(const struct ts_launch *launch, struct ts_text_style style, struct ts_out *out)
{
    const struct ts_result *result = &launch->result;
    const char *verdict = ts_result_verdict(result);
    ts_out_printf(out, "Launch %d  ", result->launch);
    ts_out_text(out, result->app, 40, style);
    ts_out_put(out, "  ");
    if (!ts_result_usable(result))
        ts_out_put(out, "not usable: ");
    ts_out_coloured(out, ts_result_usable(result) ? TS_INK_GOOD : TS_INK_BAD, verdict, style);
    ts_out_put(out, launch->warm_up ? ", warm-up\n" : "\n");
    if (launch->excluded) {
        ts_out_put(out, "Excluded by hand: ");
        ts_out_text(out, launch->excluded, 0, style);
        ts_out_put(out, "\n");
    }
    ts_out_put(out, "\n");
    put_numbers(launch, style, out);
    put_timeline(result, style, out);
    put_android(result, style, out);
    ts_text_costs(result, style, out);
    ts_out_printf(out, "\n%d camera frames, ", result->frames);
    ts_out_number(out, result->frame_period_ms, 3, ts_plain_numbers);
    ts_out_printf(out, " ms apart, %d missing.\nEnd rule %s, detector %s.\n", result->dropped,
                  ts_rule_name(result->rule),
                  result->detector_version ? result->detector_version : "unknown");
    put_flags(launch, style, out);
}
