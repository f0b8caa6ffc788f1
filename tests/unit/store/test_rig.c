/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibration files and the folder they stand in. */
#include "store/record_file.h"
#include "store/rig.h"

#include "store/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DAY_S 86400
#define NOW_S 1790000000

static struct ts_record example(enum ts_record_kind kind)
{
    struct ts_record record = {.kind = kind,
                               .identity = {.rig = "bench 2",
                                            .board = "uno",
                                            .firmware = "0.1.0",
                                            .camera = "320x240 at 125"},
                               .date_s = NOW_S,
                               .method = "by hand",
                               .n = 60};
    ts_record_add(&record, "lift_delay_ms", 5.25, 0.03125, 59);
    ts_record_add(&record, "lift_spread_ms", 0.16, (double)NAN, 59);
    ts_record_add(&record, "contact_offset_ms", -0.1, 0.06, (double)INFINITY);
    return record;
}

static void a_record_comes_back(void **state)
{
    (void)state;
    const struct ts_record record = example(TS_RECORD_STYLUS);
    struct ts_record read;
    struct ts_buf first = {0}, second = {0};
    struct ts_why why = {""};
    assert_int_equal(ts_record_print(&record, &first), TS_OK);
    if (ts_record_parse((const char *)first.data, first.size, &read, &why))
        fail_msg("%s", why.text);
    assert_int_equal(read.kind, TS_RECORD_STYLUS);
    assert_true(read.date_s == record.date_s);
    assert_int_equal(read.n, 60);
    assert_string_equal(read.identity.rig, "bench 2");
    assert_string_equal(read.identity.phone, "");
    assert_int_equal(read.count, 3);
    assert_float_equal(ts_record_find(&read, "lift_delay_ms")->u, 0.03125, 0);
    assert_true(isnan(ts_record_find(&read, "lift_spread_ms")->u));
    assert_null(ts_record_find(&read, "lift_delay"));
    assert_int_equal(ts_record_print(&read, &second), TS_OK);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    ts_buf_free(&first);
    ts_buf_free(&second);
}

/* Any one byte changed: refused, or what is read is the same (blanks between members). */
static void damage_is_seen(void **state)
{
    (void)state;
    const struct ts_record record = example(TS_RECORD_STYLUS);
    struct ts_buf text = {0};
    size_t refused = 0;
    assert_int_equal(ts_record_print(&record, &text), TS_OK);
    for (size_t i = 0; i < text.size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            struct ts_record read;
            struct ts_buf again = {0};
            struct ts_why why = {""};
            text.data[i] ^= (uint8_t)(1 << bit);
            if (ts_record_parse((const char *)text.data, text.size, &read, &why)) {
                assert_true(why.text[0] != '\0');
                refused++;
            } else {
                struct ts_buf whole = {0};
                assert_int_equal(ts_record_print(&record, &whole), TS_OK);
                assert_int_equal(ts_record_print(&read, &again), TS_OK);
                assert_int_equal(again.size, whole.size);
                assert_memory_equal(again.data, whole.data, whole.size);
                ts_buf_free(&whole);
                ts_buf_free(&again);
            }
            text.data[i] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(refused > 6 * text.size);
    ts_buf_free(&text);
}

static void dates_are_the_calendars(void **state)
{
    (void)state;
    static const int64_t dates[] = {
        0,          951782400 /* 2000-02-29 */,  1709164799 /* 2024-02-28 */,
        1709164800, 4107542400 /* 2100-03-01 */, 1790000000};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        struct ts_record record = example(TS_RECORD_CLOCK), read;
        struct ts_buf text = {0};
        record.date_s = dates[i];
        assert_int_equal(ts_record_print(&record, &text), TS_OK);
        assert_int_equal(ts_record_parse((const char *)text.data, text.size, &read, NULL), TS_OK);
        assert_true(read.date_s == dates[i]);
        ts_buf_free(&text);
    }
}

static void stale_and_foreign_ones_are_refused(void **state)
{
    (void)state;
    struct ts_identity with = example(TS_RECORD_STYLUS).identity;
    const struct ts_record stylus = example(TS_RECORD_STYLUS), camera = example(TS_RECORD_CAMERA);
    struct ts_why why = {""};
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S + 30 * DAY_S, &why), TS_OK);
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S + 31 * DAY_S, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "31 days old"));
    assert_int_equal(ts_record_check(&camera, &with, NOW_S + 8 * DAY_S, &why), TS_EPROTO);
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S - 2 * DAY_S, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "future"));
    strcpy(with.camera, "640x480 at 60");
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S, &why), TS_OK); /* not the stylus's */
    assert_int_equal(ts_record_check(&camera, &with, NOW_S, &why), TS_EPROTO);
    strcpy(with.firmware, "0.2.0");
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S, &why), TS_EPROTO);
    with.firmware[0] = '\0'; /* unknown */
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S, &why), TS_OK);
    strcpy(with.rig, "bench 3");
    assert_int_equal(ts_record_check(&stylus, &with, NOW_S, &why), TS_EPROTO);
}

static void a_rig_keeps_its_records(void **state)
{
    (void)state;
    char dir[] = "/tmp/touchstone-rig-XXXXXX", path[64], copy[64];
    struct ts_rig rig, again;
    struct ts_why why = {""};
    assert_non_null(mkdtemp(dir));
    assert_int_equal(ts_rig_create(dir, "../x", "sim", "", &why), TS_EINVAL);
    assert_int_equal(ts_rig_create(dir, "bench 2", "sim", "rig=7", &why), TS_OK);
    assert_int_equal(ts_rig_create(dir, "bench 2", "sim", "rig=7", &why), TS_EINVAL);
    assert_int_equal(ts_rig_open(dir, 0, &rig, &why), TS_OK);
    assert_string_equal(rig.options, "rig=7");
    assert_false(rig.known[TS_RECORD_STYLUS]);
    const struct ts_record record = example(TS_RECORD_STYLUS);
    assert_int_equal(ts_rig_put(&rig, &record, &why), TS_OK);
    assert_int_equal(ts_rig_open(dir, 0, &again, &why), TS_OK);
    assert_true(again.known[TS_RECORD_STYLUS] && !again.known[TS_RECORD_CAMERA]);
    ts_rig_free(&again);

    snprintf(path, sizeof path, "%s/calibration/stylus.json", dir);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, -8, SEEK_END);
    fputc('?', file);
    fclose(file);
    assert_int_equal(ts_rig_open(dir, 0, &again, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, path));
    assert_int_equal(ts_rig_open(dir, 1u << TS_RECORD_STYLUS, &again, &why), TS_OK);
    assert_false(again.known[TS_RECORD_STYLUS]);
    ts_rig_free(&again);

    snprintf(copy, sizeof copy, "%s/copy", dir);
    assert_int_equal(ts_rig_copy_records(&rig, copy, &why), TS_OK);
    snprintf(path, sizeof path, "%s/copy/stylus.json", dir);
    assert_true(ts_file_exists(path));
    ts_rig_free(&rig);
    ts_folder_remove(copy);
    snprintf(path, sizeof path, "%s/calibration", dir);
    ts_folder_remove(path);
    ts_folder_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_comes_back),
        cmocka_unit_test(damage_is_seen),
        cmocka_unit_test(dates_are_the_calendars),
        cmocka_unit_test(stale_and_foreign_ones_are_refused),
        cmocka_unit_test(a_rig_keeps_its_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
