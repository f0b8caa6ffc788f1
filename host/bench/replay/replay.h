/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded session as a bench: its items come up again one by one, the calibration's first, then
 * those of the launches in order. Commands go nowhere; each is held against the journal's next one,
 * so that a control that decides otherwise than it did is found at its first different command. */
#ifndef TS_BENCH_REPLAY_REPLAY_H
#define TS_BENCH_REPLAY_REPLAY_H

#include "bench/bench.h"

/* Opens config->session_path. Once a command differs, next() gives TS_EPROTO for ever; after the
 * last finished launch it gives TS_EOF, whatever is submitted then. */
extern const struct ts_bench_driver ts_bench_replay;

/* Which command differs and where, or what is wrong with the recording; NULL while all is well.
 * Borrowed from the bench. */
const char *ts_bench_replay_difference(const struct ts_bench *bench);

#endif
