/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of a launch written as short lines: when, by whom, what. The tap is at 0 ms, watching ends
 * at 10 s. */
#ifndef SCENES_H
#define SCENES_H

#include "android/match.h"

#include <stdbool.h>

enum writer {
    SERVER,   /* system_server */
    APP,      /* the tapped app, pid 7000, uid 10141 */
    REBORN,   /* the same app in another process, pid 7100 */
    LIAR,     /* an app that writes what it likes, pid 9000, uid 10333 */
    SETTINGS, /* an app that runs as the system's uid, pid 2100 */
    WRITERS,
};

struct scene_line {
    double ms; /* after the tap */
    enum writer writer;
    const char *text; /* "tag: message" */
};

#define AT  "ActivityTaskManager: "
#define AM  "ActivityManager: "
#define HIM "from uid 10091"
#define START_MAIN                                                                                 \
    AT "START u0 {act=android.intent.action.MAIN flg=0x10200000 cmp=com.app/.Main} " HIM
#define END                                                                                        \
    {                                                                                              \
        .text = NULL                                                                               \
    }

#define SCENE_MAX    64
#define SCENE_TAP_NS INT64_C(1783239714000000000)

struct scene {
    bool uid_printed;
    struct ts_match_query query;
    struct ts_log_event events[SCENE_MAX * 8];
    char texts[SCENE_MAX * 8][400];
    size_t count;
};

/* com.app/.Main was tapped. */
void scene_open(struct scene *scene, bool uid_printed);
void scene_add(struct scene *scene, const struct scene_line *line);
/* Lines up to END. */
void scene_fill(struct scene *scene, const struct scene_line *lines);
/* The match of these lines alone, with printed uids. */
struct ts_match scene_of(struct scene *scene, const struct scene_line *lines);
struct ts_match scene_match(const struct scene *scene);

#endif
