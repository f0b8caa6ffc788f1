/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which commands control gives, and in which order. */
#include "stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HELPER      "org.touchstone.helper"
#define ORDER       "am broadcast --include-stopped-packages -p " HELPER " -a " HELPER
#define WATCH(sync) "camera on\nmcu 07 a00f2828" sync "\nmcu 05 ff28\n"
#define REST(sync)  "mcu 07 00000100" sync "\ncamera off\n"

static void expect_part(const struct stage *stage, int part, const char *expected)
{
    char *text = stage_text(stage, part);
    assert_string_equal(text, expected);
    free(text);
}

static void test_learning(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    expect_part(&stage, 0,
                "log\nreads\nshell input keyevent KEYCODE_WAKEUP\n"
                "shell am start -n " HELPER "/.Flash --ei level 0\n"
                "mcu 0a \nmcu 04 \n"
                "camera on\nmcu 07 6e00141e3930\n"
                "shell am start -n " HELPER "/.Flash --ei level 255\n"
                "camera off\nplate on\nmcu 05 ff28\nmcu 05 ff28\nplate off\n");
    stage_close(&stage);
}

static void test_cold(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    expect_part(&stage, 1,
                "shell am force-stop a.one\n"
                "shell " ORDER
                ".NEXT --es component a.one/.Main --ei launch 1\nshell am start -n " HELPER
                "/.Button\nreads\n" WATCH("70ce") REST("70ce") "reads\n");
    expect_part(&stage, 2,
                "shell am force-stop a.two\n"
                "shell " ORDER
                ".NEXT --es component a.two/.Main --ei launch 2\nshell am start -n " HELPER
                "/.Button\nreads\n" WATCH("a76c") REST("a76c") "reads\n");
    const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
    assert_false(intent->timed_out);
    assert_true(intent->watch_ended.ns > intent->tap_sent.ns);
    assert_int_equal(stage_part(&stage), TS_EOF);
    stage_close(&stage);
}

static void expect_preparation(enum ts_start_type start, const char *expected)
{
    struct stage stage;
    stage_plan(&stage);
    stage.plan.start = start;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    char *text = stage_text(&stage, 1);
    assert_int_equal(strncmp(text, expected, strlen(expected)), 0);
    free(text);
    stage_close(&stage);
}

static void test_hot(void **state)
{
    (void)state;
    expect_preparation(TS_START_HOT, "shell input keyevent KEYCODE_HOME\nshell " ORDER
                                     ".NEXT --es component a.one/.Main --ei launch 1\n"
                                     "shell am start -n " HELPER "/.Button\nreads\n");
}

static void test_warm(void **state)
{
    (void)state;
    expect_preparation(TS_START_WARM, "shell input keyevent KEYCODE_HOME\nshell " ORDER
                                      ".FINISH --es component a.one/.Main\nshell " ORDER
                                      ".NEXT --es component a.one/.Main --ei launch 1\n"
                                      "shell am start -n " HELPER "/.Button\nreads\n");
}

static void test_no_phone(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.phone = strdup("none");
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    for (size_t i = 0; i < stage.line_count; i++) {
        const char *text = stage.lines[i].text;
        assert_null(strstr(text, "shell"));
        assert_string_not_equal(text, "log");
        assert_string_not_equal(text, "clock phone");
    }
    expect_part(&stage, 1, WATCH("70ce") REST("70ce"));
    stage_close(&stage);
}

static void test_no_plate(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.plate_taps = 0;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    char *text = stage_text(&stage, 0);
    assert_null(strstr(text, "plate"));
    assert_null(strstr(text, "mcu 05"));
    free(text);
    stage_close(&stage);
}

static void test_conditions(void **state)
{
    (void)state;
    static const char *const asked[] = {
        "shell dumpsys battery",
        "shell dumpsys thermalservice; echo clocks; cat "
        "/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq; echo most; cat "
        "/sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq",
        "shell dumpsys package a.two",
        "shell sha256sum /data/app/a/base.apk",
        "shell dumpsys display",
        "shell settings get global animator_duration_scale",
        "shell dumpsys window displays"};
    struct stage stage;
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_true(stage_said(&stage, 2, asked[i]));
    assert_string_equal(stage.lines[stage.line_count - 1].text, "shell dumpsys window displays");
    stage_close(&stage);
}

