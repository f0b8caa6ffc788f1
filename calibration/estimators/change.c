/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/change.h"

#include "base/rng.h"
#include "stats/order.h"
#include "stats/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST          6
#define LEVEL          0.95
#define STREAM_PERMUTE 0x6368616e

static size_t take_finite(const double *from, size_t count, double *to)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(from[i]))
            to[kept++] = from[i];
    }
    return kept;
}

/* all[]: a's values, then b's; they are shuffled. */
static double permuted_p(double *all, size_t count_a, size_t count_b, double difference,
                         uint64_t seed)
{
    const size_t count = count_a + count_b;
    /* A hair less, so that the same values in another order of summing count as much. */
    const double as_much = fabs(difference) * (1 - 1e-12);
    size_t extreme = 0;
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, STREAM_PERMUTE);
    for (int draw = 0; draw < TS_CHANGE_PERMUTATIONS; draw++) {
        for (size_t i = count; i > 1; i--) {
            const size_t j = ts_rng_below(&rng, (uint32_t)i);
            const double kept = all[j];
            all[j] = all[i - 1];
            all[i - 1] = kept;
        }
        const double by = ts_mean(all + count_a, count_b) - ts_mean(all, count_a);
        extreme += fabs(by) >= as_much;
    }
    return (1 + (double)extreme) / (1 + TS_CHANGE_PERMUTATIONS);
}

static int shift_of(const double *a, size_t count_a, const double *b, size_t count_b,
                    struct ts_interval *out)
{
    struct ts_ranked one = {0}, other = {0};
    int err = ts_ranked_of((struct ts_sample){a, count_a}, true, &one);
    if (!err)
        err = ts_ranked_of((struct ts_sample){b, count_b}, true, &other);
    if (!err) {
        *out = ts_hodges_lehmann_of(&one, &other, LEVEL).interval;
        out->coverage = LEVEL;
    }
    ts_ranked_free(&one);
    ts_ranked_free(&other);
    return err;
}

int ts_change_of(const double *a, size_t count_a, const double *b, size_t count_b, uint64_t seed,
                 struct ts_change *out, struct ts_why *why)
{
    double *all = calloc(count_a + count_b + 1, sizeof *all);
    *out = (struct ts_change){.left_out = count_a + count_b};
    if (!all)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    out->count_a = take_finite(a, count_a, all);
    out->count_b = take_finite(b, count_b, all + out->count_a);
    out->left_out -= out->count_a + out->count_b;
    double *of_b = all + out->count_a;
    int err = TS_OK;
    if (out->count_a < LEAST || out->count_b < LEAST)
        err = ts_fail(why, TS_EPROTO,
                      "%zu and %zu launches that can be compared; it takes %d on "
                      "each side",
                      out->count_a, out->count_b, LEAST);
    else if (shift_of(all, out->count_a, of_b, out->count_b, &out->interval))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err) {
        out->mean = ts_mean(of_b, out->count_b) - ts_mean(all, out->count_a);
        ts_sort(all, out->count_a);
        ts_sort(of_b, out->count_b);
        out->median = ts_median(of_b, out->count_b) - ts_median(all, out->count_a);
        out->p = permuted_p(all, out->count_a, out->count_b, out->mean, seed);
    }
    free(all);
    return err;
}

void ts_change_center(const struct ts_feature_table *table, const double *values, double *out)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct ts_feature_table_row *row = &table->rows[i];
        double sum = 0;
        size_t count = 0;
        for (size_t j = 0; j < table->row_count; j++) {
            if (!isfinite(values[j]) || strcmp(table->rows[j].app, row->app) != 0 ||
                strcmp(table->rows[j].device, row->device) != 0)
                continue;
            sum += values[j];
            count++;
        }
        out[i] = count && isfinite(values[i]) ? values[i] - sum / (double)count : NAN;
    }
}
