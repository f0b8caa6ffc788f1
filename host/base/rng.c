/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void ts_rng_seed(struct ts_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t state = stream;
    state = splitmix(&state) ^ seed;
    for (int i = 0; i < 4; i++)
        rng->s[i] = splitmix(&state);
}

uint64_t ts_rng_next(struct ts_rng *rng)
{
    uint64_t *s = rng->s;
    const uint64_t result = rotate(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double ts_rng_uniform(struct ts_rng *rng)
{
    return (double)(ts_rng_next(rng) >> 11) * 0x1p-53;
}

double ts_rng_range(struct ts_rng *rng, double low, double high)
{
    return low + (high - low) * ts_rng_uniform(rng);
}

uint32_t ts_rng_below(struct ts_rng *rng, uint32_t n)
{
    const uint64_t span = ((uint64_t)1 << 32) / n * n;
    uint64_t draw;
    do {
        draw = ts_rng_next(rng) >> 32;
    } while (draw >= span);
    return (uint32_t)(draw % n);
}

double ts_rng_normal(struct ts_rng *rng)
{
    double u, v, s;
    do {
        u = 2 * ts_rng_uniform(rng) - 1;
        v = 2 * ts_rng_uniform(rng) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * log(s) / s);
}