/* The tap comes when the resting screen has been looked at for a while, with both clocks read. */
static void test_look_before_tap(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    int mcu = 0, phone = 0;
    bool on = false, tapped = false;
    for (size_t i = 0; i < stage.line_count && !tapped; i++) {
        const char *text = stage.lines[i].text;
        if (stage.lines[i].part != 1)
            continue;
        on |= strcmp(text, "camera on") == 0;
        tapped = strncmp(text, "mcu 05", 6) == 0;
        mcu += on && strcmp(text, "clock mcu") == 0;
        phone += on && strcmp(text, "clock phone") == 0;
    }
    assert_true(tapped);
    assert_in_range(mcu, 12, 18); /* 0.8 s at some 19 Hz */
    assert_in_range(phone, 3, 6);
    stage_close(&stage);
}

/* A splash may rest for long: the end is not believed before Android said that the app is
 * displayed, and rest after that. Only the system's word counts. */
static void test_waits_for_android(void **state)
{
    (void)state;
    static const struct {
        int64_t displayed_ns;
        int uid;
        bool timed_out;
    } table[] = {{1200 * MS, 1000, false}, {4500 * MS, 1000, false}, {1200 * MS, 10123, true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct stage stage;
        stage_plan(&stage);
        stage.displayed_ns = table[i].displayed_ns;
        stage.displayed_uid = table[i].uid;
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_part(&stage), TS_OK);
        assert_int_equal(stage_part(&stage), TS_OK);
        const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
        assert_int_equal(intent->timed_out, table[i].timed_out);
        const int64_t watched_ns = intent->watch_ended.ns - intent->tap_sent.ns;
        assert_true(watched_ns >= table[i].displayed_ns + 1200 * MS);
        assert_true(table[i].timed_out || watched_ns < table[i].displayed_ns + 1600 * MS);
        stage_close(&stage);
    }
}

/* What the screen does counts from the lift, of which the MCU tells, or, were its word lost, from
 * when the stylus is held. A hot start is told by the screen alone. */
static void test_counts_from_the_lift(void **state)
{
    (void)state;
    static const struct {
        int64_t changes_ns;
        bool untold_lift, timed_out;
    } table[] = {{200 * MS, false, true},  {560 * MS, false, true}, {640 * MS, false, false},
                 {900 * MS, false, false}, {640 * MS, true, true},  {900 * MS, true, false}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct stage stage;
        stage_plan(&stage);
        stage.plan.start = TS_START_HOT;
        stage.plan.timeout_ms = 4000;
        stage.changes_ns = table[i].changes_ns;
        stage.untold_lift = table[i].untold_lift;
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_part(&stage), TS_OK);
        assert_int_equal(stage_part(&stage), TS_OK);
        const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
        const int64_t watched_ns = intent->watch_ended.ns - intent->tap_sent.ns;
        if (intent->timed_out != table[i].timed_out)
            fail_msg("a change after %lld ms: timed out %d", (long long)(table[i].changes_ns / MS),
                     intent->timed_out);
        assert_true(table[i].timed_out || (watched_ns >= table[i].changes_ns + 1200 * MS &&
                                           watched_ns < table[i].changes_ns + 1300 * MS));
        stage_close(&stage);
    }
}

/* Deadlines are absolute; they and all else follow from the items' stamps alone: the same items a
 * year later give the same commands, a year later. */
