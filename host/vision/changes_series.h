/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: one block's brightness over time, freed from periodic flicker. */
#ifndef TS_VISION_CHANGES_SERIES_H
#define TS_VISION_CHANGES_SERIES_H

#include "vision/changes.h"

#define TS_SERIES_FLICKERS 3

/* One sinusoid of relative brightness; each row of blocks has its own amplitude and phase, so that
 * a readout time that is only roughly known does no harm. */
struct ts_flicker {
    double hz;
    double *in_phase, *quadrature; /* [rows of blocks], owned */
    double *cosine, *sine;         /* [frames], owned: of its phase when row 0 begins */
};

struct ts_series {
    const struct ts_old_frames *frames; /* borrowed */
    size_t across, down, blocks;
    size_t tail; /* first frame of the quiet tail, in which final values are taken */
    size_t flickers;
    struct ts_flicker flicker[TS_SERIES_FLICKERS];
};

int ts_series_open(struct ts_series *series, const struct ts_old_frames *frames) TS_MUST_CHECK;
void ts_series_close(struct ts_series *series);

/* Mean codes (0..255) of one block in every frame, flicker divided out. */
void ts_series_read(const struct ts_series *series, size_t block, double *values);
/* When the exposure of the block's middle row began. */
double ts_series_begin_ms(const struct ts_series *series, size_t frame, size_t block);
double ts_series_end_ms(const struct ts_series *series); /* of the last frame's exposure */

static inline double ts_series_code(const struct ts_series *series, size_t frame, size_t block)
{
    return series->frames->blocks[frame][block] / (double)(TS_BLOCK_PX * TS_BLOCK_PX);
}

/* The value of this rank (0 = smallest) of count > 0 values, which are reordered. */
double ts_series_quantile(double *values, size_t count, size_t rank);

static inline double ts_series_median(double *values, size_t count)
{
    return ts_series_quantile(values, count, count / 2);
}

#endif
