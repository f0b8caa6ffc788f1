/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a change counts may depend on two per cent of full scale: 5.1 codes. Where seconds, or
 * the first change, depend on it, a launch is barely visible; and not where it is plain. */
#include "rare.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define BARELY (1u << TS_FLAG_BARELY_VISIBLE)
#define SEEDS  6

static struct ts_vision_changes find(struct picture *picture)
{
    struct picture_reference reference;
    return rare_find(picture, &reference);
}

/* The app comes at 300 ms; its background is even. */
static void start(struct picture *picture, uint64_t seed)
{
    picture_init(picture, seed, 160, 120);
    picture->until_ms = 3200;
    struct picture_element *app = picture_add(picture, 300, 0);
    app->level = 200;
    app->contrast = 0;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 20))
        fail_msg("%.2f is not near %.2f", value, expected);
}

/* A late change of so many codes in w x h pixels. */
static struct ts_vision_changes find_fade(double codes, double from_ms, double fade_ms, double w,
                                          double h)
{
    struct picture picture;
    start(&picture, 11);
    picture.until_ms = fmax(3200, from_ms + fade_ms + 2500);
    rare_add(&picture, from_ms, 60, 40, w, h, 200 - codes)->fade_ms = fade_ms;
    return find(&picture);
}

static struct ts_vision_changes find_faint(double codes, double from_ms, double w, double h)
{
    return find_fade(codes, from_ms, 0, w, h);
}

static void what_comes_late(void **state)
{
    (void)state;
    const struct {
        double codes, settled_ms;
        uint32_t flags;
    } cases[] = {{3.5, 300, 0},      {4.4, 300, 0},  {5.0, NAN, BARELY},
                 {5.2, NAN, BARELY}, {5.8, 1700, 0}, {9, 1700, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ts_vision_changes changes = find_faint(cases[i].codes, 1700, 30, 20);
        assert_int_equal(changes.flags, cases[i].flags);
        if (!isnan(cases[i].settled_ms))
            near(changes.settled.value, cases[i].settled_ms);
    }
}

/* So slowly that noise tells when: seconds for what is hardly visible. */
static void when_it_ends(void **state)
{
    (void)state;
    assert_int_equal(find_fade(30, 900, 500, 40, 40).flags, 0);
    assert_int_equal(find_fade(40, 900, 8000, 40, 40).flags, BARELY);
}

/* Not at once, but no more than counts. */
static void by_and_by(void **state)
{
    (void)state;
    assert_int_equal(find_fade(5.2, 1100, 200, 40, 5).flags, BARELY);
    assert_int_equal(find_fade(5.4, 1100, 200, 40, 5).flags, BARELY);
    assert_int_equal(find_fade(8, 1100, 200, 40, 5).flags, 0);
}

/* Of one block, so much may be noise, and need not be. */
static void in_one_block(void **state)
{
    (void)state;
    assert_int_equal(find_faint(4.0, 900, 5, 5).flags, 0);
    assert_int_equal(find_faint(5.2, 900, 5, 5).flags, BARELY);
    near(find_faint(12, 900, 5, 5).settled.value, 900);
}

/* A row of blocks, of noise that is a quarter of two per cent, changes by so much at 1700 ms. */
static struct ts_vision_changes find_in_noise(double codes, uint64_t seed)
{
    struct picture picture;
    start(&picture, seed);
    picture.noise_codes = 6;
    picture.until_ms = 5200;
    rare_add(&picture, 1700, 40, 40, 80, 5, 200 - codes)->contrast = 0;
    return find(&picture);
}

static void in_noise(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
        const struct ts_vision_changes less = find_in_noise(3, seed);
        assert_int_equal(less.flags, 0);
        near(less.settled.value, 300);
        assert_int_equal(find_in_noise(4.9, seed).flags, BARELY);
        assert_int_equal(find_in_noise(5.3, seed).flags, BARELY);
        const struct ts_vision_changes more = find_in_noise(8, seed);
        assert_int_equal(more.flags, 0);
        near(more.settled.value, 1700);
    }
}

/* A block changes at 900 ms, plainly, and by so much at 975. */
static struct ts_vision_changes find_twice(double codes, double noise, uint64_t seed)
{
    struct picture picture;
    start(&picture, seed);
    picture.noise_codes = noise;
    rare_add(&picture, 900, 60, 40, 5, 5, 120)->contrast = 0;
    rare_add(&picture, 975, 60, 40, 5, 5, 120 + codes)->contrast = 0;
    return find(&picture);
}

