/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Visual progress against launches whose curve is known in closed form. */
#include "base/rng.h"
#include "vision/progress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKS    500
#define PERIOD_MS 8.0
#define STEPS     6

/* A launch: groups of blocks go to a level at a time, in a fade or at once. */
struct step {
    double at_ms, fade_ms, level; /* codes */
    size_t from, until;           /* blocks */
};

struct made {
    struct step step[STEPS];
    size_t count;
    double noise; /* codes */
    double exposure_ms;
    double until_ms;
    bool endless; /* blocks from BLOCKS on flicker for ever */
    uint64_t seed;
};

static double code_at(const struct made *made, size_t block, double ms)
{
    double code = 60;
    for (size_t i = 0; i < made->count; i++) {
        const struct step *s = &made->step[i];
        if (block < s->from || block >= s->until || ms < s->at_ms)
            continue;
        const double done = s->fade_ms > 0 ? fmin(1, (ms - s->at_ms) / s->fade_ms) : 1;
        code += done * (s->level - code);
    }
    return code;
}

static double true_progress(const struct made *made, double ms)
{
    double left = 0, whole = 0;
    for (size_t b = 0; b < BLOCKS; b++) {
        const double final = code_at(made, b, INFINITY);
        left += fabs(code_at(made, b, ms) - final);
        whole += fabs(code_at(made, b, -1) - final);
    }
    return 1 - left / whole;
}

static double true_settled(const struct made *made)
{
    double settled = 0;
    for (size_t i = 0; i < made->count; i++)
        settled = fmax(settled, made->step[i].at_ms + made->step[i].fade_ms);
    return settled;
}

#define FINE_MS 1.0
static double true_complete(const struct made *made)
{
    double early = true_settled(made) + FINE_MS;
    while (early > 0 && true_progress(made, early) >= 0.85)
        early -= FINE_MS;
    double late = early + FINE_MS;
    for (int i = 0; i < 8; i++) {
        const double middle = (early + late) / 2;
        if (true_progress(made, middle) >= 0.85)
            late = middle;
        else
            early = middle;
    }
    return late;
}

static double true_index(const struct made *made)
{
    double area = 0;
    for (double ms = FINE_MS / 2; ms < true_settled(made); ms += FINE_MS)
        area += (1 - true_progress(made, ms)) * FINE_MS;
    return area;
}

static bool is_moving(const struct made *made, double ms)
{
    bool moving = false;
    for (size_t i = 0; i < made->count; i++) {
        const struct step *s = &made->step[i];
        moving = moving || (ms > s->at_ms - PERIOD_MS && ms < s->at_ms + s->fade_ms + PERIOD_MS);
    }
    return moving;
}

static uint16_t seen(const struct made *made, size_t block, double middle_ms, bool moving,
                     struct ts_rng *rng)
{
    double light = 0;
    const int samples = moving ? 10 : 1;
    for (int i = 0; i < samples; i++) {
        const double part = (i + 0.5) / samples - 0.5;
        light += code_at(made, block, middle_ms + made->exposure_ms * part) / samples;
    }
    light += made->noise * ts_rng_normal(rng);
    return (uint16_t)lround(fmin(25500, fmax(0, 100 * light)));
}

/* Episodes and settled as a detector gives them. */
static void tell(const struct made *made, struct ts_vision_changes *out)
{
    *out = (struct ts_vision_changes){.episode_count = made->count};
    for (size_t i = 0; i < made->count; i++) {
        out->episodes[i].begin_ms = made->step[i].at_ms;
        out->episodes[i].end_ms = made->step[i].at_ms + made->step[i].fade_ms;
    }
    out->first = (struct ts_metric){made->step[0].at_ms, 1, 0};
    out->settled = (struct ts_metric){true_settled(made), 1, 0};
}

static void film(const struct made *made, double phase_ms, struct ts_vision_changes *out)
{
    static uint16_t values[2 * BLOCKS], final[2 * BLOCKS];
    static uint8_t counts[2 * BLOCKS];
    struct ts_progress *progress;
    struct ts_rng rng;
    ts_rng_seed(&rng, made->seed, 1);
    assert_int_equal(ts_progress_open(2 * BLOCKS, &progress), TS_OK);
    for (double ms = -100 + phase_ms; ms < made->until_ms; ms += PERIOD_MS) {
        const bool changing = is_moving(made, ms), moving = changing || made->endless;
        if (made->seed % 2 &&
            !ts_progress_wants(progress, ms, moving)) { /* or all values, always */
            ts_progress_frame(progress, ms, NULL, false);
            continue;
        }
        for (size_t b = 0; b < 2 * BLOCKS; b++)
            values[b] = b < BLOCKS      ? seen(made, b, ms, changing, &rng)
                        : made->endless ? (uint16_t)ts_rng_below(&rng, 25500)
                                        : 0;
        ts_progress_frame(progress, ms, values, moving);
    }
    for (size_t b = 0; b < BLOCKS; b++) {
        counts[b] = 1;
        final[b] = (uint16_t)lround(100 * code_at(made, b, INFINITY));
    }
    tell(made, out);
    ts_progress_result(progress, counts, final, out);
    ts_progress_close(progress);
}

