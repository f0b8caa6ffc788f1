/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a rig's verification: certificate and control chart. */
#include "store/verify_file.h"

#include "store/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DIR TS_BUILD_DIR "/tests/store-verify"

static struct ts_certificate certificate, back;

static void fill(void)
{
    certificate =
        (struct ts_certificate){.identity = {.rig = "bench 2", .board = "uno", .firmware = "0.1.0"},
                                .who = "B. Example",
                                .touchstone = "0.1.0",
                                .detector = "1",
                                .date_s = 1790000000,
                                .seed = UINT64_MAX,
                                .refresh_hz = 90,
                                .response_ms = NAN,
                                .plate_taps = 24,
                                .camera_edges = 300,
                                .value_count = 1,
                                .passed = true,
                                .usable = 6,
                                .usable_least = 4,
                                .scene_count = 7};
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++)
            certificate.lines[m][kind] = (struct ts_verified_line){.n = 10 * m + kind,
                                                                   .bias_ms = 0.5 * kind,
                                                                   .half_95_ms = 0.25,
                                                                   .limit_ms = m + 2,
                                                                   .spread_ms = NAN,
                                                                   .p95_ms = 3,
                                                                   .max_ms = 4,
                                                                   .gross = kind,
                                                                   .gross_most = 7,
                                                                   .covered = 5,
                                                                   .covered_least = 3,
                                                                   .passed = kind != 2};
    }
    certificate.values[0] = (struct ts_verified_value){"lift_delay_ms", 8.1, 8.2, 0.3, true};
    for (int i = 0; i < 7; i++)
        certificate.scenes[i] = (struct ts_scene_pair){.kind = i % TS_SCENE_COUNT,
                                                       .usable = i != 3,
                                                       .difference_ms = {-1.25 - i, i ? 2.5 : NAN},
                                                       .u_ms = {0.5, 0.6},
                                                       .half_95_ms = {1.1, 1.2},
                                                       .refresh_ms = 1000.0 / 90};
}

static bool same(double one, double other)
{
    return (isnan(one) && isnan(other)) || !(one < other || one > other);
}

static void a_certificate_comes_back(void **state)
{
    (void)state;
    struct ts_buf bytes = {0};
    fill();
    assert_int_equal(ts_certificate_print(&certificate, &bytes), TS_OK);
    assert_int_equal(ts_certificate_parse((const char *)bytes.data, bytes.size, &back, NULL),
                     TS_OK);
    assert_true(back.passed);
    assert_string_equal(back.identity.rig, "bench 2");
    assert_string_equal(back.who, "B. Example");
    assert_true(back.seed == UINT64_MAX);
    assert_true(back.date_s == 1790000000 && back.plate_taps == 24 && isnan(back.response_ms));
    assert_int_equal(back.value_count, 1);
    assert_string_equal(back.values[0].name, "lift_delay_ms");
    assert_int_equal(back.scene_count, 7);
    assert_true(back.usable == 6 && back.usable_least == 4);
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++) {
            const struct ts_verified_line *line = &back.lines[m][kind];
            assert_true(line->n == 10 * m + kind && line->gross == kind && line->covered == 5 &&
                        line->gross_most == 7 && line->covered_least == 3 &&
                        line->passed == (kind != 2));
            assert_true(same(line->bias_ms, 0.5 * kind) && same(line->limit_ms, m + 2) &&
                        same(line->half_95_ms, 0.25) && isnan(line->spread_ms) &&
                        same(line->max_ms, 4) && same(line->p95_ms, 3));
        }
    }
    for (int i = 0; i < 7; i++) {
        const struct ts_scene_pair *one = &certificate.scenes[i], *other = &back.scenes[i];
        assert_true(one->kind == other->kind && one->usable == other->usable);
        for (int m = 0; m < TS_MEASURAND_COUNT; m++)
            assert_true(same(one->difference_ms[m], other->difference_ms[m]) &&
                        same(one->half_95_ms[m], other->half_95_ms[m]));
    }
    ts_buf_free(&bytes);
}

