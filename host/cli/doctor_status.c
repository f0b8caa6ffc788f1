/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/doctor_findings.h"

#include "bench/bench.h"

#include <string.h>

#define COMMAND    0x73746174u /* far from control's own, which count from 1 */
#define ITEMS_MOST 5000        /* what is still under way comes first */

static bool is_status(const struct ts_item *item, struct wire_status *status)
{
    struct wire_packet packet = {.type = item->u.mcu.type, .size = item->u.mcu.size};
    if (item->kind != TS_ITEM_MCU || packet.type != WIRE_STATUS_IS || packet.size > WIRE_BODY_MAX)
        return false;
    memcpy(packet.body, item->u.mcu.body, packet.size);
    return wire_get_status(&packet, status);
}

/* STATUS is answered, not acknowledged: whoever waits for its DONE waits until the link gives up.
 */
bool ts_doctor_ask_status(struct ts_bench *bench, struct wire_status *status)
{
    const struct ts_command command = {
        .id = COMMAND, .kind = TS_COMMAND_MCU_SEND, .u.mcu = {.type = WIRE_STATUS}};
    struct ts_item item;
    if (ts_bench_submit(bench, &command))
        return false;
    for (int i = 0; i < ITEMS_MOST && ts_bench_next(bench, &item) == TS_OK; i++) {
        if (is_status(&item, status))
            return true;
        if (item.kind == TS_ITEM_DONE && item.u.done.command == COMMAND)
            return false;
    }
    return false;
}
