/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/link.h"

#include "board/board.h"
#include "core/app.h"
#include "core/tap.h"

#include <string.h>

#ifndef FW_BUILD
#define FW_BUILD "dev"
#endif

/* Commands remembered, so that a repeated one is acknowledged again and not done again. */
#define REMEMBERED 8u
/* Bytes that one poll takes, so that a chattering host cannot starve the tap. */
#define BYTES_A_POLL 64u
/* Samples leave this room in the transmit buffer, so that they never push out an event. */
#define EVENT_ROOM 96u

struct done {
    uint8_t seq, code;
};

static struct wire_decoder decoder;
static struct wire_packet packet; /* one at a time is read, answered or built */
static uint8_t frame[WIRE_FRAME_MAX];
static uint8_t next_seq;
static uint16_t dropped;
static uint32_t heard_ticks, opened_ticks;
static struct done done[REMEMBERED];
static uint8_t done_count, done_next;
static struct wire_pong pong;
static bool pong_waits;

static void forget_commands(void)
{
    done_count = 0;
    done_next = 0;
    next_seq = 0;
    pong_waits = false;
}

void fw_link_init(void)
{
    memset(&decoder, 0, sizeof decoder);
    forget_commands();
    dropped = 0;
    heard_ticks = board_now();
}

bool fw_link_busy(void)
{
    return pong_waits;
}

uint32_t fw_link_heard(void)
{
    return heard_ticks;
}

static void send(uint8_t reserve)
{
    packet.seq = next_seq++;
    const uint8_t size = (uint8_t)wire_encode(&packet, frame);
    if (board_tx_room() >= size + reserve)
        board_tx(frame, size);
    else if (dropped < UINT16_MAX)
        dropped++;
}

void fw_link_send_state(enum wire_tap_state state, uint32_t ticks)
{
    wire_put_state(&packet, &(struct wire_state){.state = (uint8_t)state, .ticks = ticks});
    send(0);
}

void fw_link_send_edge(enum wire_edge_kind kind, uint8_t state, uint32_t ticks)
{
    wire_put_edge(&packet,
                  &(struct wire_edge){.kind = (uint8_t)kind, .state = state, .ticks = ticks});
    send(0);
}

void fw_link_send_fault(enum wire_fault_code code, uint32_t ticks)
{
    wire_put_fault(&packet, &(struct wire_fault){.code = (uint8_t)code, .ticks = ticks});
    send(0);
}

void fw_link_send_samples(const struct wire_samples *samples)
{
    wire_put_samples(&packet, samples);
    send(EVENT_ROOM);
}

void fw_link_send_noise(const struct wire_noise *noise)
{
    wire_put_noise(&packet, noise);
    send(EVENT_ROOM);
}

void fw_link_send_power(const struct wire_power *power)
{
    wire_put_power(&packet, power);
    send(EVENT_ROOM + WIRE_FRAME_MAX);
}

bool fw_link_has_room(void)
{
    return board_tx_room() >= WIRE_FRAME_MAX + EVENT_ROOM;
}

void fw_link_send_hello(void)
{
    const struct wire_hello hello = {.version = WIRE_VERSION,
                                     .board = board_kind(),
                                     .boot_id = board_boot_id(),
                                     .tick_hz = WIRE_TICK_HZ,
                                     .build = FW_BUILD};
    wire_put_hello(&packet, &hello);
    send(0);
    if (fw_fault() != WIRE_FAULT_NONE)
        fw_link_send_fault(fw_fault(), board_now());
}

static void send_status(void)
{
    const uint32_t errors = (uint32_t)decoder.errors + board_rx_errors();
    const struct wire_status status = {.state = (uint8_t)fw_tap_state(),
                                       .fault = (uint8_t)fw_fault(),
                                       .reset_cause = board_reset_cause(),
                                       .latched = fw_fault() != WIRE_FAULT_NONE,
                                       .rx_errors =
                                           (uint16_t)(errors < UINT16_MAX ? errors : UINT16_MAX),
                                       .tx_dropped = dropped,
                                       .samples_missed = board_samples_missed(),
                                       .now_ticks = board_now()};
    wire_put_status(&packet, &status);
    send(0);
}

static void acknowledge(uint8_t seq, uint8_t code)
{
    wire_put_ack(&packet, &(struct wire_ack){.seq = seq, .code = code});
    send(0);
}

static void obey(void)
{
    for (uint8_t i = 0; i < done_count; i++) {
        if (done[i].seq == packet.seq) {
            acknowledge(done[i].seq, done[i].code);
            return;
        }
    }
    /* The command may send, and then the packet is no longer it. */
    const uint8_t seq = packet.seq;
    const struct done now = {.seq = seq, .code = (uint8_t)fw_command(&packet, board_now())};
    done[done_next] = now;
    done_next = (done_next + 1) % REMEMBERED;
    if (done_count < REMEMBERED)
        done_count++;
    acknowledge(now.seq, now.code);
}

static void take_packet(void)
{
    heard_ticks = board_now();
    switch (packet.type) {
    case WIRE_HELLO:
        forget_commands();
        fw_link_send_hello();
        break;
    case WIRE_PING:
        if (packet.size != 2)
            break;
        pong.nonce = (uint16_t)(packet.body[0] | (uint16_t)packet.body[1] << 8);
        pong.rx_ticks = opened_ticks;
        pong_waits = true;
        break;
    case WIRE_STATUS:
        send_status();
        break;
    default:
        obey();
        break;
    }
}

/* The opening zero leaves at the instant that the packet states; the rest of the frame is built
 * while it is on the wire. Stamping before the frame is built would be some 30 us early. */
static void send_pong(void)
{
    if (!pong_waits || !board_tx_idle())
        return;
    pong_waits = false;
    pong.tx_ticks = board_tx_zero();
    wire_put_pong(&packet, &pong);
    packet.seq = next_seq++;
    const uint8_t size = (uint8_t)wire_encode(&packet, frame);
    board_tx(frame + 1, (uint8_t)(size - 1));
}

void fw_link_poll(void)
{
    uint8_t byte;
    for (uint8_t i = 0; i < BYTES_A_POLL && board_rx(&byte, &opened_ticks); i++)
        if (wire_decode(&decoder, byte, &packet))
            take_packet();
    send_pong();
}
