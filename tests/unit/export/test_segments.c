/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/segments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct ts_milestones launch(double input_ms, double splash_ms, double settled_ms)
{
    struct ts_milestones of;
    for (int at = 0; at < TS_MILESTONE_COUNT; at++)
        of.ms[at] = NAN;
    of.ms[TS_MILESTONE_LIFT] = 0;
    of.ms[TS_MILESTONE_INPUT] = input_ms;
    of.ms[TS_MILESTONE_SPLASH] = splash_ms;
    of.ms[TS_MILESTONE_SETTLED] = settled_ms;
    return of;
}

/* By time, lift first; what half of a group lacks is missing. */
static void test_order(void **state)
{
    (void)state;
    const struct ts_milestones a[] = {launch(-2, 20, 300), launch(-3, NAN, 310)};
    const struct ts_milestones b[] = {launch(-2, NAN, 300), launch(-3, NAN, 310)};
    struct ts_milestone_order order;
    assert_int_equal(ts_milestones_sort(a, 2, NULL, 0, &order), TS_OK);
    assert_int_equal(order.count, 4);
    assert_int_equal(order.order[0], TS_MILESTONE_LIFT);
    assert_int_equal(order.order[1], TS_MILESTONE_INPUT);
    assert_int_equal(order.order[2], TS_MILESTONE_SPLASH);
    assert_int_equal(order.order[3], TS_MILESTONE_SETTLED);
    assert_true(order.missing[TS_MILESTONE_BIND]);
    assert_int_equal(ts_milestones_sort(a, 2, b, 2, &order), TS_OK);
    assert_int_equal(order.count, 3);
    assert_true(order.missing[TS_MILESTONE_SPLASH]);
}

static void test_difference(void **state)
{
    (void)state;
    struct ts_milestones a[12], b[12];
    for (int i = 0; i < 12; i++) {
        a[i] = launch(30, NAN, 430 + 7 * (i % 5));
        b[i] = launch(30, NAN, 530 + 7 * (i % 5));
    }
    b[0].ms[TS_MILESTONE_INPUT] = NAN; /* has no such stretch */
    struct ts_segment_difference of;
    assert_int_equal(
        ts_segment_compare(a, 12, b, 12, TS_MILESTONE_INPUT, TS_MILESTONE_SETTLED, &of), TS_OK);
    assert_int_equal(of.count_a, 12);
    assert_int_equal(of.count_b, 11);
    assert_float_equal(of.median_a, 410.5, 1e-9);
    assert_true(fabs(of.difference - 100) < 8);
    assert_true(of.interval.low < 100 && of.interval.high > 100 && of.interval.low > 80);
    assert_int_equal(ts_segment_compare(a, 5, b, 12, TS_MILESTONE_INPUT, TS_MILESTONE_SETTLED, &of),
                     TS_OK);
    assert_true(isnan(of.interval.low)); /* too few */
    assert_int_equal(ts_segment_compare(a, 0, b, 1, TS_MILESTONE_LIFT, TS_MILESTONE_SETTLED, &of),
                     TS_OK);
    assert_true(isnan(of.median_a) && isnan(of.difference));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
