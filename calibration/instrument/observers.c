/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/observers.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL  0.95
#define NORMAL 1.959963984540054 /* its quantile 0.975 */

/* The greatest k with P(W <= k - 1) <= (1 - LEVEL) / 2, W the signed-rank statistic of n values:
 * then the k-th smallest and the k-th greatest mean bound the interval. Exact, by adding one rank
 * after the other; 0: there is no such k. */
static int tail(size_t n, size_t *out)
{
    const size_t top = n * (n + 1) / 2;
    double *chance = calloc(top + 1, sizeof *chance);
    if (!chance)
        return TS_ENOMEM;
    chance[0] = 1;
    for (size_t rank = 1; rank <= n; rank++) {
        for (size_t sum = rank * (rank + 1) / 2 + 1; sum-- > 0;)
            chance[sum] = chance[sum] / 2 + (sum >= rank ? chance[sum - rank] / 2 : 0);
    }
    double below = 0;
    size_t k = 0;
    while (k <= top && below + chance[k] <= (1 - LEVEL) / 2)
        below += chance[k++];
    free(chance);
    *out = k;
    return TS_OK;
}

int ts_shift_of(const double *differences, size_t count, struct ts_shift *out, struct ts_why *why)
{
    *out = (struct ts_shift){NAN, NAN, NAN, NAN};
    if (count < TS_OBSERVER_PAIRS_LEAST || count > TS_OBSERVER_PAIRS_MOST)
        return ts_fail(why, TS_EPROTO, "%zu usable pairs of launches; it takes %d to %d", count,
                       TS_OBSERVER_PAIRS_LEAST, TS_OBSERVER_PAIRS_MOST);
    const size_t means = count * (count + 1) / 2;
    double *mean = malloc(means * sizeof *mean);
    size_t k, used = 0;
    int err = mean ? tail(count, &k) : TS_ENOMEM;
    for (size_t i = 0; i < count && !err; i++) {
        for (size_t j = i; j < count; j++)
            mean[used++] = (differences[i] + differences[j]) / 2;
    }
    if (!err) {
        ts_sort(mean, means);
        out->value = ts_median(mean, means);
        out->low = mean[k - 1];
        out->high = mean[means - k];
        out->u = (out->high - out->low) / (2 * NORMAL);
    }
    free(mean);
    return err;
}

static void to_share(struct ts_shift *shift)
{
    const double ratio = exp(shift->value);
    shift->value = ratio - 1;
    shift->low = exp(shift->low) - 1;
    shift->high = exp(shift->high) - 1;
    shift->u *= ratio;
}

int ts_observer_cost(const double *off_ms, const double *on_ms, size_t pairs,
                     struct ts_observer_cost *out, struct ts_why *why)
{
    double *differences = calloc(2 * pairs + 1, sizeof *differences);
    *out = (struct ts_observer_cost){0};
    if (!differences)
        return TS_ENOMEM;
    double *logs = differences + pairs;
    for (size_t i = 0; i < pairs; i++) {
        if (!(off_ms[i] > 0 && on_ms[i] > 0))
            continue;
        differences[out->pairs] = on_ms[i] - off_ms[i];
        logs[out->pairs++] = log(on_ms[i] / off_ms[i]);
    }
    int err = ts_shift_of(differences, out->pairs, &out->ms, why);
    if (!err)
        err = ts_shift_of(logs, out->pairs, &out->share, why);
    free(differences);
    if (!err)
        to_share(&out->share);
    return err;
}
