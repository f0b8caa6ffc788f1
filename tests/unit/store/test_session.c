/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64], dir[80];

static int set_up(void **state)
{
    (void)state;
    example_folder(folder);
    snprintf(dir, sizeof dir, "%s/session", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    example_remove(folder);
    return 0;
}

/* Everything that was finished reads back without a complaint. Returns how many launches. */
static int read_everything(void)
{
    struct ts_session *session;
    struct ts_why why = {""};
    if (ts_session_open(dir, &session, &why))
        fail_msg("%s", why.text);
    const int launches = ts_session_launch_count(session);
    for (int launch = 1; launch <= launches; launch++) {
        struct ts_evidence evidence;
        struct ts_result result;
        if (ts_session_load_evidence(session, launch, &evidence, &why) ||
            ts_session_load_result(session, launch, &result, &why))
            fail_msg("launch %d: %s", launch, why.text);
        assert_int_equal(evidence.intent.launch, launch);
        assert_int_equal(evidence.frame_count, EXAMPLE_ITEMS / 4);
        assert_int_equal(result.launch, launch);
        ts_evidence_free(&evidence);
    }
    ts_session_free(session);
    return launches;
}

static void test_comes_back(void **state)
{
    struct ts_session *session;
    struct ts_calibration calibration;
    struct ts_evidence evidence;
    struct ts_why why = {""};
    (void)state;
    example_session(dir, UINT64_MAX - 4, 3);
    assert_int_equal(read_everything(), 3);
    assert_int_equal(ts_session_open(dir, &session, &why), 0);
    const struct ts_session_info *info = ts_session_get_info(session);
    const struct ts_plan *plan = ts_session_get_plan(session);
    assert_true(info->seed == UINT64_MAX - 4);
    assert_memory_equal(&info->camera, &example_camera, sizeof example_camera);
    assert_string_equal(info->detector, "robust-1");
    assert_string_equal(plan->name, "night \"run\"");
    assert_int_equal(plan->app_count, 2);
    assert_string_equal(plan->apps[1].component, "org.music/.ui.Start");
    assert_string_equal(plan->apps[0].name, "Mail (B)");
    assert_string_equal(plan->apps[0].build, "B");
    assert_string_equal(plan->apps[0].apk, "out/mail b.apk");
    assert_null(plan->apps[1].apk);
    assert_int_equal(plan->block, 2);
    assert_int_equal(plan->reinstall, TS_REINSTALL_CLEAN);
    assert_int_equal(plan->order, TS_ORDER_SHUFFLED);
    assert_int_equal(plan->keep_video, TS_VIDEO_NONE);
    assert_true(plan->quiet_ms == 1000.5);
    assert_string_equal(plan->bench_options, "faults=0.1,phone=slow");
    assert_int_equal(ts_session_load_calibration(session, &calibration, &why), 0);
    assert_int_equal(calibration.plate_taps, 12);
    assert_int_equal(ts_session_load_evidence(session, 0, &evidence, &why), 0);
    assert_int_equal(evidence.frame_count, EXAMPLE_ITEMS / 4);
    struct ts_rng rng;
    uint16_t blocks[64 * 48];
    ts_rng_seed(&rng, UINT64_MAX - 4, 1);
    example_blocks(&rng, blocks); /* the first thing drawn is the first frame */
    assert_memory_equal(evidence.frames[0].blocks, blocks, sizeof blocks);
    ts_evidence_free(&evidence);
    assert_int_equal(ts_session_load_evidence(session, 4, &evidence, &why), TS_EIO);
    ts_session_free(session);
    struct stat status;
    char path[160];
    snprintf(path, sizeof path, "%s/launches/0001/video.mkv", dir);
    assert_int_equal(stat(path, &status), 0);
    snprintf(path, sizeof path, "%s/launches/0002/video.mkv", dir);
    assert_int_not_equal(stat(path, &status), 0);
}

static void test_same_seed_same_bytes(void **state)
{
    char other[80], command[256];
    (void)state;
    example_session(dir, 7, 2);
    snprintf(other, sizeof other, "%s/other", folder);
    example_session(other, 7, 2);
    snprintf(command, sizeof command, "diff -r -x results.sqlite %s %s", dir, other);
    assert_int_equal(system(command), 0);
}

static void test_a_used_folder_is_refused(void **state)
{
    const struct ts_session_info info = example_info(1);
    struct ts_session_writer *session;
    struct ts_plan plan;
    struct ts_why why = {""};
    (void)state;
    example_plan(&plan);
    example_session(dir, 7, 1);
    assert_int_equal(ts_session_create(dir, &info, &plan, "", &session, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, dir));
    assert_int_equal(ts_session_create("/nonexistent/a/b", &info, &plan, "", &session, &why),
                     TS_EIO);
    assert_non_null(strstr(why.text, "/nonexistent/a/b"));
    assert_int_equal(read_everything(), 1);
    ts_plan_free(&plan);
}

static void test_an_open_part_is_dropped(void **state)
{
    const struct ts_session_info info = example_info(1);
    struct ts_session_writer *session;
    struct ts_plan plan;
    struct ts_rng rng;
    struct ts_why why = {""};
    (void)state;
    ts_rng_seed(&rng, 1, 0);
    example_plan(&plan);
    assert_int_equal(ts_session_create(dir, &info, &plan, NULL, &session, &why), 0);
    example_part(session, &rng, 0, false);
    example_part(session, &rng, 1, false);
    assert_int_equal(ts_session_begin(session, 2, true, &why), 0);
    assert_int_equal(ts_session_begin(session, 3, true, &why), TS_EINVAL);
    ts_session_close(session);
    ts_plan_free(&plan);
    assert_int_equal(read_everything(), 1);
}

static void nap(long ns)
{
    const struct timespec time = {0, ns};
    nanosleep(&time, NULL);
}

/* A limit on the size of files stands for a full disk: the error is told with the path, nothing
 * half written gets a launch's name, and what was finished stays. */
static void test_write_errors_are_told(void **state)
{
    const struct ts_session_info info = example_info(1);
    struct ts_session_writer *session;
    struct ts_result result;
    struct ts_plan plan;
    struct ts_rng rng;
    struct rlimit before, limit;
    struct ts_why why = {""};
    (void)state;
    ts_rng_seed(&rng, 1, 0);
    example_plan(&plan);
    example_result(&rng, 2, &result);
    assert_int_equal(ts_session_create(dir, &info, &plan, NULL, &session, &why), 0);
    ts_plan_free(&plan);
    example_part(session, &rng, 1, false);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 20000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(ts_session_begin(session, 2, true, &why), 0);
    int err = TS_OK;
    for (uint64_t i = 0; i < 3000; i++) {
        struct ts_item item;
        example_item(&rng, i, &item);
        err = ts_session_item(session, &item);
    }
    assert_int_equal(err, TS_EIO);
    assert_int_equal(ts_session_finish_launch(session, &result, true, &why), TS_EIO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_non_null(strstr(why.text, "launches/0002.part"));
    assert_non_null(strstr(why.text, strerror(EFBIG)));
    ts_session_close(session);
    assert_int_equal(read_everything(), 1);
}

/* launch 0: the session itself, which is there before any launch is. */
static bool exists(int launch, const char *suffix)
{
    char path[160];
    struct stat status;
    if (launch)
        snprintf(path, sizeof path, "%s/launches/%04d%s", dir, launch, suffix);
    else
        snprintf(path, sizeof path, "%s/session.json", dir);
    return stat(path, &status) == 0;
}

/* Kills a writer some time after it has finished so many launches; returns how many are there. */
static int kill_a_writer(int finished, long ns)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        example_session(dir, 9, 2000);
        _exit(0);
    }
    while (!exists(finished, "")) {
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        nap(200000);
    }
    nap(ns);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return read_everything();
}

