/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two-wire bus, a step in each interrupt, and the power meter's alert line. */
#include "board/avr/avr.h"
#include "board/board.h"

#include "pins.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>
#include <util/twi.h>

#define BUS_HZ 400000UL

#define GO    (_BV(TWINT) | _BV(TWEN) | _BV(TWIE))
#define START (GO | _BV(TWSTA))
/* No interrupt follows a stop. */
#define STOP (_BV(TWINT) | _BV(TWEN) | _BV(TWSTO))

static uint8_t address, reg;
static bool reading;
static volatile uint8_t left; /* of the two bytes that a write still has to send */
static volatile uint16_t transferred;
static volatile uint8_t state = BOARD_BUS_FAILED;
static volatile bool alerted;
static volatile uint16_t alert_low;

static void end(uint8_t as)
{
    TWCR = STOP;
    state = as;
    board_stirred = true;
}

static void sent(void)
{
    if (reading) {
        TWCR = START;
    } else if (left == 0) {
        end(BOARD_BUS_DONE);
    } else {
        TWDR = --left ? (uint8_t)(transferred >> 8) : (uint8_t)transferred;
        TWCR = GO;
    }
}

ISR(TWI_vect)
{
    switch (TW_STATUS) {
    case TW_START:
        TWDR = (uint8_t)(address << 1 | TW_WRITE);
        TWCR = GO;
        break;
    case TW_REP_START:
        TWDR = (uint8_t)(address << 1 | TW_READ);
        TWCR = GO;
        break;
    case TW_MT_SLA_ACK:
        TWDR = reg;
        TWCR = GO;
        break;
    case TW_MT_DATA_ACK:
        sent();
        break;
    case TW_MR_SLA_ACK:
        TWCR = GO | _BV(TWEA); /* the upper byte is acknowledged, the lower one is the last */
        break;
    case TW_MR_DATA_ACK:
        transferred = (uint16_t)(TWDR << 8);
        TWCR = GO;
        break;
    case TW_MR_DATA_NACK:
        transferred |= TWDR;
        end(BOARD_BUS_DONE);
        break;
    default:
        end(BOARD_BUS_FAILED);
        break;
    }
}

static void begin(uint8_t at, uint8_t of, bool read)
{
    address = at;
    reg = of;
    reading = read;
    left = 2;
    state = BOARD_BUS_BUSY;
    TWBR = (F_CPU / BUS_HZ - 16) / 2;
    TWCR = START;
}

void board_bus_read(uint8_t at, uint8_t of)
{
    begin(at, of, true);
}

void board_bus_write(uint8_t at, uint8_t of, uint16_t value)
{
    transferred = value;
    begin(at, of, false);
}

enum board_bus board_bus_state(uint16_t *value)
{
    if (TWCR & _BV(TWSTO)) /* the stop is still on the wire */
        return BOARD_BUS_BUSY;
    const enum board_bus now = (enum board_bus)state;
    if (now == BOARD_BUS_DONE && reading)
        *value = transferred;
    return now;
}

void board_bus_off(void)
{
    TWCR = 0;
    state = BOARD_BUS_FAILED;
}

ISR(PINS_ALERT_VECTOR)
{
    alert_low = TCNT1;
    alerted = true;
    board_stirred = true;
}

void board_init_bus(void)
{
    PINS_ALERT_PORT |= _BV(PINS_ALERT_BIT);
    PINS_ALERT_SENSE |= PINS_ALERT_FALLS;
    EIMSK |= PINS_ALERT_MASK;
}

bool board_alert(uint32_t *ticks)
{
    uint16_t low = 0;
    bool fell;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        fell = alerted;
        alerted = false;
        low = alert_low;
    }
    if (fell)
        *ticks = board_widen(low);
    return fell;
}
