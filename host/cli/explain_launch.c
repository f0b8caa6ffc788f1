/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain_parts.h"

#include "export/segments.h"
#include "store/json_out.h"

#include <string.h>

const char *ts_explain_name(int milestone)
{
    static const char *const names[] = {"lift",   "touch-up", "input",           "process start",
                                        "bind",   "splash",   "first app frame", "main content",
                                        "settled"};
    return names[milestone];
}

static void put_text(const struct ts_story *story, const struct ts_milestone_order *order,
                     struct ts_text_style style, struct ts_out *out)
{
    struct ts_table table;
    ts_out_printf(out, "Launch %d: ", story->result.launch);
    ts_out_text(out, story->result.app, 40, style);
    ts_out_printf(out, ", %s, %s\n\n", ts_start_type_name(story->result.start_type),
                  ts_result_verdict(&story->result));
    ts_table_begin(&table, 5, 0xe);
    ts_table_put(&table, "");
    ts_table_put(&table, "took ms");
    ts_table_put(&table, "at ms");
    ts_table_put(&table, "u");
    ts_table_put(&table, "");
    double before = NAN;
    for (size_t i = 0; i < order->count; i++) {
        const enum ts_milestone at = order->order[i];
        ts_table_put(&table, ts_explain_name((int)at));
        ts_table_number(&table, story->ms[at] - before, 1);
        ts_table_number(&table, story->ms[at], 1);
        ts_table_number(&table, story->u_ms[at], 1);
        ts_table_put(&table, ts_milestone_meanings[at]);
        before = story->ms[at];
    }
    ts_table_end(&table, style, out);
    ts_out_printf(out, "\nat: after %s; u: standard uncertainty of that, ms.\n",
                  ts_result_zero_words(&story->result));
    if (isfinite(story->result.time_to_initial_display_ms))
        ts_out_printf(out, "Android's time to initial display: %.0f ms, from input on.\n",
                      story->result.time_to_initial_display_ms);
    for (int at = 0; at < TS_MILESTONE_COUNT; at++) {
        if (order->missing[at])
            ts_out_printf(out, "No evidence of %s.\n", ts_explain_name(at));
    }
}

static void put_json(const struct ts_story *story, const struct ts_milestone_order *order,
                     struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 2};
    ts_json_open(&json, NULL, '{');
    ts_json_integer(&json, "launch", story->result.launch);
    ts_json_text(&json, "app", story->result.app);
    ts_json_text(&json, "start_type", ts_start_type_name(story->result.start_type));
    ts_json_text(&json, "verdict", ts_result_verdict(&story->result));
    ts_json_number(&json, "time_to_initial_display_ms", story->result.time_to_initial_display_ms);
    ts_json_open(&json, "milestones", '[');
    double before = NAN;
    for (size_t i = 0; i < order->count; i++) {
        const enum ts_milestone at = order->order[i];
        ts_json_open(&json, NULL, '{');
        ts_json_text(&json, "name", ts_milestone_names[at]);
        ts_json_number(&json, "at_ms", story->ms[at]);
        ts_json_number(&json, "u_ms", story->u_ms[at]);
        ts_json_number(&json, "took_ms", story->ms[at] - before);
        ts_json_close(&json, '}');
        before = story->ms[at];
    }
    ts_json_close(&json, ']');
    ts_json_open(&json, "missing", '[');
    for (int at = 0; at < TS_MILESTONE_COUNT; at++) {
        if (order->missing[at])
            ts_json_text(&json, NULL, ts_milestone_names[at]);
    }
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    if (!out->err)
        out->err = json.err;
    ts_out_put(out, "\n");
}

int ts_explain_launch(const char *dir, int launch, bool json, struct ts_text_style style,
                      struct ts_out *out, struct ts_why *why)
{
    struct ts_session *session;
    struct ts_story story = {0};
    struct ts_milestones milestones;
    struct ts_milestone_order order;
    int err = ts_session_open(dir, &session, why);
    if (err)
        return err;
    if (launch > ts_session_launch_count(session))
        err = ts_fail(why, TS_EINVAL, "%.200s has launches 1 to %d, there is no launch %d", dir,
                      ts_session_launch_count(session), launch);
    if (!err)
        err = ts_story_load(session, launch, false, &story, why);
    if (!err) {
        memcpy(milestones.ms, story.ms, sizeof milestones.ms);
        err = ts_milestones_sort(&milestones, 1, NULL, 0, &order);
    }
    if (!err && json)
        put_json(&story, &order, out);
    else if (!err)
        put_text(&story, &order, style, out);
    ts_story_free(&story);
    ts_session_free(session);
    return err;
}
