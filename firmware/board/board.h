/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the firmware asks of a board. Chosen at link time: avr/ (with the pin table of uno/ or
 * mega/), or host/, which is scripted by unit tests. Nothing here waits, except board_wait().
 *
 * Ticks are those of timer 1, 0.5 us, 32 bits. */
#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of board_edge.pins.
 *
 * The photodiodes are stuck on the display where the helper app's scenes have patches that turn
 * from black to white: 0..1 of the display from its own top left corner, 0 across from x 0.44 to
 * 0.56, down from y 0.05 to 0.11; 1 across the same, down from y 0.89 to 0.95. */
#define BOARD_PLATE  1u
#define BOARD_PHOTO0 2u
#define BOARD_PHOTO1 4u

/* MCUSR's watchdog bit, the same on every board. */
#define BOARD_RESET_WATCHDOG 8u

struct board_edge {
    uint32_t ticks; /* stamped in the interrupt */
    uint8_t pins;   /* all inputs after the change; set = plate closed, light seen */
};

void board_init(void);
uint8_t board_kind(void); /* enum wire_board */
uint16_t board_boot_id(void);
uint8_t board_reset_cause(void);
uint32_t board_now(void);

/* The next received byte. *opened_ticks is written when the byte is the first one after a zero:
 * when that zero had been received. */
bool board_rx(uint8_t *byte, uint32_t *opened_ticks);
uint16_t board_rx_errors(void); /* framing errors and overruns */

uint8_t board_tx_room(void);
void board_tx(const uint8_t *bytes, uint8_t size); /* size <= board_tx_room() */
bool board_tx_idle(void);                          /* the last stop bit has left */
/* Only when idle: a zero byte leaves now. Returns the instant of its start bit. */
uint32_t board_tx_zero(void);

void board_sampling(bool on);
bool board_sample(uint32_t *ticks, uint16_t *value);
uint16_t board_samples_missed(void);

bool board_edge(struct board_edge *edge);
/* Reads the clock once more than there are intervals, each time right after the time before,
 * without a loop and with interrupts on. Stores the intervals in ticks, 255 for more than that, and
 * returns the first reading. */
#define BOARD_NOISE_RUN 32u
uint32_t board_noise(uint8_t interval[BOARD_NOISE_RUN]);

/* Registers of 16 bits behind the two-wire bus (I2C), 400 kHz. One transfer at a time; nothing
 * waits for it. A bus that somebody holds down stays busy until board_bus_off(). */
enum board_bus { BOARD_BUS_BUSY, BOARD_BUS_DONE, BOARD_BUS_FAILED };
void board_bus_read(uint8_t address, uint8_t reg);
void board_bus_write(uint8_t address, uint8_t reg, uint16_t value);
/* Of the latest transfer; *value is written when it was a read and is done. */
enum board_bus board_bus_state(uint16_t *value);
void board_bus_off(void);
/* The power meter's alert line has fallen since the last call: when, stamped in the interrupt. */
bool board_alert(uint32_t *ticks);

uint32_t board_leds(uint8_t mask); /* sets the sync LEDs; returns when */
void board_fault_led(bool on);
void board_motor(uint8_t duty); /* 0 = off and braked */

void board_watchdog(void); /* still alive */
/* Sleeps until the next interrupt, unless something to do came in meanwhile. */
void board_wait(void);

#endif
