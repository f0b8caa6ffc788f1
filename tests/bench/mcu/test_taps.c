/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole taps of the real firmware on the simulated stylus: they succeed, last as long as they
 * should, and the bench's faults do what they say. */
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TAPS 10

static struct rig rig;

static void open_home(enum sim_board board, uint64_t seed, double ppm)
{
    struct sim_mcu_config config = rig_config(board, seed);
    if (!isnan(ppm))
        config.ppm = ppm;
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    assert_int_equal(hello.version, WIRE_VERSION);
    assert_int_equal(hello.tick_hz, WIRE_TICK_HZ);
    assert_true(rig_home(&rig));
    rig_run(&rig, 100 * MS);
    rig_forget(&rig);
}

/* The states of one tap, in order, once each; returns the tick of the motor's start. */
static uint32_t check_states(void)
{
    static const uint8_t order[] = {WIRE_DROPPING, WIRE_CONTACT, WIRE_RESTING, WIRE_LIFTING,
                                    WIRE_HELD};
    size_t seen = 0;
    uint32_t on = 0, last = 0;
    for (size_t i = 0; i < rig.count; i++) {
        struct wire_state now;
        if (!wire_get_state(&rig.packets[i].packet, &now))
            continue;
        assert_true(seen < sizeof order);
        assert_int_equal(now.state, order[seen]);
        if (seen++ == 0)
            on = now.ticks;
        else
            assert_true(now.ticks - last < UINT32_MAX / 2);
        last = now.ticks;
    }
    assert_int_equal(seen, sizeof order);
    return on;
}

/* The samples begin well before the motor does. */
static void check_lead(uint32_t on)
{
    size_t lead = 0;
    for (size_t i = 0; i < rig.count; i++) {
        struct wire_samples samples;
        if (!wire_get_samples(&rig.packets[i].packet, &samples))
            continue;
        for (uint8_t j = 0; j < samples.count; j++)
            lead += (int32_t)(samples.ticks + j * WIRE_SAMPLE_TICKS - on) < 0;
    }
    assert_in_range(lead, 580, 610);
}

static void campaign(enum sim_board board, uint64_t seed, double ppm)
{
    open_home(board, seed, ppm);
    double delay_sum = 0, delay_squares = 0;
    for (int i = 0; i < TAPS; i++) {
        rig_forget(&rig);
        const int64_t begin_ns = sim_mcu_now(rig.mcu);
        assert_true(rig_tap(&rig));
        rig_run(&rig, 30 * MS);
        const struct sim_tap tap = sim_mcu_last_tap(rig.mcu);
        assert_true(tap.contact_ns > begin_ns);
        assert_true(tap.pickup_ns > tap.contact_ns && tap.lift_ns > tap.pickup_ns);
        assert_true(tap.lift_ns < sim_mcu_now(rig.mcu));
        const double ms = (double)(tap.lift_ns - tap.contact_ns) * 1e-6;
        if (ms < 80 || ms > 300)
            fail_msg("seed %u: contact of %.1f ms", (unsigned)seed, ms);
        const double delay = (double)(tap.lift_ns - tap.pickup_ns) * 1e-6;
        delay_sum += delay;
        delay_squares += delay * delay;
        assert_true(delay > 1.8 && delay < 12);
        for (size_t j = 2; j + 1 < rig.force_count; j += 2) {
            const double gap_ms = (double)(rig.forces[j].at_ns - rig.forces[j - 1].at_ns) * 1e-6;
            if (gap_ms > 2)
                fail_msg("seed %u tap %d: lost for %.2f ms", (unsigned)seed, i, gap_ms);
        }
        assert_true(rig.forces[0].at_ns == tap.contact_ns);
        assert_true(rig.forces[rig.force_count - 1].at_ns == tap.lift_ns);
        check_lead(check_states());
        assert_true(sim_mcu_tip_mm(rig.mcu, sim_mcu_now(rig.mcu)) > 0.2);
        assert_true(sim_mcu_tip_mm(rig.mcu, (tap.contact_ns + tap.pickup_ns) / 2) == 0);
    }
    const double mean = delay_sum / TAPS;
    const double sd = sqrt(fmax(0, delay_squares / TAPS - mean * mean));
    print_message("seed %u: pick-up to lift %.2f ms, sd %.2f\n", (unsigned)seed, mean, sd);
    assert_true(sd > 0.03 && sd < 0.4);
    struct wire_status status;
    assert_true(rig_status(&rig, &status));
    assert_int_equal(status.state, WIRE_HELD);
    assert_int_equal(status.latched, 0);
    assert_int_equal(status.rx_errors + status.tx_dropped + status.samples_missed, 0);
    rig_close(&rig);
}

static void test_campaigns(void **state)
{
    (void)state;
    for (uint64_t seed = 101; seed <= 112; seed++)
        campaign(seed % 3 ? SIM_BOARD_UNO : SIM_BOARD_MEGA, seed, NAN);
}

static void test_crystals(void **state)
{
    (void)state;
    campaign(SIM_BOARD_UNO, 7, 5000);
    campaign(SIM_BOARD_MEGA, 8, -5000);
}

static void broken_tap(enum sim_board board, uint64_t seed, enum sim_tap_fault fault)
{
    rig_forget(&rig);
    sim_mcu_break_tap(rig.mcu, fault);
    if (!rig_tap(&rig))
        fail_msg("board %d seed %u fault %d: not held", board, (unsigned)seed, fault);
    rig_run(&rig, 30 * MS);
}