/* Every digit and letter of it: changed, it is not believed. */
static void damage_is_detected(void **state)
{
    (void)state;
    struct ts_buf bytes = {0};
    struct ts_why why;
    int accepted = 0;
    fill();
    assert_int_equal(ts_certificate_print(&certificate, &bytes), TS_OK);
    for (size_t i = 0; i < bytes.size; i++) {
        const uint8_t was = bytes.data[i];
        if (was <= ' ' && i > bytes.size - 4)
            continue; /* after the checksum */
        bytes.data[i] = was == '7' ? '3' : (uint8_t)(was ^ 1);
        accepted +=
            ts_certificate_parse((const char *)bytes.data, bytes.size, &back, &why) == TS_OK;
        bytes.data[i] = was;
    }
    assert_int_equal(accepted, 0);
    for (size_t size = 0; size < bytes.size - 2; size += 7)
        assert_int_equal(ts_certificate_parse((const char *)bytes.data, size, &back, &why),
                         TS_EPROTO);
    ts_buf_free(&bytes);
}

static void it_stands_in_the_rig(void **state)
{
    (void)state;
    struct ts_why why = {""};
    fill();
    ts_folder_remove(DIR "/verify");
    assert_int_equal(ts_folder_make(DIR, &why), TS_OK);
    assert_int_equal(ts_certificate_load(DIR, &back, &why), TS_EOF);
    assert_non_null(strstr(why.text, "touchstone verify"));
    assert_int_equal(ts_folder_make(DIR "/verify", &why), TS_OK);
    assert_int_equal(ts_certificate_save(DIR, &certificate, &why), TS_OK);
    assert_int_equal(ts_certificate_load(DIR, &back, &why), TS_OK);
    /* Its copy in a campaign has the same bytes. */
    struct ts_buf one = {0}, other = {0};
    ts_folder_remove(DIR "/checks");
    assert_int_equal(ts_certificate_load_attached(DIR, &back, &why), TS_EOF);
    assert_int_equal(ts_folder_make(DIR "/checks", &why), TS_OK);
    assert_int_equal(ts_certificate_attach(DIR, DIR, &why), TS_OK);
    assert_int_equal(ts_certificate_load_attached(DIR, &back, &why), TS_OK);
    assert_int_equal(ts_file_read(DIR "/verify/certificate.json", 1 << 20, &one, &why), TS_OK);
    assert_int_equal(ts_file_read(DIR "/checks/certificate.json", 1 << 20, &other, &why), TS_OK);
    assert_true(one.size == other.size && memcmp(one.data, other.data, one.size) == 0);
    ts_buf_free(&one);
    ts_buf_free(&other);
}

static void a_chart_grows(void **state)
{
    (void)state;
    struct ts_chart_entry *entries;
    size_t count;
    struct ts_chart_entry entry = {.date_s = 5,
                                   .certificate_s = 3,
                                   .seed = 9,
                                   .when = "before",
                                   .session = "out/a",
                                   .value_ms = {0.25, NAN},
                                   .limit_ms = {1, NAN},
                                   .in_control = false};
    ts_folder_remove(DIR "/verify");
    assert_int_equal(ts_folder_make(DIR "/verify", NULL), TS_OK);
    assert_int_equal(ts_chart_load(DIR, &entries, &count, NULL), TS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(ts_chart_append(DIR, &entry, NULL), TS_OK);
    /* A crash left half a line. */
    FILE *file = fopen(DIR "/verify/checks.jsonl", "a");
    assert_non_null(file);
    fputs("{\"date_s\": 7", file);
    fclose(file);
    strcpy(entry.when, "after");
    assert_int_equal(ts_chart_append(DIR, &entry, NULL), TS_OK);
    assert_int_equal(ts_chart_load(DIR, &entries, &count, NULL), TS_OK);
    assert_int_equal(count, 2);
    assert_string_equal(entries[0].when, "before");
    assert_string_equal(entries[1].when, "after");
    assert_true(entries[1].seed == 9 && same(entries[1].value_ms[0], 0.25) &&
                isnan(entries[1].limit_ms[1]));
    free(entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_certificate_comes_back),
        cmocka_unit_test(damage_is_detected),
        cmocka_unit_test(it_stands_in_the_rig),
        cmocka_unit_test(a_chart_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
