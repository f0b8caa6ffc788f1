/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_run.h"

#include "cli/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const test_names[] = {"Brunner-Munzel", "Brunner-Munzel, permuted",
                                         "Welch, sessions", "ranks in turns"};
static const char *const unit_names[] = {"launch", "session", "turn"};
static const char *const left_out_names[] = {"taken", "unusable", "warm_up", "excluded",
                                             "no_value"};

static void put_change(struct ts_table *table, double ratio)
{
    ts_table_printf(table, "%+.1f %%", 100 * (ratio - 1));
}

static void put_app_row(struct ts_table *table, const struct ts_compared_app *app, double level)
{
    const struct ts_comparison *of = &app->comparison;
    ts_table_put(table, app->app);
    if (!app->compared) {
        ts_table_printf(table, "%zu/%zu", app->left_out[0][TS_TAKEN], app->left_out[1][TS_TAKEN]);
        for (int i = 0; i < 5; i++)
            ts_table_put(table, "-");
        ts_table_put(table, "not compared");
        return;
    }
    ts_table_printf(table, "%zu/%zu", of->a.count, of->b.count);
    ts_table_number(table, of->a.median, 1);
    ts_table_number(table, of->b.median, 1);
    put_change(table, of->ratio);
    ts_table_printf(table, "%+.1f..%+.1f %%", 100 * (of->ratio_interval.low - 1),
                    100 * (of->ratio_interval.high - 1));
    if (app->p_holm < 0.0001)
        ts_table_put(table, "<.0001");
    else
        ts_table_number(table, app->p_holm, 4);
    ts_table_put(table, ts_compared_verdict(app, level));
}

static void note(struct ts_out *out, struct ts_text_style style, const char *text)
{
    ts_out_wrapped(out, text, 2, style);
}

static void put_left_out(const struct ts_compared *pair, struct ts_text_style style,
                         struct ts_out *out)
{
    static const char *const words[] = {"", "not usable", "warm-up", "excluded", "without a value"};
    char text[400];
    for (int side = 0; side < 2; side++) {
        size_t total = 0, counts[TS_LEFT_OUT_COUNT] = {0}, outliers = 0;
        for (size_t i = 0; i < pair->count; i++) {
            for (int why = 0; why < TS_LEFT_OUT_COUNT; why++)
                counts[why] += pair->apps[i].left_out[side][why];
            const struct ts_comparison *of = &pair->apps[i].comparison;
            outliers += side ? of->b.outliers : of->a.outliers;
        }
        int used = snprintf(text, sizeof text, "%s: ", side ? "second" : "first");
        for (int why = 0; why < TS_LEFT_OUT_COUNT; why++)
            total += counts[why];
        used += snprintf(text + used, sizeof text - (size_t)used, "%zu launches, %zu taken", total,
                         counts[TS_TAKEN]);
        for (int why = TS_UNUSABLE; why < TS_LEFT_OUT_COUNT; why++) {
            if (counts[why])
                used += snprintf(text + used, sizeof text - (size_t)used, ", %zu %s", counts[why],
                                 words[why]);
        }
        snprintf(text + used, sizeof text - (size_t)used,
                 "; %zu of those taken lie beyond Tukey's fences and count all the same.",
                 outliers);
        note(out, style, text);
    }
}

static void put_notes(const struct ts_compared *pair, const struct ts_compare_options *options,
                      struct ts_text_style style, struct ts_out *out)
{
    char text[500];
    bool single = false, serial = false, turns = false;
    double common = 0, needed = 0;
    for (size_t i = 0; i < pair->count; i++) {
        const struct ts_compared_app *app = &pair->apps[i];
        if (!app->compared) {
            snprintf(text, sizeof text, "%.100s: %.300s.", app->app, app->why_not.text);
            note(out, style, text);
            continue;
        }
        single |= app->comparison.unit == TS_COMPARE_LAUNCHES;
        turns |= app->comparison.unit == TS_COMPARE_TURNS;
        serial |= app->comparison.a.correlation > 0.3 || app->comparison.b.correlation > 0.3;
        common = fmax(common, app->u_common_ms);
        needed = fmax(needed, app->comparison.needed);
    }
    put_left_out(pair, style, out);
    for (int i = 0; i < TS_CONDITION_COUNT; i++) {
        if (pair->unlike[i]) {
            snprintf(text, sizeof text, "Unlike: %s is %s in the first, %s in the second.",
                     ts_condition_names[i], pair->a->conditions[i], pair->b->conditions[i]);
            note(out, style, text);
        }
    }
    if (common > 0) {
        snprintf(text, sizeof text,
                 "Two rigs: up to %.2f ms of standard uncertainty that no launch makes smaller is "
                 "in the intervals.",
                 common);
        note(out, style, text);
    }
    if (turns)
        note(out, style,
             "They took turns within a session: launches are compared in the order in which they "
             "came, and what befell both is in no difference and in no interval.");
    if (single)
        note(out, style,
             "One session on a side: what differs from session to session is in no interval here. "
             "Name two or more a side (A1,A2 B1,B2) to have it in.");
    if (serial)
        note(out, style,
             "Launches resemble the ones before them; intervals and tests allow for that.");
    if (isfinite(needed) && needed > 0) {
        snprintf(text, sizeof text,
                 "A change of %.3g %% in every app shows (4 times in 5) from %.0f launches a side.",
                 100 * options->rules.margin, needed);
        note(out, style, text);
    }
}

