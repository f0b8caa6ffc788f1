/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two launches side by side in one film, both from the instant at which the stylus left the glass.
 */
#ifndef TS_FOOTAGE_PAIR_H
#define TS_FOOTAGE_PAIR_H

#include "footage/footage.h"

#define TS_PAIR_BEFORE_MS 200 /* the film begins so long before the lift ... */
#define TS_PAIR_AFTER_MS  800 /* ... and ends so long after the later one has settled */
#define TS_PAIR_SLOW_MOST 100

struct ts_pair {
    struct ts_footage *footage[2];
    const char *names[2]; /* what stands above each */
    int slow;             /* so many times slower than it was */
};

/* Writes the film (Matroska, FFVHUFF, grey); the file is written over. At every instant it shows of
 * each the last picture taken by then. TS_EINVAL: slow is not from 1 to TS_PAIR_SLOW_MOST. */
int ts_pair_write(const struct ts_pair *pair, const char *path, struct ts_why *why) TS_MUST_CHECK;

#endif
