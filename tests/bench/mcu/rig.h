/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small host for tests of the simulated board: sends commands, collects what comes back. */
#ifndef TESTS_BENCH_MCU_RIG_H
#define TESTS_BENCH_MCU_RIG_H

#include "sim_mcu/sim_mcu.h"
#include "wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS 1000000LL

struct rig_force {
    int64_t at_ns;
    bool on;
};

struct rig_packet {
    int64_t at_ns;    /* when its last byte reached the host */
    int64_t first_ns; /* its opening zero */
    struct wire_packet packet;
};

struct rig {
    struct sim_mcu *mcu;
    struct wire_decoder decoder;
    struct rig_packet *packets; /* owned; everything since the last rig_forget() */
    size_t count, capacity;
    struct rig_force forces[4096];
    size_t force_count;
    int64_t led_ns[4096];
    unsigned led_mask[4096];
    size_t led_count;
    int64_t light_from_ns, light_to_ns; /* photodiode 0 sees light */
    uint8_t seq;
    int64_t zero_ns;
    int64_t ping_every_ns, ping_next_ns;
};

/* A config in which everything is drawn from the seed. */
struct sim_mcu_config rig_config(enum sim_board board, uint64_t seed);
void rig_open(struct rig *rig, const struct sim_mcu_config *config, bool with_light);
void rig_open_supply(struct rig *rig, const struct sim_mcu_config *config,
                     void (*supply)(void *context, int64_t at_ns, double *ampere, double *volt));
void rig_close(struct rig *rig);
void rig_forget(struct rig *rig);
/* Sends a packet with the given sequence number. */
void rig_send_as(struct rig *rig, uint8_t seq, uint8_t type, const void *body, size_t size);
/* Sends a command and waits for its acknowledgement, whose code it returns; -1 = none came. */
int rig_command(struct rig *rig, uint8_t type, const void *body, size_t size);
void rig_run(struct rig *rig, int64_t for_ns);
/* Runs until a packet of this type arrives (after those already seen); NULL when none does. */
const struct rig_packet *rig_await(struct rig *rig, uint8_t type, int64_t within_ns);
bool rig_await_state(struct rig *rig, uint8_t state, int64_t within_ns, uint32_t *ticks);
void rig_hello(struct rig *rig, struct wire_hello *hello);
bool rig_home(struct rig *rig);
/* One whole tap; false when HELD does not come. */
bool rig_tap(struct rig *rig);
bool rig_status(struct rig *rig, struct wire_status *status);
/* The stamp widened to the true count, minus the true count at a world time: ticks. */
double rig_error(const struct rig *rig, uint32_t ticks, int64_t at_ns);

#endif
