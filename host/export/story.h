/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happened in one launch, from every source, on the host's clock: what a trace shows and what
 * an explanation of its time rests on. Computed from the recorded evidence, never from a clock. */
#ifndef TS_EXPORT_STORY_H
#define TS_EXPORT_STORY_H

#include "model/result.h"
#include "store/session.h"

#include <stddef.h>

/* The ways on which a launch goes from the finger to the finished screen. The first is lift, time
 * zero (where nobody taps input is); those of the phone come from its log, those of the screen from
 * the camera. */
#define TS_MILESTONE_LIST(X)                                                                       \
    X(LIFT, "lift", "the stylus leaves the glass")                                                 \
    X(TOUCH_UP, "touch_up", "the phone says that the finger is gone")                              \
    X(INPUT, "input", "Android is told to start the app")                                          \
    X(PROCESS, "process_start", "the app's process is started")                                    \
    X(BIND, "bind", "the process is bound to the app")                                             \
    X(SPLASH, "splash", "a first window, replaced later")                                          \
    X(FIRST_APP_FRAME, "first_app_frame", "the first change of most of the screen")                \
    X(MAIN_CONTENT, "main_content", "the change that brings most of the picture")                  \
    X(SETTLED, "settled", "the screen stays as it is")

enum ts_milestone {
#define TS_MILESTONE_ENUM(NAME, text, meaning) TS_MILESTONE_##NAME,
    TS_MILESTONE_LIST(TS_MILESTONE_ENUM)
#undef TS_MILESTONE_ENUM
        TS_MILESTONE_COUNT
};
extern const char *const ts_milestone_names[];
extern const char *const ts_milestone_meanings[];

enum ts_story_track {
    TS_STORY_STYLUS,
    TS_STORY_CAMERA,
    TS_STORY_ANDROID,
    TS_STORY_ACCESSIBILITY,
    TS_STORY_CONDITIONING,
    TS_STORY_TRACK_COUNT
};
extern const char *const ts_story_track_names[];

struct ts_story_event {
    enum ts_story_track track;
    int64_t from_ns, to_ns; /* host; equal: an instant */
    char name[200];
};

struct ts_story {
    struct ts_result result;       /* as kept in the session */
    double ms[TS_MILESTONE_COUNT]; /* after time zero; NAN: there is no evidence of it */
    double u_ms[TS_MILESTONE_COUNT];
    struct ts_story_event *events; /* owned; by track, then in order of time */
    size_t count, capacity;
};

/* events false: the milestones alone, which is quicker. TS_EIO, TS_EPROTO: the launch cannot be
 * read, *why says what. */
int ts_story_load(const struct ts_session *session, int launch, bool events, struct ts_story *out,
                  struct ts_why *why) TS_MUST_CHECK;
void ts_story_free(struct ts_story *story);
/* Adds an event; for those who fill a story. name is cut where it does not fit. */
int ts_story_add(struct ts_story *story, enum ts_story_track track, int64_t from_ns, int64_t to_ns,
                 const char *name) TS_MUST_CHECK;

/* What the phone's lines say: events and milestones. */
struct ts_evidence;
int ts_story_add_phone(struct ts_story *story, const struct ts_evidence *evidence) TS_MUST_CHECK;

#endif
