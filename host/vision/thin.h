/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: a line that is thinner than a block changes the light in the block in which
 * it lies, and the lens takes some of that to the blocks beside it. */
#ifndef TS_VISION_THIN_H
#define TS_VISION_THIN_H

#include "vision/finals.h"

#define TS_THIN_LEAST 0.75 /* no share is less */

/* A change of one block: frame `from` is the last before it, those from rest to until - 1 are after
 * it. */
struct ts_thin_change {
    size_t block, from, rest, until;
};

/* The share of its change that the lens left in the block, TS_THIN_LEAST .. 1. */
double ts_thin_share(const struct ts_finals *finals, const struct ts_thin_change *change);

#endif
