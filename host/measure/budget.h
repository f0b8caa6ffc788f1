/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the terms of a budget to what is stated. Terms are independent: each names an input of its
 * own, and what two inputs share is a term by itself. In particular latency and offset of the
 * camera, which both come from the sync LEDs and would be correlated, never stand side by side:
 * where the LEDs tie the frames, their place on the MCU's clock is one term and the latency is in
 * no duration; where they do not, the latency's uncertainty holds that of the offset. */
#ifndef TS_MEASURE_BUDGET_H
#define TS_MEASURE_BUDGET_H

#include "model/budget.h"

/* Half of the interval about the value that holds the duration with this probability (0..1), ms.
 * Computed from the distribution of the sum itself, not from u times a factor: a sum that one
 * uniform term rules is shorter than a normal one (JCGM 101:2008, 7.7). Within 0.3 % of it; fewer
 * than two degrees of freedom are taken for two. All terms are symmetric, so
 * that P(|sum| <= h) = 2 / pi * integral of sin(h t) / t * product of the terms' characteristic
 * functions over t from 0 to infinity (J. Gil-Pelaez, "Note on the inversion theorem", Biometrika
 * 38 (1951) 481-482). */
double ts_budget_half_ms(const struct ts_budget *budget, double probability);

#endif
