/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The motor's triggers, over every level that a sample on the flank of a jump can have. */
#include "core/trigger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#define REST  405
#define FALL  342
#define SHOCK 560

static struct fw_trigger trigger;
static unsigned contacts, pickups;

static void take(unsigned count, uint16_t value)
{
    for (unsigned i = 0; i < count; i++) {
        fw_trigger_take(&trigger, value);
        contacts += trigger.contact;
        pickups += trigger.pickup;
    }
}

static void start(void)
{
    fw_trigger_reset(&trigger);
    assert_int_equal(trigger.rest, 0);
    for (int i = 0; i < 300; i++)
        fw_trigger_learn(&trigger, (uint16_t)(REST + (i & 1 ? 2 : -2)));
    assert_int_equal(trigger.rest, REST);
    contacts = pickups = 0;
}

static void test_every_flank(void **state)
{
    (void)state;
    for (uint16_t flank = FALL; flank <= SHOCK; flank++) {
        start();
        take(100, REST);
        take(60, FALL);
        take(1, flank);
        take(4, SHOCK);
        take(120, REST);
        assert_int_equal(contacts, 1);
        assert_int_equal(pickups, 0);
        assert_true(fw_trigger_quiet(&trigger));
        if (flank < REST - 30)
            continue;
        take(1, flank);
        take(2, SHOCK);
        take(100, REST);
        assert_int_equal(pickups, 1);
        assert_int_equal(contacts, 1);
    }
}

static void test_bounce_and_vibration(void **state)
{
    (void)state;
    start();
    take(100, REST);
    for (int i = 0; i < 400; i++)
        take(1, (uint16_t)(REST + (i % 13 - 6) * 2));
    assert_int_equal(contacts + pickups, 0);
    take(60, FALL);
    take(4, SHOCK);
    take(40, REST);
    take(100, FALL); /* away again: a second contact, no pick-up */
    take(4, SHOCK);
    take(79, REST);
    assert_false(fw_trigger_quiet(&trigger));
    take(1, REST);
    assert_true(fw_trigger_quiet(&trigger));
    assert_int_equal(contacts, 2);
    assert_int_equal(pickups, 0);
    /* A dip too short for a fall. */
    take(10, FALL);
    take(100, REST);
    assert_int_equal(contacts, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_flank),
        cmocka_unit_test(test_bounce_and_vibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