/* A process killed anywhere leaves a session of whole launches: all that it had finished. How far
 * it comes in a given time depends on what else the machine does, so it is killed by its progress.
 */
static void test_killed_writers_leave_whole_launches(void **state)
{
    struct ts_rng rng;
    int cut = 0;
    (void)state;
    ts_rng_seed(&rng, 31, 0);
    for (int round = 0; round < 24; round++) {
        const int finished = round % 4;
        example_remove(dir);
        const int launches = kill_a_writer(finished, (long)ts_rng_below(&rng, 30000000));
        assert_true(launches >= finished);
        cut += exists(launches + 1, ".part");
    }
    assert_true(cut > 0); /* or none of them was writing when it was killed */
}

static void test_damage_is_told_with_its_place(void **state)
{
    struct ts_session *session;
    struct ts_evidence evidence;
    struct ts_why why = {""};
    char path[160];
    (void)state;
    example_session(dir, 7, 2);
    snprintf(path, sizeof path, "%s/launches/0001/events.jsonl", dir);
    FILE *file = fopen(path, "ab");
    fputs("{\"i\":1}\n", file);
    fclose(file);
    snprintf(path, sizeof path, "%s/launches/0002/blocks.bin", dir);
    assert_int_equal(truncate(path, 3000), 0);
    assert_int_equal(ts_session_open(dir, &session, &why), 0);
    assert_int_equal(ts_session_load_evidence(session, 1, &evidence, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "0001/events.jsonl, line "));
    assert_int_equal(ts_session_load_evidence(session, 2, &evidence, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "blocks.bin"));
    ts_session_free(session);
}

