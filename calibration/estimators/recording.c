/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/recording.h"

#include "android/logcat.h"
#include "android/match.h"
#include "estimators/features.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)
/* Before the click: the processes that were there, and lines that were stamped a little early. */
#define BEFORE_NS (50 * MS)
#define AFTER_NS  (TS_LAUNCH_MOST_MS * MS)

struct reader {
    struct ts_accessibility_event *events; /* owned */
    int64_t *stamps_ns;                    /* owned; of the events' lines; same count */
    size_t event_count, event_capacity, stamp_count, stamp_capacity;
    struct ts_log_event *lines; /* owned; what else speaks of launches */
    size_t line_count, line_capacity;
    bool unplaced; /* a line of the recorder has no stamp of CLOCK_REALTIME */
};

static int take_event(struct reader *reader, const struct ts_log_line *line)
{
    struct ts_accessibility_event event;
    if (ts_accessibility_parse(line->message, line->message_size, &event))
        return TS_OK;
    void *events = reader->events, *stamps = reader->stamps_ns;
    struct ts_accessibility_event *to =
        ts_grow(&events, &reader->event_count, &reader->event_capacity, sizeof *to);
    reader->events = events;
    int64_t *stamp =
        to ? ts_grow(&stamps, &reader->stamp_count, &reader->stamp_capacity, sizeof *stamp) : NULL;
    reader->stamps_ns = to ? stamps : reader->stamps_ns;
    if (!stamp)
        return TS_ENOMEM;
    *to = event;
    *stamp = line->stamp_ns;
    reader->unplaced |= line->stamp_kind != TS_STAMP_EPOCH;
    return TS_OK;
}

static int take_line(struct reader *reader, const char *text, size_t size)
{
    struct ts_log_event event;
    if (ts_logcat_parse_event(text, size, &event))
        return TS_OK;
    if (strcmp(event.line.tag, "TouchstoneEvent") == 0)
        return take_event(reader, &event.line);
    if (event.kind == TS_LOG_NOTHING)
        return TS_OK;
    void *lines = reader->lines;
    struct ts_log_event *to =
        ts_grow(&lines, &reader->line_count, &reader->line_capacity, sizeof *to);
    reader->lines = lines;
    if (!to)
        return TS_ENOMEM;
    *to = event;
    return TS_OK;
}

static int read_lines(struct reader *reader, const char *text, size_t size)
{
    int err = TS_OK;
    for (const char *at = text, *end = text + size; at < end && !err;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        err = take_line(reader, at, (size_t)(stop - at));
        at = stop + 1;
    }
    return err;
}

/* When the click was, by CLOCK_REALTIME. Lines are written after the events that they tell of, and
 * the one that was written soonest says best what lies between the two clocks. */
static int64_t click_real_ns(const struct reader *reader, const struct ts_launch_cut *cut)
{
    int64_t between_ns = INT64_MAX;
    for (size_t i = cut->click; i < cut->end; i++) {
        const int64_t ns = reader->stamps_ns[i] - reader->events[i].uptime_ms * MS;
        between_ns = ns < between_ns ? ns : between_ns;
    }
    return reader->events[cut->click].uptime_ms * MS + between_ns;
}

static const char *component_of(const struct reader *reader, const struct ts_launch_cut *cut,
                                size_t first, size_t count, char *text, size_t size)
{
    const size_t package = strlen(cut->package);
    for (size_t i = first; i < first + count; i++) {
        const struct ts_log_event *line = &reader->lines[i];
        if (line->kind == TS_LOG_START && strncmp(line->component, cut->package, package) == 0 &&
            line->component[package] == '/')
            return line->component;
    }
    for (size_t i = cut->click + 1; i < cut->end; i++) {
        if (reader->events[i].kind == TS_ACCESSIBILITY_WINDOW &&
            strcmp(reader->events[i].package, cut->package) == 0)
            snprintf(text, size, "%s/%s", cut->package, reader->events[i].class_name);
    }
    return text;
}

/* What ActivityManager says of the launch. *from is the first of its lines that may matter, and
 * moves on: lines are in order. */
