/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power meter's driver on a scripted two-wire bus: what it asks of the part, what it streams,
 * and that no part, another part, a bus held down and a part that goes away end in one empty block.
 */
#include "bed.h"

#include "core/app.h"
#include "core/power.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define REG_CONFIG 0x00
#define REG_SHUNT  0x01
#define REG_BUS    0x02
#define REG_MASK   0x06

static int setup(void **state)
{
    bed_setup(state);
    script.part_address = FW_POWER_ADDRESS;
    script.registers[0xfe] = 0x5449;
    script.registers[0xff] = 0x2260;
    return 0;
}

static void switch_on(void)
{
    assert_int_equal(bed_command(WIRE_POWER, 1, "\x01", 1), WIRE_DONE);
    bed_run(5, REST);
}

/* The part has converted: the line falls, and the firmware reads it within the next polls. */
static void convert(uint32_t at, int16_t shunt, uint16_t bus)
{
    script.now = at;
    script.alert = true;
    script.alert_ticks = at;
    script.registers[REG_SHUNT] = (uint16_t)shunt;
    script.registers[REG_BUS] = bus;
    for (int i = 0; i < 5; i++)
        fw_poll();
}

static bool receive(struct wire_power *power)
{
    struct wire_packet packet;
    return bed_receive(WIRE_POWER_IS, &packet) && wire_get_power(&packet, power);
}

static void test_nobody_asks(void **state)
{
    (void)state;
    bed_run(2000, REST);
    assert_int_equal(script.bus_reads + script.bus_writes, 0);
}

static void test_sets_up_and_streams(void **state)
{
    (void)state;
    struct wire_power power;
    switch_on();
    assert_int_equal(script.registers[REG_MASK], 0x0400); /* conversion ready to the alert line */
    assert_int_equal(script.registers[REG_CONFIG], 0x4027);
    const uint32_t first = script.now + 100;
    for (int i = 0; i < 9; i++)
        convert(first + 2480u * (uint32_t)i, (int16_t)(100 - 40 * i), (uint16_t)(3200 - i));
    assert_true(receive(&power));
    assert_int_equal(power.ticks, first);
    assert_int_equal(power.count, WIRE_POWERS_PER_BLOCK);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(power.after[i], i ? 2480 : 0);
        assert_int_equal(power.shunt[i], 100 - 40 * i);
        assert_int_equal(power.bus[i], 3200 - i);
    }
    assert_false(receive(&power));
    assert_int_equal(bed_command(WIRE_POWER, 2, "\x00", 1), WIRE_DONE);
    bed.read_at = 0; /* the last block left before the acknowledgement */
    assert_true(receive(&power));
    assert_true(receive(&power));
    assert_int_equal(power.count, 2);
    assert_int_equal(power.ticks, first + 7 * 2480);
    const unsigned reads = script.bus_reads;
    convert(script.now + 2480, 1, 1);
    assert_int_equal(script.bus_reads, reads);
}

/* A stamp from before the part was set up, and a pair that is read too late to be that of its
 * stamp. */
static void test_drops_what_is_stale(void **state)
{
    (void)state;
    struct wire_power power;
    script.alert = true;
    script.alert_ticks = 5;
    switch_on();
    const uint32_t first = script.now + 100;
    script.alert = true;
    script.alert_ticks = first;
    script.now = first + 1950;
    for (int i = 0; i < 5; i++)
        fw_poll();
    for (uint32_t i = 1; i <= 7; i++)
        convert(first + 2480 * i, 1, 2);
    assert_true(receive(&power));
    assert_int_equal(power.ticks, first + 2480);
    assert_int_equal(power.count, 7);
}

/* More than a packet can say between two pairs: a new block. */
static void test_long_gap(void **state)
{
    (void)state;
    struct wire_power power;
    switch_on();
    const uint32_t first = script.now + 100;
    convert(first, 1, 2);
    convert(first + 70000, 3, 4);
    assert_true(receive(&power));
    assert_int_equal(power.count, 1);
    assert_int_equal(power.ticks, first);
}