static void test_exclusions(void **state)
{
    struct ts_session *session;
    struct ts_why why = {""};
    char path[160];
    (void)state;
    example_session(dir, 7, 3);
    assert_int_equal(ts_session_exclude(dir, 4, "x", &why), TS_EINVAL);
    assert_int_equal(ts_session_exclude(dir, 2, "somebody leaned on the table", &why), 0);
    assert_int_equal(ts_session_exclude(dir, 3, "cat", &why), 0);
    /* What a crash left of a line never counted. */
    snprintf(path, sizeof path, "%s/exclusions.jsonl", dir);
    FILE *file = fopen(path, "ab");
    fputs("{\"launch\":1,\"exclu", file);
    fclose(file);
    assert_int_equal(ts_session_open(dir, &session, &why), 0);
    assert_null(ts_session_exclusion(session, 1));
    assert_non_null(ts_session_exclusion(session, 3));
    ts_session_free(session);
    assert_int_equal(ts_session_exclude(dir, 3, NULL, &why), 0);
    assert_int_equal(ts_session_open(dir, &session, &why), 0);
    assert_string_equal(ts_session_exclusion(session, 2), "somebody leaned on the table");
    assert_null(ts_session_exclusion(session, 1));
    assert_null(ts_session_exclusion(session, 3));
    assert_null(ts_session_exclusion(session, 99));
    ts_session_free(session);
}

/* A column's text in the row of a launch; the result lives until the next call. */
static const char *column(int launch, const char *name)
{
    static char text[256];
    char path[160], sql[160];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/results.sqlite", dir);
    snprintf(sql, sizeof sql, "SELECT coalesce(%s, 'NULL') FROM launches WHERE launch = %d", name,
             launch);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    snprintf(text, sizeof text, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return text;
}

static void test_the_database_says_the_same(void **state)
{
    struct ts_session *session;
    struct ts_why why = {""};
    char number[40];
    (void)state;
    example_session(dir, 8, 12);
    assert_int_equal(ts_session_exclude(dir, 2, "cat", &why), 0);
    assert_int_equal(ts_session_open(dir, &session, &why), 0);
    for (int launch = 1; launch <= 12; launch++) {
        struct ts_result result;
        assert_int_equal(ts_session_load_result(session, launch, &result, &why), 0);
        assert_string_equal(column(launch, "verdict"), ts_result_verdict(&result));
        /* Bytes that are not UTF-8 became '?'. */
        size_t ascii = 0;
        while (result.app[ascii] > 0)
            ascii++;
        assert_memory_equal(column(launch, "app"), result.app, ascii);
        assert_string_equal(column(launch, "exclusion"), launch == 2 ? "cat" : "NULL");
        /* The last columns too, so that no value stands in its neighbour's column. */
        snprintf(number, sizeof number, "%d", result.dropped);
        assert_string_equal(column(launch, "dropped"), number);
        const struct {
            const char *name;
            double value;
        } numbers[] = {
            {"literal_settled_u_common_ms", result.literal_settled.u_common},
            {"visually_complete_85_u_ms", result.visually_complete_85.u},
            {"main_content_u_common_ms", result.main_content.u_common},
            {"lift_u_ns", result.lift.u_ns},
            {"animator_scale", result.conditions.animation_scale[2]},
            {"brightness", result.conditions.brightness},
            {"frame_period_ms", result.frame_period_ms},
        };
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            const char *text = column(launch, numbers[i].name);
            if (isnan(numbers[i].value))
                assert_string_equal(text, "NULL");
            else
                assert_float_equal(atof(text), numbers[i].value, 1e-9);
        }
        snprintf(number, sizeof number, "%d", result.conditions.rotation);
        assert_string_equal(column(launch, "rotation"),
                            result.conditions.rotation < 0 ? "NULL" : number);
    }
    ts_session_free(session);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_comes_back),
        TEST(test_same_seed_same_bytes),
        TEST(test_a_used_folder_is_refused),
        TEST(test_an_open_part_is_dropped),
        TEST(test_write_errors_are_told),
        TEST(test_killed_writers_leave_whole_launches),
        TEST(test_damage_is_told_with_its_place),
        TEST(test_exclusions),
        TEST(test_the_database_says_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
