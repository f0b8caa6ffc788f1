/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/rng.h"
#include "media/opencv_c.h"
#include "vision/bayer.h"
#include "vision/blocks_kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define TRIALS      300
#define BLOCKS_MOST (1300 / 5 * 12)

static struct ts_camera_geometry geometry(int width, int height)
{
    return (struct ts_camera_geometry){width, height, width / TS_BLOCK_PX, height / TS_BLOCK_PX, 0};
}

static size_t block_count(const struct ts_camera_geometry *camera)
{
    return (size_t)camera->blocks_x * (size_t)camera->blocks_y;
}

/* Bytes from a picture's first pixel to the last of its last block: no more may be read. */
static size_t block_bytes(const struct ts_camera_geometry *camera, size_t stride)
{
    return ((size_t)camera->blocks_y * TS_BLOCK_PX - 1) * stride +
           (size_t)camera->blocks_x * TS_BLOCK_PX;
}

/* A picture that ends at memory that nobody may touch. */
struct guarded {
    uint8_t *memory, *pixels;
    size_t mapped;
};

static struct guarded guarded_picture(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (size + page - 1) / page * page;
    struct guarded picture = {.mapped = whole + page};
    picture.memory =
        mmap(NULL, picture.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(picture.memory != MAP_FAILED);
    assert_int_equal(mprotect(picture.memory + whole, page, PROT_NONE), 0);
    picture.pixels = picture.memory + whole - size;
    return picture;
}

static void fill(uint8_t *pixels, size_t size, struct ts_rng *rng)
{
    const uint32_t kind = ts_rng_below(rng, 4), level = ts_rng_below(rng, 256);
    for (size_t i = 0; i < size; i++)
        pixels[i] = kind == 0 ? 255 : kind == 1 ? (uint8_t)level : (uint8_t)ts_rng_below(rng, 256);
}

static uint16_t plain_sum(const uint8_t *pixels, size_t stride, size_t x, size_t y)
{
    unsigned sum = 0;
    for (size_t j = 0; j < TS_BLOCK_PX; j++) {
        for (size_t i = 0; i < TS_BLOCK_PX; i++)
            sum += pixels[(y * TS_BLOCK_PX + j) * stride + x * TS_BLOCK_PX + i];
    }
    return (uint16_t)sum;
}

/* Sums, the frame before and bounds, so close to each other that every limit is hit exactly, missed
 * by one on either side, and now and then far from anything that pixels can give. */
struct trial {
    struct ts_camera_geometry camera;
    size_t stride, count;
    uint16_t step, sums[BLOCKS_MOST], before[BLOCKS_MOST], low[BLOCKS_MOST], high[BLOCKS_MOST];
    struct ts_blocks_changed changed;
};

static uint16_t near(struct ts_rng *rng, int value)
{
    return ts_rng_below(rng, 10) == 0 ? (uint16_t)ts_rng_below(rng, 65536)
                                      : (uint16_t)(value + (int)ts_rng_below(rng, 3) - 1);
}

static void draw_trial(struct trial *trial, struct ts_rng *rng, struct guarded *picture)
{
    static const uint16_t steps[] = {638, 1, 0, 65535};
    const uint32_t drawn = ts_rng_below(rng, 8);
    trial->camera = geometry(5 + (int)ts_rng_below(rng, 1296), 5 + (int)ts_rng_below(rng, 55));
    trial->stride = (size_t)trial->camera.width_px + ts_rng_below(rng, 70);
    trial->count = block_count(&trial->camera);
    trial->step = steps[drawn < 4 ? drawn : 0];
    const size_t size = block_bytes(&trial->camera, trial->stride);
    *picture = guarded_picture(size);
    fill(picture->pixels, size, rng);
    trial->changed = (struct ts_blocks_changed){0, 0};
    for (size_t n = 0; n < trial->count; n++) {
        const size_t across = (size_t)trial->camera.blocks_x;
        const int sum = plain_sum(picture->pixels, trial->stride, n % across, n / across);
        trial->sums[n] = (uint16_t)sum;
        trial->before[n] = near(rng, ts_rng_below(rng, 2) ? sum - trial->step : sum + trial->step);
        trial->low[n] = near(rng, sum);
        trial->high[n] = near(rng, sum);
        trial->changed.previous += abs(sum - trial->before[n]) >= trial->step;
        trial->changed.reference += sum < trial->low[n] || sum > trial->high[n];
    }
}

static void assert_changed(struct ts_blocks_changed changed, const struct trial *trial)
{
    assert_int_equal(changed.previous, trial->changed.previous);
    assert_int_equal(changed.reference, trial->changed.reference);
}

static void check_kernels(const struct ts_blocks_kernels *kernels, const struct trial *trial,
                          const uint8_t *pixels)
{
    static uint16_t blocks[BLOCKS_MOST + 1];
    const size_t size = trial->count * sizeof *blocks;
    const struct ts_blocks_bounds bounds = {trial->step, trial->low, trial->high};
    blocks[trial->count] = 0xbeef;
    kernels->sum(pixels, trial->stride, &trial->camera, blocks);
    assert_memory_equal(blocks, trial->sums, size);
    memcpy(blocks, trial->before, size);
    assert_changed(kernels->watch(pixels, trial->stride, &trial->camera, &bounds, blocks), trial);
    assert_memory_equal(blocks, trial->sums, size);
    assert_changed(kernels->compare(trial->sums, trial->before, trial->count, &bounds), trial);
    assert_int_equal(blocks[trial->count], 0xbeef);
}

static void all_kernels_give_the_plain_sums_and_counts(void **state)
{
    (void)state;
    const struct ts_blocks_kernels chosen = {ts_blocks_sum, ts_blocks_watch, ts_blocks_compare};
    static struct trial trial;
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 1);
    for (int n = 0; n < TRIALS; n++) {
        struct guarded picture;
        draw_trial(&trial, &rng, &picture);
        check_kernels(&ts_blocks_portable, &trial, picture.pixels);
        if (ts_blocks_avx2())
            check_kernels(ts_blocks_avx2(), &trial, picture.pixels);
        check_kernels(&chosen, &trial, picture.pixels);
        munmap(picture.memory, picture.mapped);
    }
}

