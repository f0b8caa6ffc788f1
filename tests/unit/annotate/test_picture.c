/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "film.h"

#include "media/picture.h"
#include "web/film.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_frame(struct ts_film *film, int n)
{
    struct ts_picture picture;
    struct ts_why why = {""};
    if (ts_film_frame(film, n, &picture, &why))
        fail_msg("frame %d: %s", n, why.text);
    assert_int_equal(picture.width_px, FILM_WIDTH);
    assert_int_equal(picture.height_px, FILM_HEIGHT);
    for (int y = 0; y < FILM_HEIGHT; y++) {
        for (int x = 0; x < FILM_WIDTH; x++) {
            if (picture.pixels[y * FILM_WIDTH + x] != film_pixel(1, n, x, y))
                fail_msg("frame %d, pixel %d, %d", n, x, y);
        }
    }
}

static void frames_come_in_any_order_and_little_memory(void **state)
{
    static const int order[] = {0, 49, 0, 1, 2, 30, 29, 28, 27, 26, 25, 10, 11, 48, 49, 0};
    char folder[64], path[128];
    struct ts_picture picture;
    (void)state;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/film.mkv", folder);
    film_write(path, 1);
    /* All frames fit; eight do; none does, and then two are held. */
    const size_t frame = FILM_WIDTH * FILM_HEIGHT;
    const size_t memories[] = {frame * 100, frame * 8, 0};
    for (size_t i = 0; i < 3; i++) {
        struct ts_film *film;
        assert_int_equal(ts_film_open(path, memories[i], &film, NULL), TS_OK);
        assert_int_equal(ts_film_count(film), FILM_FRAMES);
        assert_int_equal(ts_film_stamps_ns(film)[1] - ts_film_stamps_ns(film)[0], 8000000);
        for (size_t n = 0; n < sizeof order / sizeof *order; n++)
            assert_frame(film, order[n]);
        assert_int_equal(ts_film_frame(film, FILM_FRAMES, &picture, NULL), TS_EINVAL);
        assert_int_equal(ts_film_frame(film, -1, &picture, NULL), TS_EINVAL);
        ts_film_close(film);
    }
    folder_remove(folder);
}

static void what_is_no_film_is_refused(void **state)
{
    char folder[64], path[128];
    struct ts_film *film;
    struct ts_why why = {""};
    (void)state;
    folder_make(folder);
    snprintf(path, sizeof path, "%s/film.mkv", folder);
    assert_int_equal(ts_film_open(path, 0, &film, &why), TS_EIO);
    FILE *file = fopen(path, "wb");
    fputs("a text and no film", file);
    fclose(file);
    assert_true(ts_film_open(path, 0, &film, &why) < 0);
    assert_non_null(strstr(why.text, "film.mkv"));
    folder_remove(folder);
}

static struct ts_picture ramp(int width, int height, int channels)
{
    struct ts_picture picture = {width, height, channels,
                                 malloc((size_t)width * (size_t)height * (size_t)channels)};
    assert_non_null(picture.pixels);
    for (int i = 0; i < width * height * channels; i++)
        picture.pixels[i] = (uint8_t)(i * 7);
    return picture;
}

static void png_holds_every_pixel(void **state)
{
    (void)state;
    for (int channels = 1; channels <= 3; channels += 2) {
        struct ts_picture picture = ramp(37, 23, channels);
        struct ts_buf png = {0};
        uint8_t pixels[37 * 23 * 3];
        int width, height;
        assert_int_equal(ts_picture_png(&picture, &png, NULL), TS_OK);
        png_read(png.data, png.size, &width, &height, pixels, sizeof pixels);
        assert_int_equal(width, 37);
        assert_int_equal(height, 23);
        assert_memory_equal(pixels, picture.pixels, (size_t)(37 * 23 * channels));
        ts_buf_free(&png);
        ts_picture_free(&picture);
    }
    struct ts_picture nothing = {0};
    struct ts_buf png = {0};
    assert_int_equal(ts_picture_png(&nothing, &png, NULL), TS_EINVAL);
}

static void a_rectangle_is_cut_out_exactly(void **state)
{
    const double corners[4][2] = {{10, 5}, {30, 5}, {30, 20}, {10, 20}};
    const double quarter[4][2] = {{10, 20}, {10, 5}, {30, 5}, {30, 20}}; /* turned by 90 degrees */
    struct ts_picture picture = ramp(50, 40, 1), upright;
    (void)state;
    assert_int_equal(ts_picture_rectify(&picture, corners, &upright, NULL), TS_OK);
    assert_int_equal(upright.width_px, 20);
    assert_int_equal(upright.height_px, 15);
    for (int y = 0; y < 15; y++)
        assert_memory_equal(upright.pixels + y * 20, picture.pixels + (y + 5) * 50 + 10, 20);
    ts_picture_free(&upright);
    assert_int_equal(ts_picture_rectify(&picture, quarter, &upright, NULL), TS_OK);
    assert_int_equal(upright.width_px, 15);
    assert_int_equal(upright.height_px, 20);
    for (int y = 0; y < 20; y++) {
        for (int x = 0; x < 15; x++)
            assert_int_equal(upright.pixels[y * 15 + x], picture.pixels[(19 - x) * 50 + 10 + y]);
    }
    ts_picture_free(&upright);
    ts_picture_free(&picture);
}

