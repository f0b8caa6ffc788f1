/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log and the accessibility events, undisturbed. */
#include "lab.h"

#include <stdio.h>
#include <string.h>

#define LINES  17000
#define HELPER "org.touchstone.helper"
#define APP    "com.android.settings"

/* At some 3,400 a second, in bursts of ten milliseconds. */
static void every_line_once(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 11, NULL);
    lab_stream(&lab, TS_STREAM_LOG, true);
    for (int i = 0; i < LINES; i++) {
        lab_log_launch(&lab, i);
        if (i % 34 == 33)
            lab_take_for(&lab, 10);
    }
    lab_take_lines(&lab, "com.app/.Main16999 ", 1);
    lab_assert_launches(&lab, LINES);
    assert_int_equal(lab.lost + lab.stream_ends, 0);
    lab_phone_close(&lab);
}

static void two_phones_at_once(void **state)
{
    (void)state;
    struct lab labs[2];
    for (int i = 0; i < 2; i++) {
        lab_phone_open(&labs[i], 21 + (uint64_t)i, NULL);
        lab_stream(&labs[i], TS_STREAM_LOG, true);
    }
    for (int i = 0; i < 500; i++) {
        lab_log_launch(&labs[0], i);
        lab_log_launch(&labs[1], i);
        if (i % 50 == 0) {
            const uint32_t id = lab_submit_shell(&labs[1], "dumpsys battery");
            lab_submit(&labs[0], TS_COMMAND_CLOCK_READ, TS_CLOCK_PHONE_REAL);
            assert_int_equal(lab_wait(&labs[1], id)->status, TS_OK);
        }
    }
    for (int i = 0; i < 2; i++) {
        lab_take_lines(&labs[i], "com.app/.Main499 ", 1);
        lab_assert_launches(&labs[i], 500);
    }
    assert_int_equal(labs[0].clocks, 10);
    for (int i = 0; i < 2; i++)
        lab_phone_close(&labs[i]);
}

/* As a campaign does it: the button is armed, the stylus taps, Android tells of the launch. */
static void a_launch(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "am force-stop " APP,
        "am broadcast -p " HELPER " -a " HELPER ".NEXT --es component " APP
        "/.Settings --ei launch 1",
        "am start -n " HELPER "/.Button",
    };
    struct lab lab;
    int status, code;
    lab_phone_open(&lab, 31, NULL);
    lab_stream(&lab, TS_STREAM_LOG, true);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        lab_shell(&lab, commands[i], &status, &code);
        assert_int_equal(status, TS_OK);
        assert_int_equal(code, 0);
    }
    lab_take_for(&lab, 300);
    sim_real_phone_tap(lab.real, 120 * MS);
    lab_take_lines(&lab, "touch up", 1);
    assert_int_equal(lab_count(&lab, "touch up"), 1);
    lab_take_lines(&lab, "Displayed " APP "/.Settings", 1);
    lab_take_for(&lab, 200);
    assert_int_equal(lab_count(&lab, "Displayed " APP "/.Settings"), 1);
    lab_phone_close(&lab);
}

static void assert_observed(struct lab *lab, bool log, bool accessibility)
{
    bool log_now, accessibility_now;
    sim_real_phone_observers(lab->real, &log_now, &accessibility_now);
    assert_int_equal(log_now, log);
    assert_int_equal(accessibility_now, accessibility);
}

/* When the end of a stream is done, the phone is no longer watched by it: what it costs is over. */
static void an_end_is_an_end(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 41, NULL);
    for (int i = 0; i < 5; i++) {
        lab_stream(&lab, TS_STREAM_LOG, true);
        assert_observed(&lab, true, false);
        lab_stream(&lab, TS_STREAM_ACCESSIBILITY, true);
        assert_observed(&lab, true, true);
        lab_stream(&lab, TS_STREAM_LOG, false);
        assert_observed(&lab, false, true);
        lab_stream(&lab, TS_STREAM_ACCESSIBILITY, false);
        assert_observed(&lab, false, false);
    }
    lab_log_launch(&lab, 0);
    lab_take_for(&lab, 100);
    lab_assert_launches(&lab, 0);
    /* What was written while nobody listened stays unread. */
    lab_stream(&lab, TS_STREAM_LOG, true);
    lab_log_launch(&lab, 1);
    lab_take_lines(&lab, "com.app/.Main1 ", 1);
    assert_int_equal(lab_count(&lab, "com.app/.Main0 "), 0);
    assert_int_equal(lab.lost + lab.stream_ends, 0);
    lab_phone_close(&lab);
}