static void white_is_the_largest_sum(void **state)
{
    (void)state;
    const struct ts_camera_geometry camera = geometry(10, 5);
    uint8_t pixels[50];
    uint16_t blocks[2];
    memset(pixels, 255, sizeof pixels);
    ts_blocks_sum(pixels, 10, &camera, blocks);
    assert_int_equal(blocks[0], TS_BLOCK_SUM_MOST);
    assert_int_equal(blocks[1], TS_BLOCK_SUM_MOST);
}

/* Another implementation of the same reduction: to a fifth of the size, by area. */
static void means_agree_with_opencv(void **state)
{
    (void)state;
    enum { WIDTH = 320, HEIGHT = 240, COUNT = WIDTH / 5 * (HEIGHT / 5) };
    static uint8_t pixels[WIDTH * HEIGHT], means[COUNT];
    static uint16_t blocks[COUNT];
    const struct ts_camera_geometry camera = geometry(WIDTH, HEIGHT);
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 2);
    for (int n = 0; n < 5; n++) {
        fill(pixels, sizeof pixels, &rng);
        ts_blocks_sum(pixels, WIDTH, &camera, blocks);
        CvMat whole = cvMat(HEIGHT, WIDTH, CV_8UC1, pixels);
        CvMat small = cvMat(HEIGHT / 5, WIDTH / 5, CV_8UC1, means);
        cvResize(&whole, &small, CV_INTER_AREA);
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(means[i], lround(blocks[i] / 25.0));
    }
}

