/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands behind a session's instrument is shared, and no name or word of a person's with it.
 */
#include "export/share_rig.h"
#include "session.h"
#include "store/annotations_file.h"
#include "store/campaign_file.h"
#include "store/check_file.h"
#include "store/files.h"
#include "store/record_file.h"
#include "store/verify_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECRET "zelda.quux"

static char folder[200];
static struct ts_certificate certificate, shared_certificate;

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *format, ...)
{
    char command[1500];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

static void write_record(const char *path)
{
    struct ts_record record = {.kind = TS_RECORD_STYLUS,
                               .identity = {.rig = SECRET, .board = "uno", .host = SECRET},
                               .date_s = 1790000000,
                               .n = 24};
    struct ts_buf bytes = {0};
    struct ts_why why;
    ts_record_add(&record, "lift_delay_ms", 8.1, 0.05, 23);
    assert_int_equal(ts_record_print(&record, &bytes), TS_OK);
    assert_int_equal(ts_file_write(path, &bytes, &why), TS_OK);
    ts_buf_free(&bytes);
}

static void fill(const char *dir)
{
    const struct ts_campaign_file campaign = {.started = "2026-03-01T09:30:00Z",
                                              .rig = SECRET,
                                              .device = SECRET,
                                              .phone = "Google Pixel 8, Android 14, X/1"};
    const struct ts_check_verdict verdict = {.judged = true,
                                             .why = "settled of " SECRET "'s rig is 9 ms away",
                                             .certificate_s = 1790000000};
    struct ts_why why;
    char path[300];
    certificate = (struct ts_certificate){.identity = {.rig = SECRET, .board = "uno"},
                                          .who = SECRET,
                                          .date_s = 1790000000,
                                          .plate_taps = 24,
                                          .passed = true};
    run("mkdir -p '%s/checks' '%s/rig' '%s/bench/verify'", dir, dir, folder);
    assert_int_equal(ts_campaign_file_write(dir, &campaign, &why), TS_OK);
    assert_int_equal(ts_check_verdict_save(dir, &verdict, &why), TS_OK);
    snprintf(path, sizeof path, "%s/bench", folder);
    assert_int_equal(ts_certificate_save(path, &certificate, &why), TS_OK);
    assert_int_equal(ts_certificate_attach(path, dir, &why), TS_OK);
    snprintf(path, sizeof path, "%s/rig/stylus.json", dir);
    write_record(path);
    run("echo 'the camera calibration is of another rig (" SECRET ", now b)' >'%s/rig/forced.txt'",
        dir);
    for (int launch = 1; launch <= 2; launch++)
        run("echo '[{\"by\": \"" SECRET "\", \"when\": \"2026-03-01T09:30:00Z\", "
            "\"first_change_frame\": 31, \"settled_frame\": 50, \"first_change_ms\": 210.5, "
            "\"settled_ms\": 412.5, \"zero\": \"lift\", \"frames_csv\": \"/home/" SECRET "/x\", "
            "\"frames\": 60, \"cannot_tell\": false, \"note\": \"" SECRET "\", \"superseded\": "
            "null}]' >'%s/launches/%04d/annotations.json'",
            dir, launch);
}

static void shares_the_instrument_and_no_names(void **state)
{
    (void)state;
    struct ts_session *session;
    struct ts_why why = {""};
    struct ts_campaign_file campaign;
    struct ts_check_verdict verdict;
    struct ts_annotations marks;
    char dir[260], to[260], path[400];
    snprintf(folder, sizeof folder, "%s/test_share_rig_XXXXXX", TS_BUILD_DIR);
    assert_non_null(mkdtemp(folder));
    snprintf(dir, sizeof dir, "%s/session", folder);
    snprintf(to, sizeof to, "%s/shared", folder);
    session_write(dir, &(struct session_shape){1, 2, 0, 0});
    fill(dir);
    run("mkdir -p '%s/launches/0001' '%s/launches/0002'", to, to);
    assert_int_equal(ts_session_open(dir, &session, &why), TS_OK);
    assert_int_equal(ts_share_rig(session, to, &why), TS_OK);
    assert_int_equal(ts_share_annotations(session, to, &why), TS_OK);
    ts_session_free(session);
    run("! grep -rqi zelda '%s'", to);
    assert_int_equal(ts_campaign_file_read(to, &campaign, &why), TS_OK);
    assert_string_equal(campaign.phone, "Google Pixel 8, Android 14, X/1");
    assert_string_equal(campaign.started, "2026-03-01T09:30:00Z");
    assert_int_equal(ts_certificate_load_attached(to, &shared_certificate, &why), TS_OK);
    assert_true(shared_certificate.passed && shared_certificate.plate_taps == 24);
    assert_int_equal(ts_check_verdict_load(to, &verdict, &why), TS_OK);
    assert_true(verdict.judged && !verdict.in_control && *verdict.why);
    snprintf(path, sizeof path, "%s/launches/0002/annotations.json", to);
    assert_int_equal(ts_annotations_load(path, &marks, &why), TS_OK);
    assert_int_equal(marks.count, 1);
    assert_string_equal(marks.items[0].by, "person 1");
    assert_true(marks.items[0].settled_ms > 412.4 && marks.items[0].settled_ms < 412.6);
    ts_annotations_free(&marks);
    run("test -s '%s/rig/stylus.json' && test -s '%s/rig/forced.txt'", to, to);
    run("rm -rf '%s'", folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_the_instrument_and_no_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
