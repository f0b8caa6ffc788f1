/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lab's database, on SQLite and on a real PostgreSQL server: what goes in once is in it once,
 * whatever happens on the way. */
#include "cli/compare_data.h"
#include "lab.h"
#include "place.h"
#include "store/files.h"
#include "store/result_file.h"

#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void twice_is_once(void **state)
{
    (void)state;
    place_write_session(1, LAUNCHES);
    assert_int_equal(place_ingest(1), LAUNCHES);
    assert_int_equal(place_ingest(1), 0);
    assert_int_equal(place_count("launches"), LAUNCHES);
    assert_int_equal(place_count("session"), 1);
    /* Copied elsewhere it is still the same session. */
    place_shell("cd %s && cp -r session1 session2", place_folder);
    assert_int_equal(place_ingest(2), 0);
    assert_int_equal(place_count("session WHERE device = 'a phone'"), 1);
}

static void what_came_later_is_added(void **state)
{
    struct ts_why why = {""};
    (void)state;
    place_write_session(1, LAUNCHES);
    place_ingest(1);
    place_write_result("launches/0061/result.json", LAUNCHES + 1, "robust-0", 500);
    assert_int_equal(place_ingest(1), 1);
    assert_int_equal(ts_session_exclude(place_session_dir(1), 3, "it's a cat", &why), 0);
    assert_int_equal(place_ingest(1), 0);
    assert_int_equal(place_count("launches WHERE exclusion = 'it''s a cat' AND launch = 3"), 1);
    assert_int_equal(ts_session_exclude(place_session_dir(1), 3, NULL, &why), 0);
    assert_int_equal(place_ingest(1), 0);
    assert_int_equal(place_count("launches WHERE exclusion IS NOT NULL"), 0);
    assert_int_equal(place_count("launches"), LAUNCHES + 1);
}

static void another_detector_is_another_row(void **state)
{
    (void)state;
    place_write_session(1, LAUNCHES);
    place_ingest(1);
    place_write_result("analysis/robust-9/0002.json", 2, "robust-9", 4321.5);
    assert_int_equal(place_ingest(1), 1);
    assert_int_equal(place_ingest(1), 0);
    assert_int_equal(place_count("launches"), LAUNCHES);
    assert_int_equal(place_count("launch"), LAUNCHES + 1);
    assert_int_equal(place_count("launch WHERE kept = 0 AND settled_ms = 4321.5"), 1);
    assert_int_equal(place_count("launches WHERE settled_ms = 4321.5"), 0);
}

/* Begins to put a session in, and stops short of the end. */
static struct ts_db *put_half(void)
{
    struct ts_db *db = place_open_db();
    struct ts_why why = {""};
    struct lab_session session;
    struct ts_result result;
    lab_session_make(&session, 1, SESSIONS);
    const struct ts_db_session row = {
        7, "07", &session.info, &session.plan, session.rig, "", session.device, "", 0};
    assert_int_equal(ts_db_begin(db, &why), 0);
    assert_int_equal(ts_db_add_session(db, &row, &why), 0);
    for (int launch = 1; launch <= LAUNCHES; launch++) {
        lab_launch_make(&session, 1, SESSIONS, launch, &result);
        assert_int_equal(
            ts_db_add_launch(db, 7, &(struct ts_db_launch){&result, true, false, NULL}, &why), 0);
    }
    ts_plan_free(&session.plan);
    return db;
}

enum what { AS_IT_IS, EXCLUDED, LATE_SETUP, GIVEN_UP };

/* All sessions have the same setups, and with LATE_SETUP one more in the end. Gives what the commit
 * gave. */
static int put_many(struct ts_db *db, int number, enum what what, struct ts_why *why)
{
    enum { MANY = 100, OLD_BUILD = 1000000 };
    struct lab_session session;
    struct ts_result result;
    char digest[16];
    int err = TS_OK;
    lab_session_make(&session, LAB_DEVICES * number, OLD_BUILD);
    snprintf(digest, sizeof digest, "%d", number);
    const struct ts_db_session row = {
        number, digest, &session.info, &session.plan, session.rig, "", session.device, "", 0};
    assert_int_equal(ts_db_begin(db, why), 0);
    assert_int_equal(ts_db_add_session(db, &row, why), 0);
    for (int launch = 1; launch <= MANY; launch++) {
        lab_launch_make(&session, LAB_DEVICES * number, OLD_BUILD, launch, &result);
        if (what == LATE_SETUP && launch > MANY - 50)
            snprintf(result.conditions.network, sizeof result.conditions.network, "it's late");
        const struct ts_db_launch one = {&result, true, false, what == EXCLUDED ? "a cat" : NULL};
        assert_int_equal(ts_db_add_launch(db, number, &one, why), 0);
    }
    ts_plan_free(&session.plan);
    if (what != GIVEN_UP)
        err = ts_db_commit(db, why);
    if (what == GIVEN_UP || err)
        ts_db_cancel(db);
    return err;
}

