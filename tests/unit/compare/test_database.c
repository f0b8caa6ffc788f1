/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches out of a results database, in the groups that were asked for. */
#include "cli/compare_data.h"
#include "store/db.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct ts_compare_source source = {"settled", NULL, NULL, NULL, NULL};

static void fill(const char *path)
{
    static const char *const versions[] = {"1.0", "1.0", "2.0", "3.1"};
    struct ts_session_info info = {.seed = 1, .bench = "sim", .touchstone = "0", .detector = "d"};
    struct ts_plan plan;
    struct ts_db *db;
    struct ts_why why = {""};
    ts_plan_defaults(&plan);
    plan.name = (char[]){"p"};
    assert_int_equal(ts_db_open(path, &db, &why), TS_OK);
    for (int session = 0; session < 4; session++) {
        assert_int_equal(ts_db_put_session(db, &info, &plan, &why), TS_OK);
        for (int launch = 1; launch <= 6; launch++) {
            struct ts_result result;
            memset(&result, 0, sizeof result);
            result.launch = launch;
            snprintf(result.app, sizeof result.app, launch % 2 ? "Mail" : "Maps");
            /* Maps is one version behind. */
            snprintf(result.conditions.package_version, sizeof result.conditions.package_version,
                     "%s", versions[launch % 2 || !session ? session : session - 1]);
            result.detector_version = "d-1";
            result.start_type = TS_START_COLD;
            result.settled = (struct ts_metric){100.0 * (session + 1) + launch, 2, 0.5};
            if (launch == 6)
                ts_result_flag(&result, TS_FLAG_NO_CONTACT);
            if (launch == 5)
                result.settled.value = (double)NAN;
            assert_int_equal(ts_db_put_launch(db, &info, &result, &why), TS_OK);
        }
        assert_int_equal(ts_db_put_exclusion(db, 1, "dropped it", &why), TS_OK);
    }
    ts_db_close(db);
}

/* Sessions 0 and 1 hold Mail 1.0, then 2.0, 3.1; Maps 1.0, 1.0, 1.0, 2.0: so the first group has
 * sessions 0, 1 of both and 2 of Maps. */
static void builds_are_told_apart_app_by_app(void **state)
{
    char path[] = "compare-XXXXXX";
    struct ts_compare_data data = {0};
    struct ts_why why = {""};
    size_t counts[TS_LEFT_OUT_COUNT] = {0};
    (void)state;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    fill(path);
    assert_int_equal(ts_compare_add_database(&data, path, "build", &source, &why), TS_OK);
    assert_int_equal(data.count, 3);
    assert_string_equal(data.groups[0].name, "build 1");
    assert_string_equal(data.groups[2].name, "build 3");
    assert_int_equal(data.groups[0].count, 15);
    assert_int_equal(data.groups[0].sessions, 3);
    assert_int_equal(data.groups[1].count, 6);
    assert_int_equal(data.groups[1].sessions, 2);
    for (size_t i = 0; i < data.groups[0].count; i++) {
        const struct ts_row *row = &data.groups[0].rows[i];
        counts[row->left_out]++;
        assert_true(isnan(row->ms) || (size_t)(row->ms / 100) == row->place.session);
    }
    assert_int_equal(counts[TS_UNUSABLE], 3);
    assert_int_equal(counts[TS_EXCLUDED], 2);
    assert_int_equal(counts[TS_NO_VALUE], 2);
    assert_string_equal(data.groups[0].conditions[TS_CONDITION_DETECTOR], "d-1");
    assert_string_equal(data.groups[0].conditions[TS_CONDITION_START], "cold");
    ts_compare_data_free(&data);
    assert_int_equal(ts_compare_add_database(&data, path, "device", &source, &why), TS_ENOTSUP);
    assert_non_null(strstr(why.text, "which device"));
    ts_compare_data_free(&data);
    unlink(path);
    assert_int_equal(ts_compare_add_database(&data, path, "build", &source, &why), TS_EIO);
    ts_compare_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(builds_are_told_apart_app_by_app)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
