/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/bursts.h"

#include <math.h>

#define REST_BINS  2
#define BIN_MS     (TS_BURSTS_REST_MS / REST_BINS)
#define BINS       512
#define PLACE_NEAR 4 /* coarse blocks: parts of one place */
#define SIZE_TIMES 8

/* The latest times come first. */
struct bins {
    double end_ms;
    struct {
        double first_ms, last_ms; /* in it; INFINITY and -INFINITY: none */
    } bin[BINS + 1];              /* one more for all that is older */
    uint8_t burst[BINS + 1];      /* + 1; 0: none */
};

static void clear_bins(struct bins *bins, double end_ms)
{
    bins->end_ms = end_ms;
    for (size_t bin = 0; bin <= BINS; bin++) {
        bins->bin[bin].first_ms = INFINITY;
        bins->bin[bin].last_ms = -INFINITY;
        bins->burst[bin] = 0;
    }
}

static size_t bin_of(const struct bins *bins, double ms)
{
    const double number = (bins->end_ms - ms) * (1 / BIN_MS);
    const double most = number < BINS ? number : BINS;
    return (size_t)(int)(most > 0 ? most : 0);
}

static void add_time(struct bins *bins, double ms)
{
    const size_t bin = bin_of(bins, ms);
    const double first_ms = bins->bin[bin].first_ms, last_ms = bins->bin[bin].last_ms;
    bins->bin[bin].first_ms = ms < first_ms ? ms : first_ms;
    bins->bin[bin].last_ms = ms > last_ms ? ms : last_ms;
}

static bool is_skipped(const uint8_t *const skip[TS_BURSTS_SKIPS], size_t block)
{
    bool skipped = false;
    for (size_t i = 0; i < TS_BURSTS_SKIPS; i++)
        skipped |= skip[i] && skip[i][block];
    return skipped;
}

bool ts_bursts_are_over(const struct ts_track *track, const uint8_t *const skip[TS_BURSTS_SKIPS],
                        double since_ms, double end_ms)
{
    float moved_ms = -INFINITY;
    for (size_t block = 0; block < track->blocks; block++) {
        const float last_ms = track->last_ms[block];
        if (last_ms > moved_ms && !is_skipped(skip, block))
            moved_ms = last_ms;
    }
    return end_ms - (double)moved_ms >= (double)moved_ms - since_ms;
}

static void fill_bins(const struct ts_track *track, const uint8_t *const skip[TS_BURSTS_SKIPS],
                      struct bins *bins)
{
    for (size_t block = 0; block < track->blocks; block++) {
        const struct ts_moves *moves = &track->moves[block];
        if (moves->count == 0 || is_skipped(skip, block))
            continue;
        for (size_t i = 0; i < ts_moves_known(moves); i++)
            add_time(bins, (double)moves->ms[i]);
        /* The latest one may be a long fade. */
        const double began_ms = ts_moves_back(moves, 0), last_ms = (double)track->last_ms[block];
        for (double ms = began_ms + BIN_MS; ms < last_ms; ms += BIN_MS)
            add_time(bins, ms);
        add_time(bins, last_ms);
    }
}

bool ts_burst_has(const struct ts_burst *burst, const struct ts_track *track, size_t block)
{
    const struct ts_moves *moves = &track->moves[block];
    const double last = (double)track->last_ms[block];
    if (last >= burst->begin_ms && last <= burst->end_ms)
        return true;
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        const double ms = (double)moves->ms[i];
        if (ms >= burst->begin_ms && ms <= burst->end_ms)
            return true;
    }
    return false;
}

bool ts_bursts_in_one_place(const struct ts_track *track, const struct ts_burst *a,
                            const struct ts_burst *b)
{
    const size_t near = ts_track_scaled(track, PLACE_NEAR);
    return a->box.x0 <= b->box.x1 + near && b->box.x0 <= a->box.x1 + near &&
           a->box.y0 <= b->box.y1 + near && b->box.y0 <= a->box.y1 + near &&
           a->blocks <= SIZE_TIMES * b->blocks && b->blocks <= SIZE_TIMES * a->blocks;
}

static void widen(struct ts_burst *burst, size_t x, size_t y)
{
    struct ts_region_box *box = &burst->box;
    if (burst->blocks++ == 0)
        *box = (struct ts_region_box){x, y, x, y};
    box->x0 = x < box->x0 ? x : box->x0;
    box->x1 = x > box->x1 ? x : box->x1;
    box->y0 = y < box->y0 ? y : box->y0;
    box->y1 = y > box->y1 ? y : box->y1;
}

static void add_block(struct ts_bursts *bursts, const struct bins *bins,
                      const struct ts_track *track, size_t block)
{
    const struct ts_moves *moves = &track->moves[block];
    uint32_t in = 1u << bins->burst[bin_of(bins, (double)track->last_ms[block])];
    for (size_t i = 0; i < ts_moves_known(moves); i++)
        in |= 1u << bins->burst[bin_of(bins, (double)moves->ms[i])];
    for (size_t i = 0; i < bursts->count; i++) {
        if (in >> (i + 1) & 1u)
            widen(&bursts->burst[i], block % track->across, block / track->across);
    }
}

void ts_bursts_find(const struct ts_track *track, const uint8_t *const skip[TS_BURSTS_SKIPS],
                    double end_ms, struct ts_bursts *bursts)
{
    struct bins bins;
    clear_bins(&bins, end_ms);
    fill_bins(track, skip, &bins);
    bursts->count = 0;
    for (size_t bin = 0, rest = REST_BINS; bin < BINS; bin++) {
        if (bins.bin[bin].first_ms > bins.bin[bin].last_ms) {
            rest++;
            continue;
        }
        if (rest >= REST_BINS && bursts->count == TS_BURSTS_MOST)
            break;
        if (rest >= REST_BINS)
            bursts->burst[bursts->count++] = (struct ts_burst){.end_ms = bins.bin[bin].last_ms};
        bursts->burst[bursts->count - 1].begin_ms = bins.bin[bin].first_ms;
        bins.burst[bin] = (uint8_t)bursts->count;
        rest = 0;
    }
    for (size_t block = 0; block < track->blocks; block++) {
        if (track->moves[block].count > 0 && !is_skipped(skip, block))
            add_block(bursts, &bins, track, block);
    }
}