void ts_compared_put_text(const struct ts_compared *compared, size_t count,
                          const struct ts_compare_options *options, struct ts_text_style style,
                          struct ts_out *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct ts_compared *pair = &compared[i];
        const struct ts_overall *all = &pair->overall;
        struct ts_table table;
        ts_out_put(out, i ? "\nfirst:  " : "first:  ");
        ts_out_text(out, pair->a->name, 72, style);
        ts_out_put(out, "\nsecond: ");
        ts_out_text(out, pair->b->name, 72, style);
        ts_out_put(out, "\n\n");
        ts_table_begin(&table, 8, 0x7e);
        static const char *const headings[] = {"APP",    "N",  "FIRST",   "SECOND",
                                               "CHANGE", NULL, "P(HOLM)", "VERDICT"};
        for (int column = 0; column < 8; column++) {
            if (headings[column])
                ts_table_put(&table, headings[column]);
            else
                ts_table_printf(&table, "%.3g %%", 100 * options->rules.level);
        }
        for (size_t j = 0; j < pair->count; j++)
            put_app_row(&table, &pair->apps[j], options->rules.level);
        ts_table_end(&table, style, out);
        if (all->count > 1)
            ts_out_printf(out, "\nOver %zu apps: %+.2f %% (%+.2f to %+.2f %%), p %s%.4f\n",
                          all->count, 100 * (all->ratio - 1), 100 * (all->interval.low - 1),
                          100 * (all->interval.high - 1), all->p < 0.0001 ? "< " : "",
                          fmax(all->p, 0.0001));
        ts_out_put(out, "\n");
        put_notes(pair, options, style, out);
    }
}

static json_t *interval(struct ts_interval of)
{
    return ts_json_figures(of.low, of.high);
}

static json_t *side_json(const struct ts_side_summary *side, const size_t *left_out)
{
    json_t *object = json_pack(
        "{s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "launches", (json_int_t)side->count, "sessions",
        (json_int_t)side->sessions, "outliers", (json_int_t)side->outliers, "median_ms",
        ts_json_figure(side->median), "median_interval_ms", interval(side->interval), "iqr_ms",
        ts_json_figure(side->iqr), "correlation", ts_json_figure(side->correlation),
        "effective_launches", ts_json_figure(side->effective));
    for (int why = TS_UNUSABLE; why < TS_LEFT_OUT_COUNT; why++)
        json_object_set_new(object, left_out_names[why], json_integer((json_int_t)left_out[why]));
    return object;
}

static json_t *app_json(const struct ts_compared_app *app, double level)
{
    const struct ts_comparison *of = &app->comparison;
    json_t *object = json_pack("{s:o, s:s}", "app", ts_json_name(app->app), "verdict",
                               ts_compared_verdict(app, level));
    if (!app->compared) {
        json_object_set_new(object, "why", json_string(app->why_not.text));
        return object;
    }
    json_object_set_new(object, "first", side_json(&of->a, app->left_out[0]));
    json_object_set_new(object, "second", side_json(&of->b, app->left_out[1]));
    json_object_set_new(object, "ratio", ts_json_figure(of->ratio));
    json_object_set_new(object, "ratio_interval", interval(of->ratio_interval));
    json_object_set_new(object, "unit", json_string(unit_names[of->unit]));
    json_object_set_new(object, "test", json_string(test_names[of->test]));
    if (of->unit == TS_COMPARE_TURNS)
        json_object_set_new(object, "turns",
                            json_pack("{s:I, s:I, s:I, s:I}", "first_launches",
                                      (json_int_t)of->in_turns[0], "second_launches",
                                      (json_int_t)of->in_turns[1], "blocks", (json_int_t)of->blocks,
                                      "sessions", (json_int_t)of->shared_sessions));
    json_object_set_new(object, "p", ts_json_figure(of->p));
    json_object_set_new(object, "p_holm", ts_json_figure(app->p_holm));
    json_object_set_new(object, "p_not_slower", ts_json_figure(of->p_not_slower));
    json_object_set_new(object, "p_slower", ts_json_figure(of->p_slower));
    json_object_set_new(object, "p_equal", ts_json_figure(of->p_equal));
    json_object_set_new(object, "hodges_lehmann_ms", ts_json_figure(of->difference.estimate));
    json_object_set_new(object, "hodges_lehmann_interval_ms", interval(of->difference.interval));
    json_object_set_new(object, "median_difference_ms", ts_json_figure(of->medians.difference));
    json_object_set_new(object, "median_difference_interval_ms",
                        interval(of->medians.difference_interval));
    json_object_set_new(object, "median_ratio", ts_json_figure(of->medians.ratio));
    json_object_set_new(object, "median_ratio_interval", interval(of->medians.ratio_interval));
    json_object_set_new(object, "cliffs_delta", ts_json_figure(of->delta.delta));
    json_object_set_new(object, "cliffs_delta_interval", interval(of->delta.interval));
    json_object_set_new(object, "brunner_munzel", ts_json_figure(of->relative.statistic));
    json_object_set_new(object, "performance_ms", ts_json_figure(of->improvement.performance));
    json_object_set_new(object, "performance", ts_json_figure(of->improvement.performance_share));
    json_object_set_new(object, "precision_ms", ts_json_figure(of->improvement.precision));
    json_object_set_new(object, "precision", ts_json_figure(of->improvement.precision_share));
    json_object_set_new(object, "session_spread", ts_json_figure(of->session_spread));
    json_object_set_new(object, "u_common_ms", ts_json_figure(app->u_common_ms));
    json_object_set_new(object, "detectable", ts_json_figure(of->detectable));
    json_object_set_new(object, "launches_needed", ts_json_figure(of->needed));
    return object;
}

