/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/edges.h"

#include "board/board.h"
#include "core/app.h"
#include "core/link.h"

static uint8_t leds, pins;
static struct fw_sync sync;
static uint16_t random_state;
static uint32_t next_ticks;

void fw_edges_init(void)
{
    pins = 0;
    sync.edges = 0;
    leds = 0;
    board_leds(0);
}

void fw_edges_leds(uint8_t mask)
{
    if (mask == leds)
        return;
    leds = mask;
    fw_link_send_edge(WIRE_EDGE_LED, mask, board_leds(mask));
}

/* xorshift16 (7, 9, 8): full period over the non-zero states. */
static uint16_t draw(void)
{
    random_state = (uint16_t)(random_state ^ (uint16_t)(random_state << 7));
    random_state ^= random_state >> 9;
    random_state = (uint16_t)(random_state ^ (uint16_t)(random_state << 8));
    return random_state;
}

static uint32_t gap(void)
{
    return (sync.min_ms + draw() % (sync.span_ms + 1u)) * FW_MS;
}

bool fw_edges_sync(const struct fw_sync *wanted, uint32_t now)
{
    if (wanted->edges > 0 && wanted->min_ms == 0)
        return false;
    sync = *wanted;
    random_state = wanted->seed ? wanted->seed : 1;
    next_ticks = now + gap();
    return true;
}

void fw_edges_stop(void)
{
    sync.edges = 0;
}

static void report(const struct board_edge *edge)
{
    static const uint8_t mask[] = {BOARD_PLATE, BOARD_PHOTO0, BOARD_PHOTO1};
    const uint8_t changed = edge->pins ^ pins;
    pins = edge->pins;
    for (uint8_t i = 0; i < (uint8_t)sizeof mask; i++)
        if (changed & mask[i])
            fw_link_send_edge((enum wire_edge_kind)(WIRE_EDGE_PLATE + i), (pins & mask[i]) != 0,
                              edge->ticks);
}

void fw_edges_poll(uint32_t now)
{
    struct board_edge edge;
    for (uint8_t i = 0; i < 8 && board_edge(&edge); i++)
        report(&edge);
    if (sync.edges == 0 || !fw_passed(now, next_ticks))
        return;
    sync.edges--;
    fw_edges_leds(leds ^ (draw() & 0x100 ? 1 : 2));
    next_ticks = now + gap();
}
