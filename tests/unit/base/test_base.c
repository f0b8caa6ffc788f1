/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void a_buffer_keeps_what_is_put_in(void **state)
{
    (void)state;
    struct ts_buf buf = {0};
    for (int i = 0; i < 1000; i++)
        assert_int_equal(ts_buf_printf(&buf, "%d,", i), TS_OK);
    assert_int_equal(buf.size, 10 * 2 + 90 * 3 + 900 * 4);
    assert_memory_equal(buf.data + buf.size - 4, "999,", 4);
    ts_buf_clear(&buf);
    assert_int_equal(ts_buf_append(&buf, "abc", 3), TS_OK);
    assert_memory_equal(buf.data, "abc", 3);
    assert_null(ts_buf_extend(&buf, SIZE_MAX - 2));
    assert_int_equal(buf.size, 3);
    ts_buf_free(&buf);
    assert_null(buf.data);
}

static void streams_of_one_seed_differ_and_repeat(void **state)
{
    (void)state;
    struct ts_rng one, again, other;
    ts_rng_seed(&one, 5, 1);
    ts_rng_seed(&again, 5, 1);
    ts_rng_seed(&other, 5, 2);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        const uint64_t value = ts_rng_next(&one);
        assert_true(value == ts_rng_next(&again));
        same += value == ts_rng_next(&other);
    }
    assert_int_equal(same, 0);
}

static void numbers_have_their_moments(void **state)
{
    (void)state;
    struct ts_rng rng;
    double sum = 0, squares = 0, uniform = 0;
    int counts[7] = {0};
    ts_rng_seed(&rng, 11, 0);
    for (int i = 0; i < 70000; i++) {
        const double x = ts_rng_normal(&rng);
        sum += x;
        squares += x * x;
        uniform += ts_rng_range(&rng, -1, 3);
        counts[ts_rng_below(&rng, 7)]++;
    }
    assert_true(fabs(sum / 70000) < 0.02);
    assert_true(fabs(squares / 70000 - 1) < 0.03);
    assert_true(fabs(uniform / 70000 - 1) < 0.03);
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 9500, 10500);
}

static void a_reason_is_kept_and_the_code_returned(void **state)
{
    (void)state;
    struct ts_why why;
    assert_int_equal(ts_fail(&why, TS_EIO, "%s: %d", "disk", 7), TS_EIO);
    assert_string_equal(why.text, "disk: 7");
    assert_int_equal(ts_fail(NULL, TS_EPROTO, "nobody reads this"), TS_EPROTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_keeps_what_is_put_in),
        cmocka_unit_test(streams_of_one_seed_differ_and_repeat),
        cmocka_unit_test(numbers_have_their_moments),
        cmocka_unit_test(a_reason_is_kept_and_the_code_returned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
