/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "vision/screen.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ACROSS = 64, DOWN = 48, COUNT = ACROSS * DOWN, FINE = 5 };

static const struct ts_camera_geometry camera = {320, 240, ACROSS, DOWN, 0};

static bool within(const double corners[4][2], double x, double y)
{
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4];
        if ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) < 0)
            return false;
    }
    return true;
}

/* A lit quadrilateral with an uneven back light, blurred by sampling around, with noise. */
static void paint(const double corners[4][2], struct ts_rng *rng, double *white, double *black)
{
    for (size_t block = 0; block < COUNT; block++) {
        double lit = 0;
        for (int i = 0; i < FINE * FINE * 4; i++) {
            const double x = (double)(block % ACROSS) * 5 + (i % (FINE * 2) + 0.5) * 0.8 - 1.5;
            const double y = (double)(block / ACROSS) * 5 + (i / (FINE * 2) + 0.5) * 0.8 - 1.5;
            lit += within(corners, x, y) / (double)(FINE * FINE * 4);
        }
        const double uneven = 1 - 0.1 * fabs((double)(block % ACROSS) / ACROSS - 0.5);
        black[block] = 15 + 0.2 * ts_rng_normal(rng);
        white[block] = 15 + 200 * uneven * lit + 0.2 * ts_rng_normal(rng);
    }
}

static void turn(double corners[4][2], double angle)
{
    for (int i = 0; i < 4; i++) {
        const double x = corners[i][0] - 160, y = corners[i][1] - 120;
        corners[i][0] = 160 + x * cos(angle) - y * sin(angle);
        corners[i][1] = 120 + x * sin(angle) + y * cos(angle);
    }
}

static void check_found(bool lying, uint64_t seed)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 1);
    const double half_long = ts_rng_range(&rng, 75, 90), half_short = ts_rng_range(&rng, 40, 50);
    const double w = lying ? half_long : half_short, h = lying ? half_short : half_long;
    double corners[4][2] = {
        {160 - w, 120 - h}, {160 + w, 120 - h}, {160 + w, 120 + h}, {160 - w, 120 + h}};
    for (int i = 0; i < 4; i++) {
        corners[i][0] += ts_rng_range(&rng, -4, 4); /* perspective */
        corners[i][1] += ts_rng_range(&rng, -4, 4);
    }
    turn(corners, ts_rng_range(&rng, -0.15, 0.15));
    double white[COUNT], black[COUNT], found[4][2];
    paint((const double(*)[2])corners, &rng, white, black);
    struct ts_why why = {""};
    assert_int_equal(ts_screen_find(&camera, white, black, found, &why), TS_OK);
    for (int i = 0; i < 4; i++) {
        const double *expected = corners[(i + (lying ? 3 : 0)) % 4];
        const double error = hypot(found[i][0] - expected[0], found[i][1] - expected[1]);
        assert_true(error <= 2);
    }
}

static void finds_the_corners(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        check_found(seed % 2, seed);
}

static void refuses_what_is_no_display(void **state)
{
    (void)state;
    double white[COUNT], black[COUNT] = {0}, found[4][2];
    struct ts_why why = {""};
    memset(white, 0, sizeof white);
    assert_int_equal(ts_screen_find(&camera, white, black, found, &why), TS_EPROTO);
    for (size_t i = 0; i < COUNT; i++) /* a disc */
        white[i] = hypot((double)(i % ACROSS) - 30, (double)(i / ACROSS) - 24) < 15 ? 200 : 0;
    assert_int_equal(ts_screen_find(&camera, white, black, found, &why), TS_EPROTO);
    for (size_t i = 0; i < COUNT; i++) /* two windows */
        white[i] = i % ACROSS < 20 || i % ACROSS > 40 ? 200 : 0;
    assert_int_equal(ts_screen_find(&camera, white, black, found, &why), TS_EPROTO);
}

static void masks_the_outside_and_the_bar(void **state)
{
    (void)state;
    /* lying: the top is at x = 100 */
    const double corners[4][2] = {{100, 200}, {100, 50}, {300, 50}, {300, 200}};
    uint8_t outside[COUNT], bar[COUNT];
    ts_screen_mask(&camera, corners, 0, outside);
    ts_screen_status_bar(&camera, corners, 0.05, bar);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t x = i % ACROSS * 5, y = i / ACROSS * 5;
        assert_int_equal(outside[i], !(x >= 100 && x < 300 && y >= 50 && y < 200));
        if (!outside[i])
            assert_int_equal(bar[i], x < 110 || x == 110);
    }
    ts_screen_mask(&camera, corners, 5, outside);
    assert_int_equal(outside[20 * ACROSS + 19], 0);
    assert_int_equal(outside[20 * ACROSS + 18], 1);
    ts_screen_status_bar(&camera, corners, 0, bar);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(bar[i], 0);
}

/* A launch on this display: a header and a list change, the margins do not; a stylus leaves a trace
 * across the picture's edge; everything is noisy. */
static void paint_launch(const double corners[4][2], struct ts_rng *rng, float *lowest,
                         float *highest)
{
    for (size_t block = 0; block < COUNT; block++) {
        const double x = (double)(block % ACROSS) * 5 + 2.5, y = (double)(block / ACROSS) * 5 + 2.5;
        const size_t row = block / ACROSS;
        const bool changed = within(corners, x, y) && row % 9 != 5;
        const bool stylus = row >= 22 && row <= 24 && x > 150;
        lowest[block] = (float)(20 + 2 * ts_rng_uniform(rng));
        highest[block] = lowest[block] + (float)(changed || stylus ? 80 : 6 * ts_rng_uniform(rng));
    }
}

static void finds_the_display_by_its_launch(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct ts_rng rng;
        ts_rng_seed(&rng, seed, 3);
        const double w = ts_rng_range(&rng, 75, 120), h = ts_rng_range(&rng, 45, 80);
        double corners[4][2] = {
            {160 - w, 120 - h}, {160 + w, 120 - h}, {160 + w, 120 + h}, {160 - w, 120 + h}};
        turn(corners, ts_rng_range(&rng, -0.03, 0.03));
        float lowest[COUNT], highest[COUNT];
        double found[4][2];
        struct ts_why why = {""};
        paint_launch((const double(*)[2])corners, &rng, lowest, highest);
        if (ts_screen_find_moving(&camera, lowest, highest, found, &why))
            fail_msg("seed %d: %s", (int)seed, why.text);
        for (int i = 0; i < 4; i++) {
            double nearest = INFINITY; /* which corner is called the first depends on the lie */
            for (int j = 0; j < 4; j++)
                nearest =
                    fmin(nearest, hypot(found[i][0] - corners[j][0], found[i][1] - corners[j][1]));
            worst = fmax(worst, nearest);
        }
    }
    printf("  worst corner %.1f px off\n", worst);
    assert_true(worst < 2.5 * TS_BLOCK_PX);
}

static void nothing_moved_is_no_display(void **state)
{
    (void)state;
    float lowest[COUNT], highest[COUNT];
    double found[4][2];
    struct ts_why why = {""};
    for (size_t block = 0; block < COUNT; block++) {
        lowest[block] = 30;
        highest[block] = 36;
    }
    assert_int_equal(ts_screen_find_moving(&camera, lowest, highest, found, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "shape of a display"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_corners),
        cmocka_unit_test(refuses_what_is_no_display),
        cmocka_unit_test(masks_the_outside_and_the_bar),
        cmocka_unit_test(finds_the_display_by_its_launch),
        cmocka_unit_test(nothing_moved_is_no_display),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
