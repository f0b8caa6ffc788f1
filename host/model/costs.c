/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/costs.h"

#include <math.h>

const char *const ts_meter_names[] = {"energy", "memory", "network", "cpu", NULL};
const char *const ts_supply_names[] = {"measured", "absent", "lost", "over_range", NULL};

void ts_costs_unknown(struct ts_costs *costs)
{
    const struct ts_metric unknown = {NAN, NAN, NAN};
    *costs = (struct ts_costs){.memory_kb = NAN, .network_bytes = NAN, .cpu_ms = NAN};
#define UNKNOWN(name) costs->name = unknown;
    TS_ENERGY_LIST(UNKNOWN)
#undef UNKNOWN
}

void ts_readings_unknown(struct ts_meter_readings *readings)
{
    const struct ts_meter_reading unknown = {NAN, -1, NAN, NAN};
    *readings = (struct ts_meter_readings){unknown, unknown};
}

void ts_costs_take(const struct ts_meter_readings *readings, struct ts_costs *costs)
{
    const struct ts_meter_reading *before = &readings->before, *after = &readings->after;
    costs->memory_kb = after->memory_kb;
    costs->network_bytes = after->network_bytes - before->network_bytes;
    if (costs->network_bytes < 0) /* the counters began anew: the phone was started again */
        costs->network_bytes = NAN;
    if (before->pid >= 0 && after->pid > 0)
        costs->cpu_ms = after->cpu_ms - (before->pid == after->pid ? before->cpu_ms : 0);
}