static void after_what_is_plain(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct ts_vision_changes less = find_twice(2.5, 2, seed),
                                       more = find_twice(8, 2, seed);
        assert_int_equal(find_twice(4.6, 2, seed).flags, BARELY);
        assert_int_equal(less.flags | more.flags, 0);
        near(less.settled.value, 900);
        near(more.settled.value, 975);
    }
}

/* Nothing between the two is given for good: of 96 seeds, two are. */
static void not_between_the_two(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++)
        assert_int_equal(find_twice(5, 3.2, seed).flags, BARELY);
}

/* A splash of so many codes at 30 ms, before the app. */
static struct ts_vision_changes find_splash(double codes, double fade_ms, double noise)
{
    struct picture picture;
    rare_start(&picture, 2500);
    picture.element[0].contrast = 0;
    picture.noise_codes = noise;
    picture_add(&picture, 30, fade_ms)->level = picture.element[0].level + codes;
    picture_add(&picture, 300, 0)->level = 200;
    return find(&picture);
}

static void what_comes_first(void **state)
{
    (void)state;
    const struct {
        double codes, fade_ms, noise, first_ms;
        uint32_t flags;
    } cases[] = {{4.4, 50, 1, 300, 0},
                 {5.2, 50, 0.5, NAN, BARELY},
                 {5.5, 50, 1, NAN, BARELY},
                 {5.5, 0, 1, 30, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ts_vision_changes changes =
            find_splash(cases[i].codes, cases[i].fade_ms, cases[i].noise);
        assert_int_equal(changes.flags, cases[i].flags);
        if (!isnan(cases[i].first_ms))
            near(changes.first.value, cases[i].first_ms);
    }
}

/* Nor does it of one block, which may be noise; or faint, which counts where nothing else does. */
static void first_in_one_block(void **state)
{
    (void)state;
    const struct {
        double codes, fade_ms, first_ms;
        uint32_t flags;
    } cases[] = {{4, 0, 400, 0}, {5.6, 0, NAN, BARELY}, {5.6, 60, NAN, BARELY}, {12, 0, 150, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        rare_start(&picture, 2500);
        picture.element[0].contrast = 0;
        picture.noise_codes = 0.5;
        rare_add(&picture, 150, 60, 40, 5, 5, picture.element[0].level + cases[i].codes)->fade_ms =
            cases[i].fade_ms;
        picture_add(&picture, 400, 0)->level = 200;
        const struct ts_vision_changes changes = find(&picture);
        assert_int_equal(changes.flags, cases[i].flags);
        if (!isnan(cases[i].first_ms))
            near(changes.first.value, cases[i].first_ms);
    }
}

/* A clock in one block: some of its ticks are visible, some move it too little for that, some are
 * hidden in the noise of a frame. What goes on is known by all of them, and the latest may have
 * come right before the end. */
static void of_a_clock_some_ticks(void **state)
{
    (void)state;
    enum { TICKS = 8, ENDS = 3 };
    static const double codes[TICKS] = {20, 4, 5.5, 4, 9, 7.5, 9, 7.5};
    static const double after_ms[ENDS] = {120, 230, 400};
    for (size_t i = 0; i < ENDS * SEEDS; i++) {
        struct picture picture;
        start(&picture, i / ENDS + 1);
        picture.noise_codes = 1;
        for (size_t tick = 0; tick < TICKS; tick++) {
            picture.until_ms = 900 + 1000 * (double)tick;
            rare_add(&picture, picture.until_ms, 60, 60, 5, 5, 200 - codes[tick]);
        }
        picture.until_ms += after_ms[i % ENDS];
        const struct ts_vision_changes changes = find(&picture);
        assert_int_equal(changes.flags, 0);
        near(changes.settled.value, 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_late),
        cmocka_unit_test(when_it_ends),
        cmocka_unit_test(by_and_by),
        cmocka_unit_test(in_one_block),
        cmocka_unit_test(in_noise),
        cmocka_unit_test(after_what_is_plain),
        cmocka_unit_test(not_between_the_two),
        cmocka_unit_test(what_comes_first),
        cmocka_unit_test(first_in_one_block),
        cmocka_unit_test(of_a_clock_some_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
