/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision_speed.h"

#include "base/rng.h"
#include "media/opencv_c.h"
#include "perf.h"
#include "vision/blocks_kernels.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define FILM_BYTES   ((size_t)128 << 20) /* several times the last cache of any machine we know */
#define ROUNDS       25
#define STEP_SUMS    638 /* paper E: 0.1 * 255 of a mean */
#define STEP_CODES   25.5
#define READ_LIMIT   1.3
#define OPENCV_LIMIT 5.0

/* Frames of one size, one behind the other, and what each of the racers needs. */
struct film {
    struct ts_camera_geometry camera;
    size_t frame_count, frame_px;
    uint8_t *pixels;
    struct ts_blocks_bounds bounds;
    uint16_t *blocks;
    uint8_t *mean[2], *mask; /* OpenCV's */
    size_t found;            /* what was counted: keeps the compiler honest */
};

/* What memory gives: every byte once, added by one instruction for 32 of them, fetched as far
 * ahead as the kernel does. */
__attribute__((target("avx2"))) static void read_once(void *work)
{
    struct film *film = work;
    const size_t size = film->frame_count * film->frame_px;
    const uint8_t *pixels = film->pixels;
    __m256i a = _mm256_setzero_si256(), b = a;
    const __m256i zero = a;
    for (size_t n = 0; n < size; n += TS_BLOCKS_FETCH_BYTES) {
        ts_blocks_fetch(pixels + n, TS_BLOCKS_FETCH_BYTES);
        a = _mm256_add_epi64(a,
                             _mm256_sad_epu8(_mm256_loadu_si256((const void *)(pixels + n)), zero));
        b = _mm256_add_epi64(
            b, _mm256_sad_epu8(_mm256_loadu_si256((const void *)(pixels + n + 32)), zero));
    }
    film->found += (size_t)_mm256_extract_epi64(_mm256_add_epi64(a, b), 0);
}

static void sum_all(struct film *film, const struct ts_blocks_kernels *kernels)
{
    const size_t stride = (size_t)film->camera.width_px;
    for (size_t n = 0; n < film->frame_count; n++)
        kernels->sum(film->pixels + n * film->frame_px, stride, &film->camera, film->blocks);
    film->found += film->blocks[0];
}

static void watch_all(struct film *film, const struct ts_blocks_kernels *kernels)
{
    const size_t stride = (size_t)film->camera.width_px;
    for (size_t n = 0; n < film->frame_count; n++) {
        const struct ts_blocks_changed changed = kernels->watch(
            film->pixels + n * film->frame_px, stride, &film->camera, &film->bounds, film->blocks);
        film->found += changed.previous + changed.reference;
    }
}

static void portable_sum(void *work)
{
    sum_all(work, &ts_blocks_portable);
}

static void portable_watch(void *work)
{
    watch_all(work, &ts_blocks_portable);
}

static void avx2_sum(void *work)
{
    sum_all(work, ts_blocks_avx2());
}

static void avx2_watch(void *work)
{
    watch_all(work, ts_blocks_avx2());
}

/* Less than the fused kernel does: against the frame before only. */
static void opencv(void *work)
{
    struct film *film = work;
    const int across = film->camera.blocks_x, down = film->camera.blocks_y;
    CvMat mean[2] = {cvMat(down, across, CV_8UC1, film->mean[0]),
                     cvMat(down, across, CV_8UC1, film->mean[1])};
    CvMat mask = cvMat(down, across, CV_8UC1, film->mask);
    for (size_t n = 0; n < film->frame_count; n++) {
        CvMat frame = cvMat(film->camera.height_px, film->camera.width_px, CV_8UC1,
                            film->pixels + n * film->frame_px);
        CvMat *now = &mean[n & 1], *before = &mean[(n & 1) ^ 1];
        cvResize(&frame, now, CV_INTER_AREA);
        cvAbsDiff(now, before, before);
        cvCmpS(before, STEP_CODES, &mask, CV_CMP_GT);
        film->found += (size_t)cvCountNonZero(&mask);
    }
}

