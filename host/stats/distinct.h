/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sorted sample as its distinct values. Timer readings count ticks, so a hundred thousand of them
 * have some tens of distinct values; what is below works on those. */
#ifndef TS_STATS_DISTINCT_H
#define TS_STATS_DISTINCT_H

#include "base/err.h"

#include <stddef.h>

struct ts_distinct {
    size_t count;   /* how many distinct values */
    double *values; /* owned; ascending */
    size_t
        *first; /* owned; [count + 1]: values[i] is sorted[first[i]] .. sorted[first[i + 1] - 1] */
};

static inline size_t ts_distinct_copies(const struct ts_distinct *of, size_t i)
{
    return of->first[i + 1] - of->first[i];
}
static inline size_t ts_distinct_total(const struct ts_distinct *of)
{
    return of->first[of->count];
}

/* Which distinct value is `value`; if none is, the next greater one (the last, if there is none).
 */
size_t ts_distinct_find(const struct ts_distinct *of, double value);

/* TS_ENOMEM. */
int ts_distinct_of(const double *sorted, size_t count, struct ts_distinct *out) TS_MUST_CHECK;
void ts_distinct_free(struct ts_distinct *of);

#endif
