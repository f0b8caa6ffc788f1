/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens to the link in a real lab must be seen by whoever reads the clock, never absorbed
 * into a wrong time. */
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define STALL_NS   (200 * TS_NS_PER_MS)
#define VISIBLE_NS (60 * TS_NS_PER_MS) /* longer than any bridge's own timer */

/* However the stall falls between two readings, one of them is late by at least the rest of it. */
static void test_stall(void **state)
{
    (void)state;
    static const enum sim_bridge bridges[] = {SIM_BRIDGE_NONE, SIM_BRIDGE_16U2, SIM_BRIDGE_FTDI_16};
    for (uint64_t seed = 1; seed <= 9; seed++) {
        struct host host;
        struct ts_clock_fit before, after;
        int64_t base_ticks, base_again;
        size_t readings;
        host_open(&host, bridges[seed % 3], 800, 2, seed);
        const size_t from = host.item_count;
        host_run(&host, 1500 * TS_NS_PER_MS);
        assert_true(host_longest_ns(&host, from, &readings) < VISIBLE_NS);
        assert_int_equal(host_fit(&host, from, &before, &base_ticks), TS_OK);
        sim_mcu_stall(host.mcu, host.now_ns + (int64_t)seed * 5 * TS_NS_PER_MS, STALL_NS);
        host_run(&host, 1500 * TS_NS_PER_MS);
        assert_true(host_longest_ns(&host, from, &readings) > VISIBLE_NS);
        assert_true(readings >= 54);
        /* No message is lost by a stall, and the line is not bent by it. */
        assert_int_equal(host_count_faults(&host, from, TS_FAULT_MCU_GAP), 0);
        assert_int_equal(host_fit(&host, from, &after, &base_again), TS_OK);
        assert_true(base_again == base_ticks);
        const int64_t middle_ns = (before.from_ns + before.to_ns) / 2;
        const int64_t moved_ns =
            ts_clock_to_host(&after, middle_ns) - ts_clock_to_host(&before, middle_ns);
        const double most_ns = before.bound_high_ns - before.bound_low_ns;
        assert_true((double)llabs(moved_ns) < most_ns);
        host_close(&host);
    }
}

/* After a reset the board counts from zero: the host must hear of it before it trusts a stamp, and
 * readings of before and after must not pass for one clock. */
static void test_reset(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct host host;
        struct ts_clock_fit fit;
        int64_t base_ticks;
        host_open(&host, seed % 2 ? SIM_BRIDGE_NONE : SIM_BRIDGE_16U2, -300, 0, seed);
        const size_t from = host.item_count;
        host_run(&host, 900 * TS_NS_PER_MS + (int64_t)seed * 100 * TS_NS_PER_MS);
        sim_mcu_reset(host.mcu);
        host_run(&host, 1200 * TS_NS_PER_MS);
        const int err = host_fit(&host, from, &fit, &base_ticks);
        assert_true(err != TS_OK || fit.suspicious);
        if (host_count_faults(&host, from, TS_FAULT_MCU_RESET) != 1)
            fail_msg("seed %u: a reset of the board was told %zu times (and %zu gaps)",
                     (unsigned)seed, host_count_faults(&host, from, TS_FAULT_MCU_RESET),
                     host_count_faults(&host, from, TS_FAULT_MCU_GAP));
        host_close(&host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
