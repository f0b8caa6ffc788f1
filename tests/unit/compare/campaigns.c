/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "campaigns.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

#define SLOW_SHARE 0.04 /* of launches meet a garbage collection or a full queue */
#define SLOW_BY    1.6

/* z: standard normal. 390 ms, spread 15 %, and a tail to the right. */
static double launch_of(double z, struct ts_rng *rng)
{
    const double usual = 350 * exp(0.12 * z) + 40 * exp(0.7 * z);
    return ts_rng_uniform(rng) < SLOW_SHARE ? SLOW_BY * usual : usual;
}

void campaign_draw(const struct campaign *campaign, struct ts_rng *rng, double *values,
                   struct ts_place *places)
{
    const double keep = campaign->correlation, renew = sqrt(1 - keep * keep);
    for (size_t s = 0; s < campaign->sessions; s++) {
        const double level = campaign->session * ts_rng_normal(rng);
        const double shift = campaign->block * ts_rng_normal(rng);
        const size_t from = ts_rng_below(rng, (uint32_t)campaign->launches);
        double z = ts_rng_normal(rng);
        for (size_t i = 0; i < campaign->launches; i++) {
            z = keep * z + renew * ts_rng_normal(rng);
            const double along = (double)i / (double)campaign->launches;
            *values++ =
                launch_of(z + level + campaign->drift * along + (i >= from ? shift : 0), rng);
            *places++ = (struct ts_place){s, 0};
        }
    }
}

double campaign_median(void)
{
    enum { DRAWS = 1000000 };
    double *values = calloc(DRAWS, sizeof *values), median = NAN;
    struct ts_rng rng;
    ts_rng_seed(&rng, 987654321, 1);
    for (size_t i = 0; values && i < DRAWS; i++)
        values[i] = launch_of(ts_rng_normal(&rng), &rng);
    if (values) {
        ts_sort(values, DRAWS);
        median = ts_median(values, DRAWS);
    }
    free(values);
    return median;
}
