/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessibility events, kernel input events, and what `am start -W` says. */
#include "android/accessibility.h"
#include "android/am_start.h"
#include "android/getevent.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static int read_event(const char *text, struct ts_accessibility_event *event)
{
    return ts_accessibility_parse(text, strlen(text), event);
}

static void accessibility(void **state)
{
    (void)state;
    struct ts_accessibility_event event;
    char line[TS_ACCESSIBILITY_LINE_MAX];
    assert_int_equal(
        read_event("01-03 16:11:57.531 EventType: TYPE_VIEW_CLICKED; EventTime: 387545686; "
                   "PackageName: com.android.systemui; MovementGranularity: 0; Action: 0; "
                   "ContentChangeTypes: []; WindowChangeTypes: [] [ ClassName: "
                   "android.view.ViewGroup; Text: [DEF, 3; ]; ContentDescription: 3; ] ]",
                   &event),
        TS_OK);
    assert_int_equal(event.kind, TS_ACCESSIBILITY_CLICKED);
    assert_true(event.uptime_ms == 387545686);
    assert_string_equal(event.package, "com.android.systemui");
    assert_string_equal(event.class_name, "android.view.ViewGroup");
    ts_accessibility_print(&event, line, sizeof line);
    struct ts_accessibility_event again;
    assert_int_equal(read_event(line, &again), TS_OK);
    assert_memory_equal(&again, &event, sizeof event);
    assert_int_equal(read_event("EventType: TYPE_WINDOW_STATE_CHANGED; EventTime: 14847324; "
                                "PackageName: null; Action: 0 [ ClassName: a.B; Text: [x]",
                                &event),
                     TS_OK);
    assert_int_equal(event.kind, TS_ACCESSIBILITY_WINDOW);
    assert_string_equal(event.package, "");
    assert_int_equal(read_event("EventType: TYPE_WINDOW_CONTENT_CHANGED; EventTime: 1; "
                                "PackageName: p",
                                &event),
                     TS_OK);
    assert_int_equal(event.kind, TS_ACCESSIBILITY_CONTENT);
    assert_string_equal(event.class_name, "");
    static const char *const bad[] = {"",
                                      "Killed",
                                      "EventType: X",
                                      "EventType: X; EventTime: -1;",
                                      "text; EventType: X; EventTime: 1; PackageName: p",
                                      "EventType: X; EventTime: 1234567890123456; PackageName: p"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(read_event(bad[i], &event), TS_EPROTO);
}

static int read_input(const char *text, struct ts_getevent *event)
{
    return ts_getevent_parse(text, strlen(text), event);
}

static void input_lines(void **state)
{
    (void)state;
    struct ts_getevent event;
    assert_int_equal(
        read_input("[  414624.658986] EV_ABS       ABS_MT_TRACKING_ID   0000835c", &event), TS_OK);
    assert_true(event.at.ns == INT64_C(414624658986000));
    assert_string_equal(event.device, "");
    assert_string_equal(event.type, "EV_ABS");
    assert_string_equal(event.code, "ABS_MT_TRACKING_ID");
    assert_int_equal(event.value, 0x835c);
    assert_int_equal(read_input("[   100.000001] /dev/input/event2: EV_KEY       BTN_TOUCH        "
                                "    DOWN                \r\n",
                                &event),
                     TS_OK);
    assert_string_equal(event.device, "/dev/input/event2");
    assert_int_equal(event.value, 1);
    assert_int_equal(read_input("[ 1.000000] 0003 0039 ffffffff", &event), TS_OK);
    assert_true(event.value == 0xffffffffu);
    static const char *const bad[] = {"",
                                      "add device 1: /dev/input/event2",
                                      "  name:     \"touch\"",
                                      "[ 1.00000] EV_SYN SYN_REPORT 00000000",
                                      "[ 1.000000 EV_SYN SYN_REPORT 00000000",
                                      "[ 1.000000] EV_SYN SYN_REPORT",
                                      "[ 1.000000] EV_SYN SYN_REPORT 123456789",
                                      "[ 1.000000] EV_SYN SYN_REPORT xyz"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(read_input(bad[i], &event), TS_EPROTO);
}

/* Follows lines of "CODE VALUE" at 1 ms, 2 ms, ...; a digit for each change: its line, and d or u.
 */
static void follow(const char *const *lines, size_t count, char *changes)
{
    struct ts_touch touch = {0};
    for (size_t i = 0; i < count; i++) {
        char line[100];
        struct ts_getevent event;
        snprintf(line, sizeof line, "[ 0.001000] EV_X %s", lines[i]);
        assert_int_equal(read_input(line, &event), TS_OK);
        if (ts_touch_follow(&touch, &event)) {
            *changes++ = (char)('0' + i);
            *changes++ = touch.touching ? 'd' : 'u';
        }
    }
    *changes = '\0';
}

static void touches(void **state)
{
    (void)state;
    static const char *const fingers[] = {
        "ABS_MT_TRACKING_ID 00000001", "BTN_TOUCH DOWN",
        "SYN_REPORT 00000000",         "ABS_MT_SLOT 00000001",
        "ABS_MT_TRACKING_ID 00000002", "SYN_REPORT 00000000",
        "ABS_MT_TRACKING_ID ffffffff", "ABS_MT_SLOT 00000000",
        "ABS_MT_TRACKING_ID ffffffff", "BTN_TOUCH UP",
        "SYN_REPORT 00000000",
    };
    static const char *const old[] = {"BTN_TOUCH DOWN", "SYN_REPORT 00000000",
                                      "SYN_REPORT 00000000", "BTN_TOUCH UP", "SYN_REPORT 00000000"};
    static const char *const odd[] = {"ABS_MT_SLOT 000000ff", "ABS_MT_TRACKING_ID 00000001",
                                      "SYN_REPORT 00000000"};
    char changes[32];
    follow(fingers, 11, changes);
    assert_string_equal(changes, "2d:u");
    follow(old, 5, changes);
    assert_string_equal(changes, "1d4u");
    follow(odd, 3, changes);
    assert_string_equal(changes, "");
}

static void am_start(void **state)
{
    (void)state;
    struct ts_am_start start;
    assert_int_equal(ts_am_start_read("Starting: Intent { cmp=com.app/.Main }\r\nStatus: ok\r\n"
                                      "LaunchState: COLD\r\nActivity: com.app/.Main\r\n"
                                      "TotalTime: 479\r\nWaitTime: 499\r\nComplete\r\n",
                                      &start),
                     TS_OK);
    assert_true(start.ok && start.complete);
    assert_int_equal(start.state, TS_AM_COLD);
    assert_string_equal(start.activity, "com.app/.Main");
    assert_true(start.total_ms == 479 && start.wait_ms == 499 && isnan(start.this_ms));
    assert_int_equal(ts_am_start_read("Warning: Activity not started, its current task has been "
                                      "brought to the front\nStatus: ok\nActivity: a/.B\n"
                                      "ThisTime: 0\nTotalTime: 0\nWaitTime: 31\nComplete\n",
                                      &start),
                     TS_OK);
    assert_true(start.brought_to_front && start.this_ms == 0);
    assert_int_equal(start.state, TS_AM_UNKNOWN);
    assert_int_equal(ts_am_start_read("Warning: Activity not started, intent has been delivered to "
                                      "currently running top-most instance.\nStatus: ok\n"
                                      "LaunchState: UNKNOWN (0)\nWaitTime: 4\nComplete",
                                      &start),
                     TS_OK);
    assert_true(start.delivered_to_top && isnan(start.total_ms) && start.complete);
    assert_int_equal(start.state, TS_AM_UNKNOWN);
    assert_int_equal(ts_am_start_read("Status: timeout\nWaitTime: 10572\n", &start), TS_OK);
    assert_false(start.ok || start.complete);
    assert_int_equal(
        ts_am_start_read("Error type 3\nError: Activity class {a/b} does not exist.\n", &start),
        TS_OK);
    assert_string_equal(start.error, "Activity class {a/b} does not exist.");
    assert_int_equal(ts_am_start_read("", &start), TS_EPROTO);
    assert_int_equal(ts_am_start_read("sh: am: not found\n", &start), TS_EPROTO);
}

static void assert_refused(const char *text, int exit_code, const char *words)
{
    char reason[160];
    assert_int_equal(ts_am_start_refused(text, exit_code, reason), words != NULL);
    assert_string_equal(reason, words ? words : "");
}

static void starts_refused(void **state)
{
    (void)state;
    assert_refused("Starting: Intent { cmp=a/.B }\n", 0, NULL);
    assert_refused("", 0, NULL);
    assert_refused("Starting: Intent { cmp=a/.B }\nWarning: Activity not started, its current task "
                   "has been brought to the front\n",
                   0, NULL);
    assert_refused("Starting: Intent { cmp=a/.B }\nError type 3\nError: Activity class {a/.B} does "
                   "not exist.\n",
                   0, "Activity class {a/.B} does not exist.");
    assert_refused("Security exception: Permission Denial: starting Intent\n\n"
                   "java.lang.SecurityException: Permission Denial: starting Intent\n\tat a.b(C)\n",
                   255, "Permission Denial: starting Intent");
    assert_refused("Starting: Intent { cmp=a/.B }\nWarning: Activity not started because the "
                   "current activity is being kept for the user.\n",
                   0, "it keeps the app that is in front");
    assert_refused("/system/bin/sh: am: inaccessible or not found\n", 127,
                   "/system/bin/sh: am: inaccessible or not found");
    assert_refused("", 137, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accessibility),  cmocka_unit_test(input_lines),
        cmocka_unit_test(touches),        cmocka_unit_test(am_start),
        cmocka_unit_test(starts_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
