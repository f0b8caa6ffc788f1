/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is broken on purpose, and the digitizer, which breaks by itself. */
#include "rig.h"

#include "sim_phone/am_lines.h"
#include "sim_phone/digitizer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEWS    "org.example.news/.FrontPage"
#define NEWS_UI "org.example.news.FrontPage"
#define MS      TS_NS_PER_MS

static void arm(struct rig *rig, const char *component, enum sim_fault fault)
{
    sim_phone_fault(rig->phone, fault);
    rig_shell(rig, NULL, 0,
              "am broadcast -p org.touchstone.helper -a org.touchstone.helper.NEXT --es component "
              "%s --ei "
              "launch 1",
              component);
    rig_shell(rig, NULL, 0, "am start -n org.touchstone.helper/.Button");
    rig_run(rig, 800);
}

static bool focus_has(struct rig *rig, const char *words)
{
    char text[3000];
    rig_shell(rig, text, sizeof text, "dumpsys window displays");
    const char *focus = strstr(text, "mCurrentFocus=");
    assert_non_null(focus);
    char line[400];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(focus, "\n"), focus);
    return strstr(line, words) != NULL;
}

static void missed_touch_clicks_nothing(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 1, 14);
    const size_t before = rig.scene.count;
    const struct sim_phone_truth truth = rig_launch(&rig, NEWS, SIM_FAULT_MISSED_TOUCH);
    assert_int_equal(truth.click_ns, 0);
    assert_string_equal(truth.start_type, "");
    assert_false(rig_has(&rig, "START u0", NEWS));
    assert_int_equal(rig.scene.count, before);
    rig_close(&rig);
}

static void no_start_clicks_and_nothing_follows(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 2, 14);
    struct sim_phone_truth truth = rig_launch(&rig, NEWS, SIM_FAULT_NO_START);
    assert_true(truth.click_ns > 0);
    assert_int_equal(truth.start_ns, 0);
    assert_string_equal(truth.start_type, "");
    assert_true(isnan(truth.displayed_ms));
    assert_false(rig_has(&rig, "START u0", NEWS));
    /* An app that is refused is told to ActivityManager, and shows nothing either. */
    truth = rig_launch(&rig, "org.example.vault/.UnlockActivity", SIM_FAULT_NONE);
    assert_true(truth.start_ns > 0);
    assert_string_equal(truth.start_type, "");
    assert_true(rig_has(&rig, "START u0", "org.example.vault", "result code=-92"));
    assert_true(focus_has(&rig, "org.touchstone.helper/"));
    rig_close(&rig);
}

static void dialog_takes_the_focus(void **state)
{
    (void)state;
    static const int androids[] = {7, 10, 14};
    for (int i = 0; i < 3; i++) {
        struct rig rig;
        rig_open(&rig, 3, androids[i]);
        const struct sim_phone_truth truth = rig_launch(&rig, NEWS, SIM_FAULT_DIALOG);
        assert_string_equal(truth.start_type, "cold");
        assert_true(rig_has(&rig, "GrantPermissionsActivity"));
        assert_true(focus_has(&rig, "GrantPermissionsActivity"));
        if (androids[i] == 14)
            assert_true(rig_has(&rig, "input_focus: [Focus entering",
                                "com.google.android.permissioncontroller/"));
        rig_shell(&rig, NULL, 0, "am force-stop org.example.news");
        rig_run(&rig, 500);
        assert_true(focus_has(&rig, "org.touchstone.helper/"));
        rig_close(&rig);
    }
}

static void crash_kills_and_goes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 4; seed < 12; seed++) {
        struct rig rig;
        rig_open(&rig, seed, seed % 2 ? 14 : 7);
        const struct sim_phone_truth truth = rig_launch(&rig, NEWS, SIM_FAULT_CRASH);
        const int crash = rig_line(&rig, rig.mark, "am_crash: [", "org.example.news");
        assert_true(crash >= 0);
        assert_true(rig_has(&rig, "E AndroidRuntime: FATAL EXCEPTION: main"));
        assert_true(rig_has(&rig, "am_proc_died: [0,", "org.example.news"));
        const double after_ms =
            (double)(rig_stamp_ns(&rig, crash) - sim_phone_real(rig.phone, truth.start_ns)) / MS;
        assert_true(after_ms >= 100 && after_ms <= 810);
        assert_int_equal(rig_shell(&rig, NULL, 0, "pidof org.example.news"), 1);
        assert_true(focus_has(&rig, "org.touchstone.helper/"));
        assert_false(rig_has(&rig, "Fully drawn " NEWS, " 1000 "));
        rig_close(&rig);
    }
}