static json_t *pair_json(const struct ts_compared *pair, double level)
{
    json_t *apps = json_array(), *unlike = json_object();
    for (size_t i = 0; i < pair->count; i++)
        json_array_append_new(apps, app_json(&pair->apps[i], level));
    for (int i = 0; i < TS_CONDITION_COUNT; i++) {
        if (pair->unlike[i])
            json_object_set_new(
                unlike, ts_condition_names[i],
                json_pack("[s, s]", pair->a->conditions[i], pair->b->conditions[i]));
    }
    const struct ts_overall *all = &pair->overall;
    return json_pack("{s:o, s:o, s:b, s:o, s:o, s:{s:I, s:o, s:o, s:o}}", "first",
                     ts_json_name(pair->a->name), "second", ts_json_name(pair->b->name), "one_rig",
                     pair->one_rig, "unlike", unlike, "apps", apps, "overall", "apps",
                     (json_int_t)all->count, "ratio", ts_json_figure(all->ratio), "ratio_interval",
                     interval(all->interval), "p", ts_json_figure(all->p));
}

int ts_compared_put_json(const struct ts_compared *compared, size_t count,
                         const struct ts_compare_options *options, struct ts_out *out)
{
    json_t *pairs = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(pairs, pair_json(&compared[i], options->rules.level));
    json_t *root = json_pack("{s:f, s:f, s:o}", "level", options->rules.level, "margin",
                             options->rules.margin, "comparisons", pairs);
    return ts_json_put_line(root, out);
}

static void put_quoted(struct ts_out *out, const char *text)
{
    ts_out_put(out, "\"");
    for (; *text; text++) {
        if (*text == '"')
            ts_out_put(out, "\"");
        ts_out_bytes(out, text, 1);
    }
    ts_out_put(out, "\"");
}

void ts_compared_put_csv(const struct ts_compared *compared, size_t count,
                         const struct ts_compare_options *options, struct ts_out *out)
{
    ts_out_put(out, "first,second,app,first_launches,second_launches,first_median_ms,"
                    "second_median_ms,ratio,ratio_low,ratio_high,p,p_holm,p_not_slower,p_slower,"
                    "p_equal,cliffs_delta,hodges_lehmann_ms,performance_ms,precision_ms,verdict\n");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < compared[i].count; j++) {
            const struct ts_compared_app *app = &compared[i].apps[j];
            const struct ts_comparison *of = &app->comparison;
            const char *names[] = {compared[i].a->name, compared[i].b->name, app->app};
            for (int k = 0; k < 3; k++) {
                put_quoted(out, names[k]);
                ts_out_put(out, ",");
            }
            ts_out_printf(out, "%zu,%zu", app->left_out[0][TS_TAKEN], app->left_out[1][TS_TAKEN]);
            const double numbers[] = {of->a.median,
                                      of->b.median,
                                      of->ratio,
                                      of->ratio_interval.low,
                                      of->ratio_interval.high,
                                      of->p,
                                      app->p_holm,
                                      of->p_not_slower,
                                      of->p_slower,
                                      of->p_equal,
                                      of->delta.delta,
                                      of->difference.estimate,
                                      of->improvement.performance,
                                      of->improvement.precision};
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
                if (app->compared)
                    ts_out_printf(out, ",%.9g", numbers[k]);
                else
                    ts_out_put(out, ",");
            }
            ts_out_printf(out, ",%s\n", ts_compared_verdict(app, options->rules.level));
        }
    }
}
