/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live bench: a rig on this computer's USB ports, behind the seam. */
#ifndef TS_LIVE_BENCH_LIVE_H
#define TS_LIVE_BENCH_LIVE_H

#include "bench/bench.h"

/* Options: "mcu=SPEC,camera=SPEC,phone=SPEC", specs as in serial.h, camera.h and phone.h of
 * bench/live; camera and phone may be "none". What is not said: auto, ps3eye, auto. */
extern const struct ts_bench_driver ts_bench_live;

/* Installs a package on the phone of such a bench (see phone.h), which need not be open; `phone` as
 * in struct ts_bench_config.
 * TS_ENOTSUP: phone=none. */
int ts_bench_live_install(const char *options, const char *phone, const char *path,
                          struct ts_why *why) TS_MUST_CHECK;

#endif
