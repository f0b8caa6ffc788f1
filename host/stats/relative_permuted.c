/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/relative.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 1e-9 /* statistics that differ by rounding are equal */

/* All values in order: which sample each is from, and where runs of equal ones end. */
struct pool {
    size_t count, count_a, count_b;
    size_t *run_end; /* owned; of the run that begins there */
    bool *from_b;    /* owned */
};

struct tagged {
    double value;
    bool from_b;
};

static int compare(const void *a, const void *b)
{
    const struct tagged *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static void pool_free(struct pool *pool)
{
    free(pool->run_end);
    free(pool->from_b);
}

static int pool_of(struct ts_sample a, struct ts_sample b, struct pool *pool)
{
    const size_t count = a.count + b.count;
    struct tagged *all = calloc(count, sizeof *all);
    *pool = (struct pool){count, a.count, b.count, calloc(count, sizeof *pool->run_end),
                          calloc(count, sizeof *pool->from_b)};
    const bool enough = all && pool->run_end && pool->from_b;
    for (size_t i = 0; i < count && enough; i++)
        all[i] = i < a.count ? (struct tagged){a.values[i], false}
                             : (struct tagged){b.values[i - a.count], true};
    if (enough)
        qsort(all, count, sizeof *all, compare);
    for (size_t first = 0, next; first < count && enough; first = next) {
        for (next = first + 1; next < count && all[next].value <= all[first].value;)
            next++;
        pool->run_end[first] = next;
    }
    for (size_t i = 0; i < count && enough; i++)
        pool->from_b[i] = all[i].from_b;
    free(all);
    if (!enough)
        pool_free(pool);
    return enough ? TS_OK : TS_ENOMEM;
}

/* The test's statistic for the labels as they are. */
static double statistic(const struct pool *pool)
{
    const double count[2] = {(double)pool->count_a, (double)pool->count_b};
    double sum[2] = {0}, squares[2] = {0}, before[2] = {0};
    for (size_t first = 0; first < pool->count; first = pool->run_end[first]) {
        double in[2] = {0};
        for (size_t i = first; i < pool->run_end[first]; i++)
            in[pool->from_b[i]]++;
        for (int of = 0; of < 2; of++) {
            const double placement = (before[!of] + in[!of] / 2) / count[!of];
            sum[of] += placement * in[of];
            squares[of] += placement * placement * in[of];
        }
        before[0] += in[0];
        before[1] += in[1];
    }
    double variance = 0;
    for (int of = 0; of < 2; of++) {
        const double about = squares[of] - sum[of] * sum[of] / count[of];
        variance += fmax(0, about) / (count[of] - 1) / count[of];
    }
    const double away = sum[1] / count[1] - 0.5;
    if (variance <= 1e-14 / (count[0] * count[1]))
        return fabs(away) <= 1e-12 ? 0 : copysign(INFINITY, away);
    return away / sqrt(variance);
}

struct tally {
    size_t tried, above, below, beyond; /* as high, as low, as far from 0 as what was seen */
};

static void count_one(struct tally *tally, double seen, double found)
{
    tally->tried++;
    tally->above += found >= seen - SLACK;
    tally->below += found <= seen + SLACK;
    tally->beyond += fabs(found) >= fabs(seen) - SLACK;
}

/* The next choice of as many of `count`, as bits; 0 after the last. */
static uint64_t next_choice(uint64_t bits, size_t count)
{
    const uint64_t lowest = bits & (~bits + 1), carried = bits + lowest;
    const uint64_t next = carried | (((carried ^ bits) >> 2) / lowest);
    return next >> count ? 0 : next;
}

static double choices(size_t count, size_t taken)
{
    double product = 1;
    for (size_t i = 1; i <= taken; i++)
        product *= (double)(count - taken + i) / (double)i;
    return product;
}

static void shuffle(bool *from_b, size_t count, struct ts_rng *rng)
{
    for (size_t i = count - 1; i > 0; i--) {
        const size_t other = ts_rng_below(rng, (uint32_t)(i + 1));
        const bool kept = from_b[i];
        from_b[i] = from_b[other];
        from_b[other] = kept;
    }
}

int ts_relative_permuted(struct ts_sample a, struct ts_sample b, size_t draws, uint64_t seed,
                         struct ts_permuted *out)
{
    struct pool pool;
    struct ts_rng rng;
    *out = (struct ts_permuted){NAN, NAN, NAN, false};
    if (a.count < 2 || b.count < 2)
        return TS_EINVAL;
    const int err = pool_of(a, b, &pool);
    if (err)
        return err;
    const double seen = statistic(&pool);
    struct tally tally = {0};
    out->exact = pool.count < 60 && choices(pool.count, pool.count_b) <= (double)draws;
    if (out->exact) {
        for (uint64_t bits = ((uint64_t)1 << pool.count_b) - 1; bits;
             bits = next_choice(bits, pool.count)) {
            for (size_t i = 0; i < pool.count; i++)
                pool.from_b[i] = bits >> i & 1;
            count_one(&tally, seen, statistic(&pool));
        }
    } else {
        count_one(&tally, seen, seen);
        ts_rng_seed(&rng, seed, 1);
        for (size_t i = 0; i < draws; i++) {
            shuffle(pool.from_b, pool.count, &rng);
            count_one(&tally, seen, statistic(&pool));
        }
    }
    pool_free(&pool);
    const double tried = (double)tally.tried;
    out->p_two_sided = (double)tally.beyond / tried;
    out->p_above = (double)tally.above / tried;
    out->p_below = (double)tally.below / tried;
    return TS_OK;
}
