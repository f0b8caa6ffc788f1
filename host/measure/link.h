/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the evidence says of the way from the board to the host. */
#ifndef TS_MEASURE_LINK_H
#define TS_MEASURE_LINK_H

#include "model/evidence.h"

/* Every stall of 100 ms or more is found: a reading of the clock was held back by it, and nothing
 * else came meanwhile. One late reading among others that came in time is no stall: a busy computer
 * stamped it late, its bounds are wide, and the clock's fit rests on the others. */
bool ts_link_stalled(const struct ts_evidence *evidence);

/* Nothing came from this boot of the board for so long at the end of the watch that what it stamped
 * then may be missing. */
bool ts_link_fell_silent(const struct ts_evidence *evidence, uint32_t boot_id);

#endif
