/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corpus.h"

#include <math.h>

#define CLUSTERS_MOST 3
#define TICKS_MOST    7

static double draw_tick(struct ts_rng *rng, const double *weights, int ticks, double total)
{
    double at = ts_rng_range(rng, 0, total);
    int tick = 0;
    while (tick + 1 < ticks && at >= weights[tick])
        at -= weights[tick++];
    return tick;
}

void corpus_queries(struct ts_rng *rng, double *values, size_t count)
{
    const int ticks = 2 + (int)ts_rng_below(rng, TICKS_MOST - 1);
    const int clusters = (int)ts_rng_below(rng, CLUSTERS_MOST + 1);
    const double base = 1 + ts_rng_below(rng, 20), alone = ts_rng_range(rng, 0.002, 0.01);
    double weights[TICKS_MOST], total = 0, share[CLUSTERS_MOST], centre[CLUSTERS_MOST];
    for (int i = 0; i < ticks; i++)
        total += weights[i] = pow(ts_rng_uniform(rng), 4) + 0.01;
    for (int i = 0; i < clusters; i++) {
        share[i] = ts_rng_range(rng, 0.001, 0.007);
        centre[i] = base + ticks + 5 + ts_rng_below(rng, 100);
    }
    for (size_t i = 0; i < count; i++) {
        double at = ts_rng_uniform(rng), value = base + draw_tick(rng, weights, ticks, total);
        if (at < alone)
            value = base + 2 + floor(exp(2 + 2.2 * fabs(ts_rng_normal(rng))));
        at -= alone;
        for (int c = 0; c < clusters; at -= share[c++]) {
            if (at >= 0 && at < share[c])
                value = centre[c] + ts_rng_below(rng, 3);
        }
        values[i] = value * CORPUS_TICK_NS;
    }
}

static double student5(struct ts_rng *rng)
{
    double squares = 0;
    for (int i = 0; i < 5; i++)
        squares += pow(ts_rng_normal(rng), 2);
    return ts_rng_normal(rng) / sqrt(squares / 5) / sqrt(5.0 / 3);
}

double corpus_trace(struct ts_rng *rng, double *values, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double value = 44 + 17 * student5(rng);
        if (ts_rng_uniform(rng) < 0.05)
            value += 10 * fabs(ts_rng_normal(rng));
        value = floor(fmax(value, 0));
        if (ts_rng_uniform(rng) < 0.0069) {
            value += floor(exp(9.08 + 0.80 * ts_rng_normal(rng)));
            least = fmin(least, value);
        }
        values[i] = value;
    }
    return least;
}
