/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must not change the result of a launch, and what may only change it in one direction. */
#include "picture_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define WIDTH    160
#define HEIGHT   120
#define FPS      125
#define QUIET_MS 1000.0
#define SEEDS    4
#define SEED     810001
#define TWICE    2.0 /* the same noise: nothing but the change itself moves the result */
#define ANEW     3.0 /* other noise: of hundreds of comparisons none is to fail by chance */

static const char *const cuts[] = {"cut", "cut_late", "spinner", "pwm"};
static const char *const fades[] = {"fade", "fade_part", "list", "slide"};
enum { NAMES = 4 };

static struct ts_vision_changes detect(const struct picture *picture)
{
    const struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
    return changes;
}

static void draw(struct picture *picture, const char *name, uint64_t seed)
{
    picture_case_draw(picture_case_by_name(name), FPS, seed, WIDTH, HEIGHT, picture);
}

/* Renders, detects and frees. */
static struct ts_vision_changes see(struct picture *picture)
{
    picture_render(picture);
    const struct ts_vision_changes changes = detect(picture);
    picture_free(picture);
    return changes;
}

/* Bounds of two standard uncertainties are left now and then: each test counts how often. */
static struct {
    size_t checked, left;
} tally;

static void note(bool within, const char *what, const char *name, uint64_t seed, const char *metric,
                 double was, double is, double limit)
{
    tally.checked++;
    tally.left += !within;
    if (!within)
        printf("%s, %s %llu: %s %.2f became %.2f, limit %.2f\n", what, name,
               (unsigned long long)seed, metric, was, is, limit);
}

#define LEFT_MOST 0.08

struct comparison {
    const char *what, *name;
    uint64_t seed;
    double factor;   /* of the combined standard uncertainty */
    double slack_ms; /* by which the reference value itself may differ */
};

static void check_metric(const struct comparison *c, const char *metric, struct ts_metric a,
                         struct ts_metric b, double shift_ms)
{
    const double difference = b.value - shift_ms - a.value,
                 limit = c->factor * hypot(a.u, b.u) + c->slack_ms;
    const bool within = isnan(a.value) ? isnan(b.value) : fabs(difference) <= limit;
    note(within, c->what, c->name, c->seed, metric, a.value, b.value - shift_ms, limit);
}

/* b is expected shift_ms later than a. Endless regions take the last change away: then it is NAN
 * in both. */
static void check_alike(const struct comparison *c, const struct ts_vision_changes *a,
                        const struct ts_vision_changes *b, double shift_ms)
{
    note(a->flags == b->flags, c->what, c->name, c->seed, "flags", a->flags, b->flags, 0);
    check_metric(c, "first", a->first, b->first, shift_ms);
    check_metric(c, "last", a->last, b->last, shift_ms);
    check_metric(c, "settled", a->settled, b->settled, shift_ms);
}

static void for_all(void (*check)(const char *name, uint64_t seed, bool is_cut))
{
    tally.checked = tally.left = 0;
    for (size_t i = 0; i < NAMES; i++) {
        for (uint64_t seed = SEED; seed < SEED + SEEDS; seed++) {
            check(cuts[i], seed, true);
            check(fades[i], seed, false);
        }
    }
    printf("%zu of %zu left their bounds\n", tally.left, tally.checked);
    assert_true((double)tally.left <= LEFT_MOST * (double)tally.checked);
}

/* Codes of a rendered picture become gain * code + offset. */
static void regrade(struct picture *picture, double gain, double offset)
{
    const size_t blocks = (size_t)(picture->camera.blocks_x * picture->camera.blocks_y);
    for (size_t n = 0; n < picture->frames; n++) {
        for (size_t i = 0; i < blocks; i++) {
            const double sum = gain * picture->blocks[n][i] + 25 * offset;
            picture->blocks[n][i] = (uint16_t)lround(fmin(6375, fmax(0, sum)));
        }
    }
}

static void check_offset(const char *name, uint64_t seed, bool is_cut)
{
    (void)is_cut;
    const struct comparison c = {"brightness offset", name, seed, TWICE, 0};
    struct picture picture;
    draw(&picture, name, seed);
    picture_render(&picture);
    regrade(&picture, 0.8, 5);
    const struct ts_vision_changes plain = detect(&picture);
    regrade(&picture, 1, 25);
    const struct ts_vision_changes lifted = detect(&picture);
    check_alike(&c, &plain, &lifted, 0);
    picture_free(&picture);
}

static void brightness_offset(void **state)
{
    (void)state;
    for_all(check_offset);
}

/* The definition of settled is in shares of full scale: of a fade, another gain is another instant
 * by right, often another refresh. So these get little of it, and a refresh of slack. */