/* Shades that change slowly from block to block and a little from frame to frame, and noise. */
static void make_film(struct film *film, int width, int height)
{
    *film = (struct film){.camera = {width, height, width / TS_BLOCK_PX, height / TS_BLOCK_PX, 0},
                          .frame_px = (size_t)width * (size_t)height};
    const size_t blocks = (size_t)film->camera.blocks_x * (size_t)film->camera.blocks_y;
    film->frame_count = FILM_BYTES / film->frame_px;
    film->pixels = perf_alloc(film->frame_count * film->frame_px);
    film->blocks = perf_alloc(blocks * sizeof *film->blocks);
    uint16_t *low = perf_alloc(blocks * sizeof *low), *high = perf_alloc(blocks * sizeof *high);
    film->bounds = (struct ts_blocks_bounds){STEP_SUMS, low, high};
    film->mean[0] = perf_alloc(blocks);
    film->mean[1] = perf_alloc(blocks);
    film->mask = perf_alloc(blocks);
    struct ts_rng rng;
    ts_rng_seed(&rng, (uint64_t)width, 1);
    uint64_t noise = ts_rng_next(&rng);
    for (size_t n = 0; n < film->frame_count * film->frame_px; n++) {
        if (n % 32 == 0)
            noise = ts_rng_next(&rng);
        film->pixels[n] = (uint8_t)(128 + (n >> 12) % 64 + (noise >> n % 32 * 2 & 3));
    }
    for (size_t n = 0; n < blocks; n++) {
        film->blocks[n] = 0;
        film->mean[0][n] = film->mean[1][n] = 0;
        low[n] = (uint16_t)(140 * 25);
        high[n] = (uint16_t)(180 * 25);
    }
}

static void free_film(struct film *film)
{
    free(film->pixels);
    free(film->blocks);
    free((void *)film->bounds.low);
    free((void *)film->bounds.high);
    free(film->mean[0]);
    free(film->mean[1]);
    free(film->mask);
}

static void race_kernels(int width, int height)
{
    enum { READ, PORTABLE_SUM, PORTABLE_WATCH, AVX2_SUM, FUSED, OPENCV, COUNT };
    struct perf_racer racers[COUNT] = {
        [READ] = {"reading once (psadbw, same prefetch)", read_once, 0},
        [PORTABLE_SUM] = {"portable: sums", portable_sum, 0},
        [PORTABLE_WATCH] = {"portable: sums and changes", portable_watch, 0},
        [AVX2_SUM] = {"AVX2: sums", avx2_sum, 0},
        [FUSED] = {"AVX2, fused: sums and changes", avx2_watch, 0},
        [OPENCV] = {"OpenCV: resize, absdiff, cmp, count", opencv, 0},
    };
    struct film film;
    make_film(&film, width, height);
    perf_race(racers, COUNT, ROUNDS, &film);
    printf("\n%dx%d, %zu frames, best of %d\n", width, height, film.frame_count, ROUNDS);
    for (size_t n = 0; n < COUNT; n++) {
        const double frame_s = racers[n].best_s / (double)film.frame_count;
        printf("  %-40s %9.2f us/frame %8.0f frames/s %6.2f GB/s\n", racers[n].name, frame_s * 1e6,
               1 / frame_s, (double)film.frame_px / frame_s / 1e9);
    }
    perf_say_ratio("fused / reading once", racers[FUSED].best_s / racers[READ].best_s, PERF_AT_MOST,
                   READ_LIMIT);
    perf_say_ratio("OpenCV / fused", racers[OPENCV].best_s / racers[FUSED].best_s, PERF_AT_LEAST,
                   OPENCV_LIMIT);
    free_film(&film);
}

int perf_vision_speed(int argc, char **argv)
{
    (void)argv;
    if (argc > 0 || !ts_blocks_avx2()) {
        fprintf(stderr, argc > 0 ? "vision-speed takes no arguments\n"
                                 : "vision-speed: this CPU has no AVX2\n");
        return 1;
    }
    cvSetNumThreads(1);
    race_kernels(320, 240);
    race_kernels(640, 480);
    race_kernels(1280, 720);
    return perf_vision_stream();
}

#else

int perf_vision_speed(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fprintf(stderr, "vision-speed: this machine has no AVX2\n");
    return 1;
}

#endif
