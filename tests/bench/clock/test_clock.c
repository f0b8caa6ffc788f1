/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LED stamps of the real firmware, mapped to host time by readings that went through the real link,
 * against the times at which the pins changed. */
#include "host.h"

#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define READ_FOR_NS (3 * TS_NS_PER_S)
/* A stamp is taken up to 2.5 ticks beside the pin's change and cut to whole ticks. */
#define STAMP_NS 1500.0
/* Without a bridge: readings' delays are alike both ways but for an interrupt of the board. */
#define MEAN_MOST_NS 5000.0

struct errors {
    double mean_ns, low_ns, high_ns; /* mapped minus true */
    struct ts_clock_fit fit;
    size_t edges;
};

/* Every LED stamp must belong to an edge of the pins, in order, and the other way round. */
static void compare(const struct host *host, size_t from, size_t from_edge, struct errors *errors)
{
    int64_t base_ticks = 0;
    size_t edge = from_edge;
    double sum_ns = 0;
    assert_int_equal(host_fit(host, from, &errors->fit, &base_ticks), TS_OK);
    errors->low_ns = INFINITY;
    errors->high_ns = -INFINITY;
    for (size_t i = from; i < host->item_count; i++) {
        const struct ts_item *item = &host->items[i];
        struct wire_packet packet = {.type = item->u.mcu.type, .size = item->u.mcu.size};
        struct wire_edge told;
        if (item->kind != TS_ITEM_MCU || packet.type != WIRE_EDGE)
            continue;
        for (int k = 0; k < packet.size; k++)
            packet.body[k] = item->u.mcu.body[k];
        assert_true(wire_get_edge(&packet, &told));
        assert_int_equal(told.kind, WIRE_EDGE_LED);
        assert_true(edge < host->edge_count);
        assert_int_equal(told.state, host->edges[edge].mask);
        const int64_t stamp_ns = ts_ticks_unwrap(told.ticks, base_ticks) * TS_MCU_TICK_NS;
        const double error_ns =
            (double)(ts_clock_to_host(&errors->fit, stamp_ns) - host->edges[edge].at_ns);
        errors->low_ns = fmin(errors->low_ns, error_ns);
        errors->high_ns = fmax(errors->high_ns, error_ns);
        sum_ns += error_ns;
        edge++;
    }
    errors->edges = edge - from_edge;
    assert_true(errors->edges >= 40);
    assert_true(edge + 1 >= host->edge_count); /* the last one may still be travelling */
    errors->mean_ns = sum_ns / (double)errors->edges;
}

static void measure(enum sim_bridge bridge, double ppm, double wander_ppm, uint64_t seed,
                    struct errors *errors)
{
    struct host host;
    host_open(&host, bridge, ppm, wander_ppm, seed);
    const size_t from = host.item_count, from_edge = host.edge_count;
    host_sync(&host);
    host_run(&host, READ_FOR_NS);
    compare(&host, from, from_edge, errors);
    host_close(&host);
    const struct ts_clock_fit *fit = &errors->fit;
    /* bound_low <= true - mapped <= bound_high */
    if (-errors->high_ns < fit->bound_low_ns - STAMP_NS ||
        -errors->low_ns > fit->bound_high_ns + STAMP_NS)
        fail_msg("%g ppm, wander %g, seed %u: errors of %.1f .. %.1f us leave the hard bound "
                 "%.1f .. %.1f us",
                 ppm, wander_ppm, (unsigned)seed, errors->low_ns / 1e3, errors->high_ns / 1e3,
                 -fit->bound_high_ns / 1e3, -fit->bound_low_ns / 1e3);
}

/* Runs every crystal, prints the figures and returns the largest mean error. */
static double all_crystals(enum sim_bridge bridge, const char *name, unsigned seeds)
{
    static const double ppms[] = {-5000, -1200, 0, 3000, 5000}, wanders[] = {0, 2};
    double worst_ns = 0, sum_ns = 0, far_ns = 0, bound_ns = 0, u_ns = 0;
    unsigned runs = 0, within_u = 0, suspected = 0;
    size_t edges = 0;
    for (size_t p = 0; p < sizeof ppms / sizeof *ppms; p++) {
        for (unsigned run = 0; run < 2 * seeds; run++) {
            struct errors errors;
            measure(bridge, ppms[p], wanders[run % 2], 100 * p + run + 1, &errors);
            worst_ns = fmax(worst_ns, fabs(errors.mean_ns));
            far_ns = fmax(far_ns, fmax(-errors.low_ns, errors.high_ns));
            bound_ns = fmax(bound_ns, fmax(-errors.fit.bound_low_ns, errors.fit.bound_high_ns));
            u_ns = fmax(u_ns, errors.fit.u_ns);
            within_u += fabs(errors.mean_ns) <= 2 * errors.fit.u_ns;
            suspected += errors.fit.suspicious;
            sum_ns += errors.mean_ns;
            edges += errors.edges;
            runs++;
        }
    }
    print_message("%s: %u runs, %zu edges: mean error %.2f us, worst mean %.2f us, worst edge "
                  "%.2f us; widest bound %.1f us, largest u %.2f us, %u runs within 2 u, "
                  "%u suspected\n",
                  name, runs, edges, sum_ns / runs / 1e3, worst_ns / 1e3, far_ns / 1e3,
                  bound_ns / 1e3, u_ns / 1e3, within_u, suspected);
    assert_int_equal(suspected, 0); /* nothing is wrong with any of these clocks */
    assert_true(within_u >= 0.93 * runs);
    return worst_ns;
}

static void test_direct(void **state)
{
    (void)state;
    assert_true(all_crystals(SIM_BRIDGE_NONE, "no bridge", 4) < MEAN_MOST_NS);
}

static void test_16u2(void **state)
{
    (void)state;
    all_crystals(SIM_BRIDGE_16U2, "16U2", 2);
}

static void test_ftdi_16(void **state)
{
    (void)state;
    all_crystals(SIM_BRIDGE_FTDI_16, "FTDI, 16 ms", 4);
}

static void test_ftdi_1(void **state)
{
    (void)state;
    all_crystals(SIM_BRIDGE_FTDI_1, "FTDI, 1 ms", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct),
        cmocka_unit_test(test_16u2),
        cmocka_unit_test(test_ftdi_16),
        cmocka_unit_test(test_ftdi_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
