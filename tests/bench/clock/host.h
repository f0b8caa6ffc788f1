/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A host of a few lines: the real link to the simulated board, clock readings at about 20 Hz, and
 * a list of what came up. */
#ifndef TESTS_BENCH_CLOCK_HOST_H
#define TESTS_BENCH_CLOCK_HOST_H

#include "base/rng.h"
#include "bench/common/link.h"
#include "clock/fit.h"
#include "sim_mcu/sim_mcu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_edge {
    int64_t at_ns; /* the pin's own time */
    unsigned mask;
};

struct host {
    struct sim_mcu *mcu;
    struct ts_link *link;
    struct ts_rng rng;
    int64_t now_ns, ping_ns; /* of the next reading */
    uint32_t command;        /* id of the last one */
    struct ts_item *items;   /* owned */
    size_t item_count, item_capacity;
    struct host_edge *edges; /* owned; every LED edge, as the board's pins had it */
    size_t edge_count, edge_capacity;
};

/* Opens a board with this crystal and greets it. */
void host_open(struct host *host, enum sim_bridge bridge, double ppm, double wander_ppm,
               uint64_t seed);
void host_close(struct host *host);
/* Runs in lock-step, with clock readings every 50 to 54 ms. */
void host_run(struct host *host, int64_t for_ns);
/* Sends a command and runs until it is done; returns its status. */
int host_send(struct host *host, uint8_t type, const uint8_t *body, size_t size);
/* Toggles the sync LEDs, as often as a launch does. */
void host_sync(struct host *host);

/* Fits the clock to the readings taken from item number `from` on; MCU stamps are unwrapped next to
 * *base_ticks, which is chosen here. */
int host_fit(const struct host *host, size_t from, struct ts_clock_fit *fit, int64_t *base_ticks);
/* The longest round trip of those readings, and how many readings there are. */
int64_t host_longest_ns(const struct host *host, size_t from, size_t *count);
size_t host_count_faults(const struct host *host, size_t from, enum ts_device_fault fault);

#endif