static void notification_slides_over_the_launch(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 5, 14);
    arm(&rig, NEWS, SIM_FAULT_NOTIFICATION);
    const int64_t down_ns = rig.now_ns;
    rig_press(&rig, 120, 1500);
    /* The banner is still in front of the app: the last elements of the list. */
    const struct sim_element *banner = &rig.scene.elements[rig.scene.count - 2];
    assert_true(banner->rect.y < 0.04 && banner->slide < 0);
    assert_true(banner->from_ns > down_ns && banner->from_ns < down_ns + 220 * MS);
    assert_true(banner->until_ns > down_ns + 4 * TS_NS_PER_S);
    rig_close(&rig);
}

static void refresh_rate_switches_and_comes_back(void **state)
{
    (void)state;
    struct rig rig;
    char text[3000];
    rig_open(&rig, 6, 14);
    rig_launch(&rig, NEWS, SIM_FAULT_REFRESH_SWITCH);
    assert_true(fabs(sim_phone_refresh_hz(rig.phone) - 60) < 0.5);
    rig_shell(&rig, text, sizeof text, "dumpsys display");
    assert_non_null(strstr(text, "mActiveRenderFrameRate=60.0"));
    assert_non_null(strstr(text, "mActiveModeId=2"));
    rig_launch(&rig, NEWS, SIM_FAULT_NONE);
    assert_true(fabs(sim_phone_refresh_hz(rig.phone) - 120) < 0.5);
    rig_shell(&rig, text, sizeof text, "dumpsys display");
    assert_non_null(strstr(text, "mActiveRenderFrameRate=120.0"));
    rig_close(&rig);
}

static void still_alive_is_not_cold(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 7, 14);
    /* Set after the stop: a service has the process started again. */
    rig_shell(&rig, NULL, 0, "am force-stop org.example.news");
    struct sim_phone_truth truth = rig_launch(&rig, NEWS, SIM_FAULT_STILL_ALIVE);
    assert_string_equal(truth.start_type, "warm");
    assert_false(rig_has(&rig, "next-top-activity {org.example.news"));
    /* The next launch's stop works again. */
    rig_shell(&rig, NULL, 0, "am force-stop org.example.news");
    assert_int_equal(rig_shell(&rig, NULL, 0, "pidof org.example.news"), 1);
    truth = rig_launch(&rig, NEWS, SIM_FAULT_NONE);
    assert_string_equal(truth.start_type, "cold");
    /* Set before the stop: it fails, quietly. */
    sim_phone_fault(rig.phone, SIM_FAULT_STILL_ALIVE);
    rig_shell(&rig, NULL, 0, "input keyevent KEYCODE_HOME");
    assert_int_equal(rig_shell(&rig, NULL, 0, "am force-stop org.example.news"), 0);
    assert_int_equal(rig_shell(&rig, NULL, 0, "pidof org.example.news"), 0);
    truth = rig_launch(&rig, NEWS, SIM_FAULT_STILL_ALIVE);
    assert_string_equal(truth.start_type, "hot");
    rig_close(&rig);
}

static void lost_lines_are_counted(void **state)
{
    (void)state;
    static struct rig whole, lost;
    rig_open(&whole, 8, 10);
    rig_open(&lost, 8, 10);
    rig_launch(&whole, NEWS, SIM_FAULT_NONE);
    const struct sim_phone_truth truth = rig_launch(&lost, NEWS, SIM_FAULT_LOG_LOST);
    assert_string_equal(truth.start_type, "cold");
    int missing = 0, notices = 0;
    for (int i = rig_line(&lost, lost.mark, "I chatty  : uid="); i >= 0;
         i = rig_line(&lost, i + 1, "I chatty  : uid=")) {
        const char *expire = strstr(lost.lines[i], " expire ");
        assert_non_null(expire);
        missing += atoi(expire + strlen(" expire "));
        notices++;
    }
    assert_true(notices >= 2);
    assert_false(rig_has(&lost, " 1000 ", "cmp=" NEWS));
    assert_false(rig_has(&lost, "_on_create_called", NEWS_UI));
    assert_int_equal(whole.count - whole.mark, lost.count - lost.mark - notices + missing);
    rig_close(&whole);
    rig_close(&lost);
}

