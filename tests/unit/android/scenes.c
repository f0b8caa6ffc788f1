/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct {
    int pid, uid;
} writers[WRITERS] = {
    [SERVER] = {1622, 1000}, [APP] = {7000, 10141},     [REBORN] = {7100, 10141},
    [LIAR] = {9000, 10333},  [SETTINGS] = {2100, 1000},
};

void scene_open(struct scene *scene, bool uid_printed)
{
    memset(scene, 0, sizeof *scene);
    scene->uid_printed = uid_printed;
    scene->query = (struct ts_match_query){
        .component = "com.app/.Main",
        .not_before_ns = SCENE_TAP_NS,
        .not_after_ns = SCENE_TAP_NS + INT64_C(10000000000),
    };
}

void scene_add(struct scene *scene, const struct scene_line *line)
{
    assert_true(scene->count < sizeof scene->events / sizeof *scene->events);
    char *text = scene->texts[scene->count];
    const int64_t stamp_us = (SCENE_TAP_NS + (int64_t)(line->ms * 1e6)) / 1000;
    char uid[16] = "";
    if (scene->uid_printed)
        snprintf(uid, sizeof uid, "%5d ", writers[line->writer].uid);
    const int pid = writers[line->writer].pid;
    snprintf(text, sizeof scene->texts[0], "%19" PRId64 ".%06" PRId64 " %s%5d %5d I %s",
             stamp_us / 1000000, stamp_us % 1000000, uid, pid, pid + 3, line->text);
    struct ts_log_event *event = &scene->events[scene->count];
    assert_int_equal(ts_logcat_parse_event(text, strlen(text), event), TS_OK);
    assert_int_equal(event->line.pid, pid);
    scene->count++;
}

struct ts_match scene_match(const struct scene *scene)
{
    struct ts_match match;
    assert_int_equal(ts_match_launch(scene->events, scene->count, &scene->query, &match), TS_OK);
    return match;
}

void scene_fill(struct scene *scene, const struct scene_line *lines)
{
    for (size_t i = 0; lines[i].text; i++)
        scene_add(scene, &lines[i]);
}

struct ts_match scene_of(struct scene *scene, const struct scene_line *lines)
{
    scene_open(scene, true);
    scene_fill(scene, lines);
    return scene_match(scene);
}
