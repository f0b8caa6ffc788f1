/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that come from a session's own database, on the way to a lab's. */
#include "place.h"
#include "store/campaign_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All that is known of launches, one text a row. */
struct texts {
    char *all[2 * LAUNCHES];
    int count;
};

static int take_text(void *context, const struct ts_db_cell *row)
{
    struct texts *texts = context;
    struct ts_buf text = {0};
    for (int i = 0; i < 9; i++)
        assert_int_equal(ts_buf_printf(&text, "%s|", ts_db_text(&row[i])), 0);
    for (int i = 9; i < 18; i++)
        assert_int_equal(ts_buf_printf(&text, "%.17g|", ts_db_number(&row[i])), 0);
    for (int i = 18; i < 22; i++)
        assert_int_equal(ts_buf_printf(&text, "%lld|", (long long)row[i].u.integer), 0);
    assert_int_equal(ts_buf_append(&text, "", 1), 0);
    assert_true(texts->count < 2 * LAUNCHES);
    texts->all[texts->count++] = (char *)text.data;
    return TS_OK;
}

static struct texts read_texts(void)
{
    static const char sql[] =
        "SELECT app, build, start_type, verdict, flags, exclusion, rule, detector_version, network,"
        " settled_ms, settled_u_ms, settled_u_common_ms, speed_index_ms, main_content_ms, "
        "lift_u_ns,"
        " temperature_c, cpu_mhz, animator_scale, launch, lift_ns, warm_up, dropped"
        " FROM launches ORDER BY launch";
    struct texts texts = {{0}, 0};
    struct ts_why why = {""};
    struct ts_db *db = place_open_db();
    if (ts_db_read(db, sql, "tttttttttnnnnnnnnniiii", take_text, &texts, &why))
        fail_msg("%s", why.text);
    ts_db_close(db);
    return texts;
}

static void forget_all(void)
{
    if (place_postgres) {
        place_server("stop");
        place_server("start");
    } else {
        place_shell("rm %s", place_where);
    }
}

/* A session's own database says the same as its files, and is believed only place_where it is no
 * older than they are. */
static void the_sessions_database_says_what_its_files_say(void **state)
{
    struct ts_why why = {""};
    (void)state;
    place_write_session(1, LAUNCHES);
    /* exclusions.jsonl counts, also where the database has not heard of it. */
    place_shell("cp %s/session1/results.sqlite results.aside", place_folder);
    assert_int_equal(ts_session_exclude(place_session_dir(1), 5, "a cat", &why), 0);
    place_shell("mv results.aside %s/session1/results.sqlite", place_folder);
    assert_int_equal(place_ingest(1), LAUNCHES);
    assert_int_equal(place_count("launches WHERE exclusion = 'a cat'"), 1);
    struct texts copied = read_texts();
    forget_all();
    place_shell("mv %s/session1/results.sqlite results.aside", place_folder);
    assert_int_equal(place_ingest(1), LAUNCHES);
    struct texts read = read_texts();
    assert_int_equal(copied.count, LAUNCHES);
    assert_int_equal(read.count, LAUNCHES);
    for (int i = 0; i < LAUNCHES; i++) {
        assert_string_equal(copied.all[i], read.all[i]);
        free(copied.all[i]);
        free(read.all[i]);
    }
    forget_all();
    place_shell("mv results.aside %s/session1/results.sqlite", place_folder);
    place_write_result("launches/0007/result.json", 7, "robust-0", 1234.5);
    assert_int_equal(place_ingest(1), LAUNCHES);
    assert_int_equal(place_count("launches WHERE settled_ms = 1234.5 AND launch = 7"), 1);
    forget_all();
    place_shell("printf garbage >%s/session1/results.sqlite", place_folder);
    assert_int_equal(place_ingest(1), LAUNCHES);
    assert_int_equal(place_count("launches"), LAUNCHES);
}

static int take_about(void *context, const struct ts_db_cell *row)
{
    char *about = context;
    snprintf(about, 128, "%s|%s|%s", ts_db_text(&row[0]), ts_db_text(&row[1]), ts_db_text(&row[2]));
    return TS_OK;
}

static void when_and_where_comes_along(void **state)
{
    const struct ts_campaign_file file = {
        .started = "2026-02-28T09:30:00Z", .rig = "bench 2", .device = "Pixel 4a"};
    struct ts_ingest ingest = {.db = place_open_db()};
    struct ts_why why = {""};
    char about[128] = "";
    (void)state;
    place_write_session(1, LAUNCHES);
    assert_int_equal(ts_campaign_file_write(place_session_dir(1), &file, &why), 0);
    assert_int_equal(ts_ingest_session(&ingest, place_session_dir(1), &why), 0);
    assert_int_equal(ts_db_read(ingest.db,
                                "SELECT max(started), max(rig), max(device) FROM launches", "ttt",
                                take_about, about, &why),
                     0);
    assert_string_equal(about, "2026-02-28T09:30:00Z|bench 2|Pixel 4a");
    place_shell("printf '{\"started\": 5}' >%s/session1/campaign.json", place_folder);
    assert_int_equal(ts_ingest_session(&ingest, place_session_dir(1), &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "campaign.json"));
    assert_false(ingest.lost);
    ts_db_close(ingest.db);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_begin, place_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_sessions_database_says_what_its_files_say),
        TEST(when_and_where_comes_along),
    };
    int failed = cmocka_run_group_tests_name("SQLite", tests, NULL, NULL);
    place_postgres = true;
    failed += cmocka_run_group_tests_name("PostgreSQL", tests, NULL, NULL);
    return failed;
}
