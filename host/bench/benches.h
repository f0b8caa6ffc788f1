/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benches this program was linked with. */
#ifndef TS_BENCH_BENCHES_H
#define TS_BENCH_BENCHES_H

#include "bench/bench.h"

extern const struct ts_bench_driver ts_bench_sim; /* defined by fixtures/bench */

#endif