static struct made make(uint64_t seed)
{
    return (struct made){.exposure_ms = 5, .until_ms = 2500, .noise = 0.4, .seed = seed};
}

static void add(struct made *made, double at_ms, double fade_ms, double level, size_t from,
                size_t until)
{
    made->step[made->count++] = (struct step){at_ms, fade_ms, level, from, until};
}

static double at(const struct ts_vision_changes *out, double ms)
{
    size_t i = 0;
    while (i + 1 < out->progress_count && out->progress[i].ms < ms)
        i++;
    return out->progress[i].share;
}

static void two_cuts(void **state)
{
    (void)state;
    struct made made = make(1);
    add(&made, 301, 0, 160, 0, 300); /* 60 % of what changes */
    add(&made, 703, 0, 160, 300, 500);
    struct ts_vision_changes out;
    film(&made, 3, &out);
    assert_true(fabs(out.visually_complete_85.value - 703) <= PERIOD_MS);
    assert_true(fabs(ts_progress_passes_ms(&out, 0.5) - 301) <= PERIOD_MS);
    assert_true(fabs(ts_progress_passes_ms(&out, 0.85) - out.visually_complete_85.value) < 1e-9);
    assert_true(fabs(out.speed_index.value - (301 + 0.4 * 402)) <= PERIOD_MS);
    assert_true(fabs(at(&out, 100)) < 0.005);
    assert_true(fabs(at(&out, 500) - 0.6) < 0.01);
    assert_true(fabs(at(&out, 720) - 1) < 0.005);
    assert_true(fabs(out.episodes[0].gain - 0.6) < 0.01);
    assert_true(fabs(out.episodes[1].gain - 0.4) < 0.01);
    assert_true(out.visually_complete_85.u >= PERIOD_MS / sqrt(12) - 1e-9);
    assert_true(out.visually_complete_85.u < PERIOD_MS);
    /* each cut somewhere in its 8 ms: 0.6 and 0.4 of them */
    assert_true(out.speed_index.u > 0.1 * PERIOD_MS && out.speed_index.u < 0.5 * PERIOD_MS);
    for (size_t i = 1; i < out.progress_count; i++)
        assert_true(out.progress[i].ms > out.progress[i - 1].ms);
}

/* White splash before a dark app: further from the end than before the tap. */
static void splash_below_zero(void **state)
{
    (void)state;
    struct made made = make(2);
    add(&made, 200, 0, 240, 0, 500);
    add(&made, 600, 0, 30, 0, 500);
    struct ts_vision_changes out;
    film(&made, 0, &out);
    assert_true(fabs(at(&out, 400) - (1 - 210.0 / 30)) < 0.05);
    assert_true(fabs(out.speed_index.value - (200 + 400 * 7)) < 6 * PERIOD_MS);
    assert_true(out.speed_index.value > out.settled.value);
    assert_true(out.episodes[0].gain < -5 && out.episodes[1].gain > 5);
    assert_true(fabs(out.visually_complete_85.value - 600) <= PERIOD_MS);
}

/* What is passed once and lost again is not passed for good. */
static void passes_for_good(void **state)
{
    (void)state;
    struct made made = make(3);
    add(&made, 100, 0, 160, 0, 500);
    add(&made, 400, 0, 60, 0, 200);
    add(&made, 800, 0, 160, 0, 200);
    struct ts_vision_changes out;
    film(&made, 1, &out);
    assert_true(fabs(out.visually_complete_85.value - 800) <= PERIOD_MS);
    assert_true(fabs(out.speed_index.value - (100 + 0.4 * 400)) < PERIOD_MS);
}

/* Noise of the blocks that never change is no missing progress, however few blocks do change. */
static void noise_is_no_change(void **state)
{
    (void)state;
    struct made made = make(4);
    made.noise = 1;
    add(&made, 300, 0, 75, 0, 30);
    struct ts_vision_changes out;
    film(&made, 2, &out);
    assert_true(fabs(out.speed_index.value - 300) < 1.5 * PERIOD_MS);
    assert_true(fabs(at(&out, 200)) < 0.05);
    assert_true(at(&out, 320) > 0.95);
}