/* Where the diagonals cross is the middle, however askew the camera looks. */
static void the_middle_stays_the_middle(void **state)
{
    const double corners[4][2] = {{20, 10}, {80, 14}, {95, 90}, {8, 84}};
    const double across = 50.5722, down = 42.6103; /* crossing of 0-2 and 1-3 */
    struct ts_picture picture = {100, 100, 1, calloc(100, 100)}, upright;
    double sum = 0, sum_x = 0, sum_y = 0;
    (void)state;
    assert_non_null(picture.pixels);
    for (int y = 0; y < 100; y++) {
        for (int x = 0; x < 100; x++) {
            if (hypot(x + 0.5 - across, y + 0.5 - down) < 3)
                picture.pixels[y * 100 + x] = 200;
        }
    }
    assert_int_equal(ts_picture_rectify(&picture, corners, &upright, NULL), TS_OK);
    for (int y = 0; y < upright.height_px; y++) {
        for (int x = 0; x < upright.width_px; x++) {
            const double light = upright.pixels[y * upright.width_px + x];
            sum += light;
            sum_x += light * (x + 0.5);
            sum_y += light * (y + 0.5);
        }
    }
    assert_true(fabs(sum_x / sum - upright.width_px / 2.0) < 0.5);
    assert_true(fabs(sum_y / sum - upright.height_px / 2.0) < 0.5);
    ts_picture_free(&upright);
    ts_picture_free(&picture);
}

static void corners_that_are_no_screen_are_refused(void **state)
{
    static const double bad[][4][2] = {
        {{0, 0}, {10, 0}, {0, 10}, {10, 10}},               /* crossed */
        {{10, 5}, {10, 20}, {30, 20}, {30, 5}},             /* the other way round */
        {{0, 0}, {0, 0}, {0, 0}, {0, 0}},                   /* a point */
        {{0, 0}, {50, 0}, {100, 0}, {150, 0}},              /* a line */
        {{0, 0}, {1e9, 0}, {1e9, 1e9}, {0, 1e9}},           /* enormous */
        {{(double)NAN, 0}, {10, 0}, {10, 10}, {0, 10}},     /* unknown */
        {{0, 0}, {7000, 0}, {7000, 20}, {0, 20}},           /* too wide to show */
        {{0, 0}, {(double)INFINITY, 0}, {50, 50}, {0, 50}}, /* endless */
    };
    struct ts_picture picture = ramp(50, 40, 1), upright;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ts_picture_rectify(&picture, bad[i], &upright, NULL), TS_EINVAL);
        assert_null(upright.pixels);
    }
    ts_picture_free(&picture);
}

static void a_mosaic_gives_its_colour_back(void **state)
{
    static const uint8_t colour[3] = {200, 120, 40};
    static const int channel_at[4][4] = {[TS_BAYER_RGGB] = {0, 1, 1, 2},
                                         [TS_BAYER_GRBG] = {1, 0, 2, 1},
                                         [TS_BAYER_GBRG] = {1, 2, 0, 1},
                                         [TS_BAYER_BGGR] = {2, 1, 1, 0}};
    uint8_t mosaic[12 * 8];
    struct ts_picture picture;
    (void)state;
    for (int pattern = 0; pattern < 4; pattern++) {
        for (int i = 0; i < 12 * 8; i++)
            mosaic[i] = colour[channel_at[pattern][i / 12 % 2 * 2 + i % 12 % 2]];
        assert_int_equal(ts_picture_from_bayer(mosaic, 12, 8, (enum ts_bayer)pattern, &picture),
                         TS_OK);
        for (int i = 0; i < 12 * 8; i++)
            assert_memory_equal(picture.pixels + (size_t)i * 3, colour, 3);
        ts_picture_free(&picture);
    }
    assert_int_equal(ts_picture_from_bayer(mosaic, 3, 8, TS_BAYER_RGGB, &picture), TS_EINVAL);
    assert_int_equal(ts_picture_from_bayer(NULL, 12, 8, TS_BAYER_RGGB, &picture), TS_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_in_any_order_and_little_memory),
        cmocka_unit_test(what_is_no_film_is_refused),
        cmocka_unit_test(png_holds_every_pixel),
        cmocka_unit_test(a_rectangle_is_cut_out_exactly),
        cmocka_unit_test(the_middle_stays_the_middle),
        cmocka_unit_test(corners_that_are_no_screen_are_refused),
        cmocka_unit_test(a_mosaic_gives_its_colour_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
