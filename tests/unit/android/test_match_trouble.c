/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes wrong around a launch: lines dropped, crashes, other windows. */
#include "scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void lost_lines(void **state)
{
    (void)state;
    static struct scene scene;
    const struct scene_line lines[] = {
        {-50, SERVER, "am_proc_bound: [0,7000,com.app]"},
        {11, SERVER, START_MAIN},
        {12, SERVER, "wm_create_activity: [0,51,9,com.app/.Main,NULL,NULL,NULL,0]"},
        {100, SERVER, "chatty  : uid=1000(system) ActivityManager expire 2 lines"},
        {200, SERVER, AT "Displayed com.app/.Main for user 0: +180ms"},
        END};
    struct ts_match match = scene_of(&scene, lines);
    assert_true(match.log_lost);
    assert_int_equal(match.start_type, TS_START_UNKNOWN);

    const struct scene_line witnessed[] = {
        lines[0],
        lines[1],
        lines[2],
        lines[3],
        {150, APP, "wm_on_create_called: [5100051,com.app.Main,performCreate,3]"},
        lines[4],
        END};
    match = scene_of(&scene, witnessed);
    assert_true(match.log_lost);
    assert_int_equal(match.start_type, TS_START_WARM);

    const struct scene_line hot[] = {
        lines[0],
        lines[1],
        {30, SERVER, "wm_resume_activity: [0,51,9,com.app/.Main]"},
        {31, APP, "wm_on_restart_called: [5100051,com.app.Main,performRestartActivity,3]"},
        END,
        END};
    assert_int_equal(scene_of(&scene, hot).start_type, TS_START_HOT);
    scene_add(&scene, &lines[3]);
    assert_int_equal(scene_match(&scene).start_type, TS_START_UNKNOWN);

    const struct scene_line others[] = {lines[1],
                                        lines[2],
                                        {100, LIAR, "chatty  : uid=10333(x.y) identical 9 lines"},
                                        {110, LIAR, "chatty  : uid=1000(system) expire 9 lines"},
                                        lines[4],
                                        END};
    match = scene_of(&scene, others);
    assert_false(match.log_lost);
    assert_int_equal(match.start_type, TS_START_WARM);
}

static void trouble(void **state)
{
    (void)state;
    static struct scene scene;
    const struct scene_line crash[] = {
        {11, SERVER, START_MAIN},
        {19, SERVER, "am_proc_start: [0,7000,10141,com.app,activity,{com.app/com.app.Main}]"},
        {300, APP, "AndroidRuntime: Process: com.app, PID: 7000"},
        END};
    assert_true(scene_of(&scene, crash).crashed);
    const struct scene_line event[] = {
        {11, SERVER, START_MAIN}, {300, SERVER, "am_crash: [7000,0,com.app,1,x,y,Z,1]"}, END};
    assert_true(scene_of(&scene, event).crashed);
    const struct scene_line anr[] = {
        {11, SERVER, START_MAIN}, {6000, SERVER, "am_anr  : [0,7000,com.app,1,Input]"}, END};
    assert_true(scene_of(&scene, anr).anr);
    const struct scene_line others[] = {{11, SERVER, START_MAIN},
                                        {-300, SERVER, "am_crash: [7000,0,com.app,1,x,y,Z,1]"},
                                        {300, SERVER, "am_crash: [9000,0,com.appendix,1,x,y,Z,1]"},
                                        {300, SERVER, "am_crash: [1009000,10,com.app,1,x,y,Z,1]"},
                                        {310, LIAR, "am_crash: [7000,0,com.app,1,x,y,Z,1]"},
                                        {311, LIAR, "AndroidRuntime: Process: com.app, PID: 7000"},
                                        {312, LIAR, "AndroidRuntime: Process: com.app, PID: 9000"},
                                        {313, LIAR, "AndroidRuntime: FATAL EXCEPTION: main"},
                                        {320, LIAR, "am_anr  : [0,7000,com.app,1,Input]"},
                                        {11000, SERVER, "am_anr  : [0,7000,com.app,1,Input]"},
                                        END};
    const struct ts_match match = scene_of(&scene, others);
    assert_false(match.crashed || match.anr);
}

static void what_is_on_top(void **state)
{
    (void)state;
    static struct scene scene;
    static const struct {
        const char *last, *foreign;
    } cases[] = {
        {"wm_set_resumed_activity: [0,com.google.android.permissioncontroller/com.x.G,r]",
         "com.google.android.permissioncontroller/com.x.G"},
        {"am_create_activity: [0,1,2,com.android.packageinstaller/.G,NULL,NULL,NULL,0]",
         "com.android.packageinstaller/.G"},
        {"input_focus: [Focus entering 264 org.other/org.other.A (server),reason=x]",
         "org.other/org.other.A"},
        {"input_focus: [Focus entering 264 NotificationShade (server),reason=x]",
         "NotificationShade"},
        {"input_focus: [Focus entering 264 Application Not Responding: com.app (server),reason=x]",
         "Application Not Responding: com.app"},
        {"wm_set_resumed_activity: [10,com.app/.Main,r]", "com.app/.Main"},
        {"input_focus: [Focus entering 264 com.app (server),reason=x]", ""},
        {"input_focus: [Focus entering 264 PopupWindow:1f (server),reason=x]", ""},
        {"wm_set_resumed_activity: [0,com.app/.Other,r]", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct scene_line lines[] = {
            {11, SERVER, START_MAIN},
            {90, SERVER,
             AT "START u0 {cmp=com.google.android.permissioncontroller/com.x.G} "
                "from uid 10141 (com.app) result code=0"},
            {400, SERVER, cases[i].last},
            END};
        struct ts_match match = scene_of(&scene, lines);
        assert_string_equal(match.foreign, cases[i].foreign);
        assert_int_equal(match.foreign_window, cases[i].foreign[0] != '\0');
        scene_add(&scene, &(struct scene_line){900, SERVER,
                                               "wm_set_resumed_activity: [0,com.app/.Main,back]"});
        match = scene_match(&scene);
        assert_false(match.foreign_window);
    }
    const struct scene_line lies[] = {
        {11, SERVER, START_MAIN},
        {400, LIAR, "wm_set_resumed_activity: [0,org.other/.A,r]"},
        {11000, SERVER, "wm_set_resumed_activity: [0,org.other/.A,r]"},
        END};
    assert_false(scene_of(&scene, lies).foreign_window);
}

static void wrong_queries(void **state)
{
    (void)state;
    struct ts_match match;
    struct ts_match_query query = {.component = NULL};
    assert_int_equal(ts_match_launch(NULL, 0, &query, &match), TS_EINVAL);
    query.component = "com.app";
    assert_int_equal(ts_match_launch(NULL, 0, &query, &match), TS_EINVAL);
    query.component = "com.app/.Main";
    assert_int_equal(ts_match_launch(NULL, 0, &query, &match), TS_OK);
    assert_false(match.started);
    assert_true(isnan(match.time_to_initial_display_ms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_lines),
        cmocka_unit_test(trouble),
        cmocka_unit_test(what_is_on_top),
        cmocka_unit_test(wrong_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
