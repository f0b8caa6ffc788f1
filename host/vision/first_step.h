/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the first change of a block is half of what it does in the 50 ms before and
 * after it gets visibly away from what it showed: half of a cut, the begin of a slow fade. (Half of
 * all of a slow fade hangs on what the lens leaves of its detours.) */
#ifndef TS_VISION_FIRST_STEP_H
#define TS_VISION_FIRST_STEP_H

#include "vision/edge.h"

/* sum[n]: of passage->values[low .. n - 1], for low <= n <= high. */
struct ts_edge ts_passage_first(const struct ts_passage *passage, const double *sum);

#endif
