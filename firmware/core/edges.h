/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sync LEDs, and the edges of plate and photodiodes. */
#ifndef CORE_EDGES_H
#define CORE_EDGES_H

#include <stdbool.h>
#include <stdint.h>

struct fw_sync {
    uint16_t edges; /* 0 = stop */
    uint8_t min_ms, span_ms;
    uint16_t seed;
};

void fw_edges_init(void);
void fw_edges_leds(uint8_t mask);
/* False: the gaps between edges could be nothing. */
bool fw_edges_sync(const struct fw_sync *sync, uint32_t now);
void fw_edges_stop(void);
void fw_edges_poll(uint32_t now);

#endif
