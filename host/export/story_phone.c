/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/story.h"

#include "android/accessibility.h"
#include "android/component.h"
#include "android/getevent.h"
#include "android/logcat.h"
#include "clock/grain.h"
#include "measure/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEM_UID 1000

struct phone {
    struct ts_story *story;
    const struct ts_evidence *evidence;
    struct ts_timeline timeline;
    struct ts_clock_grain grain;
    int64_t input_ns; /* of the START that was taken; 0: none yet */
    struct ts_touch touch;
};

static int read_grain(struct phone *phone)
{
    const struct ts_evidence *evidence = phone->evidence;
    int64_t *stamps = malloc((evidence->line_count + 1) * sizeof *stamps);
    size_t count = 0;
    if (!stamps)
        return TS_ENOMEM;
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        struct ts_log_line parsed;
        if (line->stream == TS_STREAM_LOG &&
            !ts_logcat_parse_line(line->text, strlen(line->text), &parsed) &&
            parsed.stamp_kind == TS_STAMP_EPOCH)
            stamps[count++] = parsed.stamp_ns;
    }
    phone->grain = ts_clock_grain(stamps, count);
    free(stamps);
    return TS_OK;
}

/* On the host's clock, with its standard uncertainty; false: nobody knows. */
static bool to_host(const struct ts_clock_track *track, int64_t other_ns, int64_t seen_ns,
                    int64_t *host_ns, double *u_ns)
{
    const struct ts_clock_fit *clock = ts_clock_track_at_other(track, other_ns, seen_ns);
    if (!clock)
        return false;
    *host_ns = ts_clock_to_host(clock, other_ns);
    *u_ns = ts_clock_u_at(clock, other_ns);
    return true;
}

static void reach(struct phone *phone, enum ts_milestone milestone, int64_t host_ns, double u_ns)
{
    struct ts_story *story = phone->story;
    const struct ts_instant *zero = ts_result_zero(&story->result);
    if (isnan(zero->u_ns) || isfinite(story->ms[milestone]))
        return;
    story->ms[milestone] = (double)ts_ns_between(host_ns, zero->host_ns) / 1e6;
    story->u_ms[milestone] = hypot(u_ns, zero->u_ns) / 1e6;
}

/* The first START of the app after the stylus touched the glass, or Android was told, and what
 * follows of its process.
 * A line that another app wrote says nothing: anybody may write to the log. */
static void reach_by_event(struct phone *phone, const struct ts_log_event *event, int64_t host_ns,
                           double u_ns)
{
    const char *component = phone->evidence->intent.component;
    const struct ts_result *result = &phone->story->result;
    const bool from_am = ts_result_from_am(result);
    const int64_t begin_ns =
        from_am ? phone->evidence->intent.tap_sent.ns : result->contact.host_ns;
    if ((event->line.uid != -1 && event->line.uid != SYSTEM_UID) ||
        (!from_am && isnan(result->contact.u_ns)) || ts_ns_between(host_ns, begin_ns) < 0)
        return;
    if (event->kind == TS_LOG_START && ts_component_equal(event->component, component)) {
        reach(phone, TS_MILESTONE_INPUT, host_ns, u_ns);
        phone->input_ns = phone->input_ns ? phone->input_ns : host_ns;
    }
    if (!phone->input_ns || !ts_component_same_package(event->process, component))
        return;
    if (event->kind == TS_LOG_PROC_START)
        reach(phone, TS_MILESTONE_PROCESS, host_ns, u_ns);
    if (event->kind == TS_LOG_PROC_BOUND)
        reach(phone, TS_MILESTONE_BIND, host_ns, u_ns);
}

/* The helper's button: "touch up UPTIME_MS", the kernel's stamp of the finger. */
static void reach_touch(struct phone *phone, const struct ts_evidence_line *line,
                        const struct ts_log_line *parsed, int64_t host_ns, double u_ns)
{
    static const char touch[] = "touch up ";
    const size_t size = sizeof touch - 1;
    char digits[24];
    if (strcmp(parsed->tag, "Touchstone") != 0 || parsed->message_size < size ||
        memcmp(parsed->message, touch, size) != 0)
        return;
    snprintf(digits, sizeof digits, "%.*s", (int)(parsed->message_size - size),
             parsed->message + size);
    const long long up_ms = strtoll(digits, NULL, 10);
    int64_t up_host_ns;
    double up_u_ns;
    if (up_ms > 0 && up_ms < INT64_MAX / TS_NS_PER_MS &&
        to_host(&phone->timeline.phone_up, up_ms * TS_NS_PER_MS, line->arrival.ns, &up_host_ns,
                &up_u_ns)) {
        host_ns = ts_ns_after(up_host_ns, TS_NS_PER_MS / 2); /* whole ms, cut */
        u_ns = hypot(up_u_ns, (double)TS_NS_PER_MS / sqrt(12));
    }
    reach(phone, TS_MILESTONE_TOUCH_UP, host_ns, u_ns);
}

