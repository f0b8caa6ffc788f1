/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block of white with some text, while the exposure comes down: its bright pixels are cut off. */
#include "vision/saturated.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FINAL   206.0
#define BEFORE  143.0
#define FULL    254.0
#define CARET   15.0
#define BETWEEN 68.0 /* of FINAL, between lines that are cut off: they follow the gain */
#define FROM_MS 1000.0

enum { COUNT = 300, CUT = 60, TAU = 25, REST = 220 };

struct block {
    float gain[COUNT], values[COUNT];
    double start_ms[COUNT];
    bool saturated[COUNT];
    float white_ms;
};

/* The picture comes in frame CUT; a caret darkens it in frames from .. to - 1. */
static void see(struct block *block, int from, int to)
{
    for (int n = 0; n < COUNT; n++) {
        const double gain = n < CUT ? 1.32 : 1 + 0.32 * exp((CUT - n) / (double)TAU);
        const double caret = n >= from && n < to ? CARET : 0;
        const double light = (n < CUT ? BEFORE : FINAL - caret) * gain;
        block->gain[n] = (float)gain;
        block->start_ms[n] = FROM_MS + 8.0 * n;
        block->saturated[n] = n >= CUT && FINAL * gain > 240;
        block->values[n] = (float)((light < FULL ? light : FULL) / gain);
    }
}

static void mend(struct block *block)
{
    const struct ts_window window = {.capacity = COUNT,
                                     .count = COUNT,
                                     .gain = block->gain,
                                     .start_ms = block->start_ms,
                                     .saturated = block->saturated};
    ts_saturated_mend(&(struct ts_saturated){&window, block->values, 0, REST, COUNT, 0.5, FINAL},
                      &block->white_ms);
}

static void assert_final(const struct block *block, int from, int to)
{
    for (int n = from; n < to; n++) {
        if (!(fabs((double)block->values[n] - FINAL) < 4))
            fail_msg("frame %d: %.1f is not %.0f", n, (double)block->values[n], FINAL);
    }
}

static void what_is_cut_off_is_the_same_picture(void **state)
{
    (void)state;
    struct block block;
    see(&block, 0, 0);
    assert_true((double)block.values[CUT] < FINAL - 10);
    mend(&block);
    assert_final(&block, CUT, COUNT);
    for (int n = 0; n < CUT; n++)
        assert_true((double)block.values[n] < FINAL - 20);
}

static void so_it_is_before_a_caret_blinked(void **state)
{
    (void)state;
    struct block block;
    see(&block, 180, 240);
    mend(&block);
    assert_final(&block, CUT, 180);
    assert_final(&block, 240, COUNT);
    for (int n = 180; n < 240; n++)
        assert_true((double)block.values[n] < FINAL - 10);
}

/* Cut off at full scale in all of it, whatever it is. */
static void white_hides_until_the_exposure_is_lower(void **state)
{
    (void)state;
    struct block block = {.white_ms = 0};
    see(&block, 0, 0);
    int white = CUT;
    while (FINAL * (double)block.gain[white + 1] >= FULL)
        white++;
    assert_in_range(white, CUT + 5, CUT + 50);
    mend(&block);
    if (!(fabs((double)block.white_ms - block.start_ms[white]) <= 8))
        fail_msg("%.0f is not %.0f", (double)block.white_ms, block.start_ms[white]);
}

/* What was told of frames that are not known any more stays told. */
static void nothing_white_hides_nothing(void **state)
{
    (void)state;
    const double known_ms[] = {FROM_MS - 8, FROM_MS + 8};
    for (size_t i = 0; i < 2; i++) {
        struct block block = {.white_ms = (float)known_ms[i]};
        see(&block, 0, COUNT);
        for (int n = 0; n < COUNT; n++)
            block.values[n] = (float)fmin((double)block.values[n], 250 / (double)block.gain[n]);
        mend(&block);
        assert_true((double)block.white_ms == (i == 0 ? known_ms[0] : 0));
    }
}

/* By less in a frame than its noise, and by far more in all than the gain. */
static void what_fades_is_not_cut_off(void **state)
{
    (void)state;
    static const double swing[] = {0.4, -0.1, -0.5, 0.2, 0};
    for (int bright = 0; bright < 2; bright++) {
        struct block block = {.white_ms = 0};
        for (int n = 0; n < COUNT; n++) {
            const double left = n < CUT ? 1 : fmax(0, 1 - (n - CUT) / 120.0);
            block.gain[n] = 1.03F - 0.03F * (float)n / COUNT;
            block.saturated[n] = bright;
            block.values[n] = (float)(FINAL - 30 * left + swing[n % 5]);
        }
        mend(&block);
        for (int n = 0; n < CUT; n++) {
            if (!(fabs((double)block.values[n] - (FINAL - 30)) < 5))
                fail_msg("frame %d: %.1f is not %.0f", n, (double)block.values[n], FINAL - 30);
        }
    }
}

/* Lines so fine that they fill no block, which would be at full scale. */
static void bright_lines_are_cut_off_in_any_picture(void **state)
{
    (void)state;
    struct block block;
    see(&block, 0, 0);
    for (int n = CUT; n < COUNT; n++) {
        const double gain = (double)block.gain[n];
        block.saturated[n] = false;
        block.values[n] = (float)((FINAL + BETWEEN * (gain - 1)) / gain);
    }
    assert_true((double)block.values[CUT] < FINAL - 20);
    mend(&block);
    assert_final(&block, CUT, COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_cut_off_is_the_same_picture),
                                       cmocka_unit_test(what_fades_is_not_cut_off),
                                       cmocka_unit_test(bright_lines_are_cut_off_in_any_picture),
                                       cmocka_unit_test(so_it_is_before_a_caret_blinked),
                                       cmocka_unit_test(white_hides_until_the_exposure_is_lower),
                                       cmocka_unit_test(nothing_white_hides_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
