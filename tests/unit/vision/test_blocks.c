/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "opencv_c.h"
#include "vision/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void fill(uint8_t *pixels, size_t size, uint64_t seed)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 1);
    for (size_t i = 0; i < size; i++)
        pixels[i] = (uint8_t)ts_rng_below(&rng, 256);
}

static unsigned plain_sum(const uint8_t *pixels, size_t stride, size_t x, size_t y)
{
    unsigned sum = 0;
    for (size_t j = 0; j < TS_BLOCK_PX; j++) {
        for (size_t i = 0; i < TS_BLOCK_PX; i++)
            sum += pixels[(y * TS_BLOCK_PX + j) * stride + x * TS_BLOCK_PX + i];
    }
    return sum;
}

static struct ts_camera_geometry geometry(int width, int height)
{
    return (struct ts_camera_geometry){width, height, width / TS_BLOCK_PX, height / TS_BLOCK_PX, 0};
}

static void sums_every_block(void **state)
{
    (void)state;
    static const int sizes[][2] = {{5, 5},     {9, 9},       {160, 120}, {320, 240},
                                   {642, 483}, {1920, 1080}, {1283, 17}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct ts_camera_geometry camera = geometry(sizes[i][0], sizes[i][1]);
        const size_t stride = (size_t)camera.width_px + 3 * i;
        uint8_t *pixels = malloc(stride * (size_t)camera.height_px);
        uint16_t *blocks = malloc((size_t)(camera.blocks_x * camera.blocks_y) * sizeof *blocks);
        assert_non_null(pixels);
        assert_non_null(blocks);
        fill(pixels, stride * (size_t)camera.height_px, i + 1);
        ts_blocks_sum(pixels, stride, &camera, blocks);
        for (size_t y = 0; y < (size_t)camera.blocks_y; y++) {
            for (size_t x = 0; x < (size_t)camera.blocks_x; x++)
                assert_int_equal(blocks[y * (size_t)camera.blocks_x + x],
                                 plain_sum(pixels, stride, x, y));
        }
        free(pixels);
        free(blocks);
    }
}

static void white_is_the_largest_sum(void **state)
{
    (void)state;
    const struct ts_camera_geometry camera = geometry(10, 5);
    uint8_t pixels[50];
    uint16_t blocks[2];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = 255;
    ts_blocks_sum(pixels, 10, &camera, blocks);
    assert_int_equal(blocks[0], 25 * 255);
    assert_int_equal(blocks[1], 25 * 255);
}

/* Another implementation of the same reduction: to a fifth of the size, by area. */
static void agrees_with_opencv(void **state)
{
    (void)state;
    enum { WIDTH = 320, HEIGHT = 240, COUNT = WIDTH / 5 * (HEIGHT / 5) };
    static uint8_t pixels[WIDTH * HEIGHT], means[COUNT];
    static uint16_t blocks[COUNT];
    const struct ts_camera_geometry camera = geometry(WIDTH, HEIGHT);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        fill(pixels, sizeof pixels, seed);
        ts_blocks_sum(pixels, WIDTH, &camera, blocks);
        CvMat whole = cvMat(HEIGHT, WIDTH, CV_8UC1, pixels);
        CvMat small = cvMat(HEIGHT / 5, WIDTH / 5, CV_8UC1, means);
        cvResize(&whole, &small, CV_INTER_AREA);
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(means[i], lround(blocks[i] / 25.0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_every_block),
        cmocka_unit_test(white_is_the_largest_sum),
        cmocka_unit_test(agrees_with_opencv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
