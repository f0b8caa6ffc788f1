/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that look like the launch's and are not: none may ever change what is matched. */
#include "scenes.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define START_HOME AT "START u0 {cmp=com.app/.Main} from uid 10091 (com.home) result code=0"

/* Written by whoever `writer` says, at a time between from_ms and to_ms. */
struct decoy {
    double from_ms, to_ms;
    enum writer writer;
    const char *text;
};

static const struct decoy decoys[] = {
    /* the same words from somebody else */
    {-900, 9000, LIAR, AT "Displayed com.app/.Main for user 0: +3ms"},
    {-900, 9000, LIAR, AT "Displayed com.app/.Main: +9ms"},
    {-900, 9000, LIAR, AT "Fully drawn com.app/.Main: +9ms"},
    {-900, 9000, LIAR, "wm_activity_launch_time: [0,51,com.app/.Main,9]"},
    {-900, 9000, LIAR, START_HOME},
    {-900, 9000, LIAR, "am_proc_start: [0,7777,10141,com.app,activity,{com.app/com.app.Main}]"},
    {-900, 9000, LIAR,
     "ActivityManager: Start proc 7777:com.app/u0a141 for activity com.app/.Main"},
    {-900, 9000, LIAR, AT "Process com.app restarted"},
    {-900, 9000, LIAR, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
    {-900, 9000, LIAR, "wm_resume_activity: [0,51,9,com.app/.Main]"},
    {-900, 9000, LIAR, "am_crash: [7000,0,com.app,1,x,y,Z,1]"},
    {-900, 9000, LIAR, "input_focus: [Focus entering 1 org.evil/org.evil.A (server),reason=x]"},
    {-900, 9000, SETTINGS, AT "Displayed com.app/.Main for user 0: +3ms"},
    {-900, 9000, APP, AT "Displayed com.app/.Main for user 0: +3ms"},
    {-900, 9000, APP, AT "Fully drawn com.app/.Main: +9ms"},
    /* other apps */
    {-900, 9000, SERVER, AT "Displayed org.other/.Main for user 0: +3ms"},
    {-900, 9000, SERVER, AT "Displayed com.appendix/.Main for user 0: +3ms"},
    {-900, 9000, SERVER, AT "Displayed com.app.lite/.Main for user 0: +3ms"},
    {-900, 9000, SERVER, AT "Displayed com/app.Main for user 0: +3ms"},
    {-900, 9000, SERVER, AT "Fully drawn org.other/.Main: +3ms"},
    {-900, 9000, SERVER, "wm_activity_launch_time: [0,51,org.other/com.app.Main,9]"},
    {-900, 9000, SERVER, AT "START u0 {cmp=org.other/.Tramp} from uid 10240 (org.other)"},
    {-900, 9000, SERVER, AT "START u0 {cmp=org.other/.Main} from uid 10240 (org.other)"},
    {-900, 9000, SERVER, AT "START u0 {cmp=org.other/.Main} from uid 10240"},
    {-900, 9000, SERVER, "am_proc_start: [0,8000,10240,org.other,service,{org.other/org.other.S}]"},
    {-900, 9000, SERVER, "am_proc_start: [0,8001,10241,com.app.lite,service,{com.app.lite/x.S}]"},
    {-900, 9000, SERVER, "am_proc_start: [0,8002,10141,com.app:push,service,{com.app/x.S}]"},
    {-900, 9000, SERVER, "am_crash: [8000,0,org.other,1,x,y,Z,1]"},
    {-900, 9000, SERVER, "am_anr  : [0,8001,com.app.lite,1,x]"},
    {-900, 9000, SERVER, AT "Displayed Component not be shown by security: +3ms"},
    /* the launch before */
    {-20, 2000, SERVER, AT "Displayed com.app/.Main for user 0: +2s400ms"},
    {-20, 2000, SERVER, AT "Displayed com.app/.Old for user 0: +2s400ms"},
    {-20, 2000, SERVER, "wm_activity_launch_time: [0,50,com.app/.Main,2400]"},
    {-20, 6000, SERVER, AT "Fully drawn com.app/.Main: +7s10ms"},
    {-900, -1, SERVER, START_HOME},
    {-900, -1, SERVER, AT "Displayed com.app/.Main for user 0: +30ms"},
    {-900, -1, SERVER, AT "Fully drawn com.app/.Main: +30ms"},
    {-900, -1, SERVER, "wm_create_activity: [0,50,9,com.app/.Main,NULL,NULL,NULL,0]"},
    {-900, -1, SERVER, "wm_resume_activity: [0,50,9,com.app/.Main]"},
    /* after the watching */
    {10001, 12000, SERVER, AT "Displayed com.app/.Main for user 0: +10s2ms"},
    {10001, 12000, SERVER, AT "Fully drawn com.app/.Main: +10s2ms"},
    /* something that the app opens later by itself */
    {4000, 9000, SERVER, AT "Displayed com.app/.Later for user 0: +120ms"},
    /* no launch at all */
    {-900, 9000, SERVER, AT "Displayed com.app/.Main"},
    {-900, 9000, SERVER, "sf_frame_dur: [com.app/com.app.Main,34,2,0,0,0,0,4]"},
    /* another user's; these come last */
    {-900, 9000, SERVER, AT "Displayed com.app/.Main for user 10: +3ms"},
    {-900, 9000, SERVER, "wm_activity_launch_time: [10,51,com.app/.Main,9]"},
    {-900, 9000, SERVER, AT "START u10 {cmp=com.app/.Main} from uid 1010091 (com.home)"},
    {-900, 9000, SERVER,
     "am_proc_start: [10,8003,1010141,com.app,activity,{com.app/com.app.Main}]"},
    {-900, 9000, SERVER, "am_crash: [8003,10,com.app,1,x,y,Z,1]"},
};
#define DECOYS             (sizeof decoys / sizeof *decoys)
#define DECOYS_OF_ONE_USER (DECOYS - 5)

static const struct scene_line warm[] = {
    {11, SERVER, START_HOME},
    {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
    {41, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,minimalResumeActivityLocked]"},
    {90, APP, "wm_on_create_called: [5100051,com.app.Main,performCreate,31]"},
    {199, SERVER, "wm_activity_launch_time: [0,51,com.app/.Main,180]"},
    {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"},
    {999, SERVER, AT "Fully drawn com.app/.Main: +980ms"}, /* must be the last */
};
#define WARM_LINES (sizeof warm / sizeof *warm)
static const struct scene_line hot[] = {
    {11, SERVER, AT "START u0 {cmp=com.app/.Main} from uid 10091 (com.home) result code=2"},
    {31, SERVER, "wm_resume_activity: [0,51,9,com.app/.Main]"},
    {32, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,resumeTopActivity]"},
    {60, APP, "wm_on_restart_called: [5100051,com.app.Main,performRestartActivity,0]"},
    {70, APP, "wm_on_resume_called: [5100051,com.app.Main,RESUME_ACTIVITY,1]"},
};

static int by_time(const void *a, const void *b)
{
    const struct scene_line *x = a, *y = b;
    return (x->ms > y->ms) - (x->ms < y->ms);
}

/* The launch and some decoys among each other, in order of time. */
static void mix(struct scene *scene, struct ts_rng *rng, const struct scene_line *launch,
                size_t count, size_t kinds, size_t decoy_count)
{
    struct scene_line lines[SCENE_MAX];
    for (size_t i = 0; i < count; i++)
        lines[i] = launch[i];
    for (size_t i = 0; i < decoy_count; i++) {
        const struct decoy *decoy = &decoys[ts_rng_below(rng, (uint32_t)kinds)];
        lines[count++] = (struct scene_line){ts_rng_range(rng, decoy->from_ms, decoy->to_ms),
                                             decoy->writer, decoy->text};
    }
    qsort(lines, count, sizeof *lines, by_time);
    scene_open(scene, true);
    for (size_t i = 0; i < count; i++)
        scene_add(scene, &lines[i]);
}

static void assert_like(const struct scene *scene, const struct ts_match *match,
                        const struct ts_match *wanted)
{
    const bool equal = match->start_type == wanted->start_type &&
                       !memcmp(&match->time_to_initial_display_ms,
                               &wanted->time_to_initial_display_ms, 2 * sizeof(double)) &&
                       !strcmp(match->component, wanted->component) &&
                       match->started == wanted->started && match->crashed == wanted->crashed &&
                       match->anr == wanted->anr && match->start_ns == wanted->start_ns &&
                       match->foreign_window == wanted->foreign_window;
    if (equal)
        return;
    for (size_t i = 0; i < scene->count; i++)
        print_message("%s\n", scene->texts[i]);
    fail_msg("%s %g %g %s foreign %s", ts_start_type_name(match->start_type),
             match->time_to_initial_display_ms, match->time_to_full_display_ms, match->component,
             match->foreign);
}

static void none_changes(const struct scene_line *launch, size_t count, size_t kinds, uint64_t seed)
{
    static struct scene scene;
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 9);
    mix(&scene, &rng, launch, count, kinds, 0);
    const struct ts_match wanted = scene_match(&scene);
    for (int round = 0; round < 4000; round++) {
        mix(&scene, &rng, launch, count, kinds, 1 + ts_rng_below(&rng, 24));
        const struct ts_match match = scene_match(&scene);
        assert_like(&scene, &match, &wanted);
    }
}

static void around_a_warm_start(void **state)
{
    (void)state;
    none_changes(warm, WARM_LINES, DECOYS_OF_ONE_USER, 41);
    /* "Fully drawn" has no user in it: with another user's launch about, it counts for none. */
    none_changes(warm, WARM_LINES - 1, DECOYS, 45);
}

static void around_a_hot_start(void **state)
{
    (void)state;
    none_changes(hot, sizeof hot / sizeof *hot, DECOYS, 42);
}

static void around_nothing(void **state)
{
    (void)state;
    none_changes(NULL, 0, DECOYS, 43);
}

/* Each alone with the whole launch, so that none is hidden by another. */
static void one_by_one(void **state)
{
    (void)state;
    static struct scene scene;
    struct ts_rng rng;
    ts_rng_seed(&rng, 44, 9);
    mix(&scene, &rng, hot, sizeof hot / sizeof *hot, DECOYS, 0);
    const struct ts_match wanted = scene_match(&scene);
    for (size_t i = 0; i < DECOYS; i++) {
        const struct decoy *decoy = &decoys[i];
        struct scene_line lines[8];
        memcpy(lines, hot, sizeof hot);
        size_t count = sizeof hot / sizeof *hot;
        lines[count++] = (struct scene_line){ts_rng_range(&rng, decoy->from_ms, decoy->to_ms),
                                             decoy->writer, decoy->text};
        qsort(lines, count, sizeof *lines, by_time);
        scene_open(&scene, i % 2);
        for (size_t k = 0; k < count; k++)
            scene_add(&scene, &lines[k]);
        const struct ts_match match = scene_match(&scene);
        assert_like(&scene, &match, &wanted);
    }
}

/* Without uids, a user-less line of an app that another user runs as well is nobody's. */
static void clone_of_another_user(void **state)
{
    (void)state;
    static struct scene scene;
    const struct scene_line lines[] = {
        {11, SERVER, START_HOME},
        {13, SERVER, AT "START u10 {cmp=com.app/.Main} from uid 1010091"},
        {200, SERVER, AT "Displayed com.app/.Main: +150ms"},
        {300, SERVER, "am_activity_launch_time: [0,51,com.app/.Main,280]"},
        {301, SERVER, AT "Displayed com.app/.Main: +280ms"},
    };
    scene_open(&scene, false);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        scene_add(&scene, &lines[i]);
    const struct ts_match match = scene_match(&scene);
    assert_true(fabs(match.time_to_initial_display_ms - 280) < 1e-9);
}

static void stamps_that_cannot_be_placed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("07-05 08:21:54.020  1622  1779 I ActivityTaskManager: START u0 {cmp=com.app/.Main} from "
         "uid 1"),
        "07-05 08:21:54.320  1622  1779 I ActivityTaskManager: Displayed com.app/.Main: +280ms",
        "  8123.320  1622  1779 I ActivityTaskManager: Displayed com.app/.Main: +280ms",
        "I/ActivityTaskManager( 1622): Displayed com.app/.Main: +280ms",
    };
    struct ts_log_event events[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ts_logcat_parse_event(texts[i], strlen(texts[i]), &events[i]), TS_OK);
    const struct ts_match_query query = {
        .component = "com.app/.Main", .not_before_ns = INT64_MIN, .not_after_ns = INT64_MAX};
    struct ts_match match;
    assert_int_equal(ts_match_launch(events, 4, &query, &match), TS_OK);
    assert_false(match.started);
    assert_true(isnan(match.time_to_initial_display_ms));
}

/* A process that nobody vouches for writes more lines than system_server. */
static void loud_liar(void **state)
{
    (void)state;
    static struct scene scene;
    scene_open(&scene, false);
    for (size_t i = 0; i < WARM_LINES; i++)
        scene_add(&scene, &warm[i]);
    const struct ts_match wanted = scene_match(&scene);
    for (int i = 0; i < 200; i++) {
        scene_add(&scene, &(struct scene_line){300 + i, LIAR, AT "Displayed com.app/.Main: +5ms"});
        scene_add(&scene, &(struct scene_line){300 + i, LIAR, START_HOME});
    }
    const struct ts_match match = scene_match(&scene);
    assert_like(&scene, &match, &wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(around_a_warm_start),
        cmocka_unit_test(around_a_hot_start),
        cmocka_unit_test(around_nothing),
        cmocka_unit_test(one_by_one),
        cmocka_unit_test(clone_of_another_user),
        cmocka_unit_test(stamps_that_cannot_be_placed),
        cmocka_unit_test(loud_liar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
