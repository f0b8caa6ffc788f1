/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/story.h"

#include "measure/measure.h"
#include "store/part.h"
#include "vision/detector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(NAME, text, meaning)    text,
#define MEANING(NAME, text, meaning) meaning,
const char *const ts_milestone_names[] = {TS_MILESTONE_LIST(NAME) NULL};
const char *const ts_milestone_meanings[] = {TS_MILESTONE_LIST(MEANING) NULL};
const char *const ts_story_track_names[] = {
    [TS_STORY_STYLUS] = "Stylus",
    [TS_STORY_CAMERA] = "Camera: changes of the screen",
    [TS_STORY_ANDROID] = "ActivityManager",
    [TS_STORY_ACCESSIBILITY] = "Accessibility",
    [TS_STORY_CONDITIONING] = "Conditioning",
    [TS_STORY_TRACK_COUNT] = NULL,
};

#define MEASURED_LONGEST_MS 1e9 /* beyond it a time is no time of a launch */

int ts_story_add(struct ts_story *story, enum ts_story_track track, int64_t from_ns, int64_t to_ns,
                 const char *name)
{
    struct ts_story_event *event =
        ts_grow((void **)&story->events, &story->count, &story->capacity, sizeof *story->events);
    if (!event)
        return TS_ENOMEM;
    event->track = track;
    event->from_ns = from_ns;
    event->to_ns = to_ns < from_ns ? from_ns : to_ns;
    snprintf(event->name, sizeof event->name, "%s", name);
    return TS_OK;
}

static bool happened(struct ts_instant instant)
{
    return !isnan(instant.u_ns);
}

static int add_stylus(struct ts_story *story)
{
    const struct ts_result *result = &story->result;
    int err = TS_OK;
    if (happened(result->contact) && happened(result->lift))
        err = ts_story_add(story, TS_STORY_STYLUS, result->contact.host_ns, result->lift.host_ns,
                           "on the glass");
    if (!err && happened(result->pickup))
        err = ts_story_add(story, TS_STORY_STYLUS, result->pickup.host_ns, result->pickup.host_ns,
                           "pick-up");
    if (!err && happened(result->lift))
        err = ts_story_add(story, TS_STORY_STYLUS, result->lift.host_ns, result->lift.host_ns,
                           "lift (time zero)");
    return err;
}

static int64_t after_zero_ns(const struct ts_story *story, double ms)
{
    return ts_ns_after(ts_result_zero(&story->result)->host_ns, llround(ms * (double)TS_NS_PER_MS));
}

static bool is_time(double ms)
{
    return fabs(ms) < MEASURED_LONGEST_MS; /* false for NAN too */
}

static int add_metrics(struct ts_story *story)
{
    const struct {
        const char *name;
        struct ts_metric metric;
    } marks[] = {
        {"first visual change", story->result.first_visual_change},
        {"splash", story->result.splash},
        {"first app frame", story->result.first_app_frame},
        {"main content", story->result.main_content},
        {"85 % complete", story->result.visually_complete_85},
        {"settled", story->result.settled},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (!is_time(marks[i].metric.value))
            continue;
        const int64_t at_ns = after_zero_ns(story, marks[i].metric.value);
        const int err = ts_story_add(story, TS_STORY_CAMERA, at_ns, at_ns, marks[i].name);
        if (err)
            return err;
    }
    return TS_OK;
}

/* The stretches of change are no part of a result, so they are looked for again. */
static int add_camera(struct ts_story *story, const struct ts_session *session,
                      const struct ts_evidence *evidence, const struct ts_calibration *calibration)
{
    struct ts_vision_changes changes;
    struct ts_result again;
    if (!happened(*ts_result_zero(&story->result)))
        return TS_OK;
    int err =
        ts_measure_changes(evidence, calibration, ts_session_get_plan(session), &again, &changes);
    for (size_t i = 0; i < changes.episode_count && !err; i++) {
        const struct ts_vision_episode *episode = &changes.episodes[i];
        char name[80];
        if (!is_time(episode->begin_ms) || !is_time(episode->end_ms))
            continue;
        snprintf(name, sizeof name, "%s, %.0f %% of the screen",
                 episode->endless ? "goes on changing" : "change", episode->share * 100);
        err = ts_story_add(story, TS_STORY_CAMERA, after_zero_ns(story, episode->begin_ms),
                           after_zero_ns(story, episode->end_ms), name);
    }
    return err ? err : add_metrics(story);
}

