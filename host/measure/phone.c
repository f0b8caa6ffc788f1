/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/parts.h"

#include "android/focus.h"
#include "android/getevent.h"
#include "android/match.h"
#include "clock/grain.h"
#include "measure/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_MOST_NS (1 * TS_NS_PER_MS) /* between what happens and its line */

/* The log of a part on one clock: as if the phone's had never been set. */
struct log {
    struct ts_log_event *events; /* owned */
    size_t count;
    struct ts_clock_grain grain;
    const struct ts_clock_fit *clock; /* in force when the launch can have begun; borrowed */
    bool torn;                        /* a line came in pieces, so that something is missing */
    bool unsure;                      /* of a line that matters, nobody knows when it was */
};

/* A stamp from another stretch of the phone's clock, as this one would have given it. */
static void move_stamp(const struct ts_timeline *timeline, int64_t seen_ns, struct log *log,
                       struct ts_log_event *event)
{
    if (event->line.stamp_kind != TS_STAMP_EPOCH)
        return;
    const struct ts_clock_fit *clock =
        ts_clock_track_at_other(&timeline->phone_real, event->line.stamp_ns, seen_ns);
    if (!clock)
        log->unsure = true;
    else if (clock != log->clock)
        event->line.stamp_ns =
            ts_clock_from_host(log->clock, ts_clock_to_host(clock, event->line.stamp_ns));
}

static int read_log(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                    struct log *log)
{
    size_t stamp_count = 0;
    int64_t *stamps = malloc((evidence->line_count + 1) * sizeof *stamps);
    log->events = malloc((evidence->line_count + 1) * sizeof *log->events);
    if (!stamps || !log->events) {
        free(stamps);
        return TS_ENOMEM;
    }
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        struct ts_log_event *event = &log->events[log->count];
        if (line->stream != TS_STREAM_LOG)
            continue;
        if (ts_logcat_parse_event(line->text, strlen(line->text), event) != TS_OK)
            continue;
        log->torn |= !event->line.tag[0];
        if (event->line.stamp_kind == TS_STAMP_EPOCH)
            stamps[stamp_count++] = event->line.stamp_ns;
        if (event->kind == TS_LOG_NOTHING)
            continue;
        move_stamp(timeline, line->arrival.ns, log, event);
        log->count++;
    }
    log->grain = ts_clock_grain(stamps, stamp_count);
    free(stamps);
    return TS_OK;
}

bool ts_measure_is_touch(const struct ts_log_line *line)
{
    static const char touch[] = "touch up";
    const size_t size = sizeof touch - 1;
    return strcmp(line->tag, "Touchstone") == 0 && line->message_size >= size &&
           memcmp(line->message, touch, size) == 0;
}

/* The helper tells of every start that it was denied, by the exception's name; Android's own line
 * of it tells the outcome only since Android 14. */
static bool start_denied(const struct ts_evidence *evidence)
{
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        struct ts_log_line parsed;
        if (line->stream == TS_STREAM_LOG &&
            !ts_logcat_parse_line(line->text, strlen(line->text), &parsed) &&
            parsed.priority == 'W' && strcmp(parsed.tag, "Touchstone") == 0 &&
            (strstr(line->text, "ActivityNotFoundException") ||
             strstr(line->text, "SecurityException")))
            return true;
    }
    return false;
}

static bool touch_seen(const struct ts_evidence *evidence)
{
    struct ts_touch touch = {0};
    struct ts_getevent input;
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        struct ts_log_line parsed;
        if (line->stream == TS_STREAM_INPUT &&
            !ts_getevent_parse(line->text, strlen(line->text), &input) &&
            ts_touch_follow(&touch, &input))
            return true;
        if (line->stream != TS_STREAM_LOG ||
            ts_logcat_parse_line(line->text, strlen(line->text), &parsed))
            continue;
        if (ts_measure_is_touch(&parsed))
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
    if (match->refused || start_denied(evidence))
        ts_result_flag(result, TS_FLAG_START_REFUSED);
    if (match->foreign_window && !match->crashed) /* a crash leads back to the button */
        ts_result_flag(result,
                       ts_focus_is_dialog(match->foreign) ? TS_FLAG_DIALOG : TS_FLAG_WRONG_WINDOW);
    if (ts_focus_is_dialog(evidence->intent.focus_after))
        ts_result_flag(result, TS_FLAG_DIALOG);
    if (match->start_type == TS_START_UNKNOWN)
        ts_result_flag(result, TS_FLAG_START_TYPE_UNKNOWN);
    else if (match->start_type != evidence->intent.start)
        ts_result_flag(result, TS_FLAG_WRONG_START_TYPE);
    if (ts_result_from_am(result))
        return; /* nobody touched it */
    if (!match->started && !match->refused && !match->log_lost && !touch_seen(evidence))
        ts_result_flag(result, TS_FLAG_TOUCH_NOT_SEEN);
}

/* The stamp of a line on the host's clock, as far as the clock's step lets it be known. */
static int64_t stamp_to_host(const struct log *log, int64_t stamp_ns)
{
    return ts_ns_after(ts_clock_to_host(log->clock, stamp_ns), llround(log->grain.late_ns));
}

static void note_first_line(const struct ts_match *match, const struct log *log,
                            const struct ts_timeline *timeline, struct ts_begin_times *times)
{
    const double ns = (double)TS_NS_PER_MS;
    if (!match->start_ns)
        return;
    times->first_line_ms = ts_timeline_ms(timeline, stamp_to_host(log, match->start_ns));
    times->first_line_u_ms =
        hypot(log->grain.late_u_ns, ts_clock_u_at(log->clock, match->start_ns)) / ns;
}

/* Nothing but the hard bounds: the ways to the phone and back run through different programs, and
 * that a few readings scatter alike does not make them equally long. */