static void events_without_their_texts(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 51, NULL);
    lab_stream(&lab, TS_STREAM_ACCESSIBILITY, true);
    sim_adb_peer_event(lab.peer,
                       "01-03 16:11:57.531 EventType: TYPE_VIEW_CLICKED; EventTime: 387545686; "
                       "PackageName: com.android.systemui; MovementGranularity: 0; Action: 0 [ "
                       "ClassName: android.view.ViewGroup; Text: [secret]; ContentDescription: "
                       "secret; BeforeText: secret ]; recordCount: 0");
    sim_adb_peer_event(lab.peer, "a text that goes on: secret ]; recordCount: 0");
    sim_adb_peer_event(lab.peer,
                       "01-03 16:11:58.531 EventType: TYPE_WINDOW_STATE_CHANGED; EventTime: 5; "
                       "PackageName: null; Action: 0 [ ClassName: null; Text: [] ]");
    const int64_t until_ns = ts_live_now().ns + 5 * TS_NS_PER_S;
    while (lab.event_count < 2 && ts_live_now().ns < until_ns)
        lab_take_for(&lab, 10);
    assert_int_equal(lab.event_count, 2);
    assert_string_equal(lab.events[0],
                        "EventType: TYPE_VIEW_CLICKED; EventTime: 387545686; PackageName: "
                        "com.android.systemui [ ClassName: android.view.ViewGroup ]");
    assert_string_equal(lab.events[1], "EventType: TYPE_WINDOW_STATE_CHANGED; EventTime: 5; "
                                       "PackageName: null [ ClassName: null ]");
    lab_phone_close(&lab);
}

static void touches_without_their_places(void **state)
{
    static const char *const lines[] = {
        "add device 1: /dev/input/event2",
        "[   81251.110000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000002a",
        "[   81251.110000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    000001f3",
        "[   81251.110000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000",
        "[   81251.120000] /dev/input/event5: EV_KEY       KEY_S                DOWN",
        "EventType: TYPE_VIEW_CLICKED; EventTime: 5; PackageName: null [ ClassName: null ]",
        "[   81251.180000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
        "[   81251.180000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000",
    };
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 52, NULL);
    lab_stream(&lab, TS_STREAM_INPUT, true);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        sim_adb_peer_event(lab.peer, lines[i]);
    const int64_t until_ns = ts_live_now().ns + 5 * TS_NS_PER_S;
    while (lab.event_count < 4 && ts_live_now().ns < until_ns)
        lab_take_for(&lab, 10);
    lab_take_for(&lab, 50);
    assert_int_equal(lab.event_count, 4);
    assert_string_equal(lab.events[0], lines[1]);
    assert_string_equal(lab.events[3], lines[7]);
    /* A phone that goes away comes back with it; nothing is said to be lost. */
    sim_adb_peer_drop(lab.peer);
    lab_take_for(&lab, 1000);
    sim_adb_peer_event(lab.peer, lines[1]);
    while (lab.event_count < 5 && ts_live_now().ns < until_ns)
        lab_take_for(&lab, 10);
    assert_int_equal(lab.event_count, 5);
    assert_int_equal(lab.stream_ends, 0);
    lab_stream(&lab, TS_STREAM_INPUT, false);
    lab_phone_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_once),
        cmocka_unit_test(two_phones_at_once),
        cmocka_unit_test(a_launch),
        cmocka_unit_test(an_end_is_an_end),
        cmocka_unit_test(events_without_their_texts),
        cmocka_unit_test(touches_without_their_places),
    };
    return cmocka_run_group_tests(tests, lab_open, lab_close);
}
