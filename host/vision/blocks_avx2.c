/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/blocks_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2        __attribute__((target("avx2,popcnt")))
#define STEP_BLOCKS 16 /* a vector of sums; 80 pixels across */
#define FOUR_PX     (4 * TS_BLOCK_PX)

_Static_assert(TS_BLOCK_PX == 5, "the byte numbers below are those of blocks of five");

/* The sums of one line of four blocks, in 64 bits each: psadbw adds eight bytes, five of the
 * block's and three zeros. Reads these 20 bytes and no other, hence two loads that overlap. */
AVX2 static inline __m256i four_lines(const uint8_t *line)
{
    const __m256i apart = _mm256_setr_epi8(0, 1, 2, 3, 4, -1, -1, -1, 5, 6, 7, 8, 9, -1, -1, -1, 6,
                                           7, 8, 9, 10, -1, -1, -1, 11, 12, 13, 14, 15, -1, -1, -1);
    const __m256i pixels =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)line)),
                                _mm_loadu_si128((const void *)(line + 4)), 1);
    return _mm256_sad_epu8(_mm256_shuffle_epi8(pixels, apart), _mm256_setzero_si256());
}

AVX2 static inline __m256i sixteen_sums(const uint8_t *pixels, size_t stride)
{
    __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
    for (size_t row = 0; row < TS_BLOCK_PX; row++) {
        const uint8_t *line = pixels + row * stride;
        a = _mm256_add_epi64(a, four_lines(line));
        b = _mm256_add_epi64(b, four_lines(line + FOUR_PX));
        c = _mm256_add_epi64(c, four_lines(line + 2 * FOUR_PX));
        d = _mm256_add_epi64(d, four_lines(line + 3 * FOUR_PX));
    }
    /* Packing works in each half: pairs come out as 0 4 8 12 | 2 6 10 14 fours apart. */
    const __m256i mixed = _mm256_packus_epi32(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
    return _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

AVX2 static inline __m256i load(const uint16_t *sums)
{
    return _mm256_loadu_si256((const void *)sums);
}

/* Lanes of `excess` that are 0, counted. */
AVX2 static inline size_t count_zero(__m256i excess)
{
    const __m256i zero = _mm256_cmpeq_epi16(excess, _mm256_setzero_si256());
    return (size_t)_mm_popcnt_u32((unsigned)_mm256_movemask_epi8(zero)) / 2;
}

/* Saturating differences, so that any 16 bits compare right, as they do in the portable kernel. */
AVX2 static inline void compare_sixteen(__m256i sums, const uint16_t *before,
                                        const struct ts_blocks_bounds *bounds, size_t first,
                                        struct ts_blocks_changed *changed)
{
    const __m256i old = load(before);
    const __m256i step =
        _mm256_or_si256(_mm256_subs_epu16(sums, old), _mm256_subs_epu16(old, sums));
    const __m256i outside = _mm256_or_si256(_mm256_subs_epu16(load(bounds->low + first), sums),
                                            _mm256_subs_epu16(sums, load(bounds->high + first)));
    changed->previous +=
        count_zero(_mm256_subs_epu16(_mm256_set1_epi16((short)bounds->step), step));
    changed->reference += STEP_BLOCKS - count_zero(outside);
}

AVX2 static void sum(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                     uint16_t *blocks)
{
    const size_t across = (size_t)camera->blocks_x, down = (size_t)camera->blocks_y;
    const size_t whole = across - across % STEP_BLOCKS;
    for (size_t y = 0; y < down; y++) {
        const uint8_t *row = pixels + y * TS_BLOCK_PX * stride;
        uint16_t *out = blocks + y * across;
        for (size_t x = 0; x < whole; x += STEP_BLOCKS) {
            ts_blocks_fetch(row + x * TS_BLOCKS_BYTES, STEP_BLOCKS * TS_BLOCKS_BYTES);
            _mm256_storeu_si256((void *)(out + x), sixteen_sums(row + x * TS_BLOCK_PX, stride));
        }
        ts_blocks_sum_some(row + whole * TS_BLOCK_PX, stride, across - whole, out + whole);
    }
}

AVX2 static struct ts_blocks_changed watch(const uint8_t *pixels, size_t stride,
                                           const struct ts_camera_geometry *camera,
                                           const struct ts_blocks_bounds *bounds, uint16_t *blocks)
{
    const size_t across = (size_t)camera->blocks_x, down = (size_t)camera->blocks_y;
    const size_t whole = across - across % STEP_BLOCKS;
    struct ts_blocks_changed changed = {0, 0};
    for (size_t y = 0; y < down; y++) {
        const uint8_t *row = pixels + y * TS_BLOCK_PX * stride;
        for (size_t x = 0; x < whole; x += STEP_BLOCKS) {
            const size_t first = y * across + x;
            ts_blocks_fetch(row + x * TS_BLOCKS_BYTES, STEP_BLOCKS * TS_BLOCKS_BYTES);
            const __m256i sums = sixteen_sums(row + x * TS_BLOCK_PX, stride);
            compare_sixteen(sums, blocks + first, bounds, first, &changed);
            _mm256_storeu_si256((void *)(blocks + first), sums);
        }
        const struct ts_blocks_bounds rest = ts_blocks_bounds_from(bounds, y * across + whole);
        ts_blocks_watch_some(row + whole * TS_BLOCK_PX, stride, across - whole, &rest,
                             blocks + y * across + whole, &changed);
    }
    return changed;
}

AVX2 static struct ts_blocks_changed compare(const uint16_t *blocks, const uint16_t *before,
                                             size_t count, const struct ts_blocks_bounds *bounds)
{
    const size_t whole = count - count % STEP_BLOCKS;
    struct ts_blocks_changed changed = {0, 0};
    for (size_t n = 0; n < whole; n += STEP_BLOCKS)
        compare_sixteen(load(blocks + n), before + n, bounds, n, &changed);
    const struct ts_blocks_bounds rest = ts_blocks_bounds_from(bounds, whole);
    const struct ts_blocks_changed more =
        ts_blocks_portable.compare(blocks + whole, before + whole, count - whole, &rest);
    return (struct ts_blocks_changed){changed.previous + more.previous,
                                      changed.reference + more.reference};
}

static const struct ts_blocks_kernels kernels = {sum, watch, compare};

const struct ts_blocks_kernels *ts_blocks_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? &kernels : NULL;
}

#else

const struct ts_blocks_kernels *ts_blocks_avx2(void)
{
    return NULL;
}

#endif