/* A server gets launches by another way when some are there already. */
static void launches_that_are_there_are_brought_up_to_date(void **state)
{
    struct ts_why why = {""};
    (void)state;
    struct ts_db *db = place_open_db();
    assert_int_equal(put_many(db, 1, AS_IT_IS, &why), 0);
    assert_int_equal(put_many(db, 2, AS_IT_IS, &why), 0);
    assert_int_equal(place_count("launches"), 2 * 100);
    assert_int_equal(place_count("setup"), LAB_APPS);
    if (put_many(db, 2, EXCLUDED, &why))
        fail_msg("%s", why.text);
    assert_int_equal(place_count("launches"), 2 * 100);
    assert_int_equal(place_count("launches WHERE exclusion = 'a cat' AND session = 2"), 100);
    assert_int_equal(put_many(db, 3, LATE_SETUP, &why), 0);
    assert_int_equal(place_count("launches WHERE network = 'it''s late'"), 50);
    assert_int_equal(place_count("setup"), 2 * LAB_APPS);
    assert_int_equal(put_many(db, 4, GIVEN_UP, &why), 0);
    assert_int_equal(place_count("session"), 3);
    assert_int_equal(put_many(db, 4, LATE_SETUP, &why), 0);
    assert_int_equal(place_count("launches"), 4 * 100);
    ts_db_close(db);
    /* Another connection, which has seen nothing of it. */
    db = place_open_db();
    assert_int_equal(put_many(db, 2, LATE_SETUP, &why), 0);
    assert_int_equal(place_count("launches"), 4 * 100);
    assert_int_equal(place_count("launches WHERE exclusion IS NOT NULL"), 0);
    assert_int_equal(place_count("setup"), 2 * LAB_APPS);
    ts_db_close(db);
}

/* No launch refers to a setup that is not there, though the server is not asked of each. */
static void a_setup_that_is_gone_is_missed(void **state)
{
    struct ts_why why = {""};
    (void)state;
    struct ts_db *db = place_open_db();
    assert_int_equal(put_many(db, 1, AS_IT_IS, &why), 0);
    assert_int_equal(ts_db_run(db, "DELETE FROM setup WHERE app = 'App 07'", &why), 0);
    assert_int_equal(put_many(db, 2, AS_IT_IS, &why), TS_EIO);
    assert_non_null(strstr(why.text, "setups of 2 launches are gone"));
    assert_int_equal(place_count("session"), 1);
    assert_int_equal(put_many(db, 2, AS_IT_IS, &why), 0);
    assert_int_equal(place_count("launches"), 2 * 100);
    ts_db_close(db);
}

