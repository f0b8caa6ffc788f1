/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this computer does to programs that stamp, and what the MCU does to itself. */
#ifndef TS_CLI_CALIBRATE_NOISE_H
#define TS_CLI_CALIBRATE_NOISE_H

#include "instrument/noise.h"
#include "model/evidence.h"
#include "model/record.h"
#include "probe/probe.h"

/* The processor, as the kernel names it; "" unknown. */
void ts_noise_name_host(char *name, size_t size);

/* Of one core, the worst of all variants of memory; of all cores. */
struct ts_host_noise {
    int cores;
    int worst_core; /* by p999_us */
    double core_p999_us[TS_PROBE_CORES], core_lost[TS_PROBE_CORES];
    int core[TS_PROBE_CORES];
    double memory_p999_us[TS_PROBE_MEMORY_COUNT]; /* worst of all cores */
    double median_us, p999_us, most_us, cut_us, lost;
    double p999_u_us; /* how far runs of the worst core differ: standard uncertainty of the mean */
    int deltas;       /* in all */
};

/* Runs the probe `runs` times on each core with each variant of memory: 0.2 ms each, and about as
 * much to judge them. */
int ts_noise_probe(int runs, struct ts_host_noise *out, struct ts_why *why) TS_MUST_CHECK;

/* evidence: of a part in which the MCU was asked for its own noise; NULL: no rig was there, and the
 * record has nothing of the MCU. Identity and date are the caller's, but for the computer's name.
 */
int ts_noise_record(const struct ts_evidence *evidence, int runs, struct ts_record *record,
                    struct ts_why *why) TS_MUST_CHECK;

#endif