static void test_time_is_the_items(void **state)
{
    (void)state;
    char *texts[2];
    for (int run = 0; run < 2; run++) {
        struct stage stage;
        stage_plan(&stage);
        stage_open(&stage, 9, run * INT64_C(31557600) * TS_NS_PER_S);
        assert_int_equal(stage_run(&stage), TS_OK);
        texts[run] = stage_everything(&stage);
        stage_close(&stage);
    }
    assert_non_null(strstr(texts[0], "deadline 800.000000\n"));
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

static void test_same_again(void **state)
{
    (void)state;
    char *texts[2];
    for (int run = 0; run < 2; run++) {
        struct stage stage;
        stage_plan(&stage);
        stage.plan.launches = 3;
        stage.plan.order = TS_ORDER_SHUFFLED;
        stage.fault = TS_FAULT_MCU_LATCHED;
        stage.fault_part = 2;
        stage.fault_after_ns = 2500 * MS;
        stage_open(&stage, 77, 5);
        assert_int_equal(stage_run(&stage), TS_OK);
        texts[run] = stage_everything(&stage);
        stage_close(&stage);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

/* Whether a part has a command that begins so, after line `from` of it; else -1. */
static int find(const struct stage *stage, int part, const char *begins, int from)
{
    for (size_t i = 0, n = 0; i < stage->line_count; i++) {
        if (stage->lines[i].part != part || stage->lines[i].beside)
            continue;
        if ((int)n++ > from && strncmp(stage->lines[i].text, begins, strlen(begins)) == 0)
            return (int)n - 1;
    }
    return -1;
}

/* Questions come before the camera looks and after it has, and what is answered is noted. */
static void test_meters(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.meters = TS_METER_ENERGY | TS_METER_MEMORY | TS_METER_NETWORK | TS_METER_CPU;
    stage.answers[1].shell = "dumpsys package a.";
    stage.answers[1].text = "Packages:\n  Package [a.two] (1):\n    userId=10123\n";
    stage.answers[2].shell = "cat /proc/net/xt_qtaguid";
    stage.answers[2].text = "cat: No such file or directory\n";
    stage.answers[3].shell = "dumpsys netstats detail";
    stage.answers[3].text = "UID stats:\n st=1 rb=40 rp=3 tb=2 ident=[] uid=10123 tag=0x0\n";
    stage.answers[4].shell = "dumpsys meminfo";
    stage.answers[4].text = "TOTAL PSS: 4321\n";
    stage.answers[5].shell = "cat /proc/$(pidof a.two)/stat";
    stage.answers[5].text = "77 (a) S 1 1 0 0 -1 0 0 0 0 0 5 2 0\n";
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    const int cpu = find(&stage, 2, "shell cat /proc/$(pidof a.two)/stat", -1);
    const int network = find(&stage, 2, "shell dumpsys netstats detail", cpu);
    const int power_on = find(&stage, 2, "mcu 0c 01", network);
    const int tap = find(&stage, 2, "mcu 05", power_on);
    const int power_off = find(&stage, 2, "mcu 0c 00", tap);
    const int cpu_after = find(&stage, 2, "shell cat /proc/$(pidof", power_off);
    assert_true(cpu >= 0 && network > cpu && power_on > network && tap > power_on);
    assert_true(power_off > tap && cpu_after > power_off);
    assert_true(find(&stage, 2, "shell dumpsys netstats --poll", cpu) < network);
    assert_int_equal(find(&stage, 2, "shell cat", cpu), network - 2); /* the kernel's table */
    assert_true(find(&stage, 2, "shell dumpsys meminfo a.two", -1) > cpu_after);
    for (int at = power_on + 1; at < power_off; at++)
        assert_true(find(&stage, 2, "shell", at - 1) != at); /* nothing is asked in between */
    const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
    assert_true(intent->metered);
    assert_int_equal(intent->readings.after.pid, 77);
    assert_true(intent->readings.after.cpu_ms == 70 && intent->readings.before.cpu_ms == 70);
    assert_true(intent->readings.after.network_bytes == 42);
    assert_true(intent->readings.after.memory_kb == 4321);
    assert_true(isnan(intent->readings.before.memory_kb));
    /* And scenes or part 0 have no part in it. */
    assert_int_equal(find(&stage, 0, "mcu 0c", -1), -1);
    stage_close(&stage);
}

/* Where the kernel has its table nobody else is asked; and where nothing is asked, nothing is. */
static void test_fewer_meters(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.meters = TS_METER_NETWORK;
    stage.answers[1].shell = "dumpsys package a.";
    stage.answers[1].text = "Packages:\n  Package [a.two] (1):\n    userId=10123\n";
    stage.answers[2].shell = "cat /proc/net/xt_qtaguid";
    stage.answers[2].text = "idx iface\n2 wlan0 0x0 10123 0 100 2 10 2\n";
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    assert_true(find(&stage, 2, "shell cat /proc/net/xt_qtaguid", -1) >= 0);
    assert_int_equal(find(&stage, 2, "shell dumpsys netstats", -1), -1);
    assert_int_equal(find(&stage, 2, "shell dumpsys meminfo", -1), -1);
    assert_int_equal(find(&stage, 2, "mcu 0c", -1), -1);
    assert_true(ts_control_intent(stage.control)->readings.after.network_bytes == 110);
    stage_close(&stage);
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    assert_int_equal(find(&stage, 2, "shell cat /proc", -1), -1);
    assert_false(ts_control_intent(stage.control)->metered);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learning),
        cmocka_unit_test(test_cold),
        cmocka_unit_test(test_hot),
        cmocka_unit_test(test_warm),
        cmocka_unit_test(test_no_phone),
        cmocka_unit_test(test_no_plate),
        cmocka_unit_test(test_look_before_tap),
        cmocka_unit_test(test_time_is_the_items),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_waits_for_android),
        cmocka_unit_test(test_counts_from_the_lift),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_meters),
        cmocka_unit_test(test_fewer_meters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