static void expect_one_empty_block(void)
{
    struct wire_power power;
    bed_run(1600, REST);
    assert_true(receive(&power));
    assert_int_equal(power.count, 0);
    assert_false(receive(&power));
}

static void test_absent(void **state)
{
    (void)state;
    script.part_address = 0;
    switch_on();
    expect_one_empty_block();
    assert_in_range(script.bus_reads, 3, 5); /* it is looked for twice a second */
    assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
    script.part_address = FW_POWER_ADDRESS; /* somebody plugs it in */
    bed_run(600, REST);
    assert_int_equal(script.registers[REG_CONFIG], 0x4027);
}

static void test_another_part(void **state)
{
    (void)state;
    script.registers[0xff] = 0x2270;
    switch_on();
    expect_one_empty_block();
    assert_int_equal(script.bus_writes, 0);
}

static void test_later_revision(void **state)
{
    (void)state;
    script.registers[0xff] = 0x2261;
    switch_on();
    assert_int_equal(script.registers[REG_CONFIG], 0x4027);
}

static void test_bus_held_down(void **state)
{
    (void)state;
    script.bus_hangs = true;
    switch_on();
    expect_one_empty_block();
    assert_in_range(script.bus_offs, 3, 5);
}

static void test_goes_away(void **state)
{
    (void)state;
    struct wire_power power;
    switch_on();
    const uint32_t first = script.now + 100;
    for (uint32_t i = 0; i < 3; i++)
        convert(first + 2480 * i, 1, 2);
    script.part_address = 0;
    bed_run(49, REST); /* no alert: it may still come */
    assert_false(receive(&power));
    bed.read_at = 0;
    bed_run(3, REST);
    assert_true(receive(&power));
    assert_int_equal(power.count, 3);
    assert_true(receive(&power));
    assert_int_equal(power.count, 0);
    script.part_address = FW_POWER_ADDRESS;
    bed_run(520, REST);
    const uint32_t back = script.now + 100;
    for (uint32_t i = 0; i < 7; i++)
        convert(back + 2480 * i, 7, 8);
    assert_true(receive(&power));
    assert_int_equal(power.ticks, back);
    assert_int_equal(power.shunt[0], 7);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    assert_int_equal(bed_command(WIRE_POWER, 1, "\x02", 1), WIRE_BAD_ARGUMENT);
    assert_int_equal(bed_command(WIRE_POWER, 2, "", 0), WIRE_BAD_ARGUMENT);
    assert_int_equal(script.bus_reads, 0);
}

/* A full transmitter: power gives way before samples, samples before events. */
static void test_gives_way(void **state)
{
    (void)state;
    struct wire_packet packet;
    struct wire_power power;
    assert_int_equal(bed_command(WIRE_STREAM, 1, "\x01", 1), WIRE_DONE);
    assert_int_equal(bed_command(WIRE_POWER, 2, "\x01", 1), WIRE_DONE);
    bed_run(5, REST);
    script.tx_room = 160; /* a block of samples and an event, and no power */
    for (uint32_t i = 0; i < 14; i++)
        convert(script.now + 2480, 1, 2);
    bed_run(20, REST);
    bed.read_at = 0;
    assert_false(receive(&power));
    bed.read_at = 0;
    assert_true(bed_receive(WIRE_SAMPLES, &packet));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_nobody_asks, setup),
        cmocka_unit_test_setup(test_sets_up_and_streams, setup),
        cmocka_unit_test_setup(test_drops_what_is_stale, setup),
        cmocka_unit_test_setup(test_long_gap, setup),
        cmocka_unit_test_setup(test_absent, setup),
        cmocka_unit_test_setup(test_another_part, setup),
        cmocka_unit_test_setup(test_later_revision, setup),
        cmocka_unit_test_setup(test_bus_held_down, setup),
        cmocka_unit_test_setup(test_goes_away, setup),
        cmocka_unit_test_setup(test_bad_arguments, setup),
        cmocka_unit_test_setup(test_gives_way, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
