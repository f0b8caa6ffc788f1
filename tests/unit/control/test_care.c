/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a campaign treats the phone: a launch waits for its charge, and the apps stay compiled as the
 * plan says. */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MINUTE       (60000 * MS)
#define FILTER(name) "  [a.one]\n    arm64: [status=" name "] [reason=install]\n"

/* From 30 %, one per cent a minute. */
static void a_launch_waits_for_the_charge(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.care.charge_low = 40;
    stage.plan.care.charge_high = 60;
    stage.charge = 30;
    stage.charge_per_min = 1;
    stage_open(&stage, 1, 0);
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_int_equal(stage_part(&stage), TS_OK);
    const struct ts_evidence_intent *intent = ts_control_intent(stage.control);
    assert_true(intent->conditions.battery_percent == 40);
    assert_string_equal(intent->conditions.mended, "charged");
    assert_string_equal(intent->conditions.guard, "");
    assert_in_range(intent->tap_sent.ns, 10 * MINUTE, 11 * MINUTE);
    assert_int_equal(stage_part(&stage), TS_OK); /* the next one is in the window already */
    assert_string_equal(ts_control_intent(stage.control)->conditions.mended, "");
    stage_close(&stage);
}

/* Above the window too: it is the charger that heats the phone. */
static void a_charge_that_does_not_come_ends_it(void **state)
{
    (void)state;
    static const double charges[] = {39, 61};
    for (int i = 0; i < 2; i++) {
        struct stage stage;
        stage_plan(&stage);
        stage.plan.care.charge_low = 40;
        stage.plan.care.charge_high = 60;
        stage.charge = charges[i];
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_part(&stage), TS_OK);
        assert_int_equal(stage_part(&stage), TS_EIO);
        assert_non_null(strstr(stage.why.text, "does not come into 40 to 60 %"));
        assert_non_null(strstr(stage.why.text, "--resume"));
        stage_close(&stage);
    }
}

static void apps_are_compiled_as_the_plan_says(void **state)
{
    (void)state;
    static const struct {
        enum ts_compile compile;
        const char *how; /* NULL: nothing is done */
    } cases[] = {
        {TS_COMPILE_AS_IS, NULL},
        {TS_COMPILE_RESET, "--reset"},
        {TS_COMPILE_PROFILE, "-f -m speed-profile"},
        {TS_COMPILE_SPEED, "-f -m speed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage;
        char expected[200];
        stage_plan(&stage);
        stage.plan.care.compile = cases[i].compile;
        stage_open(&stage, 1, 0);
        assert_int_equal(stage_part(&stage), TS_OK);
        char *text = stage_text(&stage, 0);
        snprintf(expected, sizeof expected,
                 "shell cmd package compile %s a.one\nshell cmd package compile %s a.two\n"
                 "shell cmd package bg-dexopt-job --disable\n",
                 cases[i].how ? cases[i].how : "", cases[i].how ? cases[i].how : "");
        if (cases[i].how)
            assert_non_null(strstr(text, expected));
        else
            assert_null(strstr(text, "cmd package"));
        free(text);
        stage_close(&stage);
    }
}

/* What the phone compiled meanwhile is another app than the one measured so far. */
static void another_filter_is_another_app(void **state)
{
    (void)state;
    struct stage stage;
    stage_plan(&stage);
    stage.plan.launches = 3;
    stage.plan.app_count = 1;
    stage.answers[1].shell = "dumpsys package dexopt";
    stage.answers[1].text = FILTER("verify");
    stage_open(&stage, 1, 0);
    for (int part = 0; part <= 2; part++)
        assert_int_equal(stage_part(&stage), TS_OK);
    const struct ts_conditions *conditions = &ts_control_intent(stage.control)->conditions;
    assert_string_equal(conditions->compiler_filter, "verify");
    assert_string_equal(conditions->guard, "");
    stage.answers[1].text = FILTER("speed");
    assert_int_equal(stage_part(&stage), TS_OK);
    assert_string_equal(conditions->compiler_filter, "speed");
    assert_string_equal(conditions->guard, "app_changed");
    stage.plan.app_count = 2;
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_waits_for_the_charge),
        cmocka_unit_test(a_charge_that_does_not_come_ends_it),
        cmocka_unit_test(apps_are_compiled_as_the_plan_says),
        cmocka_unit_test(another_filter_is_another_app),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
