/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the options break once. Scenes are counted as launches. */
#include "drive.h"

#include <stdlib.h>
#include <string.h>

static struct drive drive;

static void assert_injected(int line, const char *name)
{
    const json_t *list =
        json_object_get(json_array_get(drive.truths, (size_t)line), "injected_faults");
    assert_int_equal(json_array_size(list), name != NULL);
    if (name)
        assert_string_equal(json_string_value(json_array_get(list, 0)), name);
}

static void assert_flagged(int line, const char *name)
{
    const json_t *list =
        json_object_get(json_array_get(drive.truths, (size_t)line), "expected_flags");
    assert_int_equal(json_array_size(list), name != NULL);
    if (name)
        assert_string_equal(json_string_value(json_array_get(list, 0)), name);
}

static void test_reset(void **state)
{
    (void)state;
    drive_open(&drive, "reset", 3, "mcu_reset_at_launch=2,bridge=none");
    drive_scene(&drive, "cut", 1, 1000);
    assert_int_equal(drive.resets, 0);
    const uint32_t boot_id = drive.readings[1].boot_id;
    drive_scene(&drive, "cut", 2, 1000);
    assert_int_equal(drive.resets, 1);
    assert_int_equal(drive.readings[1].boot_id, boot_id + 1);
    drive_close(&drive);
    assert_injected(0, NULL);
    assert_injected(1, "mcu_reset");
    assert_flagged(1, "clock_unsure");
    drive_free(&drive);
}

static void test_stall(void **state)
{
    (void)state;
    drive_open(&drive, "stall", 4, "stall_at_launch=1,bridge=none,rate_hz=125,drop_rate=0.0001");
    drive_scene(&drive, "fade", 1, 1000);
    assert_true(drive.longest_pause_ns > 90 * MS && drive.longest_pause_ns <= 109 * MS);
    const int frames = drive.frames;
    drive_scene(&drive, "fade", 1, 1000);
    assert_true(drive.longest_pause_ns < 25 * MS);
    assert_in_range(drive.frames, frames - 6, frames + 6); /* late, not lost */
    drive_close(&drive);
    assert_injected(0, "host_stall");
    assert_flagged(0, "clock_unsure");
    assert_injected(1, NULL);
    drive_free(&drive);
}

static void test_phone_step(void **state)
{
    (void)state;
    drive_open(&drive, "step", 5, "phone_step_at_launch=1,phone_step_ms=-340,drift_ppm=0");
    drive_read(&drive, TS_CLOCK_PHONE_REAL);
    const int64_t before_ns = drive.phone_less_host_ns;
    drive_scene(&drive, "cut", 1, 1000);
    drive_read(&drive, TS_CLOCK_PHONE_REAL);
    assert_in_range(before_ns - drive.phone_less_host_ns, 333 * MS, 347 * MS);
    drive_close(&drive);
    assert_injected(0, "phone_clock_step");
    assert_flagged(0, NULL);
    drive_free(&drive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_phone_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