static void test_faults(void **state)
{
    (void)state;
    for (uint64_t seed = 200; seed < 212; seed++) {
        const enum sim_board board = seed % 2 ? SIM_BOARD_UNO : SIM_BOARD_MEGA;
        open_home(board, seed, NAN);
        broken_tap(board, seed, SIM_TAP_NO_CONTACT);
        struct sim_tap tap = sim_mcu_last_tap(rig.mcu);
        assert_true(tap.contact_ns == 0 && tap.lift_ns == 0 && tap.pickup_ns > 0);
        assert_int_equal(rig.force_count, 0);

        broken_tap(board, seed, SIM_TAP_SLOW);
        tap = sim_mcu_last_tap(rig.mcu);
        const double slow_ms = (double)(tap.lift_ns - tap.contact_ns) * 1e-6;
        if (slow_ms < 450 || slow_ms > 900)
            fail_msg("seed %u: slow contact of %.0f ms", (unsigned)seed, slow_ms);

        broken_tap(board, seed, SIM_TAP_BOUNCE);
        double gap_ms = 0;
        for (size_t i = 1; i + 1 < rig.force_count; i += 2)
            gap_ms = fmax(gap_ms, (double)(rig.forces[i + 1].at_ns - rig.forces[i].at_ns) * 1e-6);
        if (gap_ms < 15 || gap_ms > 40)
            fail_msg("seed %u: lost for %.1f ms in a bounce", (unsigned)seed, gap_ms);

        broken_tap(board, seed, SIM_TAP_FINE);
        tap = sim_mcu_last_tap(rig.mcu);
        assert_true(tap.contact_ns > 0 && tap.lift_ns - tap.contact_ns < 300 * MS);
        rig_close(&rig);
    }
}

static void test_silent_host(void **state)
{
    (void)state;
    open_home(SIM_BOARD_UNO, 3, NAN);
    assert_int_equal(rig_command(&rig, WIRE_TAP, "\x80\x19", 2), WIRE_DONE);
    rig.ping_every_ns = 0;
    rig_run(&rig, 2500 * MS);
    rig.ping_every_ns = 40 * MS;
    struct wire_status status;
    assert_true(rig_status(&rig, &status));
    assert_int_equal(status.fault, WIRE_FAULT_HOST_LOST);
    assert_int_equal(status.latched, 1);
    assert_int_equal(status.state, WIRE_HELD);
    assert_int_equal(rig_command(&rig, WIRE_TAP, "\xff\x19", 2), WIRE_LATCHED);
    assert_int_equal(rig_command(&rig, WIRE_CLEAR, NULL, 0), WIRE_DONE);
    assert_true(rig_tap(&rig));
    rig_close(&rig);
}

/* Also in mid-tap: the motor is off afterwards, and homing finds the stylus again. */
static void test_reset(void **state)
{
    (void)state;
    for (int board = SIM_BOARD_UNO; board <= SIM_BOARD_MEGA; board++) {
        open_home((enum sim_board)board, 9, NAN);
        struct wire_hello before, after;
        rig_hello(&rig, &before);
        assert_int_equal(rig_command(&rig, WIRE_LED, "\x03", 1), WIRE_DONE);
        assert_int_equal(rig_command(&rig, WIRE_TAP, "\xff\x19", 2), WIRE_DONE);
        rig_run(&rig, 300 * MS);
        const int64_t now_ns = sim_mcu_now(rig.mcu);
        sim_mcu_reset(rig.mcu);
        rig_run(&rig, 30 * MS);
        assert_int_equal(sim_mcu_led(rig.mcu, sim_mcu_now(rig.mcu)), 0);
        assert_true(sim_mcu_now(rig.mcu) == now_ns + 30 * MS);
        rig_hello(&rig, &after);
        assert_int_not_equal(before.boot_id, after.boot_id);
        struct wire_status status;
        assert_true(rig_status(&rig, &status));
        assert_int_equal(status.state, WIRE_IDLE);
        const double error = rig_error(&rig, status.now_ticks, now_ns);
        assert_true(error > 0 && error < 1e6);
        assert_true(rig_home(&rig));
        assert_true(rig_tap(&rig));
        rig_close(&rig);
    }
}

/* The same seed gives the same bytes at the same times, however the running is cut up. */
static void test_deterministic(void **state)
{
    (void)state;
    struct rig_packet *kept[2];
    size_t counts[2];
    for (int run = 0; run < 2; run++) {
        open_home(SIM_BOARD_UNO, 77, NAN);
        assert_int_equal(rig_command(&rig, WIRE_TAP, "\xff\x19", 2), WIRE_DONE);
        for (int i = 0; i < (run == 0 ? 1 : 1000); i++)
            rig_run(&rig, run == 0 ? 1000 * MS : MS);
        kept[run] = rig.packets;
        counts[run] = rig.count;
        rig.packets = NULL;
        rig_close(&rig);
    }
    assert_int_equal(counts[0], counts[1]);
    for (size_t i = 0; i < counts[0]; i++) {
        assert_true(kept[0][i].at_ns == kept[1][i].at_ns);
        assert_int_equal(kept[0][i].packet.size, kept[1][i].packet.size);
        assert_memory_equal(kept[0][i].packet.body, kept[1][i].packet.body, kept[0][i].packet.size);
    }
    free(kept[0]);
    free(kept[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_campaigns), cmocka_unit_test(test_crystals),
        cmocka_unit_test(test_faults),    cmocka_unit_test(test_silent_host),
        cmocka_unit_test(test_reset),     cmocka_unit_test(test_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