static void check_gain(const char *name, uint64_t seed, bool is_cut)
{
    struct comparison c = {"gain", name, seed, TWICE, 0};
    struct picture picture;
    draw(&picture, name, seed);
    c.slack_ms = is_cut ? 0 : picture.refresh_ms;
    picture_render(&picture);
    const struct ts_vision_changes plain = detect(&picture);
    regrade(&picture, is_cut ? 0.75 : 0.95, 0);
    const struct ts_vision_changes dimmed = detect(&picture);
    check_alike(&c, &plain, &dimmed, 0);
    picture_free(&picture);
}

static void gain(void **state)
{
    (void)state;
    for_all(check_gain);
}

/* The same content on a smaller screen somewhere in the view. */
static void place(struct picture *picture, const char *name, uint64_t seed, double x, double y,
                  bool masked)
{
    draw(picture, name, seed);
    free(picture->ignore);
    picture->ignore = NULL;
    picture->screen_x = x;
    picture->screen_y = y;
    if (masked)
        picture_ignore_surroundings(picture);
}

static void check_translation(const char *name, uint64_t seed, bool is_cut)
{
    (void)is_cut;
    static const double places[][2] = {{5, 0}, {15, 20}, {2.5, 1.5}, {11.3, 7.9}};
    struct comparison c = {"translation", name, seed, ANEW, 0};
    struct picture picture;
    draw(&picture, name, seed);
    if (picture.screen_w > WIDTH - 16) { /* fills the view: there is nowhere to go */
        picture_free(&picture);
        return;
    }
    picture_free(&picture);
    place(&picture, name, seed, 0, 0, seed % 2);
    const struct picture_reference expected = picture_refer(&picture);
    const struct ts_vision_changes origin = see(&picture);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        place(&picture, name, seed, fmin(places[i][0], WIDTH - picture.screen_w),
              fmin(places[i][1], HEIGHT - picture.screen_h), seed % 2);
        /* blocks cut the content differently, so that a fade may settle a refresh apart */
        const struct picture_reference here = picture_refer(&picture);
        c.slack_ms = fmax(fabs(here.first_ms - expected.first_ms),
                          fabs(here.settled_ms - expected.settled_ms));
        const struct ts_vision_changes moved = see(&picture);
        check_alike(&c, &origin, &moved, 0);
    }
}

static void translation(void **state)
{
    (void)state;
    for_all(check_translation);
}

static void check_camera_phase(const char *name, uint64_t seed, bool is_cut)
{
    (void)is_cut;
    const struct comparison c = {"frames elsewhere in time", name, seed, ANEW, 0};
    struct picture picture;
    draw(&picture, name, seed);
    const struct ts_vision_changes plain = see(&picture);
    for (int eighth = 1; eighth < 8; eighth += 2) {
        draw(&picture, name, seed);
        picture.from_ms -= picture.period_ms * eighth / 8;
        const struct ts_vision_changes shifted = see(&picture);
        check_alike(&c, &plain, &shifted, 0);
    }
}

static void time_shift_by_less_than_a_frame(void **state)
{
    (void)state;
    for_all(check_camera_phase);
}

/* 125 frames and a whole number of refreshes to the second: the same pictures, later. */
static void check_seconds(const char *name, uint64_t seed, bool is_cut)
{
    (void)is_cut;
    const struct comparison c = {"everything seconds later", name, seed, ANEW, 0};
    struct picture picture;
    draw(&picture, name, seed);
    const struct ts_vision_changes plain = see(&picture);
    for (double shift = 1000; shift <= 3000; shift += 2000) {
        draw(&picture, name, seed);
        for (size_t i = 1; i < picture.count; i++)
            picture.element[i].from_ms += shift;
        picture.until_ms += shift;
        const struct ts_vision_changes later = see(&picture);
        check_alike(&c, &plain, &later, shift);
    }
}

static void time_shift_by_seconds(void **state)
{
    (void)state;
    for_all(check_seconds);
}

static void check_noise(const char *name, uint64_t seed, bool is_cut)
{
    (void)is_cut;
    for (double noise = 1; noise <= 8; noise *= 2) {
        struct picture picture;
        draw(&picture, name, seed);
        picture.noise_codes = noise;
        const struct picture_reference reference = picture_refer(&picture);
        const struct ts_vision_changes seen = see(&picture);
        if (seen.flags)
            continue;
        note(seen.settled.value >= reference.settled_ms - ANEW * seen.settled.u, "noise", name,
             seed, "settled", reference.settled_ms, seen.settled.value, ANEW * seen.settled.u);
    }
}

static void noise_never_settles_a_launch_early(void **state)
{
    (void)state;
    for_all(check_noise);
}

