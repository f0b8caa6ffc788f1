/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/bursts.h"

#include <math.h>

#define BIN_MS    50.0
#define BINS      512
#define REST_BINS 2 /* between bursts */

static size_t bin_of(double end_ms, double ms)
{
    const double bin = floor((end_ms - ms) / BIN_MS);
    return bin < 0 ? 0 : bin < BINS ? (size_t)bin : BINS;
}

static bool is_skipped(const uint8_t *const skip[3], size_t block)
{
    return (skip[0] && skip[0][block]) || (skip[1] && skip[1][block]) ||
           (skip[2] && skip[2][block]);
}

static void fill_bins(const struct ts_track *track, const uint8_t *const skip[3], double end_ms,
                      bool *bins)
{
    for (size_t block = 0; block < track->blocks; block++) {
        const struct ts_moves *moves = &track->moves[block];
        if (moves->count == 0 || is_skipped(skip, block))
            continue;
        for (size_t i = 0; i < ts_moves_known(moves); i++)
            bins[bin_of(end_ms, ts_moves_back(moves, i))] = true;
        /* The latest one may be a long fade. */
        const size_t began = bin_of(end_ms, ts_moves_back(moves, 0));
        for (size_t bin = bin_of(end_ms, (double)track->last_ms[block]); bin < began; bin++)
            bins[bin] = true;
    }
}

bool ts_burst_has(const struct ts_burst *burst, const struct ts_track *track, size_t block)
{
    const struct ts_moves *moves = &track->moves[block];
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        const double ms = ts_moves_back(moves, i);
        if (ms >= burst->begin_ms && ms < burst->end_ms)
            return true;
    }
    return false;
}

static void add_block(struct ts_burst *burst, size_t x, size_t y)
{
    struct ts_region_box *box = &burst->box;
    if (burst->blocks++ == 0)
        *box = (struct ts_region_box){x, y, x, y};
    box->x0 = x < box->x0 ? x : box->x0;
    box->x1 = x > box->x1 ? x : box->x1;
    box->y0 = y < box->y0 ? y : box->y0;
    box->y1 = y > box->y1 ? y : box->y1;
}

void ts_bursts_find(const struct ts_track *track, const uint8_t *const skip[3], double end_ms,
                    struct ts_bursts *bursts)
{
    bool bins[BINS + 1] = {false};
    fill_bins(track, skip, end_ms, bins);
    *bursts = (struct ts_bursts){.from_ms = end_ms - BINS * BIN_MS};
    for (size_t bin = 0, rest = REST_BINS; bin < BINS; bin++) {
        if (!bins[bin]) {
            rest++;
            continue;
        }
        if (rest >= REST_BINS && bursts->count == TS_BURSTS_MOST)
            break;
        if (rest >= REST_BINS)
            bursts->burst[bursts->count++].end_ms = end_ms - (double)bin * BIN_MS;
        bursts->burst[bursts->count - 1].begin_ms = end_ms - (double)(bin + 1) * BIN_MS;
        rest = 0;
    }
    for (size_t i = 0; i < bursts->count; i++) {
        struct ts_burst *burst = &bursts->burst[i];
        for (size_t block = 0; block < track->blocks; block++) {
            if (!is_skipped(skip, block) && ts_burst_has(burst, track, block))
                add_block(burst, block % track->across, block / track->across);
        }
    }
}
