/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/power.h"

#include "board/board.h"
#include "core/app.h"
#include "core/link.h"

#define REG_CONFIG 0x00u
#define REG_SHUNT  0x01u
#define REG_BUS    0x02u
#define REG_MASK   0x06u
#define REG_MAKER  0xfeu
#define REG_DIE    0xffu

#define MAKER 0x5449u
#define DIE   0x2260u
/* The revision is in the lowest four bits. */
#define DIE_MASK 0xfff0u
/* The alert line falls when a pair has been converted, and rises when this register is read. */
#define CONVERTED 0x0400u
/* Averages 1; bus 140 us; shunt 1.1 ms; both, again and again: some 800 pairs a second, and the
 * shunt is seen during nine tenths of the time. */
#define CONFIG (0x4000u | 0u << 9 | 0u << 6 | 4u << 3 | 7u)

#define TRANSFER_LIMIT (3 * FW_MS) /* one takes 0.13 ms */
#define ALERT_LIMIT    (50 * FW_MS)
#define RETRY          (500 * FW_MS)
/* The part may have the next shunt voltage 0.99 ms after a pair was ready: one that is read later
 * may not be the stamp's. */
#define READ_LIMIT (FW_MS * 19 / 20)

static const struct step {
    uint8_t reg;
    bool writes;
    uint16_t value; /* written; or must be read, in the bits of `mask` */
    uint16_t mask;
} steps[] = {
    {REG_MAKER, false, MAKER, 0xffff},
    {REG_DIE, false, DIE, DIE_MASK},
    {REG_MASK, true, CONVERTED, 0},
    {REG_CONFIG, true, CONFIG, 0},
    /* for each pair */
    {REG_SHUNT, false, 0, 0},
    {REG_BUS, false, 0, 0},
    {REG_MASK, false, 0, 0},
};
#define FIRST_OF_PAIR 4u
#define STEPS         (sizeof steps / sizeof *steps)

static enum { OFF, TRANSFERS, AWAITS, GONE } state;
static uint8_t step;
static bool told; /* the host knows that nobody answers */
static uint32_t began_ticks, ready_ticks, last_ticks;
static uint16_t read_shunt, read_bus;
static bool in_time;
static struct wire_power block;

void fw_power_init(void)
{
    state = OFF;
    block.count = 0;
}

static void flush(void)
{
    if (block.count > 0)
        fw_link_send_power(&block);
    block.count = 0;
}

static void begin(uint8_t number, uint32_t now)
{
    const struct step *next = &steps[number];
    state = TRANSFERS;
    step = number;
    began_ticks = now;
    if (next->writes)
        board_bus_write(FW_POWER_ADDRESS, next->reg, next->value);
    else
        board_bus_read(FW_POWER_ADDRESS, next->reg);
}

void fw_power_stream(bool on, uint32_t now)
{
    if (on == (state != OFF))
        return;
    flush();
    if (state == TRANSFERS)
        board_bus_off();
    state = OFF;
    told = false;
    if (on)
        begin(0, now);
}

static void give_up(uint32_t now)
{
    flush();
    board_bus_off();
    if (!told) {
        block.ticks = now;
        fw_link_send_power(&block);
    }
    told = true;
    state = GONE;
    began_ticks = now;
}

static void store(void)
{
    const uint32_t after = ready_ticks - last_ticks;
    if (block.count > 0 && after > UINT16_MAX)
        flush();
    if (block.count == 0)
        block.ticks = ready_ticks;
    block.after[block.count] = block.count > 0 ? (uint16_t)after : 0;
    block.shunt[block.count] = (int16_t)read_shunt;
    block.bus[block.count++] = read_bus;
    last_ticks = ready_ticks;
    if (block.count == WIRE_POWERS_PER_BLOCK)
        flush();
}

static void transferred(uint16_t value, uint32_t now)
{
    const struct step *done = &steps[step];
    if (!done->writes && (value & done->mask) != done->value) {
        give_up(now); /* somebody else answers there */
        return;
    }
    if (done->reg == REG_SHUNT) {
        read_shunt = value;
        in_time = now - ready_ticks < READ_LIMIT;
    }
    if (done->reg == REG_BUS)
        read_bus = value;
    /* Only now, because to send a block takes half of the time that a pair does. */
    if (step + 1u == STEPS && in_time)
        store();
    if (done->reg == REG_CONFIG)
        (void)board_alert(&ready_ticks); /* it fell at some time before; the line is high again */
    if (step + 1u == STEPS || step + 1u == FIRST_OF_PAIR) {
        state = AWAITS;
        told = false;
        began_ticks = now;
    } else {
        begin(step + 1, now);
    }
}

void fw_power_poll(uint32_t now)
{
    const uint32_t waited = now - began_ticks;
    uint16_t value = 0;
    enum board_bus bus;
    switch (state) {
    case OFF:
        break;
    case TRANSFERS:
        bus = board_bus_state(&value);
        if (bus == BOARD_BUS_DONE)
            transferred(value, now);
        else if (bus == BOARD_BUS_FAILED || waited > TRANSFER_LIMIT)
            give_up(now);
        break;
    case AWAITS:
        if (board_alert(&ready_ticks))
            begin(FIRST_OF_PAIR, now);
        else if (waited > ALERT_LIMIT)
            give_up(now);
        break;
    case GONE:
        if (waited > RETRY)
            begin(0, now);
        break;
    }
}
