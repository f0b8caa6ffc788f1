/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/link.h"

/* USB bridges flush within 16 ms; readings come every 50 to 54 ms, so that a stall of 100 ms holds
 * one of them back by at least this. */
#define LATE_NS (40 * TS_NS_PER_MS)
/* A stall of 100 ms lets nothing through for as long; some ms are left for the stamps. */
#define STALL_NS (95 * TS_NS_PER_MS)

/* While the screen is watched the MCU is asked for its clock every 50 ms, and tells of the sync
 * LEDs as often: nothing from it for so long at the end of the watch, and what it stamped then is
 * missing. Either of them shows that it is there: a computer with too much to do asks rarely. */
#define SILENT_NS TS_NS_PER_S

/* The first time that anything came from the board after at_ns; INT64_MAX: nothing more. */
static int64_t next_arrival(const struct ts_evidence *evidence, int64_t at_ns)
{
    int64_t next_ns = INT64_MAX;
    for (size_t i = 0; i < evidence->clock_count; i++) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain == TS_CLOCK_MCU && clock->t4.ns > at_ns && clock->t4.ns < next_ns)
            next_ns = clock->t4.ns;
    }
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const int64_t arrival_ns = evidence->mcu[i].arrival.ns;
        if (arrival_ns > at_ns && arrival_ns < next_ns)
            next_ns = arrival_ns;
    }
    return next_ns;
}

/* Was there a silence as long as a stall that held this reading back? It may have begun before the
 * question was asked. */
static bool was_silent(const struct ts_evidence *evidence, const struct ts_item_clock *late)
{
    int64_t at_ns = ts_ns_after(late->t1.ns, -STALL_NS);
    bool silent = false;
    while (at_ns < late->t4.ns && !silent) {
        const int64_t before_ns = at_ns;
        at_ns = next_arrival(evidence, at_ns);
        silent = ts_ns_between(at_ns < late->t4.ns ? at_ns : late->t4.ns, before_ns) >= STALL_NS;
    }
    return silent;
}

bool ts_link_stalled(const struct ts_evidence *evidence)
{
    for (size_t i = 0; i < evidence->clock_count; i++) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain == TS_CLOCK_MCU && ts_ns_between(clock->t4.ns, clock->t1.ns) > LATE_NS &&
            was_silent(evidence, clock))
            return true;
    }
    return false;
}

bool ts_link_fell_silent(const struct ts_evidence *evidence, uint32_t boot_id)
{
    int64_t heard_ns = evidence->intent.tap_sent.ns;
    for (size_t i = 0; i < evidence->clock_count; i++) {
        if (evidence->clocks[i].domain == TS_CLOCK_MCU && evidence->clocks[i].t4.ns > heard_ns)
            heard_ns = evidence->clocks[i].t4.ns;
    }
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        if (evidence->mcu[i].message.boot_id == boot_id && evidence->mcu[i].arrival.ns > heard_ns)
            heard_ns = evidence->mcu[i].arrival.ns;
    }
    return ts_ns_between(evidence->intent.watch_ended.ns, heard_ns) > SILENT_NS;
}
