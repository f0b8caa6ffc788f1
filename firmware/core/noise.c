/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/noise.h"

#include "board/board.h"
#include "core/link.h"
#include "core/tap.h"

_Static_assert(BOARD_NOISE_RUN == WIRE_INTERVALS_PER_BLOCK, "a run is a packet");

static uint16_t left;

void fw_noise_init(void)
{
    left = 0;
}

enum wire_ack_code fw_noise_start(uint16_t intervals)
{
    if (!fw_tap_at_rest())
        return WIRE_BAD_STATE;
    left = intervals;
    return WIRE_DONE;
}

/* A clock reading that waits for the transmitter goes first, and so do events. */
void fw_noise_poll(void)
{
    if (left == 0 || fw_link_busy() || !fw_link_has_room())
        return;
    if (!fw_tap_at_rest()) {
        left = 0;
        return;
    }
    struct wire_noise run;
    run.ticks = board_noise(run.interval);
    run.count = left < BOARD_NOISE_RUN ? (uint8_t)left : BOARD_NOISE_RUN;
    left -= run.count;
    fw_link_send_noise(&run);
}