/* Sums from OpenCV's integral picture, changes by its comparisons. */
static struct ts_blocks_changed opencv_watch(const struct trial *trial, uint8_t *pixels,
                                             uint16_t *sums)
{
    static uint8_t mask[2][BLOCKS_MOST];
    static uint16_t step[BLOCKS_MOST];
    static int32_t integral[60 * 1301];
    const int down = trial->camera.blocks_y, across = trial->camera.blocks_x;
    const int height = down * TS_BLOCK_PX, width = across * TS_BLOCK_PX;
    CvMat whole = cvMat(height, width, CV_8UC1, pixels);
    whole.step = (int)trial->stride;
    whole.type &= ~CV_MAT_CONT_FLAG;
    CvMat total = cvMat(height + 1, width + 1, CV_32SC1, integral);
    cvIntegral(&whole, &total, NULL, NULL);
    for (int y = 0; y < down; y++) {
        for (int x = 0; x < across; x++) {
            const int32_t *top = integral + y * TS_BLOCK_PX * (width + 1) + x * TS_BLOCK_PX;
            const int32_t *bottom = top + TS_BLOCK_PX * (width + 1);
            sums[y * across + x] =
                (uint16_t)(bottom[TS_BLOCK_PX] - bottom[0] - top[TS_BLOCK_PX] + top[0]);
        }
    }
    CvMat now = cvMat(down, across, CV_16UC1, sums);
    CvMat before = cvMat(down, across, CV_16UC1, (void *)trial->before);
    CvMat low = cvMat(down, across, CV_16UC1, (void *)trial->low);
    CvMat high = cvMat(down, across, CV_16UC1, (void *)trial->high);
    CvMat difference = cvMat(down, across, CV_16UC1, step);
    CvMat first = cvMat(down, across, CV_8UC1, mask[0]);
    CvMat second = cvMat(down, across, CV_8UC1, mask[1]);
    struct ts_blocks_changed changed;
    cvAbsDiff(&now, &before, &difference);
    cvCmpS(&difference, trial->step, &first, CV_CMP_GE);
    changed.previous = (size_t)cvCountNonZero(&first);
    cvCmp(&now, &low, &first, CV_CMP_LT);
    cvCmp(&now, &high, &second, CV_CMP_GT);
    cvOr(&first, &second, &first, NULL);
    changed.reference = (size_t)cvCountNonZero(&first);
    return changed;
}

static void changes_agree_with_opencv(void **state)
{
    (void)state;
    static struct trial trial;
    static uint16_t sums[BLOCKS_MOST];
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 3);
    for (int n = 0; n < TRIALS; n++) {
        struct guarded picture;
        draw_trial(&trial, &rng, &picture);
        const struct ts_blocks_changed changed = opencv_watch(&trial, picture.pixels, sums);
        const struct ts_blocks_bounds bounds = {trial.step, trial.low, trial.high};
        const struct ts_blocks_changed ours =
            ts_blocks_watch(picture.pixels, trial.stride, &trial.camera, &bounds, trial.before);
        assert_int_equal(ours.previous, changed.previous);
        assert_int_equal(ours.reference, changed.reference);
        assert_memory_equal(trial.before, sums, trial.count * sizeof *sums);
        munmap(picture.memory, picture.mapped);
    }
}

/* What a sensor behind a Bayer filter makes of a colour, 0 red, 1 green, 2 blue. */
static size_t bayer_colour(enum ts_bayer pattern, size_t x, size_t y)
{
    const size_t row = y & 1, column = x & 1, red_row = pattern >> 1, red_column = pattern & 1;
    if (row == red_row && column == red_column)
        return 0;
    return row != red_row && column != red_column ? 2 : 1;
}

static void uniform_colours_are_exact_in_every_bayer_block(void **state)
{
    (void)state;
    enum { TRIES = 200 };
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 4);
    for (int n = 0; n < TRIES; n++) {
        const enum ts_bayer pattern = (enum ts_bayer)(n & 3);
        const struct ts_camera_geometry camera =
            geometry(5 + (int)ts_rng_below(&rng, 1296), 5 + (int)ts_rng_below(&rng, 55));
        const size_t stride = (size_t)camera.width_px + ts_rng_below(&rng, 9);
        unsigned rgb[3];
        for (int c = 0; c < 3; c++)
            rgb[c] = n < 4 ? 255 : ts_rng_below(&rng, 256);
        const size_t size = block_bytes(&camera, stride);
        struct guarded picture = guarded_picture(size);
        for (size_t i = 0; i < size; i++)
            picture.pixels[i] = (uint8_t)rgb[bayer_colour(pattern, i % stride, i / stride)];
        static uint16_t blocks[BLOCKS_MOST];
        ts_blocks_sum_bayer(picture.pixels, stride, &camera, pattern, blocks);
        const unsigned luma = (25 * (299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2]) + 500) / 1000;
        for (size_t block = 0; block < block_count(&camera); block++)
            assert_int_equal(blocks[block], luma);
        munmap(picture.memory, picture.mapped);
    }
}

