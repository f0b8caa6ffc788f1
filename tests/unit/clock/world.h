/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another clock and a link to it, both made up: what readings they give, and what the truth is. */
#ifndef TESTS_UNIT_CLOCK_WORLD_H
#define TESTS_UNIT_CLOCK_WORLD_H

#include "base/rng.h"
#include "clock/fit.h"

#define READINGS_MOST 400

enum link {
    LINK_EQUAL,
    LINK_JITTER, /* one byte stream, direct */
    LINK_SOF,    /* out waits for the next USB frame of 1 ms, back too */
    LINK_16U2,   /* back waits for a timer of 4 ms */
    LINK_FTDI,   /* back waits 0..16 ms */
    LINK_FTDI_1, /* back always waits 1 ms: the edges are not alike */
    LINK_ADB,
    LINK_WIFI, /* adb over a link that takes longer one way */
};

/* The other clock as a function of host time: rate error, slow wander, whole ticks. */
struct world {
    struct ts_rng rng;
    enum link link;
    double ppm, wander_ppm, wander_s, phase;
    double quantum_ns; /* 500: MCU ticks */
    double lag_ns;     /* LINK_WIFI: of the way back */
    int64_t host0, other0;
    double flush_phase;
    double step_from_s, step_ns; /* from then on the other clock is ahead by so much */
};

void open_world(struct world *world, enum link link, uint64_t seed);
/* Other clock minus other0, at host time minus host0; and back. */
double other_at(const struct world *world, double host_ns);
double host_at(const struct world *world, double other_ns);
void make_readings(struct world *world, size_t count, double span_s, struct ts_reading *out);
/* Estimate minus truth, at an instant of the other clock or a share of the span. */
double error_of(const struct world *world, const struct ts_clock_fit *fit, int64_t other_ns);
double error_at(const struct world *world, const struct ts_clock_fit *fit, double share);

#endif
