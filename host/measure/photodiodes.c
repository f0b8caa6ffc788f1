/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/parts.h"

#include "wire/wire.h"

#include <string.h>

/* The first time that its spot became light after the lift. The touch itself cannot: a scene waits
 * for some frames before it begins. */
static double lit_ms(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     double lift_ms, uint8_t kind)
{
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const struct ts_item_mcu *message = &evidence->mcu[i].message;
        struct wire_packet packet = {.type = message->type};
        struct wire_edge edge;
        if (message->type != WIRE_EDGE || message->size > WIRE_BODY_MAX ||
            message->boot_id != timeline->boot_id)
            continue;
        packet.size = message->size;
        memcpy(packet.body, message->body, message->size);
        if (!wire_get_edge(&packet, &edge) || edge.kind != kind || !edge.state)
            continue;
        const double ticks = (double)ts_ticks_unwrap(edge.ticks, timeline->base_ticks);
        const double ms = ts_timeline_host_ns(timeline, ticks) / (double)TS_NS_PER_MS - lift_ms;
        if (ms > 0)
            return ms;
    }
    return NAN;
}

void ts_measure_photodiodes(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                            const struct ts_begin_times *times, struct ts_result *result)
{
    if (!timeline->mcu_known || isnan(times->lift_ms))
        return;
    result->photodiode_ms[0] = lit_ms(evidence, timeline, times->lift_ms, WIRE_EDGE_PHOTO0);
    result->photodiode_ms[1] = lit_ms(evidence, timeline, times->lift_ms, WIRE_EDGE_PHOTO1);
}