static int ask_android(const struct reader *reader, const struct ts_launch_cut *cut, size_t *from,
                       struct ts_feature_table_row *row)
{
    char component[300] = "";
    struct ts_match match;
    const int64_t click_ns = click_real_ns(reader, cut);
    int64_t end_ns = click_ns + AFTER_NS;
    for (size_t i = cut->end; i < reader->event_count; i++) {
        if (reader->events[i].kind == TS_ACCESSIBILITY_CLICKED) {
            end_ns = reader->stamps_ns[i] < end_ns ? reader->stamps_ns[i] : end_ns;
            break;
        }
        if (reader->stamps_ns[i] > end_ns)
            break;
    }
    while (*from < reader->line_count && reader->lines[*from].line.stamp_ns < click_ns - BEFORE_NS)
        ++*from;
    size_t count = 0;
    while (*from + count < reader->line_count &&
           reader->lines[*from + count].line.stamp_ns <= end_ns)
        count++;
    const struct ts_match_query query = {
        .component = component_of(reader, cut, *from, count, component, sizeof component),
        .not_before_ns = click_ns - BEFORE_NS,
        .not_after_ns = end_ns};
    const int err =
        count ? ts_match_launch(reader->lines + *from, count, &query, &match) : TS_EINVAL;
    row->start_type = err ? TS_START_UNKNOWN : match.start_type;
    if (!err && match.time_to_initial_display_ms > 0)
        row->time_to_initial_display_ms = match.time_to_initial_display_ms;
    return err == TS_EINVAL ? TS_OK : err;
}

static int add_launches(const struct ts_recording *recording, const struct reader *reader,
                        struct ts_feature_table *table, struct ts_recording_summary *summary)
{
    struct ts_launch_cut cut;
    size_t from = 0, line = 0;
    int err = TS_OK;
    while (!err && ts_launch_cut_next(reader->events, reader->event_count, &from, &cut)) {
        struct ts_feature_table_row row = {.settled_ms = NAN, .time_to_initial_display_ms = NAN};
        double values[TS_FEATURE_COUNT];
        snprintf(row.device, sizeof row.device, "%s", recording->device);
        snprintf(row.app, sizeof row.app, "%s", cut.package);
        snprintf(row.launch, sizeof row.launch, "%.100s/%zu", recording->name,
                 summary->launches + 1);
        for (size_t i = 0; i < TS_FEATURE_COUNT; i++)
            values[i] = NAN;
        ts_features_of_launch(reader->events, &cut, recording->horizon_ms, values);
        values[TS_FEATURE_launched_at_s] = (double)click_real_ns(reader, &cut) / 1e9;
        err = ask_android(reader, &cut, &line, &row);
        if (!err)
            err = ts_feature_table_add(table, &row, values);
        summary->launches += !err;
        summary->timed += !err && !isnan(row.time_to_initial_display_ms);
    }
    return err;
}

int ts_recording_read(const struct ts_recording *recording, struct ts_feature_table *table,
                      struct ts_recording_summary *summary, struct ts_why *why)
{
    struct reader reader = {0};
    *summary = (struct ts_recording_summary){0};
    int err = read_lines(&reader, recording->text, recording->size);
    summary->events = reader.event_count;
    if (err)
        err = ts_fail(why, err, "out of memory");
    else if (!reader.event_count)
        err = ts_fail(why, TS_EPROTO,
                      "the helper app's recorder wrote nothing in it; switch "
                      "org.touchstone.helper/.Recorder on and record with "
                      "`adb logcat -v epoch -b main,system,events`");
    else if (reader.unplaced)
        err = ts_fail(why, TS_EPROTO,
                      "its lines do not say when they were written; record with "
                      "`adb logcat -v epoch -b main,system,events`");
    if (!err && add_launches(recording, &reader, table, summary))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err && !summary->launches)
        err = ts_fail(why, TS_EPROTO,
                      "no app was launched in it: after none of its %zu events "
                      "another app's window came",
                      summary->events);
    free(reader.events);
    free(reader.stamps_ns);
    free(reader.lines);
    return err;
}
