/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/noise.h"

#include "stats/medcouple.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

static int check(const double *deltas_ns, size_t count, struct ts_why *why)
{
    if (count < TS_NOISE_DELTAS_MIN)
        return ts_fail(why, TS_EPROTO, "%zu deltas are too few, it takes %d", count,
                       TS_NOISE_DELTAS_MIN);
    for (size_t i = 0; i < count; i++) {
        if (!(deltas_ns[i] >= 0 && isfinite(deltas_ns[i])))
            return ts_fail(why, TS_EPROTO, "delta %zu is no time: the clock went back", i);
    }
    return TS_OK;
}

static void judge(const double *sorted, size_t count, struct ts_noise *out)
{
    struct ts_right_fence grid[TS_FENCE_GRID];
    const struct ts_exemplar exemplar = {sorted, count, NAN};
    ts_fence_grid(grid);
    out->fence = grid[ts_fence_search(grid, TS_FENCE_GRID, &exemplar, 1)];
    out->cut_ns = fmax(ts_right_fence_at(out->fence, sorted, count), 2 * out->median_ns);
    double total = 0, lost = 0;
    for (size_t i = 0; i < count; i++) {
        total += sorted[i];
        if (sorted[i] <= out->cut_ns)
            continue;
        out->interruptions++;
        lost += sorted[i] - out->median_ns;
    }
    out->lost = total > 0 ? lost / total : 0;
    out->raw = ts_moments_of(sorted, count);
    out->rest = ts_moments_of(sorted, count - out->interruptions);
}

int ts_noise_of(const double *deltas_ns, size_t count, struct ts_noise *out, struct ts_why *why)
{
    *out = (struct ts_noise){.count = count};
    int err = check(deltas_ns, count, why);
    if (err)
        return err;
    double *sorted = ts_sorted_copy(deltas_ns, count);
    if (!sorted)
        return TS_ENOMEM;
    out->smallest_ns = sorted[0];
    out->median_ns = ts_median(sorted, count);
    out->largest_ns = sorted[count - 1];
    out->p999_ns = ts_quantile(sorted, count, 0.999);
    err = ts_medcouple(sorted, count, &out->medcouple);
    if (!err)
        judge(sorted, count, out);
    free(sorted);
    return err;
}
