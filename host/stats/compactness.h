/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How close together a sample lies, taken as one cluster: the four measures by which paper O (Rehn,
 * Holdsworth, Lee, "Automated Outlier Removal for Mobile Microbenchmarking Datasets", section V.A,
 * table II) shows what removing outliers does. It names them only; these readings are the ones that
 * its table allows (twgd over unordered pairs; the greatest distance from the centre is not the
 * radius there). */
#ifndef TS_STATS_COMPACTNESS_H
#define TS_STATS_COMPACTNESS_H

#include <stddef.h>

struct ts_compactness {
    double twgd;   /* total within-group distance: sum of |a - b| over all pairs */
    double depth;  /* of the convex hull: largest minus smallest */
    double radius; /* root mean square distance from the mean */
    double offset; /* |mean - medoid|; the medoid is the lower median */
};

/* O(n). NAN for an empty sample. */
struct ts_compactness ts_compactness_of(const double *sorted, size_t count);

#endif
