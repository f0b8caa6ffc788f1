/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What control does when the rig or the phone does not play along. */
#include "stage.h"

#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A fault at any moment of launch 1: launch 2 begins by clearing it and picking the stylus up, and
 * its tap is not refused. */
static void expect_recovery(enum ts_device_fault fault)
{
    int64_t length_ns = INT64_MAX;
    int wrong = 0, tried = 0;
    int64_t first_wrong_ns = 0;
    for (int64_t after_ns = 0; after_ns < length_ns; after_ns += 97 * MS) {
        struct stage stage;
        stage_plan(&stage);
        stage.fault = fault;
        stage.fault_part = 1;
        stage.fault_after_ns = after_ns;
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_part(&stage), TS_OK);
        assert_int_equal(stage_part(&stage), TS_OK);
        length_ns = stage.now_ns - stage.part_ns;
        assert_int_equal(stage_part(&stage), TS_OK);
        char *text = stage_text(&stage, 2);
        /* A fault at its very beginning is put right by launch 1 itself. */
        bool refused = strncmp(text, "mcu 0a \nmcu 04 \n", 16) != 0 &&
                       !(after_ns == 0 && stage_said(&stage, 1, "mcu 04 "));
        for (size_t i = 0; i < stage.line_count; i++)
            refused |= stage.lines[i].part == 2 && stage.lines[i].refused;
        free(text);
        stage_close(&stage);
        if (refused && !wrong++)
            first_wrong_ns = after_ns;
        tried++;
    }
    assert_true(tried > 30);
    if (wrong)
        fail_msg("%d of %d moments lead to a launch whose tap is refused; the first is %lld ms "
                 "after the launch began",
                 wrong, tried, (long long)(first_wrong_ns / MS));
}

static void test_latched(void **state)
{
    (void)state;
    expect_recovery(TS_FAULT_MCU_LATCHED);
}

static void test_reset(void **state)
{
    (void)state;
    expect_recovery(TS_FAULT_MCU_RESET);
}

/* While the instrument is being learnt, nobody waits; a message tells what to do. */
static void expect_end(enum ts_device_fault fault, const char *device)
{
    struct stage stage;
    stage_plan(&stage);
    stage.fault = fault;
    stage.fault_part = 0;
    stage.fault_after_ns = 1700 * MS;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_EIO);
    assert_int_equal(ts_control_part(stage.control), 0);
    assert_non_null(strstr(stage.why.text, device));
    assert_non_null(strstr(stage.why.text, "check"));
    stage_close(&stage);
}

static void test_lost(void **state)
{
    (void)state;
    expect_end(TS_FAULT_MCU_LOST, "MCU");
    expect_end(TS_FAULT_CAMERA_LOST, "camera");
}

/* A device that is gone in a launch is awaited by the next one; it goes on, or says after half a
 * minute what to do. */
static int lose(enum ts_device_fault fault, bool for_good, struct ts_why *why)
{
    struct stage stage;
    stage_plan(&stage);
    stage.fault = fault;
    stage.fault_part = 1;
    stage.fault_after_ns = 2900 * MS;
    stage.camera_gone_ns = for_good ? INT64_MAX / 2 : 20000 * MS;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_int_equal(stage_part(&stage), TS_OK);
    stage.dead_mcu = for_good;
    const int64_t from_ns = stage.now_ns;
    const int err = stage_part(&stage);
    if (err)
        assert_true(stage.now_ns - from_ns >= 29000 * MS && stage.now_ns - from_ns < 45000 * MS);
    *why = stage.why;
    stage_close(&stage);
    return err;
}

static void test_lost_and_back(void **state)
{
    (void)state;
    struct ts_why why;
    assert_int_equal(lose(TS_FAULT_MCU_LOST, false, &why), TS_OK);
    assert_int_equal(lose(TS_FAULT_CAMERA_LOST, false, &why), TS_OK);
    assert_int_equal(lose(TS_FAULT_MCU_LOST, true, &why), TS_EIO);
    assert_non_null(strstr(why.text, "MCU"));
    assert_non_null(strstr(why.text, "--resume"));
    assert_int_equal(lose(TS_FAULT_CAMERA_LOST, true, &why), TS_EIO);
    assert_non_null(strstr(why.text, "camera"));
    assert_non_null(strstr(why.text, "--resume"));
}

/* Lost messages and a lost phone spoil a launch, not the campaign. */
static void test_not_fatal(void **state)
{
    (void)state;
    static const enum ts_device_fault faults[] = {TS_FAULT_MCU_GAP, TS_FAULT_PHONE_LOST,
                                                  TS_FAULT_STREAM_ENDED};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct stage stage;
        stage_plan(&stage);
        stage.fault = faults[i];
        stage.fault_part = 1;
        stage.fault_after_ns = 500 * MS;
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_run(&stage), TS_OK);
        stage_close(&stage);
    }
}

static void test_stuck_arm(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.never_held = true;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_ETIMEOUT);
    assert_non_null(strstr(stage.why.text, "check motor"));
    stage_close(&stage);
}

/* A session that was cut off left it so, and the board was not reset. */
static void test_held_already(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    stage.held = true;
    assert_int_equal(stage_run(&stage), TS_OK);
    stage_close(&stage);
}

static void test_phone_refuses(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.shell_status = TS_EIO;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_EIO);
    assert_int_equal(ts_control_part(stage.control), 1);
    assert_non_null(strstr(stage.why.text, "the phone does not answer"));
    const struct ts_conditions *conditions = &ts_control_intent(stage.control)->conditions;
    assert_true(isnan(conditions->battery_percent));
    assert_int_equal(conditions->thermal_status, -1);
    assert_string_equal(conditions->apk_hash, "");
    stage_close(&stage);
}

