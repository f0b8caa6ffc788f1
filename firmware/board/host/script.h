/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board made of variables: unit tests set its inputs and look at its outputs. */
#ifndef BOARD_HOST_SCRIPT_H
#define BOARD_HOST_SCRIPT_H

#include "board/board.h"

#include <stddef.h>

#define SCRIPT_QUEUE 4096

struct script {
    uint32_t now;
    uint8_t reset_cause;
    /* in */
    uint8_t rx[SCRIPT_QUEUE];
    uint32_t rx_opened;
    size_t rx_in, rx_out;
    uint32_t sample_ticks[SCRIPT_QUEUE];
    uint16_t sample[SCRIPT_QUEUE];
    size_t sample_in, sample_out;
    struct board_edge edges[64];
    size_t edge_in, edge_out;
    /* the two-wire bus: registers of the one part that answers, at part_address; 0: none does */
    uint8_t part_address;
    uint16_t registers[256];
    bool bus_hangs; /* transfers stay busy */
    bool alert;
    uint32_t alert_ticks;
    /* out */
    uint8_t tx[65536];
    size_t tx_size;
    bool tx_busy; /* the transmitter is not idle */
    uint8_t tx_room;
    uint8_t motor, leds;
    unsigned motor_starts;
    bool sampling, fault_led;
    unsigned watchdog;
    unsigned bus_offs, bus_reads, bus_writes;
    enum board_bus bus;
    uint16_t bus_value;
    bool bus_reading;
    /* both ways */
    uint8_t interval; /* the first of the next noise run; goes up by one from each to the next */
};

extern struct script script;

void script_reset(void);

#endif
