/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan's stop rule in control: which launches follow, and which plans are refused. */
#include "control/control.h"
#include "store/plan_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MINUTE_NS 60000000000LL
#define MOST      64

static const struct ts_camera_geometry camera = {50, 50, 10, 10, 8000000};

static void make_plan(struct ts_plan *plan, const char *stop)
{
    static char names[2][2] = {"A", "B"}, components[2][8] = {"a.b/.C", "a.b/.D"};
    static struct ts_plan_app apps[2];
    for (int i = 0; i < 2; i++)
        apps[i] = (struct ts_plan_app){.name = names[i], .component = components[i]};
    static char text[TS_PLAN_STOP_MAX];
    ts_plan_defaults(plan);
    snprintf(text, sizeof text, "%s", stop);
    plan->apps = apps;
    plan->app_count = 2;
    plan->launches = 8;
    plan->warm_up = 1;
    plan->stop = text;
}

/* A minute a launch. A's values are steady, B's are not; every third launch of A is unusable. */
static struct ts_result measured(const struct ts_control *control)
{
    const struct ts_evidence_intent *intent = ts_control_intent(control);
    struct ts_result result;
    memset(&result, 0, sizeof result);
    result.launch = intent->launch;
    memcpy(result.app, intent->app, sizeof result.app);
    const bool steady = result.app[0] == 'A';
    result.settled.value = steady ? 500 + result.launch % 2 : 500 + 37 * (5 * result.launch % 11);
    if (steady && result.launch % 3 == 0)
        ts_result_flag(&result, TS_FLAG_NO_CONTACT);
    return result;
}

/* Plays the plan from launch `from`, after a control that had played what was before; appends the
 * apps' letters. Gives the last reason. */
static void play(const struct ts_plan *plan, struct ts_result *done, int *count, int until,
                 char *letters, char *reason)
{
    struct ts_control *control;
    struct ts_control_output output;
    struct ts_result nothing = {.launch = 0};
    struct ts_host_time now = {MINUTE_NS};
    assert_int_equal(ts_control_create(plan, 1, &camera, &control), TS_OK);
    if (*count > 0)
        ts_control_take_over(control, &nothing);
    else
        assert_int_equal(ts_control_next_part(control, now, &output), TS_OK);
    for (int i = 0; i < *count; i++)
        ts_control_take_over(control, &done[i]);
    while (*count < until && !ts_control_next_part(control, now, &output)) {
        struct ts_item item = {.kind = TS_ITEM_DONE};
        struct ts_why why;
        now.ns += MINUTE_NS;
        item.arrival = now;
        assert_int_equal(ts_control_item(control, &item, &output, &why), TS_OK);
        done[*count] = measured(control);
        assert_int_equal(ts_control_measured(control, &done[*count]), TS_OK);
        assert_string_equal(done[*count].conditions.stop,
                            ts_control_intent(control)->conditions.stop);
        if (*done[*count].conditions.stop)
            strcpy(reason, done[*count].conditions.stop);
        letters[*count] = done[*count].app[0];
        letters[++*count] = '\0';
    }
    ts_control_destroy(control);
}

static void check(const char *stop, enum ts_order order, const char *expected, const char *why)
{
    struct ts_plan plan;
    static struct ts_result done[MOST];
    char letters[MOST], again[MOST], reason[400] = "";
    int count = 0;
    make_plan(&plan, stop);
    plan.order = order;
    play(&plan, done, &count, MOST, letters, reason);
    assert_string_equal(letters, expected);
    assert_string_equal(reason, why);
    /* Cut off after any launch and taken up again, it ends the same; minutes begin anew. */
    for (int cut = 1; cut < count && !strstr(stop, "minutes"); cut++) {
        int played = 0;
        play(&plan, done, &played, cut, again, reason);
        play(&plan, done, &played, MOST, again, reason);
        assert_string_equal(again, expected);
    }
}

static void an_app_that_has_enough_is_left_out(void **state)
{
    (void)state;
    /* Launches 1 (warm-up), 3, 5, 7, 9, 11 are A's; 3 and 9 are unusable. */
    check("launches(3) and variation < 1%", TS_ORDER_INTERLEAVED, "ABABABABABABBBB",
          "launches(3): 3; variation < 1%: 0.00%");
    check("variation < 1% and launches(2)", TS_ORDER_SEQUENTIAL, "AAAABBBBBBBBB",
          "variation < 1%: 0.00%; launches(2): 2");
    check("launches(8)", TS_ORDER_INTERLEAVED, "ABABABABABABABABAB", "launches(8): 8");
    check("minutes(5)", TS_ORDER_SEQUENTIAL, "AAAAABBBBB", "minutes(5): 5.00");
}

static void useless_rules_are_refused(void **state)
{
    static const struct {
        const char *stop;
        int err;
    } rules[] = {
        {"", TS_OK},
        {"launches(8)", TS_OK},
        {"launches(9)", TS_EINVAL},
        {"launches(9) or minutes(1)", TS_OK},
        {"launches(9) and minutes(1)", TS_EINVAL},
        {"not launches(1)", TS_EINVAL},
        {"not launches(5)", TS_OK},
        {"stable(8, 5%)", TS_EINVAL},
        {"stable(7, 5%)", TS_OK},
        {"last(9, variation < 5%)", TS_EINVAL},
        {"last(5, launches(6))", TS_EINVAL},
        {"last(6, width(median) < 5%)", TS_OK},
        {"last(5, width(median) < 5%)", TS_EINVAL},
        {"launches(", TS_EINVAL},
        {"beauty", TS_EINVAL},
    };
    struct ts_plan plan;
    struct ts_why why;
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        make_plan(&plan, rules[i].stop);
        if (ts_plan_check(&plan, &why) != rules[i].err)
            fail_msg("%s", rules[i].stop);
    }
}

static void the_line_is_named(void **state)
{
    static const char *const texts[] = {
        "apps: [{name: A, component: a.b/.C}]\nlaunches: 9\nstop: launches(4) xor minutes(2)\n",
        "apps: [{name: A, component: a.b/.C}]\nlaunches: 9\nstop: [launches(4)]\n",
    };
    struct ts_plan plan;
    struct ts_why why;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ts_plan_parse(texts[i], strlen(texts[i]), &plan, &why), TS_EPROTO);
        assert_non_null(strstr(why.text, "line 3"));
    }
    const char good[] = "apps: [{name: A, component: a.b/.C}]\nstop: launches(4) or minutes(2)\n";
    assert_int_equal(ts_plan_parse(good, strlen(good), &plan, &why), TS_OK);
    assert_string_equal(plan.stop, "launches(4) or minutes(2)");
    ts_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_app_that_has_enough_is_left_out),
        cmocka_unit_test(useless_rules_are_refused),
        cmocka_unit_test(the_line_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
