/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of launches went: the stretches between milestones, in the order in which these
 * come. That order is the launches' own: a phone may show its splash before the app's process is
 * there, so none is written down here. Lift is always first. */
#ifndef TS_EXPORT_SEGMENTS_H
#define TS_EXPORT_SEGMENTS_H

#include "export/story.h"
#include "stats/shift.h"

/* Milestones of launches, ms after time zero; NAN: no evidence. */
struct ts_milestones {
    double ms[TS_MILESTONE_COUNT];
};

struct ts_milestone_order {
    enum ts_milestone order[TS_MILESTONE_COUNT];
    size_t count;
    bool missing[TS_MILESTONE_COUNT]; /* fewer than half of a group's launches have it */
};
/* By the median over both groups, of milestones that at least half of each group has; b may be
 * empty. Of equal medians the earlier one of the list comes first. TS_ENOMEM. */
int ts_milestones_sort(const struct ts_milestones *a, size_t count_a, const struct ts_milestones *b,
                       size_t count_b, struct ts_milestone_order *out) TS_MUST_CHECK;

#define TS_SEGMENT_LEAST 6 /* launches on a side for an interval; stats/comparison.h tells why */

struct ts_segment_difference {
    size_t count_a, count_b;     /* launches that have both ends */
    double median_a, median_b;   /* ms; NAN: none has */
    double difference;           /* b - a, by Hodges and Lehmann; NAN below 2 launches a side */
    struct ts_interval interval; /* of it, at 95 %; NAN below TS_SEGMENT_LEAST */
};
/* TS_ENOMEM. */
int ts_segment_compare(const struct ts_milestones *a, size_t count_a, const struct ts_milestones *b,
                       size_t count_b, enum ts_milestone from, enum ts_milestone to,
                       struct ts_segment_difference *out) TS_MUST_CHECK;

#endif
