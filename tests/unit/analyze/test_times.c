/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cameras and screen recorders as containers stamp them: where do frames really start? */
#include "cli/analyze_times.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FRAMES 3000

static double round_to(double ms, double grain)
{
    return round(ms / grain) * grain;
}

static void learn(const double *stamp_ms, size_t count, double grain_ms, bool recording,
                  struct ts_times *times)
{
    struct ts_times_learner learner = {.grain_ms = grain_ms, .recording = recording};
    for (size_t n = 0; n < count; n++)
        ts_times_learn(&learner, (int64_t)llround(stamp_ms[n] * 1e6));
    assert_int_equal(ts_times_learnt(&learner, times), TS_OK);
    assert_int_equal(times->frames, count);
}

/* Where the line has the frame that is stamped so, against where it is. */
static double error_of(const struct ts_times *times, double stamp_ms, double true_ms)
{
    const double from = stamp_ms - (double)times->origin_ns / 1e6 - times->start_ms;
    const double line = times->start_ms + round(from / times->period_ms) * times->period_ms;
    return fabs(line + (double)times->origin_ns / 1e6 - true_ms);
}

/* Any rate in Matroska's milliseconds, frames lost, gaps of many frames. */
static void undoes_rounding(void **state)
{
    (void)state;
    static const double rates[] = {23.976, 24, 25,     29.97, 30,  59.94, 60,
                                   75,     90, 119.88, 120,   144, 187,   240};
    static double stamp[FRAMES], start[FRAMES];
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct ts_rng rng;
            struct ts_times times;
            ts_rng_seed(&rng, seed, r);
            const double period = 1000 / rates[r] * (1 + 1e-4 * ts_rng_range(&rng, -1, 1));
            const double begin = ts_rng_range(&rng, 0, 5000);
            double number = 0;
            for (size_t n = 0; n < FRAMES; n++) {
                start[n] = begin + number * period;
                stamp[n] = round_to(start[n], 1);
                number += 1 + (ts_rng_uniform(&rng) < 0.02) + (n == 1500 ? 700 : 0);
            }
            const size_t count = seed % 2 ? FRAMES : 40;
            learn(stamp, count, 1, seed % 3 == 0, &times);
            assert_true(times.even);
            double worst = 0;
            for (size_t n = 0; n < count; n++)
                worst = fmax(worst, error_of(&times, stamp[n], start[n]));
            /* A period of whole milliseconds hides where in them the frames are. */
            assert_true(worst < (count == FRAMES ? 0.6 : 0.7));
            assert_true(fabs(times.period_ms - period) < 0.03);
            assert_true(times.u_ms > 0.1 && times.u_ms < 0.35);
        }
    }
}

static void an_exact_grid_is_exact(void **state)
{
    (void)state;
    static double stamp[FRAMES];
    struct ts_times times;
    for (size_t n = 0; n < FRAMES; n++)
        stamp[n] = (double)(n * 512) / 15.360;
    learn(stamp, FRAMES, 1 / 15.360, false, &times);
    assert_true(times.even);
    assert_true(fabs(times.period_ms - 512 / 15.360) < 1e-6);
    assert_true(times.u_ms < 0.02);
}

/* A camera at 30 fps whose stamps are up to 3 ms late each, for a quarter of an hour. */
static void sees_through_jitter(void **state)
{
    (void)state;
    static double stamp[30 * 900];
    const size_t count = sizeof stamp / sizeof *stamp;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct ts_rng rng;
        struct ts_times times;
        ts_rng_seed(&rng, seed, 7);
        for (size_t n = 0; n < count; n++)
            stamp[n] = (double)n * 33.3667 + ts_rng_range(&rng, -3, 3);
        learn(stamp, count, 1 / 90.0, false, &times);
        assert_true(times.even);
        assert_true(fabs(times.period_ms - 33.3667) < 1e-4);
        for (size_t n = 0; n < count; n++)
            assert_true(error_of(&times, stamp[n], (double)n * 33.3667) < 0.15);
        assert_true(times.u_ms > 1 && times.u_ms < 2.5);
        learn(stamp, count, 1 / 90.0, true, &times); /* a recorder's stamps are right */
        assert_false(times.even);
    }
}

/* A camera that slows down in the dark, and one whose rate wanders: their stamps are all there is.
 */
static void follows_what_is_uneven(void **state)
{
    (void)state;
    static double stamp[FRAMES];
    struct ts_times times;
    for (size_t n = 0; n < FRAMES; n++)
        stamp[n] = n < 1000 ? (double)n * 33.3 : 33300 + (double)(n - 1000) * 41.7;
    learn(stamp, FRAMES, 0.01, false, &times);
    assert_false(times.even);
    assert_true(times.period_ms > 33 && times.period_ms < 42);
    for (size_t n = 0; n < FRAMES; n++)
        stamp[n] = (double)n * 33.3 + 6 * sin((double)n / 300);
    learn(stamp, FRAMES, 0.01, false, &times);
    assert_false(times.even);
}

/* A recording of a 60 Hz screen in which most pictures stand for a while. */
static void a_recording_may_rest(void **state)
{
    (void)state;
    static double stamp[FRAMES];
    struct ts_rng rng;
    struct ts_times times;
    ts_rng_seed(&rng, 3, 0);
    double number = 0;
    for (size_t n = 0; n < FRAMES; n++) {
        stamp[n] = round_to(number * 1000 / 60, 1 / 90.0);
        number += ts_rng_uniform(&rng) < 0.6 ? 1 : floor(ts_rng_range(&rng, 2, 40));
    }
    learn(stamp, FRAMES, 1 / 90.0, true, &times);
    assert_true(times.even);
    assert_true(fabs(times.period_ms - 1000.0 / 60) < 1e-3);
}

static void refuses_what_is_no_time(void **state)
{
    (void)state;
    struct ts_times_learner learner = {.grain_ms = 1};
    struct ts_times times;
    assert_int_equal(ts_times_learnt(&learner, &times), TS_EPROTO);
    for (int n = 0; n < 600; n++) {
        ts_times_learn(&learner, 5);
        assert_int_equal(ts_times_learnt(&learner, &times), TS_EPROTO);
    }
    struct ts_times_learner wild = {.grain_ms = 1};
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 0);
    for (int n = 0; n < 2000; n++) {
        ts_times_learn(&wild, (int64_t)ts_rng_range(&rng, -4e18, 4e18));
        if (ts_times_learnt(&wild, &times) == TS_OK)
            assert_true(times.period_ms > 0 && !times.even);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undoes_rounding),      cmocka_unit_test(an_exact_grid_is_exact),
        cmocka_unit_test(sees_through_jitter),  cmocka_unit_test(follows_what_is_uneven),
        cmocka_unit_test(a_recording_may_rest), cmocka_unit_test(refuses_what_is_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