/* Frames up to `until_ms` only. */
static struct ts_vision_changes look_until(const struct picture *picture, double until_ms)
{
    struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    while (frames.count && frames.start_ms[frames.count - 1] > until_ms)
        frames.count--;
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
    return changes;
}

static void looking_longer_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"cut_late", "list",  "caret",         "spinner",
                                        "video",    "mains", "carousel_after"};
    static const double looks_ms[] = {5000, 10000, 20000};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (uint64_t seed = SEED; seed < SEED + SEEDS; seed++) {
            struct picture picture;
            draw(&picture, names[i], seed);
            picture.until_ms = 20100;
            picture_render(&picture);
            double value = NAN, u = NAN;
            for (size_t k = 0; k < sizeof looks_ms / sizeof *looks_ms; k++) {
                const struct ts_vision_changes seen = look_until(&picture, looks_ms[k]);
                if (seen.flags)
                    continue;
                if (!isnan(value) &&
                    !(fabs(seen.settled.value - value) <= 0.5 * fmin(u, seen.settled.u)))
                    fail_msg("%s %llu: settled %.2f became %.2f after %.0f s", names[i],
                             (unsigned long long)seed, value, seen.settled.value,
                             looks_ms[k] / 1000);
                value = seen.settled.value;
                u = seen.settled.u;
            }
            assert_true(!isnan(value)); /* flagged however long one looks is no answer */
            picture_free(&picture);
        }
    }
}

static void assert_same_metric(struct ts_metric a, struct ts_metric b)
{
    assert_true(a.value == b.value || (isnan(a.value) && isnan(b.value)));
    assert_true(a.u == b.u || (isnan(a.u) && isnan(b.u)));
}

static void assert_same(const struct ts_vision_changes *a, const struct ts_vision_changes *b)
{
    assert_same_metric(a->first, b->first);
    assert_same_metric(a->last, b->last);
    assert_same_metric(a->settled, b->settled);
    assert_same_metric(a->visually_complete_85, b->visually_complete_85);
    assert_same_metric(a->speed_index, b->speed_index);
    assert_same_metric(a->splash, b->splash);
    assert_same_metric(a->first_app_frame, b->first_app_frame);
    assert_same_metric(a->main_content, b->main_content);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->endless_blocks, b->endless_blocks);
    assert_int_equal(a->episode_count, b->episode_count);
    assert_int_equal(a->progress_count, b->progress_count);
}

static struct ts_detector *open_for(const struct picture *picture)
{
    const struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    struct ts_detector *detector;
    assert_int_equal(ts_detector_open(&frames.view, TS_RULE_ROBUST, &detector), TS_OK);
    return detector;
}

static void give(struct ts_detector *detector, const struct picture *picture, size_t n)
{
    assert_int_equal(
        ts_detector_frame(detector, picture->sequence[n], picture->start_ms[n], picture->blocks[n]),
        TS_OK);
}

/* One by one, two launches at the same time, with looks at the result in between. */
static void all_at_once_is_one_by_one(void **state)
{
    (void)state;
    for (uint64_t seed = SEED; seed < SEED + SEEDS; seed++) {
        struct picture a, b;
        draw(&a, "mixed", seed);
        draw(&b, "stylus", seed);
        picture_render(&a);
        picture_render(&b);
        struct ts_detector *of_a = open_for(&a), *of_b = open_for(&b);
        struct ts_vision_changes early, one_by_one;
        for (size_t n = 0; n < a.frames || n < b.frames; n++) {
            if (n < a.frames)
                give(of_a, &a, n);
            if (n < b.frames)
                give(of_b, &b, n);
            if (n % 100 == 50)
                assert_int_equal(ts_detector_result(of_a, &early), TS_OK);
        }
        const struct ts_vision_changes at_once_b = detect(&b), at_once_a = detect(&a);
        assert_int_equal(ts_detector_result(of_a, &one_by_one), TS_OK);
        assert_same(&at_once_a, &one_by_one);
        assert_int_equal(ts_detector_result(of_b, &one_by_one), TS_OK);
        assert_same(&at_once_b, &one_by_one);
        assert_int_equal(ts_detector_result(of_b, &one_by_one), TS_OK);
        assert_same(&at_once_b, &one_by_one);
        ts_detector_close(of_a);
        ts_detector_close(of_b);
        picture_free(&a);
        picture_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brightness_offset),
        cmocka_unit_test(gain),
        cmocka_unit_test(translation),
        cmocka_unit_test(time_shift_by_less_than_a_frame),
        cmocka_unit_test(time_shift_by_seconds),
        cmocka_unit_test(noise_never_settles_a_launch_early),
        cmocka_unit_test(looking_longer_changes_nothing),
        cmocka_unit_test(all_at_once_is_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