static void random_launch(struct made *made, uint64_t seed)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 2);
    *made = make(seed);
    double ms = ts_rng_range(&rng, 50, 300);
    const size_t count = 2 + ts_rng_below(&rng, STEPS - 1);
    for (size_t i = 0; i < count; i++) {
        const size_t from = ts_rng_below(&rng, 400);
        const size_t until = from + 50 + ts_rng_below(&rng, 450);
        const double fade = ts_rng_below(&rng, 2) ? ts_rng_range(&rng, 50, 600) : 0;
        /* Not so near to the old level that noise hides the difference: that is none. */
        const double level =
            ts_rng_below(&rng, 2) ? ts_rng_range(&rng, 75, 240) : ts_rng_range(&rng, 10, 45);
        add(made, ms, fade, level, i ? from : 0, i && until < BLOCKS ? until : BLOCKS);
        ms += fade + ts_rng_range(&rng, 20, 300);
    }
    made->until_ms = ms + 1000;
    made->endless = ts_rng_below(&rng, 4) == 0;
    made->exposure_ms = ts_rng_range(&rng, 1, PERIOD_MS);
}

static void random_launches(void **state)
{
    (void)state;
    double complete = 0, area = 0;
    size_t inside = 0, count = 0, index_inside = 0;
    for (uint64_t seed = 5000; seed < 5200; seed++) {
        struct made made;
        struct ts_vision_changes out;
        random_launch(&made, seed);
        film(&made, (double)(seed % 8), &out);
        const double error = fabs(out.visually_complete_85.value - true_complete(&made));
        const double wrong = fabs(out.speed_index.value - true_index(&made));
        complete += error;
        area += wrong;
        inside += error <= 2 * out.visually_complete_85.u;
        index_inside += wrong <= 2 * out.speed_index.u;
        count++;
    }
    print_message("mean error: complete %.2f ms, index %.2f ms; within 2 u: %zu and %zu of %zu\n",
                  complete / (double)count, area / (double)count, inside, index_inside, count);
    assert_true(complete / (double)count <= PERIOD_MS / 2);
    assert_true(area / (double)count <= PERIOD_MS / 2);
    assert_true(inside * 100 >= count * 93);
    assert_true(index_inside * 100 >= count * 93);
}

/* A looped video goes on beside the app for 20 s: pictures are thinned out, the launch stays. */
static void long_look(void **state)
{
    (void)state;
    struct made made = make(6);
    made.endless = true;
    add(&made, 300, 0, 160, 0, 300);
    add(&made, 700, 400, 160, 300, 500);
    struct ts_vision_changes brief, lasting;
    film(&made, 3, &brief);
    made.until_ms = 20000;
    film(&made, 3, &lasting);
    assert_true(lasting.progress_count <= TS_PROGRESS_MOST);
    assert_true(fabs(brief.speed_index.value - true_index(&made)) < PERIOD_MS);
    assert_true(fabs(lasting.speed_index.value - brief.speed_index.value) <=
                2 * lasting.speed_index.u);
    assert_true(fabs(lasting.visually_complete_85.value - true_complete(&made)) <=
                2 * lasting.visually_complete_85.u);
    assert_true(lasting.visually_complete_85.u < 60);
}

static void nothing_to_tell(void **state)
{
    (void)state;
    uint16_t values[40] = {0};
    const uint8_t counts[40] = {1};
    struct ts_progress *progress;
    struct ts_vision_changes out = {.episode_count = 1};
    assert_int_equal(ts_progress_open(0, &progress), TS_EINVAL);
    ts_progress_close(NULL);
    assert_int_equal(ts_progress_open(40, &progress), TS_OK);
    for (int pass = 0; pass < 3; pass++) {
        const double settled[] = {100, 100, NAN};
        out.first.value = 50;
        out.settled.value = settled[pass];
        ts_progress_result(progress, counts, values, &out);
        assert_true(isnan(out.visually_complete_85.value) && isnan(out.visually_complete_85.u));
        assert_true(isnan(out.speed_index.value) && isnan(out.episodes[0].gain));
        assert_int_equal(out.progress_count, 0);
        for (int n = 0; n < 20; n++) /* then: frames, but the final picture is the first one */
            ts_progress_frame(progress, 10 * (20 * pass + n), values, true);
    }
    ts_progress_close(progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cuts),        cmocka_unit_test(splash_below_zero),
        cmocka_unit_test(passes_for_good), cmocka_unit_test(noise_is_no_change),
        cmocka_unit_test(random_launches), cmocka_unit_test(long_look),
        cmocka_unit_test(nothing_to_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
