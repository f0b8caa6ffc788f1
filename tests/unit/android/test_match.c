/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches as Android 7 to 16 tell them, each with and without printed uids. */
#include "scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

struct launch {
    const char *name;
    struct scene_line lines[16];
    enum ts_start_type type;
    double initial_ms, full_ms;
    const char *component;
};

static const struct launch launches[] = {
    {"cold 14",
     {{12, SERVER,
       "wm_create_activity: [0,51,9,com.app/.Main,android.intent.action.MAIN,NULL,NULL,0]"},
      {15, SERVER, START_MAIN " (com.home) (BAL_ALLOW_VISIBLE_WINDOW) result code=0"},
      {19, SERVER,
       "am_proc_start: [0,7000,10141,com.app,next-top-activity,{com.app/com.app.Main}]"},
      {90, SERVER, "am_proc_bound: [0,7000,com.app]"},
      {95, SERVER, "wm_restart_activity: [0,51,9,com.app/.Main]"},
      {96, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,minimalResumeActivityLocked]"},
      {200, APP, "wm_on_create_called: [5100051,com.app.Main,performCreate,31]"},
      {240, APP, "wm_on_resume_called: [5100051,com.app.Main,RESUME_ACTIVITY,2]"},
      {380, SERVER, "input_focus: [Focus entering 264a1b9 com.app/com.app.Main (server),reason=x]"},
      {421, SERVER, "wm_activity_launch_time: [0,51,com.app/.Main,402]"},
      {421.2, SERVER, AT "Displayed com.app/.Main for user 0: +402ms"},
      {1200, SERVER, AT "Fully drawn com.app/.Main: +1s180ms"}},
     TS_START_COLD,
     402,
     1180,
     "com.app/.Main"},
    {"cold 7",
     {{11, SERVER, AM "START u0 {cmp=com.app/com.app.Main} " HIM " on display 0"},
      {14, SERVER,
       "am_create_activity: [0,51,9,com.app/.Main,android.intent.action.MAIN,NULL,NULL,0]"},
      {20, SERVER, AM "Start proc 7000:com.app/u0a141 for activity com.app/.Main"},
      {90, SERVER, "am_restart_activity: [0,51,9,com.app/.Main]"},
      {300, APP, "am_on_resume_called: [0,com.app.Main]"},
      {700, SERVER, "am_activity_launch_time: [0,51,com.app/.Main,680,680]"},
      {700, SERVER, AM "Displayed com.app/.Main: +680ms"}},
     TS_START_COLD,
     680,
     NAN,
     "com.app/.Main"},
    {"restarted process",
     {{11, SERVER, START_MAIN},
      {14, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {60, SERVER, "am_proc_died: [0,7000,com.app,0,2]"},
      {300, SERVER, AT "Process com.app restarted"},
      {700, SERVER, AT "Displayed com.app/.Main for user 0: +680ms"}},
     TS_START_COLD,
     680,
     NAN,
     "com.app/.Main"},
    {"warm",
     {{-5000, APP, "wm_on_paused_called: [5100040,com.app.Main,performPause]"},
      {11, SERVER, START_MAIN},
      {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {40, SERVER, "wm_restart_activity: [0,51,9,com.app/.Main]"},
      {41, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,minimalResumeActivityLocked]"},
      {90, APP, "wm_on_create_called: [5100051,com.app.Main,performCreate,31]"},
      {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"}},
     TS_START_WARM,
     180,
     NAN,
     "com.app/.Main"},
    {"warm, of a kept record",
     {{11, SERVER, START_MAIN},
      {40, SERVER, "wm_restart_activity: [0,51,9,com.app/.Main]"},
      {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"}},
     TS_START_WARM,
     180,
     NAN,
     "com.app/.Main"},
    {"warm, process started earlier for a broadcast",
     {{-900, SERVER, "am_proc_start: [0,7000,10141,com.app,broadcast,{com.app/com.app.Boot}]"},
      {11, SERVER, START_MAIN},
      {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {90, APP, "wm_on_create_called: [5100051,com.app.Main,performCreate,31]"},
      {100, SERVER, "am_proc_start: [0,7200,10141,com.app:push,service,{com.app/com.app.Push}]"},
      {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"}},
     TS_START_WARM,
     180,
     NAN,
     "com.app/.Main"},
    {"hot",
     {{-5000, SERVER, "am_proc_bound: [0,7000,com.app]"},
      {11, SERVER, START_MAIN " (com.home) (BAL_ALLOW_VISIBLE_WINDOW) result code=2"},
      {12, SERVER, "wm_task_to_front: [0,9]"},
      {30, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,resumeTopActivity]"},
      {31, SERVER, "wm_resume_activity: [0,51,9,com.app/.Main]"},
      {60, APP, "wm_on_restart_called: [5100051,com.app.Main,performRestartActivity,0]"},
      {70, APP, "wm_on_resume_called: [5100051,com.app.Main,RESUME_ACTIVITY,1]"},
      {90, SERVER, "input_focus: [Focus entering 264a1b9 com.app/com.app.Main (server),reason=x]"}},
     TS_START_HOT,
     NAN,
     NAN,
     ""},
    {"hot 7, nothing known from before",
     {{11, SERVER, AM "START u0 {cmp=com.app/.Main} " HIM " on display 0"},
      {31, SERVER, "am_resume_activity: [0,51,9,com.app/.Main]"},
      {70, APP, "am_on_resume_called: [0,com.app.Main]"}},
     TS_START_HOT,
     NAN,
     NAN,
     ""},
    {"resumed, by which way unknown",
     {{11, SERVER, START_MAIN},
      {31, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,resumeTopActivity]"}},
     TS_START_UNKNOWN,
     NAN,
     NAN,
     ""},
    {"resumed in another process than before",
     {{-5000, SERVER, "am_proc_bound: [0,7000,com.app]"},
      {11, SERVER, START_MAIN},
      {31, SERVER, "wm_resume_activity: [0,51,9,com.app/.Main]"},
      {70, REBORN, "wm_on_resume_called: [5100051,com.app.Main,RESUME_ACTIVITY,1]"}},
     TS_START_UNKNOWN,
     NAN,
     NAN,
     ""},
    {"killed before and no process start seen",
     {{-900, SERVER, "am_kill : [0,7000,com.app,900,stop com.app]"},
      {11, SERVER, START_MAIN},
      {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"}},
     TS_START_UNKNOWN,
     180,
     NAN,
     "com.app/.Main"},
    {"only displayed: cold or warm",
     {{11, SERVER, START_MAIN}, {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"}},
     TS_START_UNKNOWN,
     180,
     NAN,
     "com.app/.Main"},
    {"the old process dies late",
     {{-2000, SERVER, "am_kill : [0,6500,com.app,900,stop com.app]"},
      {-1500, SERVER, "am_proc_start: [0,7000,10141,com.app,service,{com.app/com.app.S}]"},
      {-1400, SERVER, "am_proc_died: [0,6500,com.app,900,15]"},
      {11, SERVER, START_MAIN},
      {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"}},
     TS_START_WARM,
     180,
     NAN,
     "com.app/.Main"},
    {"trampoline within the package, 9",
     {{11, SERVER, AM "START u0 {cmp=com.app/.Main} " HIM},
      {12, SERVER, "am_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {100, SERVER, AM "START u0 {cmp=com.app/.Home} from uid 10141"},
      {102, SERVER, "am_create_activity: [0,52,9,com.app/.Home,NULL,NULL,NULL,0]"},
      {700, SERVER, "am_activity_launch_time: [0,52,com.app/.Home,590,680]"},
      {700, SERVER, AM "Displayed com.app/.Home: +590ms (total +680ms)"}},
     TS_START_WARM,
     590,
     NAN,
     "com.app/.Home"},
    {"trampoline to another package, named as caller",
     {{11, SERVER, START_MAIN " (com.home) (BAL_ALLOW_VISIBLE_WINDOW) result code=0"},
      {100, SERVER,
       AT "START u0 {cmp=org.viewer/.View} from uid 10141 (com.app) (X) result code=0"},
      {102, SERVER, "wm_create_activity: [0,52,9,org.viewer/.View,NULL,NULL,NULL,0]"},
      {700, SERVER, AT "Displayed org.viewer/.View for user 0: +680ms"}},
     TS_START_WARM,
     680,
     NAN,
     "org.viewer/.View"},
    {"trampoline to another package, by uid",
     {{11, SERVER, START_MAIN},
      {19, SERVER, "am_proc_start: [0,7000,10141,com.app,activity,{com.app/com.app.Main}]"},
      {100, SERVER, AT "START u0 {cmp=org.viewer/.View} from uid 10141"},
      {700, SERVER, AT "Displayed org.viewer/.View: +680ms"}},
     TS_START_COLD,
     680,
     NAN,
     "org.viewer/.View"},
    {"Samsung hides the name; the event log does not",
     {{11, SERVER, AM "START u0 {cmp=com.app/.Main} " HIM},
      {19, SERVER, "am_proc_start: [0,7000,10141,com.app,activity,com.app/.Main]"},
      {700, SERVER, AM "Displayed Component not be shown by security: +680ms (total +1m45s48ms)"},
      {701, SERVER, "am_activity_launch_time: [0,51,com.app/.Main,680,105048,0]"}},
     TS_START_COLD,
     680,
     NAN,
     "com.app/.Main"},
    {"crash and restart long after",
     {{11, SERVER, START_MAIN},
      {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
      {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"},
      {3000, SERVER,
       "am_proc_start: [0,7100,10141,com.app,next-top-activity,{com.app/com.app.Main}]"}},
     TS_START_WARM,
     180,
     NAN,
     "com.app/.Main"},
};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-9;
}

static void every_launch(void **state)
{
    (void)state;
    static struct scene scene;
    for (size_t i = 0; i < 2 * sizeof launches / sizeof *launches; i++) {
        const struct launch *launch = &launches[i / 2];
        scene_open(&scene, i % 2);
        scene_fill(&scene, launch->lines);
        const struct ts_match match = scene_match(&scene);
        if (match.start_type != launch->type || !match.started ||
            !same(match.time_to_initial_display_ms, launch->initial_ms) ||
            !same(match.time_to_full_display_ms, launch->full_ms) ||
            strcmp(match.component, launch->component) != 0 || match.foreign_window ||
            match.crashed || match.anr || match.log_lost)
            fail_msg("%s: %s %g %g %s started %d foreign %s", launch->name,
                     ts_start_type_name(match.start_type), match.time_to_initial_display_ms,
                     match.time_to_full_display_ms, match.component, match.started, match.foreign);
    }
}

static void totals_and_start(void **state)
{
    (void)state;
    static struct scene scene;
    struct ts_match match = scene_of(&scene, launches[13].lines);
    assert_true(same(match.total_display_ms, 680));
    assert_int_equal(match.start_ns, SCENE_TAP_NS + 11000000);
    match = scene_of(&scene, launches[0].lines);
    assert_true(isnan(match.total_display_ms));
    assert_int_equal(match.start_ns, SCENE_TAP_NS + 12000000);
    /* Since Android 14 what START led to can stand before its line. */
    const struct scene_line late[] = {
        {11, SERVER,
         "wm_create_activity: [0,85004321,77,com.app/.Main,android.intent.action.MAIN,"
         "NULL,NULL,270532608]"},
        {14, SERVER, START_MAIN},
        END};
    match = scene_of(&scene, late);
    assert_int_equal(match.start_ns, SCENE_TAP_NS + 11000000);
    assert_int_equal(match.told_ns, SCENE_TAP_NS + 14000000);
    match = scene_of(&scene, (const struct scene_line[]){late[0], END});
    assert_true(match.start_ns && !match.told_ns);
}

static void known_pid_and_uid(void **state)
{
    (void)state;
    static struct scene scene;
    const struct scene_line hot[] = {
        {11, SERVER, START_MAIN},
        {31, SERVER, "wm_set_resumed_activity: [0,com.app/.Main,resumeTopActivity]"},
        {70, APP, "wm_on_resume_called: [5100051,com.app.Main,RESUME_ACTIVITY,1]"},
        END};
    assert_int_equal(scene_of(&scene, hot).start_type, TS_START_UNKNOWN);
    scene.query.pid = 7000;
    assert_int_equal(scene_match(&scene).start_type, TS_START_HOT);
    scene.query.pid = 7100;
    assert_int_equal(scene_match(&scene).start_type, TS_START_UNKNOWN);
    const struct scene_line chain[] = {
        {11, SERVER, START_MAIN},
        {100, SERVER, AT "START u0 {cmp=org.viewer/.View} from uid 10141"},
        {700, SERVER, AT "Displayed org.viewer/.View: +680ms"},
        END};
    assert_true(isnan(scene_of(&scene, chain).time_to_initial_display_ms));
    scene.query.uid = 10141;
    assert_true(same(scene_match(&scene).time_to_initial_display_ms, 680));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_launch),
        cmocka_unit_test(totals_and_start),
        cmocka_unit_test(known_pid_and_uid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