static double bounds_u_ns(const struct ts_clock_fit *clock, int64_t phone_ns)
{
    double low, high;
    ts_clock_bounds_at(clock, phone_ns, &low, &high);
    return hypot((high - low) / sqrt(12), (high + low) / 2);
}

/* Time zero of a launch that nobody tapped is the instant of ActivityTaskManager's own line. What
 * is not known of it: the phone's clock on the host's, and where in its step the log's stood. */
static void note_start(const struct ts_match *match, const struct log *log,
                       const struct ts_timeline *timeline, struct ts_begin_times *times,
                       struct ts_result *result)
{
    const double ns = (double)TS_NS_PER_MS;
    if (!match->told_ns) {
        ts_result_flag(result, TS_FLAG_START_NOT_SEEN);
        return;
    }
    struct ts_budget *budget = &result->budgets[TS_BUDGET_START];
    budget->terms[TS_TERM_PHONE] =
        (struct ts_term){bounds_u_ns(log->clock, match->told_ns) / ns, 1, INFINITY};
    budget->terms[TS_TERM_STAMP] = (struct ts_term){log->grain.late_u_ns / ns, 1, INFINITY};
    result->start = (struct ts_instant){.host_ns = stamp_to_host(log, match->told_ns),
                                        .u_ns = ts_budget_u_ms(budget) * ns,
                                        .half_95_ns = ts_budget_half_ms(budget, 0.95) * ns};
    times->zero_ms = ts_timeline_ms(timeline, result->start.host_ns);
}

/* What changed before Android was told to start the app cannot be the app. */
void ts_measure_first_change(const struct ts_begin_times *times, struct ts_result *result)
{
    const struct ts_metric *first = &result->first_visual_change;
    const double start_ms = times->first_line_ms - times->zero_ms;
    if (first->value + 2 * hypot(first->u, times->first_line_u_ms) < start_ms)
        ts_result_flag(result, TS_FLAG_SCREEN_NOT_QUIET);
}

/* How far a stamp may lie from where a host instant maps to: by the clock's hard bound, its step,
 * and how well the instant itself is known. */
static int64_t slack_ns(const struct log *log, int64_t phone_ns, double instant_u_ns)
{
    double low, high;
    ts_clock_bounds_at(log->clock, phone_ns, &low, &high);
    const double slack = fmax(fabs(low), fabs(high)) + (double)log->grain.step_ns +
                         3 * instant_u_ns + (double)READ_MOST_NS;
    return (int64_t)fmin(slack, (double)TS_NS_PER_S);
}

/* begin_ns: on the host, before which the launch cannot have begun. */
static int match_log(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     const struct log *log, int64_t begin_ns, struct ts_begin_times *times,
                     struct ts_result *result)
{
    struct ts_match match;
    const bool tapped = !ts_result_from_am(result);
    const int64_t from_ns = ts_clock_from_host(log->clock, begin_ns);
    const int64_t to_ns = ts_clock_from_host(log->clock, evidence->intent.watch_ended.ns);
    const struct ts_match_query query = {
        .component = evidence->intent.component,
        .user = 0,
        .uid = evidence->intent.app_uid,
        .pid = evidence->intent.app_pid,
        .not_before_ns =
            ts_ns_after(from_ns, -slack_ns(log, from_ns, tapped ? result->contact.u_ns : 0)),
        .not_after_ns = ts_ns_after(to_ns, slack_ns(log, to_ns, 0)),
    };
    const int err = ts_match_launch(log->events, log->count, &query, &match);
    if (err == TS_OK) {
        judge(&match, evidence, result);
        note_first_line(&match, log, timeline, times);
        if (!tapped)
            note_start(&match, log, timeline, times, result);
    }
    return err == TS_ENOMEM ? err : TS_OK;
}

/* A tapped launch cannot have begun before the contact, another not before Android was told. false:
 * nobody knows when that was. */
static bool find_begin(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                       const struct ts_begin_times *times, const struct ts_result *result,
                       int64_t *begin_ns)
{
    *begin_ns = evidence->intent.tap_sent.ns;
    if (ts_result_from_am(result))
        return true;
    if (isnan(times->contact_ms))
        return false;
    *begin_ns = ts_ns_after(timeline->zero_ns, llround(times->contact_ms * (double)TS_NS_PER_MS));
    return true;
}

/* Nothing of the launch can be found in the log. */
static void give_up(enum ts_flag untapped, struct ts_result *result)
{
    ts_result_flag(result, TS_FLAG_START_TYPE_UNKNOWN);
    if (ts_result_from_am(result))
        ts_result_flag(result, untapped);
}

int ts_measure_phone(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     struct ts_begin_times *times, struct ts_result *result)
{
    int64_t begin_ns;
    const bool begun = find_begin(evidence, timeline, times, result, &begin_ns);
    struct log log = {.clock =
                          begun ? ts_clock_track_at_host(&timeline->phone_real, begin_ns) : NULL};
    /* To find out what the log costs, nobody read it. */
    const bool unread = strcmp(evidence->intent.conditions.observers, "none") == 0;
    if (unread)
        ts_result_flag(result, TS_FLAG_LOG_LOST);
    if (!log.clock || unread) {
        give_up(unread ? TS_FLAG_START_NOT_SEEN : TS_FLAG_CLOCK_UNSURE, result);
        return TS_OK;
    }
    int err = read_log(evidence, timeline, &log);
    if (log.torn)
        ts_result_flag(result, TS_FLAG_LOG_LOST);
    if (!err && log.unsure)
        give_up(TS_FLAG_CLOCK_UNSURE, result);
    else if (!err)
        err = match_log(evidence, timeline, &log, begin_ns, times, result);
    free(log.events);
    return err;
}
