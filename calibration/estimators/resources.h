/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimators that paper E tried and gave up (section IV): the end of a launch from memory or
 * processor load alone. They are kept to show how far off they are, and nobody should use them. */
#ifndef TS_ESTIMATORS_RESOURCES_H
#define TS_ESTIMATORS_RESOURCES_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* One reading of the phone, ms after the tap; times rise. */
struct ts_resource_sample {
    double at_ms;
    double available_kb; /* MemAvailable; NAN */
    double load;         /* 0..1: busy share since the reading before, times frequency over the
                            highest frequency; NAN */
};

/* The first reading from which on all stay within `tolerance` (a share) of the last one's memory.
 * NAN: fewer than 2 readings, or only the last one itself. */
double ts_ram_stable_ms(const struct ts_resource_sample *samples, size_t count, double tolerance);

/* The first reading after the load's peak from which on it is below `threshold`. NAN: readings
 * come less often than 20 times a second on average, which the paper found to be the least, or the
 * load never falls. */
double ts_cpu_idle_ms(const struct ts_resource_sample *samples, size_t count, double threshold);

/* What a phone answers to android/polling.h's command. */
struct ts_resource_reading {
    double busy, total;  /* ticks since it began: "cpu  user nice system idle iowait ..." */
    double available_kb; /* MemAvailable; NAN */
    double frequency, frequency_most; /* summed over the processors; NAN: they cannot be read */
};
/* TS_EPROTO: there is no such line of ticks in it, and no memory. */
int ts_resource_read(const char *text, struct ts_resource_reading *out) TS_MUST_CHECK;
/* load = busy / total * frequency / highest, of what came between; without the frequencies where
 * they are not known. NAN when no tick has passed. */
double ts_resource_load(const struct ts_resource_reading *before,
                        const struct ts_resource_reading *now);

#endif
