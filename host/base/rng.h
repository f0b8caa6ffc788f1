/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeded random numbers: xoshiro256** (Blackman and Vigna) seeded by splitmix64. The same seed
 * gives the same sequence on every machine; nothing here reads a clock or the system's entropy. */
#ifndef TS_BASE_RNG_H
#define TS_BASE_RNG_H

#include <stdint.h>

struct ts_rng {
    uint64_t s[4];
};

/* Streams of one seed are independent: give every use its own stream number. */
void ts_rng_seed(struct ts_rng *rng, uint64_t seed, uint64_t stream);
uint64_t ts_rng_next(struct ts_rng *rng);
/* [0, 1) */
double ts_rng_uniform(struct ts_rng *rng);
/* [low, high) */
double ts_rng_range(struct ts_rng *rng, double low, double high);
/* 0 .. n-1, unbiased; n > 0 */
uint32_t ts_rng_below(struct ts_rng *rng, uint32_t n);
/* Standard normal (polar method). */
double ts_rng_normal(struct ts_rng *rng);

#endif