/* Commands to the phone, from the item that caused them to the one that says they are done. */
static int add_commands(struct ts_story *story, const struct ts_session *session, int launch,
                        struct ts_why *why)
{
    struct ts_part *part;
    struct ts_journal_entry entry;
    int64_t now_ns = 0;
    size_t *events = NULL; /* of each shell command: where it stands in the story */
    uint32_t *ids = NULL;
    size_t count = 0, capacity = 0, id_count = 0, id_capacity = 0;
    int err = ts_part_open(session, launch, &part, why);
    if (err)
        return err;
    while (!(err = ts_part_next(part, &entry, why))) {
        if (entry.kind == TS_JOURNAL_ITEM)
            now_ns = entry.item.arrival.ns;
        if (entry.kind == TS_JOURNAL_ITEM && entry.item.kind == TS_ITEM_DONE) {
            for (size_t i = 0; i < count; i++) {
                if (ids[i] == entry.item.u.done.command && now_ns > story->events[events[i]].to_ns)
                    story->events[events[i]].to_ns = now_ns;
            }
        } else if (entry.kind == TS_JOURNAL_COMMAND &&
                   entry.command.kind == TS_COMMAND_PHONE_SHELL) {
            size_t *event = ts_grow((void **)&events, &count, &capacity, sizeof *events);
            uint32_t *id = ts_grow((void **)&ids, &id_count, &id_capacity, sizeof *ids);
            if (event && id) {
                *event = story->count;
                *id = entry.command.id;
            }
            err = event && id ? ts_story_add(story, TS_STORY_CONDITIONING, now_ns, now_ns,
                                             entry.command.u.shell)
                              : TS_ENOMEM;
        }
        ts_part_release(&entry);
        if (err)
            break;
    }
    ts_part_close(part);
    free(events);
    free(ids);
    return err == TS_EOF ? TS_OK : err;
}

static void read_milestones(struct ts_story *story)
{
    for (int i = 0; i < TS_MILESTONE_COUNT; i++)
        story->ms[i] = story->u_ms[i] = NAN;
    const struct ts_instant *zero = ts_result_zero(&story->result);
    const bool from_am = ts_result_from_am(&story->result);
    const enum ts_milestone first = from_am ? TS_MILESTONE_INPUT : TS_MILESTONE_LIFT;
    if (!happened(*zero))
        return;
    story->ms[first] = 0;
    story->u_ms[first] = zero->u_ns / 1e6;
#define READ(NAME, member)                                                                         \
    story->ms[TS_MILESTONE_##NAME] = story->result.member.value;                                   \
    story->u_ms[TS_MILESTONE_##NAME] = story->result.member.u;
    READ(SPLASH, splash)
    READ(FIRST_APP_FRAME, first_app_frame)
    READ(MAIN_CONTENT, main_content)
    READ(SETTLED, settled)
#undef READ
}

static int compare_events(const void *one, const void *other)
{
    const struct ts_story_event *a = one, *b = other;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (a->from_ns != b->from_ns)
        return a->from_ns < b->from_ns ? -1 : 1;
    if (a->to_ns != b->to_ns)
        return a->to_ns > b->to_ns ? -1 : 1; /* the longer one holds the shorter */
    return strcmp(a->name, b->name);
}

int ts_story_load(const struct ts_session *session, int launch, bool events, struct ts_story *out,
                  struct ts_why *why)
{
    struct ts_evidence evidence;
    struct ts_calibration calibration;
    *out = (struct ts_story){0};
    int err = ts_session_load_result(session, launch, &out->result, why);
    if (!err)
        err = ts_session_load_calibration(session, &calibration, why);
    if (!err)
        err = ts_session_load_evidence(session, launch, &evidence, why);
    if (err)
        return err;
    read_milestones(out);
    if (events)
        err = add_stylus(out);
    if (!err && events)
        err = add_camera(out, session, &evidence, &calibration);
    if (!err)
        err = ts_story_add_phone(out, &evidence);
    if (!err && events)
        err = add_commands(out, session, launch, why);
    ts_evidence_free(&evidence);
    if (err) {
        ts_story_free(out);
        return err;
    }
    if (out->count)
        qsort(out->events, out->count, sizeof *out->events, compare_events);
    return TS_OK;
}

void ts_story_free(struct ts_story *story)
{
    free(story->events);
    *story = (struct ts_story){0};
}
