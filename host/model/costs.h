/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a launch costs beside time, where the plan asks for it: energy from the supply line, and
 * what the phone says of memory, network and processor before and after. */
#ifndef TS_MODEL_COSTS_H
#define TS_MODEL_COSTS_H

#include "model/metric.h"

#include <stddef.h>

enum ts_meter { TS_METER_ENERGY = 1, TS_METER_MEMORY = 2, TS_METER_NETWORK = 4, TS_METER_CPU = 8 };
#define TS_METER_COUNT 4
/* Of bit i: "energy", "memory", "network", "cpu"; NULL ends the row. */
extern const char *const ts_meter_names[];

/* What was read on the phone outside of the measured window. */
struct ts_meter_reading {
    double cpu_ms; /* of the app's process since it began; NAN: not known, or there is none */
    int pid;       /* of that process; 0: there is none; -1 unknown */
    double network_bytes; /* sent and received by the app's user id since long ago; NAN unknown */
    double memory_kb;     /* the app's proportional set size; NAN unknown */
};
struct ts_meter_readings {
    struct ts_meter_reading before, after;
};

/* What the supply line's meter made of the launch. */
enum ts_supply {
    TS_SUPPLY_MEASURED,
    TS_SUPPLY_ABSENT,     /* nothing was heard of it */
    TS_SUPPLY_LOST,       /* it said nothing for a part of the launch */
    TS_SUPPLY_OVER_RANGE, /* more current than it can tell, or no voltage */
};
extern const char *const ts_supply_names[]; /* NULL ends the row */

/* A 95 % interval is so many standard uncertainties: most of it is one uniform term, the shunt's
 * tolerance, for which 1.65 would do. */
#define TS_ENERGY_K 1.96

/* Of the phone's supply, from lift to settled, and to first change. Their units are in the names:
 * millijoule, millicoulomb, milliampere. */
#define TS_ENERGY_LIST(X) X(energy_mj) X(energy_first_change_mj) X(charge_mc) X(mean_current_ma)

struct ts_costs {
    unsigned asked; /* bits of enum ts_meter; what is not asked is unknown below */
    enum ts_supply supply;
#define TS_ENERGY_MEMBER(name) struct ts_metric name;
    TS_ENERGY_LIST(TS_ENERGY_MEMBER)
#undef TS_ENERGY_MEMBER
    /* NAN unknown */
    double memory_kb;     /* after the launch */
    double network_bytes; /* from the reading before to the one after */
    double cpu_ms;        /* the same; of the process after, if it is another */
};

/* Nothing asked, nothing known. */
void ts_costs_unknown(struct ts_costs *costs);
/* The phone's part of the costs from what was read. */
void ts_costs_take(const struct ts_meter_readings *readings, struct ts_costs *costs);
void ts_readings_unknown(struct ts_meter_readings *readings);

#endif
