/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "clock/grain.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define LINES 36 /* of one launch */

/* Lines in bursts: often several of one millisecond. */
static void write_log(uint64_t seed, int64_t step_ns, int64_t printed_ns, size_t count,
                      int64_t *stamps)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 0x6772u);
    int64_t now = INT64_C(1700000000000000000) + (int64_t)ts_rng_below(&rng, 1000000000u);
    for (size_t i = 0; i < count; i++) {
        now += (int64_t)(-log(1 - ts_rng_uniform(&rng)) * (i % 3 ? 2e5 : 6e7));
        stamps[i] = now - now % step_ns;
        stamps[i] -= stamps[i] % printed_ns;
    }
}

static void steps_are_recognised_in_one_launch(void **state)
{
    (void)state;
    static const int64_t steps[] = {10000000, 1000000, 1000};
    int64_t stamps[LINES];
    for (size_t k = 0; k < 3; k++) {
        for (int64_t printed = 1; printed <= 1000000; printed *= 1000) {
            for (uint64_t seed = 1; seed <= 500; seed++) {
                write_log(seed, steps[k], printed, LINES, stamps);
                const struct ts_clock_grain grain = ts_clock_grain(stamps, LINES);
                const int64_t expected = steps[k] > printed ? steps[k] : printed;
                assert_int_equal(grain.step_ns, expected);
                assert_true(grain.sure);
                assert_true(grain.late_ns == (double)expected / 2);
                assert_true(fabs(grain.late_u_ns - (double)expected / 3.4641) <
                            1e-3 * (double)expected);
            }
        }
    }
}

/* However few lines there are: what it is sure of is so. */
static void few_lines_are_not_enough(void **state)
{
    (void)state;
    int64_t stamps[LINES];
    size_t unsure = 0;
    for (size_t count = 0; count <= LINES; count++) {
        for (uint64_t seed = 1; seed <= 2000; seed++) {
            const int64_t printed = seed % 2 ? 1000000 : 1000;
            write_log(seed, 1, printed, count, stamps);
            const struct ts_clock_grain grain = ts_clock_grain(stamps, count);
            if (grain.sure)
                assert_int_equal(grain.step_ns, printed);
            else
                assert_true(grain.step_ns >= printed && grain.late_ns == 0);
            unsure += !grain.sure;
        }
    }
    assert_true(unsure >= 2 * 2000);
}

/* The mean and the spread of what was cut off. */
static void half_a_step_is_put_back(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 5);
    double sum = 0, squares = 0;
    int64_t stamps[LINES];
    write_log(1, 10000000, 1000, LINES, stamps);
    const struct ts_clock_grain grain = ts_clock_grain(stamps, LINES);
    for (int i = 0; i < 20000; i++) {
        const int64_t now = (int64_t)(ts_rng_uniform(&rng) * 1e15);
        const double error = (double)(now % 10000000) - grain.late_ns;
        sum += error / 20000;
        squares += error * error / 20000;
    }
    assert_true(fabs(sum) < 1e5);
    assert_true(fabs(sqrt(squares) / grain.late_u_ns - 1) < 0.02);
}

static void any_number_is_a_stamp(void **state)
{
    (void)state;
    int64_t stamps[] = {INT64_MIN, -1, 0, 1, INT64_MAX, INT64_MIN};
    assert_int_equal(ts_clock_grain(stamps, 6).step_ns, 1);
    assert_int_equal(ts_clock_grain(NULL, 0).step_ns, 10000000);
    assert_false(ts_clock_grain(NULL, 0).sure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_recognised_in_one_launch),
        cmocka_unit_test(few_lines_are_not_enough),
        cmocka_unit_test(half_a_step_is_put_back),
        cmocka_unit_test(any_number_is_a_stamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
