/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/app.h"

#include "board/board.h"
#include "core/edges.h"
#include "core/link.h"
#include "core/noise.h"
#include "core/power.h"
#include "core/stream.h"
#include "core/tap.h"

#define HOST_SILENT (500 * FW_MS)
/* A blink of the fault LED; a group of blinks gives the code, a round is 16 of these. */
#define BLINK_SHIFT 18

static enum wire_fault_code fault;

void fw_init(void)
{
    fault = WIRE_FAULT_NONE;
    fw_link_init();
    fw_edges_init();
    fw_stream_init();
    fw_noise_init();
    fw_power_init();
    fw_tap_init(board_now());
    if (board_reset_cause() & BOARD_RESET_WATCHDOG)
        fw_latch(WIRE_FAULT_WATCHDOG, board_now());
    fw_link_send_hello(); /* unasked, so that the host learns of a reset at once */
}

enum wire_fault_code fw_fault(void)
{
    return fault;
}

void fw_latch(enum wire_fault_code code, uint32_t now)
{
    board_motor(0);
    if (fault != WIRE_FAULT_NONE)
        return;
    fault = code;
    fw_edges_stop();
    fw_link_send_fault(code, now);
}

static enum wire_ack_code sync_leds(const struct wire_packet *command, uint32_t now)
{
    const uint8_t *body = command->body;
    if (command->size != 6)
        return WIRE_BAD_ARGUMENT;
    const struct fw_sync sync = {.edges = (uint16_t)(body[0] | (uint16_t)body[1] << 8),
                                 .min_ms = body[2],
                                 .span_ms = body[3],
                                 .seed = (uint16_t)(body[4] | (uint16_t)body[5] << 8)};
    return fw_edges_sync(&sync, now) ? WIRE_DONE : WIRE_BAD_ARGUMENT;
}

static enum wire_ack_code act(const struct wire_packet *command, uint32_t now)
{
    const uint8_t size = command->size;
    switch (command->type) {
    case WIRE_HOME:
        return size == 0 ? fw_tap_home(now) : WIRE_BAD_ARGUMENT;
    case WIRE_TAP:
        return size == 2 ? fw_tap_start(command->body[0], command->body[1], now)
                         : WIRE_BAD_ARGUMENT;
    case WIRE_LED:
        if (size != 1 || command->body[0] > 3)
            return WIRE_BAD_ARGUMENT;
        fw_edges_stop();
        fw_edges_leds(command->body[0]);
        return WIRE_DONE;
    case WIRE_SYNC:
        return sync_leds(command, now);
    case WIRE_STREAM:
        if (size != 1 || command->body[0] > 1)
            return WIRE_BAD_ARGUMENT;
        fw_stream_always(command->body[0] == 1);
        return WIRE_DONE;
    case WIRE_NOISE:
        return size == 2
                   ? fw_noise_start((uint16_t)(command->body[0] | (uint16_t)command->body[1] << 8))
                   : WIRE_BAD_ARGUMENT;
    case WIRE_POWER:
        if (size != 1 || command->body[0] > 1)
            return WIRE_BAD_ARGUMENT;
        fw_power_stream(command->body[0] == 1, now);
        return WIRE_DONE;
    case WIRE_STOP:
        if (size != 0)
            return WIRE_BAD_ARGUMENT;
        fw_tap_stop(now);
        return WIRE_DONE;
    default:
        return WIRE_BAD_ARGUMENT;
    }
}

enum wire_ack_code fw_command(const struct wire_packet *command, uint32_t now)
{
    if (command->type == WIRE_CLEAR) {
        fault = WIRE_FAULT_NONE;
        return WIRE_DONE;
    }
    return fault == WIRE_FAULT_NONE ? act(command, now) : WIRE_LATCHED;
}

static void show_fault(uint32_t now)
{
    const uint8_t phase = (uint8_t)(now >> BLINK_SHIFT) & 15;
    board_fault_led(!(phase & 1) && phase / 2 < (uint8_t)fault);
}

bool fw_poll(void)
{
    board_watchdog();
    fw_link_poll();
    fw_edges_poll(board_now());
    fw_stream_poll();
    const uint32_t now = board_now();
    fw_tap_poll(now, now - fw_link_heard() > HOST_SILENT);
    fw_noise_poll();
    fw_power_poll(now);
    show_fault(now);
    return fw_link_busy();
}