/* ---- the digitizer ---- */

static void click_follows_the_lift(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct rig rig;
        rig_open(&rig, 1000 + seed, 14);
        arm(&rig, NEWS, SIM_FAULT_NONE);
        const double contact_ms = 80 + (double)(seed * 4);
        const int64_t lift_ns = rig.now_ns + (int64_t)(contact_ms * MS);
        rig_press(&rig, contact_ms, 500);
        const double late_ms = (double)(sim_phone_last_launch(rig.phone).click_ns - lift_ns) / MS;
        /* Area threshold, up to three scans of 17 ms, and 10-31 ms of latency. */
        assert_true(late_ms > 6 && late_ms < 31 + 3 * 17);
        const double start_ms = (double)(sim_phone_last_launch(rig.phone).start_ns -
                                         sim_phone_last_launch(rig.phone).click_ns) /
                                MS;
        assert_true(start_ms > 0 && start_ms < 5);
        rig_close(&rig);
    }
}

static void long_press_does_not_click(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, 9, 14);
    arm(&rig, NEWS, SIM_FAULT_NONE);
    rig_press(&rig, 520, 1000);
    assert_int_equal(sim_phone_last_launch(rig.phone).click_ns, 0);
    rig_press(&rig, 300, 1000);
    assert_true(sim_phone_last_launch(rig.phone).click_ns > 0);
    rig_close(&rig);
}

static void only_a_gap_longer_than_the_debounce_clicks(void **state)
{
    (void)state;
    int early = 0, bridged = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct sim_digitizer digitizer;
        sim_digitizer_open(&digitizer, seed, 0);
        assert_true(digitizer.scan_hz > 59 && digitizer.scan_hz < 243);
        const double gap_ms = 2 + (double)(seed % 45);
        const int64_t on_ns = TS_NS_PER_S, off_ns = on_ns + 40 * MS;
        const int64_t again_ns = off_ns + (int64_t)(gap_ms * MS), lift_ns = again_ns + 120 * MS;
        sim_digitizer_force(&digitizer, on_ns, true);
        sim_digitizer_force(&digitizer, off_ns, false);
        sim_digitizer_force(&digitizer, again_ns, true);
        const bool clicked = digitizer.click_ns != INT64_MAX;
        const double scan_ms = 1e3 / digitizer.scan_hz;
        if (gap_ms > (digitizer.debounce_scans + 1) * scan_ms + 0.1)
            assert_true(clicked);
        if (gap_ms + 3.6 < digitizer.debounce_scans * scan_ms)
            assert_false(clicked);
        const int64_t first_ns = digitizer.click_ns;
        sim_digitizer_force(&digitizer, lift_ns, false);
        assert_true(digitizer.click_ns != INT64_MAX);
        if (clicked)
            assert_int_equal(digitizer.click_ns, first_ns);
        else
            assert_true(digitizer.click_ns > lift_ns);
        early += clicked;
        bridged += !clicked;
    }
    assert_true(early > 20 && bridged > 20);
}

static void durations_print_as_android_does(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {{0, "0"},
                 {7, "+7ms"},
                 {1000, "+1s0ms"},
                 {5098, "+5s98ms"},
                 {60000, "+60s0ms"},
                 {60005, "+60s5ms"},
                 {61000, "+1m1s0ms"},
                 {105048, "+1m45s48ms"},
                 {120005, "+2m0s5ms"},
                 {3600000, "+60m0s0ms"},
                 {-812, "-812ms"},
                 {90061001, "+1d1h1m1s1ms"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[48];
        sim_duration_print(cases[i].ms, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missed_touch_clicks_nothing),
        cmocka_unit_test(no_start_clicks_and_nothing_follows),
        cmocka_unit_test(dialog_takes_the_focus),
        cmocka_unit_test(crash_kills_and_goes_back),
        cmocka_unit_test(notification_slides_over_the_launch),
        cmocka_unit_test(refresh_rate_switches_and_comes_back),
        cmocka_unit_test(still_alive_is_not_cold),
        cmocka_unit_test(lost_lines_are_counted),
        cmocka_unit_test(click_follows_the_lift),
        cmocka_unit_test(long_press_does_not_click),
        cmocka_unit_test(only_a_gap_longer_than_the_debounce_clicks),
        cmocka_unit_test(durations_print_as_android_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
