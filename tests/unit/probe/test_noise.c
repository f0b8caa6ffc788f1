/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of traces as paper N describes them, and of one made by hand. */
#include "corpus.h"
#include "instrument/noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TRACE  10000
#define TRACES 200

static void a_trace_by_hand(void **state)
{
    (void)state;
    static double x[TRACE];
    for (size_t i = 0; i < TRACE; i++)
        x[i] = i % 1000 == 7 ? 10030 : 20 + (double)(i % 3) * 10;
    struct ts_noise noise;
    struct ts_why why = {""};
    assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_OK);
    assert_int_equal(noise.interruptions, 10);
    assert_true(noise.fence.part == 0.95 && noise.fence.ratio == 3);
    assert_true(noise.cut_ns == 40 + 3 * 20 && noise.median_ns == 30);
    assert_true(noise.smallest_ns == 20 && noise.largest_ns == 10030);
    double total = 0;
    for (size_t i = 0; i < TRACE; i++)
        total += x[i];
    assert_true(fabs(noise.lost - 10 * 10000 / total) < 1e-12);
    assert_true(noise.p999_ns >= 40 && noise.p999_ns <= 10030);
    assert_true(noise.raw.skewness > 20 && fabs(noise.rest.skewness) < 0.01);
}

static void traces_like_the_papers(void **state)
{
    (void)state;
    static double x[TRACE];
    double skewness = 0, kurtosis = 0, cut = 0, found = 0;
    for (uint64_t seed = 0; seed < TRACES; seed++) {
        struct ts_rng rng;
        struct ts_noise noise;
        struct ts_why why;
        ts_rng_seed(&rng, seed, 9);
        const double from = corpus_trace(&rng, x, TRACE);
        assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_OK);
        assert_true(noise.cut_ns < from);
        assert_true(noise.lost > 0.3 && noise.lost < 0.8);
        assert_true(noise.p999_ns > noise.cut_ns);
        skewness += noise.rest.skewness / TRACES;
        kurtosis += noise.rest.kurtosis / TRACES;
        cut += noise.cut_ns / TRACES;
        found += (double)noise.interruptions / TRACES;
    }
    assert_true(skewness > 0.3 && skewness < 0.5); /* printed: 0.34 */
    assert_true(kurtosis > 4.8 && kurtosis < 6.5); /* printed: 6.05 */
    assert_true(cut > 275 && cut < 305);           /* printed scale: 300 */
    assert_true(fabs(found - 69) < 3);
}

/* 8 % of the time something else runs: the 95th percentile is noise itself. */
static void the_cut_adapts(void **state)
{
    (void)state;
    static double x[TRACE];
    for (size_t i = 0; i < TRACE; i++)
        x[i] = i % 25 < 2 ? 20000 + (double)(i % 7) * 100 : 30 + (double)(i % 5);
    struct ts_noise noise;
    struct ts_why why;
    assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_OK);
    assert_int_equal(noise.interruptions, TRACE / 25 * 2);
    assert_true(noise.fence.part <= 0.9 && noise.cut_ns < 20000);
}

/* A clock that counts in tens of nanoseconds: nine of ten deltas are the smallest. */
static void a_coarse_clock_is_no_noise(void **state)
{
    (void)state;
    static double x[TRACE];
    for (size_t i = 0; i < TRACE; i++)
        x[i] = i % 12 ? 20 : i % 24 ? 30 : 31;
    x[3] = 5000;
    struct ts_noise noise;
    struct ts_why why;
    assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_OK);
    assert_int_equal(noise.interruptions, 1);
    assert_true(noise.cut_ns > 31 && noise.cut_ns < 100);
}

static void refuses_what_is_no_trace(void **state)
{
    (void)state;
    static double x[TRACE];
    struct ts_noise noise;
    struct ts_why why = {""};
    assert_int_equal(ts_noise_of(x, 999, &noise, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "1000"));
    x[5] = -1;
    assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_EPROTO);
    x[5] = NAN;
    assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_EPROTO);
    x[5] = 0; /* a clock too coarse to move: no noise is seen, and nothing breaks */
    assert_int_equal(ts_noise_of(x, TRACE, &noise, &why), TS_OK);
    assert_true(noise.lost == 0 && !noise.interruptions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_by_hand),          cmocka_unit_test(traces_like_the_papers),
        cmocka_unit_test(the_cut_adapts),           cmocka_unit_test(a_coarse_clock_is_no_noise),
        cmocka_unit_test(refuses_what_is_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
