/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "world.h"

#include <math.h>

static double pi(void)
{
    return acos(-1);
}

double other_at(const struct world *world, double host_ns)
{
    const double omega = 2 * pi() / (world->wander_s * 1e9);
    const double step = host_ns >= world->step_from_s * 1e9 ? world->step_ns : 0;
    return host_ns * (1 + world->ppm * 1e-6) + step +
           world->wander_ppm * 1e-6 / omega * sin(omega * host_ns + world->phase);
}

double host_at(const struct world *world, double other_ns)
{
    double host = other_ns;
    for (int i = 0; i < 8; i++)
        host -= other_at(world, host) - other_ns;
    return host;
}

static int64_t stamp(const struct world *world, double host_ns)
{
    const double quantum = world->quantum_ns;
    return world->other0 + (int64_t)(floor(other_at(world, host_ns) / quantum) * quantum);
}

static double exponential(struct ts_rng *rng, double mean)
{
    return -mean * log(1 - ts_rng_uniform(rng));
}

/* A byte that is ready now waits for the bridge's own timer. */
static double flushed(const struct world *world, double ready_ns, double period_ns)
{
    const double phase = fmod(ready_ns + world->flush_phase * period_ns, period_ns);
    return ready_ns + period_ns - phase;
}

static double way_out(struct world *world)
{
    struct ts_rng *rng = &world->rng;
    switch (world->link) {
    case LINK_EQUAL:
        return 160e3;
    case LINK_JITTER:
        return 160e3 + exponential(rng, 25e3) +
               (ts_rng_uniform(rng) < 0.03 ? exponential(rng, 8e6) : 0);
    case LINK_SOF:
    case LINK_16U2:
    case LINK_FTDI:
    case LINK_FTDI_1:
        return ts_rng_range(rng, 60e3, 250e3);
    case LINK_ADB:
    case LINK_WIFI:
        return 300e3 + exponential(rng, 250e3) +
               (ts_rng_uniform(rng) < 0.05 ? exponential(rng, 20e6) : 0);
    }
    return 0;
}

static double arrives(struct world *world, double ready_ns)
{
    struct ts_rng *rng = &world->rng;
    if (world->link == LINK_SOF)
        return flushed(world, ready_ns, 1e6) + ts_rng_range(rng, 20e3, 60e3);
    if (world->link == LINK_FTDI_1)
        return ready_ns + 1e6 + ts_rng_range(rng, 80e3, 130e3);
    if (world->link == LINK_16U2)
        return flushed(world, ready_ns, 4e6) + ts_rng_range(rng, 60e3, 250e3);
    if (world->link == LINK_FTDI)
        return flushed(world, ready_ns, 16e6) + ts_rng_range(rng, 60e3, 250e3);
    return ready_ns + way_out(world) + world->lag_ns;
}

void open_world(struct world *world, enum link link, uint64_t seed)
{
    *world = (struct world){.link = link, .wander_s = 20, .quantum_ns = 500, .step_from_s = 1e9};
    ts_rng_seed(&world->rng, seed, 700 + link);
    world->ppm = ts_rng_range(&world->rng, -5000, 5000);
    world->wander_s = ts_rng_range(&world->rng, 10, 60);
    world->phase = ts_rng_range(&world->rng, 0, 6.28);
    world->flush_phase = ts_rng_uniform(&world->rng);
    world->host0 = (int64_t)(ts_rng_uniform(&world->rng) * 1e15);
    world->other0 = (int64_t)(ts_rng_uniform(&world->rng) * 1e15);
    if (link == LINK_ADB || link == LINK_WIFI) {
        world->lag_ns = link == LINK_WIFI ? ts_rng_range(&world->rng, 0, 3e6) : 0;
        world->ppm = ts_rng_range(&world->rng, -50, 50);
        world->quantum_ns = 1000;
    }
}

void make_readings(struct world *world, size_t count, double span_s, struct ts_reading *out)
{
    for (size_t i = 0; i < count; i++) {
        const double t1 = (span_s * 1e9 * (double)i) / (double)count +
                          ts_rng_range(&world->rng, 0, 0.3e9 * span_s / (double)count);
        const double sent = world->link == LINK_SOF ? flushed(world, t1, 1e6) : t1;
        const double t2 = sent + way_out(world);
        const double t3 = t2 + (world->quantum_ns > 500 ? 0 : 120e3);
        const double t4 = arrives(world, t3);
        out[i] =
            ts_reading_of(world->host0 + (int64_t)floor(t1), stamp(world, t2), stamp(world, t3),
                          world->host0 + (int64_t)ceil(t4), (int64_t)world->quantum_ns);
    }
}

double error_of(const struct world *world, const struct ts_clock_fit *fit, int64_t other_ns)
{
    const double truth = host_at(world, (double)(other_ns - world->other0));
    return (double)(ts_clock_to_host(fit, other_ns) - world->host0) - truth;
}

double error_at(const struct world *world, const struct ts_clock_fit *fit, double share)
{
    return error_of(world, fit,
                    fit->from_ns + (int64_t)(share * (double)(fit->to_ns - fit->from_ns)));
}
