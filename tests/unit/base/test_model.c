/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/plan.h"
#include "model/result.h"

#include <stdlib.h>
#include <string.h>

static void the_verdict_is_the_first_flag_that_disqualifies(void **state)
{
    (void)state;
    struct ts_result result = {0};
    assert_string_equal(ts_result_verdict(&result), "usable");
    ts_result_flag(&result, TS_FLAG_LOG_LOST);
    assert_string_equal(ts_result_verdict(&result), "usable");
    assert_true(ts_result_usable(&result));
    ts_result_flag(&result, TS_FLAG_NEVER_SETTLED);
    ts_result_flag(&result, TS_FLAG_FRAMES_DROPPED);
    assert_string_equal(ts_result_verdict(&result), "frames_dropped");
    assert_false(ts_result_usable(&result));
}

static void every_flag_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++)
        assert_int_equal(ts_flag_by_name(ts_flag_name((enum ts_flag)flag)), flag);
    assert_int_equal(ts_flag_by_name("no such flag"), TS_FLAG_COUNT);
    assert_true(TS_FLAG_COUNT <= 32);
}

static struct ts_plan plan_of(const char *component)
{
    struct ts_plan plan;
    ts_plan_defaults(&plan);
    plan.apps = calloc(1, sizeof *plan.apps);
    plan.apps[0].name = strdup("App");
    plan.apps[0].component = strdup(component);
    plan.app_count = 1;
    return plan;
}

static void components_follow_androids_grammar(void **state)
{
    (void)state;
    static const char *const good[] = {"com.a/.Main", "com.a_b.c1/com.a.Main$Inner",
                                       "org.x/org.x.ui.Main"};
    /* Components reach a device's shell: nothing that a shell would read may pass. */
    static const char *const bad[] = {
        "com.a",       "com.a/",       "a/.Main",       "com.a/.Main;reboot", "com.a/.Ma in",
        "com.a/$(id)", "com..a/.Main", "com.a/.Main\n", "-com.a/.M",          "com.a/.1Main"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct ts_plan plan = plan_of(good[i]);
        assert_int_equal(ts_plan_check(&plan, NULL), TS_OK);
        ts_plan_free(&plan);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ts_plan plan = plan_of(bad[i]);
        struct ts_why why;
        assert_int_equal(ts_plan_check(&plan, &why), TS_EINVAL);
        assert_non_null(strstr(why.text, "component"));
        ts_plan_free(&plan);
    }
}

static void numbers_out_of_range_are_named(void **state)
{
    (void)state;
    struct ts_why why;
    struct ts_plan plan = plan_of("com.a/.Main");
    plan.launches = 0;
    assert_int_equal(ts_plan_check(&plan, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "launches"));
    plan.launches = 10000;
    assert_int_equal(ts_plan_check(&plan, &why), TS_EINVAL);
    plan.launches = 5;
    plan.timeout_ms = plan.quiet_ms;
    assert_int_equal(ts_plan_check(&plan, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "timeout_ms"));
    ts_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_verdict_is_the_first_flag_that_disqualifies),
        cmocka_unit_test(every_flag_has_a_name_of_its_own),
        cmocka_unit_test(components_follow_androids_grammar),
        cmocka_unit_test(numbers_out_of_range_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