static void a_half_is_nothing(void **state)
{
    (void)state;
    ts_db_close(place_open_db());
    const pid_t child = fork();
    if (child == 0) {
        put_half();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(place_count("session"), 0);
    assert_int_equal(place_count("launch"), 0);
    struct ts_db *db = put_half();
    ts_db_cancel(db);
    ts_db_close(db);
    assert_int_equal(place_count("launch"), 0);
    struct ts_why why = {""};
    db = put_half();
    assert_int_equal(ts_db_commit(db, &why), 0);
    ts_db_close(db);
    assert_int_equal(place_count("launches"), LAUNCHES);
}

/* The server is killed with half a session under way, then while sessions go in. */
static void nothing_is_lost_with_the_server(void **state)
{
    struct ts_why why = {""};
    (void)state;
    if (!place_postgres)
        return; /* an SQLite file has no server: see a_half_is_nothing */
    struct ts_db *db = put_half();
    place_server("kill");
    assert_int_equal(ts_db_commit(db, &why), TS_EIO);
    if (!strstr(why.text, "again"))
        fail_msg("%s", why.text);
    ts_db_cancel(db);
    ts_db_close(db);
    assert_int_equal(ts_db_open(place_where, &db, &why), TS_EIO);
    assert_non_null(strstr(why.text, "is the server running"));
    place_server("start");
    assert_int_equal(place_count("launch"), 0);
    for (int number = 0; number < 6; number++)
        place_write_session(number, LAUNCHES);
    struct ts_ingest ingesting = {.db = place_open_db()};
    for (int number = 0; number < 3; number++)
        assert_int_equal(ts_ingest_session(&ingesting, place_session_dir(number), &why), 0);
    place_server("kill");
    assert_int_equal(ts_ingest_session(&ingesting, place_session_dir(3), &why), TS_EIO);
    assert_true(ingesting.lost);
    ts_db_close(ingesting.db);
    place_server("start");
    assert_int_equal(place_count("launches"), 3 * LAUNCHES);
    for (int number = 0; number < 6; number++)
        assert_int_equal(place_ingest(number), number < 3 ? 0 : LAUNCHES);
    assert_int_equal(place_count("launches"), 6 * LAUNCHES);
    assert_int_equal(place_count("session"), 6);
}

/* Several benches put sessions in at once, some the same ones. */
static void many_at_once_are_as_one(void **state)
{
    pid_t children[4];
    (void)state;
    for (int number = 0; number < SESSIONS; number++)
        place_write_session(number, LAUNCHES);
    ts_db_close(place_open_db());
    for (int child = 0; child < 4; child++) {
        children[child] = fork();
        for (int i = 0; i < SESSIONS / 2 && children[child] == 0; i++) {
            struct ts_ingest own = {.db = place_open_db()};
            struct ts_why why = {""};
            const int number = (child % 2 ? i : SESSIONS / 2 - 1 - i) + child / 2 * SESSIONS / 2;
            if (ts_ingest_session(&own, place_session_dir(number), &why)) {
                fprintf(stderr, "%s\n", why.text);
                _exit(1);
            }
            ts_db_close(own.db);
        }
        if (children[child] == 0)
            _exit(0);
    }
    for (int child = 0; child < 4; child++) {
        int status;
        assert_int_equal(waitpid(children[child], &status, 0), children[child]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(place_count("session"), SESSIONS);
    assert_int_equal(place_count("launches"), SESSIONS * LAUNCHES);
}

struct expected {
    const struct lab_session *session;
    int rows;
};

static int check_row(void *context, const struct ts_db_cell *row)
{
    struct expected *expected = context;
    struct ts_result result;
    lab_launch_make(expected->session, 1, SESSIONS, ++expected->rows, &result);
    assert_int_equal(row[0].u.integer, expected->rows);
    assert_string_equal(ts_db_text(&row[1]), result.app);
    /* Files round to thousandths. */
    assert_true(fabs(ts_db_number(&row[2]) - result.settled.value) < 0.0006);
    assert_true(isnan(ts_db_number(&row[3])));
    assert_string_equal(ts_db_text(&row[4]), ts_result_verdict(&result));
    assert_int_equal(row[5].u.integer, result.lift.host_ns);
    assert_string_equal(ts_db_text(&row[6]), result.conditions.package_version);
    assert_string_equal(ts_db_text(&row[7]), "");
    assert_int_equal(row[7].kind, TS_DB_NULL);
    assert_string_equal(ts_db_text(&row[8]), "a phone");
    return TS_OK;
}

static int refuse_row(void *context, const struct ts_db_cell *row)
{
    (void)context;
    (void)row;
    return TS_EOVERRUN;
}

static void every_value_comes_back(void **state)
{
    struct lab_session session;
    struct ts_why why = {""};
    struct ts_db *db;
    (void)state;
    place_write_session(1, LAUNCHES);
    place_ingest(1);
    lab_session_make(&session, 1, SESSIONS);
    struct expected expected = {&session, 0};
    assert_int_equal(ts_db_open_to_read(place_where, &db, &why), 0);
    const char sql[] = "SELECT launch, app, settled_ms, time_to_full_display_ms, verdict, lift_ns, "
                       "build, exclusion, device FROM launches ORDER BY launch";
    assert_int_equal(ts_db_read(db, sql, "itnntittt", check_row, &expected, &why), 0);
    assert_int_equal(expected.rows, LAUNCHES);
    /* A reader that has enough; the connection is of use afterwards; nothing can be changed. */
    assert_int_equal(ts_db_read(db, sql, "itnntittt", refuse_row, NULL, &why), TS_EOVERRUN);
    expected.rows = 0;
    assert_int_equal(ts_db_read(db, sql, "itnntittt", check_row, &expected, &why), 0);
    assert_int_equal(ts_db_read(db, "SELECT beauty FROM launches", "n", check_row, NULL, &why),
                     TS_EPROTO);
    assert_non_null(strstr(why.text, "beauty"));
    ts_db_close(db);
    ts_plan_free(&session.plan);
}

static void groups_are_those_of_the_lab(void **state)
{
    const struct ts_compare_source source = {"settled", NULL, NULL, NULL, NULL};
    struct ts_compare_data data = {0};
    struct ts_why why = {""};
    size_t rows = 0;
    (void)state;
    struct ts_db *db = place_open_db();
    assert_int_equal(lab_put(db, 0, SESSIONS, SESSIONS, &why), 0);
    ts_db_close(db);
    assert_int_equal(ts_compare_add_database(&data, place_where, "device", &source, &why), 0);
    assert_int_equal(data.count, LAB_DEVICES);
    assert_string_equal(data.groups[0].name, "Device 1");
    assert_int_equal(data.groups[0].sessions, SESSIONS / LAB_DEVICES);
    assert_string_equal(data.groups[0].rig, "sim 1");
    assert_int_equal(data.apps.count, LAB_APPS);
    assert_string_equal(data.groups[7].conditions[TS_CONDITION_REFRESH], "90");
    for (size_t i = 0; i < data.count; i++)
        rows += data.groups[i].count;
    assert_int_equal(rows, SESSIONS * LAB_LAUNCHES);
    ts_compare_data_free(&data);
    assert_int_equal(ts_compare_add_database(&data, place_where, "build", &source, &why), 0);
    assert_int_equal(data.count, 4);
    assert_string_equal(data.groups[3].name, "build 4");
    assert_string_equal(data.groups[3].rig, "several");
    ts_compare_data_free(&data);
}

static void any_text_is_taken(void **state)
{
    struct lab_session session;
    struct ts_result result;
    struct ts_why why = {""};
    struct ts_db *db = place_open_db();
    (void)state;
    lab_session_make(&session, 1, SESSIONS);
    const struct ts_db_session row = {7, "07", &session.info, &session.plan, "", "", "", "", 0};
    lab_launch_make(&session, 1, SESSIONS, 1, &result);
    snprintf(result.component, sizeof result.component, "a\xff'; DROP TABLE launch; --\\");
    snprintf(result.app, sizeof result.app, "Mail \xc3\xa9");
    assert_int_equal(ts_db_begin(db, &why), 0);
    assert_int_equal(ts_db_add_session(db, &row, &why), 0);
    assert_int_equal(
        ts_db_add_launch(db, 7, &(struct ts_db_launch){&result, true, false, NULL}, &why), 0);
    if (ts_db_commit(db, &why))
        fail_msg("%s", why.text);
    ts_db_close(db);
    ts_plan_free(&session.plan);
    assert_int_equal(place_count("launches WHERE component = 'a?''; DROP TABLE launch; --\\'"), 1);
    assert_int_equal(place_count("launches WHERE app = 'Mail \xc3\xa9'"), 1);
}

static void another_versions_tables_are_refused(void **state)
{
    struct ts_db *db;
    struct ts_why why = {""};
    (void)state;
    if (place_postgres)
        return;
    place_shell("printf 'not a database, nor will it ever be one, however long' >%s", place_where);
    assert_int_equal(ts_db_open(place_where, &db, &why), TS_EPROTO);
    place_shell("rm %s", place_where);
    sqlite3 *file;
    assert_int_equal(sqlite3_open(place_where, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, "CREATE TABLE launch (launch INTEGER)", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(file);
    assert_int_equal(ts_db_open(place_where, &db, &why), TS_ENOTSUP);
    assert_non_null(strstr(why.text, "another program"));
    place_shell("rm %s", place_where);
    assert_int_equal(ts_db_open_to_read(place_where, &db, &why), TS_EIO);
    assert_int_equal(access(place_where, F_OK), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_begin, place_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(twice_is_once),
        TEST(what_came_later_is_added),
        TEST(another_detector_is_another_row),
        TEST(a_half_is_nothing),
        TEST(launches_that_are_there_are_brought_up_to_date),
        TEST(a_setup_that_is_gone_is_missed),
        TEST(nothing_is_lost_with_the_server),
        TEST(many_at_once_are_as_one),
        TEST(every_value_comes_back),
        TEST(groups_are_those_of_the_lab),
        TEST(any_text_is_taken),
        TEST(another_versions_tables_are_refused),
    };
    int failed = cmocka_run_group_tests_name("SQLite", tests, NULL, NULL);
    place_postgres = true;
    failed += cmocka_run_group_tests_name("PostgreSQL", tests, NULL, NULL);
    return failed;
}
