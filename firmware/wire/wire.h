/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes between MCU and host; the only code that both sides compile. PROTOCOL.md is the
 * description for people, with a worked hex dump.
 *
 * A packet is  type(1) seq(1) body(0..WIRE_BODY_MAX) crc(2, little endian), COBS-encoded, between
 * zero bytes. The CRC is CRC-16/CCITT-FALSE over type, seq and body. All numbers little endian. */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_VERSION             1
#define WIRE_BAUD                500000UL
#define WIRE_TICK_HZ             2000000UL
#define WIRE_SAMPLE_TICKS        500u /* 4 kHz */
#define WIRE_SAMPLES_PER_BLOCK   20u
#define WIRE_INTERVALS_PER_BLOCK 32u
#define WIRE_POWERS_PER_BLOCK    7u
#define WIRE_BODY_MAX            48u
#define WIRE_PACKET_MAX          (2u + WIRE_BODY_MAX + 2u)
/* COBS adds one byte to at most 254, and a zero stands at each end. */
#define WIRE_FRAME_MAX (WIRE_PACKET_MAX + 3u)

enum wire_type {
    /* host -> MCU. All but HELLO, PING and STATUS are sequenced: acknowledged, and a repeated seq
     * is acknowledged again without being done again. */
    WIRE_HELLO = 0x01,  /* ask who is there; resets the sequence numbers of the link */
    WIRE_PING = 0x02,   /* nonce u16 -> PONG */
    WIRE_STATUS = 0x03, /* -> STATUS_IS */
    WIRE_HOME = 0x04,   /* turn until the stylus is picked up: state HELD */
    WIRE_TAP = 0x05,    /* duty u8, raise_ms u8: HELD -> drop -> contact -> lift -> HELD */
    WIRE_LED = 0x06,    /* mask u8: set the sync LEDs, bit 0 first row, bit 1 last row */
    WIRE_SYNC = 0x07,   /* edges u16, min_ms u8, span_ms u8, seed u16: toggle the LEDs (each edge
                           toggles one of the two, chosen at random) at pseudo-random times */
    WIRE_STREAM = 0x08, /* on u8: stream samples regardless of a tap */
    WIRE_STOP = 0x09,   /* motor off at once, state IDLE */
    WIRE_CLEAR = 0x0a,  /* clear a latched fault */
    WIRE_NOISE = 0x0b,  /* intervals u16: IDLE or HELD -> NOISE_IS until that many are sent */
    WIRE_POWER = 0x0c,  /* on u8: -> POWER_IS until it is off */

    /* MCU -> host. seq counts all of these together, so that a gap shows a lost packet. */
    WIRE_HELLO_IS = 0x81,  /* struct wire_hello */
    WIRE_PONG = 0x82,      /* struct wire_pong */
    WIRE_STATUS_IS = 0x83, /* struct wire_status */
    WIRE_ACK = 0x84,       /* struct wire_ack */
    WIRE_EDGE = 0x85,      /* struct wire_edge */
    WIRE_STATE = 0x86,     /* struct wire_state */
    WIRE_SAMPLES = 0x87,   /* struct wire_samples */
    WIRE_FAULT = 0x88,     /* struct wire_fault */
    WIRE_NOISE_IS = 0x89,  /* struct wire_noise */
    WIRE_POWER_IS = 0x8a,  /* struct wire_power */
};

enum wire_ack_code { WIRE_DONE = 0, WIRE_BAD_STATE = 1, WIRE_BAD_ARGUMENT = 2, WIRE_LATCHED = 3 };

enum wire_board { WIRE_BOARD_HOST = 0, WIRE_BOARD_UNO = 1, WIRE_BOARD_MEGA = 2 };

enum wire_tap_state {
    WIRE_IDLE = 0,     /* motor off, stylus anywhere */
    WIRE_HELD = 1,     /* motor off, stylus held above the glass */
    WIRE_DROPPING = 2, /* motor on, waiting for free fall and contact */
    WIRE_CONTACT = 3,  /* first contact seen */
    WIRE_RESTING = 4,  /* bounces over, the tip rests on the glass */
    WIRE_LIFTING = 5,  /* pick-up seen, raising for raise_ms */
    WIRE_HOMING = 6,
};

enum wire_edge_kind {
    WIRE_EDGE_LED = 0,   /* state = LED mask after the edge */
    WIRE_EDGE_PLATE = 1, /* state 1 = plate circuit closed (contact), 0 = open */
    WIRE_EDGE_PHOTO0 = 2,
    WIRE_EDGE_PHOTO1 = 3,
};

enum wire_fault_code {
    WIRE_FAULT_NONE = 0,
    WIRE_FAULT_STALL = 1,     /* a state outlived its time limit */
    WIRE_FAULT_MOTOR_CAP = 2, /* motor on for too long */
    WIRE_FAULT_HOST_LOST = 3, /* host silent for 500 ms during a tap */
    WIRE_FAULT_WATCHDOG = 4,  /* the watchdog reset the board */
};

struct wire_packet {
    uint8_t type, seq, size; /* size of body */
    uint8_t body[WIRE_BODY_MAX];
};

