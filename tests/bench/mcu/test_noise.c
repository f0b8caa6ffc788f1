/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noise probe in the real firmware: most intervals are the work itself, some hold an interrupt.
 */
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct rig rig;

struct profile {
    unsigned told, packets, slow; /* slow: longer than 3 ticks */
    unsigned longest;
};

static struct profile ask(unsigned intervals)
{
    struct profile profile = {0};
    const uint8_t body[] = {(uint8_t)intervals, (uint8_t)(intervals >> 8)};
    rig_forget(&rig);
    assert_int_equal(rig_command(&rig, WIRE_NOISE, body, 2), WIRE_DONE);
    rig_run(&rig, 100 * MS + intervals * MS / 20);
    uint32_t end = 0;
    for (size_t i = 0; i < rig.count; i++) {
        struct wire_noise noise;
        if (!wire_get_noise(&rig.packets[i].packet, &noise))
            continue;
        /* Readings follow each other, and are those of the clock. */
        assert_true(profile.packets == 0 || (int32_t)(noise.ticks - end) > 0);
        const double late = rig_error(&rig, noise.ticks, rig.packets[i].first_ns);
        assert_true(late < 0 && late > -20000);
        end = noise.ticks;
        for (uint8_t k = 0; k < noise.count; k++) {
            assert_in_range(noise.interval[k], 1, 60);
            end += noise.interval[k];
            profile.slow += noise.interval[k] > 3;
            if (noise.interval[k] > profile.longest)
                profile.longest = noise.interval[k];
        }
        profile.told += noise.count;
        profile.packets++;
    }
    assert_int_equal(profile.told, intervals);
    assert_int_equal(profile.packets, (intervals + 31) / 32);
    return profile;
}

static void profiles(enum sim_board board)
{
    struct sim_mcu_config config = rig_config(board, 51);
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    struct wire_status status;
    rig_hello(&rig, &hello);
    ask(1);
    const struct profile idle = ask(10000);
    assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
    const struct profile busy = ask(10000);
    print_message("board %d: %u of %u intervals with an interrupt, longest %u ticks; sampling: %u, "
                  "longest %u\n",
                  (int)board, idle.slow, idle.told, idle.longest, busy.slow, busy.longest);
    /* The transmitter sends the packet before: a byte, and so an interrupt, every 20 us. */
    assert_in_range(idle.slow, 300, 2000);
    assert_in_range(busy.slow, 300, 2000);
    assert_true(idle.longest >= 8 && busy.longest >= 8);
    /* Nothing else has suffered: no event dropped, no sample missed, every PING answered. */
    assert_true(rig_status(&rig, &status));
    assert_int_equal(status.tx_dropped, 0);
    assert_int_equal(status.samples_missed, 0);
    unsigned pongs = 0;
    for (size_t i = 0; i < rig.count; i++)
        pongs += rig.packets[i].packet.type == WIRE_PONG;
    assert_true(pongs >= 10);
    rig_close(&rig);
}

static void test_profiles(void **state)
{
    (void)state;
    profiles(SIM_BOARD_UNO);
    profiles(SIM_BOARD_MEGA);
}

/* In the middle of a run a tap is asked for: it comes as always, and the run is over. */
static void test_a_tap_ends_it(void **state)
{
    (void)state;
    struct sim_mcu_config config = rig_config(SIM_BOARD_UNO, 52);
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    assert_true(rig_home(&rig));
    assert_int_equal(rig_command(&rig, WIRE_NOISE, "\xff\xff", 2), WIRE_DONE);
    rig_run(&rig, 20 * MS);
    assert_true(rig_tap(&rig));
    rig_forget(&rig);
    rig_run(&rig, 100 * MS);
    for (size_t i = 0; i < rig.count; i++)
        assert_int_not_equal(rig.packets[i].packet.type, WIRE_NOISE_IS);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_a_tap_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