/* What a phone says never becomes part of a command, unless it is a plain path. */
static void test_hostile_answer(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "package:/data/app/x;reboot",     "package:/data/app/$(reboot)/base.apk\n",
        "package:/data/app/a b/base.apk", "package:",
        "package:relative/base.apk",      "",
        "package:/data/%s%n%n%n.apk",     "package:/data/'`x`'.apk"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct stage stage;
        stage_plan(&stage);
        stage.apk_answer = answers[i];
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_run(&stage), TS_OK);
        assert_true(stage_said(&stage, 1, "shell sha256sum /dev/null"));
        stage_close(&stage);
    }
}

/* The longest component and answer that a plan and a phone may bring still give whole commands. */
static void test_long_names(void **state)
{
    (void)state;
    struct stage stage;
    char component[160], path[200], expected[300];
    stage_plan(&stage);
    memset(component, 'x', sizeof component);
    component[1] = '.';
    component[80] = '/';
    component[159] = '\0';
    memset(path, 'p', sizeof path);
    memcpy(path, "package:/", 9);
    path[199] = '\0';
    stage.apk_answer = path;
    free(stage.plan.apps[0].component);
    stage.plan.apps[0].component = strdup(component);
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_run(&stage), TS_OK);
    snprintf(expected, sizeof expected,
             "shell am broadcast --include-stopped-packages -p org.touchstone.helper "
             "-a org.touchstone.helper.NEXT --es component %s --ei launch 1",
             component);
    assert_true(stage_said(&stage, 1, expected));
    snprintf(expected, sizeof expected, "shell sha256sum %s", path + 8);
    assert_true(stage_said(&stage, 1, expected));
    stage_close(&stage);
}

/* A phone that does not show the helper's button is asked once more; then the launch is flagged.
 * Without the helper app nothing can be measured. */
static void test_refused_start(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.answers[1].shell = "am start -n org.touchstone.helper/.Button";
    stage.answers[1].text = "Security exception: Permission Denial\n";
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_int_equal(stage_part(&stage), TS_OK);
    const struct ts_conditions *conditions = &ts_control_intent(stage.control)->conditions;
    assert_string_equal(conditions->guard, "start_refused");
    assert_string_equal(conditions->mended, "start repeated");
    stage.answers[1].text = "Error type 3\nError: Activity class {...} does not exist.\n";
    assert_int_equal(stage_part(&stage), TS_EIO);
    assert_non_null(strstr(stage.why.text, "phone setup"));
    stage_close(&stage);
    stage_plan(&stage);
    stage.answers[1].shell = "am start -n org.touchstone.helper/.Flash";
    stage.answers[1].text = "Error: Activity not started, you do not have permission to access it.";
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_EIO);
    assert_non_null(strstr(stage.why.text, "you do not have permission"));
    stage_close(&stage);
}

/* A camera that hands every frame over twice spoils nothing, and costs no time. */
static void test_repeated_frames(void **state)
{
    (void)state;
    int64_t watched_ns[2];
    for (int repeated = 0; repeated < 2; repeated++) {
        struct stage stage;
        stage_plan(&stage);
        stage.repeated_frames = repeated;
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_run(&stage), TS_OK);
        const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
        assert_false(intent->timed_out);
        watched_ns[repeated] = intent->watch_ended.ns - intent->tap_sent.ns;
        stage_close(&stage);
    }
    assert_int_equal(watched_ns[0], watched_ns[1]);
}

/* A camera of which nothing is known cannot be watched: the campaign ends, and says why. */
static void test_timeless_camera(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage_open(&stage, 1, 0);
    ts_control_destroy(stage.control);
    stage.camera.nominal_period_ns = 0;
    assert_int_equal(ts_control_create(&stage.plan, 1, &stage.camera, &stage.control), TS_OK);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_int_equal(stage_part(&stage), TS_EPROTO);
    assert_non_null(strstr(stage.why.text, "camera"));
    stage_close(&stage);
}

/* A screen on which nothing happens is given up after timeout_ms. */
static void test_timeout(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.timeout_ms = 4000;
    stage.dead_screen = true;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_int_equal(stage_part(&stage), TS_OK);
    const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
    assert_true(intent->timed_out);
    const int64_t watched_ns = intent->watch_ended.ns - intent->tap_sent.ns;
    assert_in_range(watched_ns / MS, 4000, 6000);
    stage_close(&stage);
}

/* Only what control itself asked for may drive it, and a part begins at once: the phone's log can
 * be silent, or closed. */
static void test_silent_log(void **state)
{
    (void)state;
    for (int dead = 0; dead < 2; dead++) {
        struct stage stage;
        stage_plan(&stage);
        stage.silent_log = true;
        stage.dead_screen = dead;
        stage.plan.timeout_ms = 4000;
        stage_open(&stage, 1, 0);
        for (int part = 0; part <= 2; part++) {
            const size_t first = stage.line_count;
            assert_int_equal(stage_part(&stage), TS_OK);
            assert_true(stage.line_count > first);
            const int64_t idle_ns = stage.lines[first].at_ns - stage.part_ns;
            if (idle_ns > 100 * MS)
                fail_msg("part %d begins with %lld ms of waiting", part, (long long)(idle_ns / MS));
        }
        stage_close(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latched),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_lost_and_back),
        cmocka_unit_test(test_not_fatal),
        cmocka_unit_test(test_stuck_arm),
        cmocka_unit_test(test_held_already),
        cmocka_unit_test(test_phone_refuses),
        cmocka_unit_test(test_hostile_answer),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_silent_log),
        cmocka_unit_test(test_refused_start),
        cmocka_unit_test(test_repeated_frames),
        cmocka_unit_test(test_timeless_camera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
