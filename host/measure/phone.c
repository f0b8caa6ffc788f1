/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/parts.h"

#include "android/focus.h"
#include "android/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_STEP_MS    1.0                 /* threadtime stamps are truncated to this */
#define CLOCK_SLACK_NS (15 * TS_NS_PER_MS) /* log clocks that tick in 10 ms steps, and reading */

static int parse_lines(const struct ts_evidence *evidence, struct ts_log_event **events,
                       size_t *count)
{
    *count = 0;
    *events = malloc((evidence->line_count + 1) * sizeof **events);
    if (!*events)
        return TS_ENOMEM;
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        if (line->stream != TS_STREAM_LOG)
            continue;
        struct ts_log_event *event = &(*events)[*count];
        if (ts_logcat_parse_event(line->text, strlen(line->text), event) == TS_OK &&
            event->kind != TS_LOG_NOTHING)
            ++*count;
    }
    return TS_OK;
}

/* The helper's button logs each touch that reached it. */
static bool touch_seen(const struct ts_evidence *evidence)
{
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        struct ts_log_line parsed;
        if (line->stream != TS_STREAM_LOG ||
            ts_logcat_parse_line(line->text, strlen(line->text), &parsed))
            continue;
        if (strcmp(parsed.tag, "Touchstone") == 0 && parsed.message_size >= 8 &&
            memcmp(parsed.message, "touch up", 8) == 0)
            return true;
    }
    return false;
}

static void judge(const struct ts_match *match, const struct ts_evidence *evidence,
                  struct ts_result *result)
{
    result->start_type = match->start_type;
    result->time_to_initial_display_ms = match->time_to_initial_display_ms;
    result->time_to_full_display_ms = match->time_to_full_display_ms;
    memcpy(result->component, match->component, sizeof result->component);
    if (match->crashed)
        ts_result_flag(result, TS_FLAG_APP_CRASHED);
    if (match->anr)
        ts_result_flag(result, TS_FLAG_ANR);
    if (match->log_lost)
        ts_result_flag(result, TS_FLAG_LOG_LOST);
    if (match->foreign_window && !match->crashed) /* a crash leads back to the button */
        ts_result_flag(result,
                       ts_focus_is_dialog(match->foreign) ? TS_FLAG_DIALOG : TS_FLAG_WRONG_WINDOW);
    if (ts_focus_is_dialog(evidence->intent.focus_after))
        ts_result_flag(result, TS_FLAG_DIALOG);
    if (match->start_type == TS_START_UNKNOWN)
        ts_result_flag(result, TS_FLAG_START_TYPE_UNKNOWN);
    else if (match->start_type != evidence->intent.start)
        ts_result_flag(result, TS_FLAG_WRONG_START_TYPE);
    if (!match->started && !match->log_lost && !touch_seen(evidence))
        ts_result_flag(result, TS_FLAG_TOUCH_NOT_SEEN);
}

/* What changed before Android was told to start the app cannot be the app. */
static void judge_first_change(const struct ts_match *match, const struct ts_timeline *timeline,
                               const struct ts_stylus_times *times, struct ts_result *result)
{
    if (!match->start_ns || isnan(result->first_visual_change.value))
        return;
    const int64_t start_ns =
        ts_ns_between(ts_clock_to_host(&timeline->phone, match->start_ns), timeline->zero_ns);
    const double start_ms = (double)start_ns / (double)TS_NS_PER_MS - times->lift_ms;
    const double sure_ms = 2 * result->first_visual_change.u + LOG_STEP_MS;
    if (result->first_visual_change.value + sure_ms < start_ms)
        ts_result_flag(result, TS_FLAG_SCREEN_NOT_QUIET);
}

int ts_measure_phone(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     const struct ts_stylus_times *times, struct ts_result *result)
{
    struct ts_log_event *events = NULL;
    struct ts_match match;
    size_t count;
    if (!timeline->phone_known || isnan(times->contact_ms)) {
        ts_result_flag(result, TS_FLAG_START_TYPE_UNKNOWN);
        return TS_OK;
    }
    int err = parse_lines(evidence, &events, &count);
    if (err)
        return err;
    const int64_t contact_host =
        ts_ns_after(timeline->zero_ns, llround(times->contact_ms * (double)TS_NS_PER_MS));
    const struct ts_match_query query = {
        .component = evidence->intent.component,
        .user = 0,
        .uid = evidence->intent.app_uid,
        .pid = evidence->intent.app_pid,
        .not_before_ns =
            ts_ns_after(ts_clock_from_host(&timeline->phone, contact_host), -CLOCK_SLACK_NS),
        .not_after_ns = ts_ns_after(
            ts_clock_from_host(&timeline->phone, evidence->intent.watch_ended.ns), CLOCK_SLACK_NS),
    };
    err = ts_match_launch(events, count, &query, &match);
    if (err == TS_OK) {
        judge(&match, evidence, result);
        judge_first_change(&match, timeline, times, result);
    }
    free(events);
    return err == TS_ENOMEM ? err : TS_OK;
}