struct wire_hello {
    uint8_t version, board;
    uint16_t boot_id;
    uint32_t tick_hz;
    char build[12]; /* NUL-padded */
};
struct wire_pong {
    uint16_t nonce;
    uint32_t rx_ticks; /* the PING's opening zero byte had been received */
    uint32_t tx_ticks; /* the start bit of this packet's opening zero byte left */
};
struct wire_status {
    uint8_t state, fault, reset_cause, latched;
    uint16_t rx_errors, tx_dropped, samples_missed;
    uint32_t now_ticks;
};
struct wire_ack {
    uint8_t seq, code;
};
struct wire_edge {
    uint8_t kind, state;
    uint32_t ticks;
};
struct wire_state {
    uint8_t state;
    uint32_t ticks;
};
struct wire_samples {
    uint32_t ticks; /* when sample 0 was converted (sample-and-hold); the next ones follow
                       every WIRE_SAMPLE_TICKS */
    uint8_t count;  /* <= WIRE_SAMPLES_PER_BLOCK; values packed as u16 */
    uint16_t value[WIRE_SAMPLES_PER_BLOCK];
};
struct wire_fault {
    uint8_t code;
    uint32_t ticks;
};

struct wire_noise {
    uint32_t ticks; /* of the first of count + 1 timer readings, one right after the other */
    uint8_t count;  /* <= WIRE_INTERVALS_PER_BLOCK */
    uint8_t interval[WIRE_INTERVALS_PER_BLOCK]; /* ticks between them; 255 = that or more */
};

/* What the INA226 in the phone's supply line converted: pairs of shunt and bus voltage, one pair
 * after the other. A pair is ready at its stamp, which an interrupt on the part's alert line took;
 * its shunt voltage is the mean of WIRE_POWER_SHUNT_US that ended WIRE_POWER_BUS_US before, its bus
 * voltage that of the time between. Both times are the part's own, good to 10 %: what counts is the
 * distance of two stamps. A block without pairs: since `ticks` no such part answers. */
#define WIRE_POWER_SHUNT_US 1100u
#define WIRE_POWER_BUS_US   140u
struct wire_power {
    uint32_t ticks;                        /* when pair 0 was ready */
    uint8_t count;                         /* <= WIRE_POWERS_PER_BLOCK */
    uint16_t after[WIRE_POWERS_PER_BLOCK]; /* ticks since the pair before; the first one's: 0 */
    int16_t shunt[WIRE_POWERS_PER_BLOCK];  /* 2.5 uV; at either end of the range it may be more */
    uint16_t bus[WIRE_POWERS_PER_BLOCK];   /* 1.25 mV */
};

uint16_t wire_crc(const uint8_t *data, size_t size);

/* Writes zero, COBS(packet), zero. out has room for WIRE_FRAME_MAX; returns the bytes written. */
size_t wire_encode(const struct wire_packet *packet, uint8_t *out);

/* Takes one byte at a time; true when *packet holds a whole, correct packet. Wrong ones are
 * counted in errors and skipped; the next zero byte resynchronises. */
struct wire_decoder {
    uint8_t raw[WIRE_PACKET_MAX + 1];
    uint8_t used;
    bool skipping;
    uint16_t errors;
};
bool wire_decode(struct wire_decoder *decoder, uint8_t byte, struct wire_packet *packet);

/* Bodies <-> structs. Readers return false when the body does not have the right size. */
void wire_put_hello(struct wire_packet *packet, const struct wire_hello *hello);
bool wire_get_hello(const struct wire_packet *packet, struct wire_hello *hello);
void wire_put_pong(struct wire_packet *packet, const struct wire_pong *pong);
bool wire_get_pong(const struct wire_packet *packet, struct wire_pong *pong);
void wire_put_status(struct wire_packet *packet, const struct wire_status *status);
bool wire_get_status(const struct wire_packet *packet, struct wire_status *status);
void wire_put_ack(struct wire_packet *packet, const struct wire_ack *ack);
bool wire_get_ack(const struct wire_packet *packet, struct wire_ack *ack);
void wire_put_edge(struct wire_packet *packet, const struct wire_edge *edge);
bool wire_get_edge(const struct wire_packet *packet, struct wire_edge *edge);
void wire_put_state(struct wire_packet *packet, const struct wire_state *state);
bool wire_get_state(const struct wire_packet *packet, struct wire_state *state);
void wire_put_samples(struct wire_packet *packet, const struct wire_samples *samples);
bool wire_get_samples(const struct wire_packet *packet, struct wire_samples *samples);
void wire_put_fault(struct wire_packet *packet, const struct wire_fault *fault);
bool wire_get_fault(const struct wire_packet *packet, struct wire_fault *fault);
void wire_put_noise(struct wire_packet *packet, const struct wire_noise *noise);
bool wire_get_noise(const struct wire_packet *packet, struct wire_noise *noise);
void wire_put_power(struct wire_packet *packet, const struct wire_power *power);
bool wire_get_power(const struct wire_packet *packet, struct wire_power *power);

#endif