/* A smooth picture: three colours, each a wave and a slope of its own. */
static void paint_smooth(struct ts_rng *rng, enum ts_bayer pattern, size_t width, size_t height,
                         uint8_t *raw)
{
    double level[3], slope_x[3], slope_y[3], wave[3], phase[3];
    for (int c = 0; c < 3; c++) {
        slope_x[c] = ts_rng_range(rng, -0.1, 0.1);
        slope_y[c] = ts_rng_range(rng, -0.1, 0.1);
        level[c] = 128 - (slope_x[c] * (double)width + slope_y[c] * (double)height) / 2;
        wave[c] = ts_rng_range(rng, 0.02, 0.1);
        phase[c] = ts_rng_range(rng, 0, 6);
    }
    for (size_t n = 0; n < width * height; n++) {
        const size_t x = n % width, y = n / width, c = bayer_colour(pattern, x, y);
        raw[n] = (uint8_t)lround(level[c] + slope_x[c] * (double)x + slope_y[c] * (double)y +
                                 50 * sin(wave[c] * (double)(x + 2 * y) + phase[c]));
    }
}

/* Against OpenCV: colours by interpolation, then grey, then means. Its outermost pixels are
 * copies, so blocks there are left out. */
static void bayer_agrees_with_opencv(void **state)
{
    (void)state;
    enum { WIDTH = 320, HEIGHT = 240, ACROSS = WIDTH / 5, DOWN = HEIGHT / 5 };
    /* OpenCV names a pattern by the second row's second and third pixel. */
    static const int codes[] = {CV_BayerBG2BGR, CV_BayerGB2BGR, CV_BayerGR2BGR, CV_BayerRG2BGR};
    static uint8_t raw[WIDTH * HEIGHT], colours[WIDTH * HEIGHT * 3], grey[WIDTH * HEIGHT];
    static uint16_t blocks[ACROSS * DOWN], expected[ACROSS * DOWN];
    const struct ts_camera_geometry camera = geometry(WIDTH, HEIGHT);
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 5);
    for (int n = 0; n < 20; n++) {
        const enum ts_bayer pattern = (enum ts_bayer)(n & 3);
        paint_smooth(&rng, pattern, WIDTH, HEIGHT, raw);
        CvMat from = cvMat(HEIGHT, WIDTH, CV_8UC1, raw), to = cvMat(HEIGHT, WIDTH, CV_8UC1, grey);
        CvMat between = cvMat(HEIGHT, WIDTH, CV_8UC3, colours);
        cvCvtColor(&from, &between, codes[pattern]);
        cvCvtColor(&between, &to, CV_BGR2GRAY);
        ts_blocks_sum(grey, WIDTH, &camera, expected);
        ts_blocks_sum_bayer(raw, WIDTH, &camera, pattern, blocks);
        double total = 0;
        for (int y = 1; y < DOWN - 1; y++) {
            for (int x = 1; x < ACROSS - 1; x++) {
                const int error = blocks[y * ACROSS + x] - expected[y * ACROSS + x];
                assert_in_range(abs(error), 0, 25); /* one code of the mean */
                total += error;
            }
        }
        /* OpenCV rounds halves up, twice: a tenth of a code */
        assert_true(fabs(total) / ((ACROSS - 2) * (DOWN - 2)) < 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kernels_give_the_plain_sums_and_counts),
        cmocka_unit_test(white_is_the_largest_sum),
        cmocka_unit_test(means_agree_with_opencv),
        cmocka_unit_test(changes_agree_with_opencv),
        cmocka_unit_test(uniform_colours_are_exact_in_every_bayer_block),
        cmocka_unit_test(bayer_agrees_with_opencv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