static int add_log(struct phone *phone, const struct ts_evidence_line *line)
{
    struct ts_log_event event;
    int64_t host_ns;
    double u_ns;
    char name[200];
    if (ts_logcat_parse_event(line->text, strlen(line->text), &event) ||
        event.line.stamp_kind != TS_STAMP_EPOCH ||
        !to_host(&phone->timeline.phone_real, event.line.stamp_ns, line->arrival.ns, &host_ns,
                 &u_ns))
        return TS_OK;
    host_ns = ts_ns_after(host_ns, llround(phone->grain.late_ns));
    u_ns = hypot(u_ns, phone->grain.late_u_ns);
    reach_touch(phone, line, &event.line, host_ns, u_ns);
    if (event.kind == TS_LOG_NOTHING)
        return TS_OK;
    reach_by_event(phone, &event, host_ns, u_ns);
    if (isfinite(event.duration_ms))
        snprintf(name, sizeof name, "%s %.120s %.0f ms", ts_log_event_name(event.kind),
                 event.component, event.duration_ms);
    else
        snprintf(name, sizeof name, "%s %.120s", ts_log_event_name(event.kind), event.component);
    return ts_story_add(phone->story, TS_STORY_ANDROID, host_ns, host_ns, name);
}

/* When the phone's uptime was not read, an event stands where it arrived, and says so. */
static int add_accessibility(struct phone *phone, const struct ts_evidence_line *line)
{
    struct ts_accessibility_event event;
    int64_t host_ns = line->arrival.ns;
    double u_ns;
    char name[200];
    if (ts_accessibility_parse(line->text, strlen(line->text), &event))
        return TS_OK;
    const bool placed = event.uptime_ms >= 0 && event.uptime_ms < INT64_MAX / TS_NS_PER_MS &&
                        to_host(&phone->timeline.phone_up, event.uptime_ms * TS_NS_PER_MS,
                                line->arrival.ns, &host_ns, &u_ns);
    snprintf(name, sizeof name, "%s %.100s%s", event.type, event.package,
             placed ? "" : " (by its arrival)");
    return ts_story_add(phone->story, TS_STORY_ACCESSIBILITY, host_ns, host_ns, name);
}

/* The kernel's own stamp of the touch, which the helper's button need not have seen. */
static void read_input(struct phone *phone, const struct ts_evidence_line *line)
{
    struct ts_getevent event;
    int64_t host_ns;
    double u_ns;
    if (!ts_getevent_parse(line->text, strlen(line->text), &event) &&
        ts_touch_follow(&phone->touch, &event) && !phone->touch.touching &&
        to_host(&phone->timeline.phone_up, event.at.ns, line->arrival.ns, &host_ns, &u_ns))
        reach(phone, TS_MILESTONE_TOUCH_UP, host_ns, u_ns);
}

/* What Android calls the launch: from the START for as long as it says. */
static int add_display(struct phone *phone)
{
    const double ms = phone->story->result.time_to_initial_display_ms;
    if (!phone->input_ns || !(ms > 0 && ms < 1e9))
        return TS_OK;
    return ts_story_add(phone->story, TS_STORY_ANDROID, phone->input_ns,
                        ts_ns_after(phone->input_ns, llround(ms * (double)TS_NS_PER_MS)),
                        "time to initial display");
}

int ts_story_add_phone(struct ts_story *story, const struct ts_evidence *evidence)
{
    struct phone phone = {.story = story, .evidence = evidence};
    int err = ts_timeline_build(evidence, &phone.timeline);
    if (err)
        return err;
    err = read_grain(&phone);
    for (size_t i = 0; i < evidence->line_count && !err; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        if (line->stream == TS_STREAM_INPUT)
            read_input(&phone, line);
        else
            err = line->stream == TS_STREAM_LOG ? add_log(&phone, line)
                                                : add_accessibility(&phone, line);
    }
    if (!err)
        err = add_display(&phone);
    ts_timeline_free(&phone.timeline);
    return err;
}
