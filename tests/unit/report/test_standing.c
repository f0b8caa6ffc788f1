/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page, the terminal and JSON say of a session's rig: verified or not, in control or not,
 * forced or not; through the files of a session folder. */
#include "report/standing.h"

#include "report/html.h"
#include "sample.h"
#include "store/files.h"
#include "store/verify_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIR TS_BUILD_DIR "/tests/report-standing"

static const struct ts_text_style ascii = {.width = 80};
static struct ts_certificate certificate;

static void make_certificate(bool passed)
{
    certificate = (struct ts_certificate){.identity = {.rig = "bench <2>", .board = "uno"},
                                          .date_s = 1790000000,
                                          .refresh_hz = 90,
                                          .response_ms = NAN,
                                          .usable = 58,
                                          .scene_count = 0,
                                          .passed = passed};
    for (int m = 0; m < TS_MEASURAND_COUNT; m++)
        certificate.lines[m][TS_SCENE_COUNT] = (struct ts_verified_line){.n = 60,
                                                                         .bias_ms = -0.25,
                                                                         .half_95_ms = 0.5,
                                                                         .limit_ms = 3,
                                                                         .spread_ms = 1.75,
                                                                         .p95_ms = 2,
                                                                         .max_ms = 3,
                                                                         .gross = 1,
                                                                         .covered = 57,
                                                                         .passed = true};
}

static void put_file(const char *path, const char *text)
{
    struct ts_buf bytes = {0};
    assert_int_equal(ts_buf_append(&bytes, text, strlen(text)), TS_OK);
    assert_int_equal(ts_file_write(path, &bytes, NULL), TS_OK);
    ts_buf_free(&bytes);
}

/* A session folder with these files of its rig; NULL: without. */
static void make_folder(const struct ts_certificate *attached, const struct ts_check_verdict *check,
                        const char *forced)
{
    ts_folder_remove(DIR "/rig/verify");
    ts_folder_remove(DIR "/rig");
    ts_folder_remove(DIR "/checks");
    assert_int_equal(ts_folder_make(DIR, NULL), TS_OK);
    assert_int_equal(ts_folder_make(DIR "/rig", NULL), TS_OK);
    assert_int_equal(ts_folder_make(DIR "/rig/verify", NULL), TS_OK);
    assert_int_equal(ts_folder_make(DIR "/checks", NULL), TS_OK);
    if (attached) {
        assert_int_equal(ts_certificate_save(DIR "/rig", attached, NULL), TS_OK);
        assert_int_equal(ts_certificate_attach(DIR "/rig", DIR, NULL), TS_OK);
    }
    if (check)
        assert_int_equal(ts_check_verdict_save(DIR, check, NULL), TS_OK);
    if (forced)
        put_file(DIR "/rig/forced.txt", forced);
}

static struct ts_check_verdict verdict(bool in_control)
{
    struct ts_check_verdict check = {.judged = true,
                                     .in_control = in_control,
                                     .certificate_s = 1790000000,
                                     .before = {{0.11, -0.22}, {0.9, 0.8}},
                                     .after = {{0.33, NAN}, {0.9, NAN}},
                                     .over = true};
    strcpy(check.why, in_control ? "" : "settled moved by 4.00 ms");
    return check;
}

static char *end_of(struct ts_out *out)
{
    ts_out_bytes(out, "", 1);
    assert_int_equal(out->err, TS_OK);
    return (char *)out->text.data;
}

/* The whole page, and what the terminal shows. */
static char *page_of(struct ts_standing *standing, char **text, char **json)
{
    struct ts_report_data data;
    struct ts_out page = {0}, terminal = {0}, members = {0};
    struct ts_json_out out = {.buf = &members.text};
    sample_make(&data, 8, false);
    data.standing = *standing;
    assert_int_equal(ts_report_page(&data, NULL, false, &page), TS_OK);
    ts_standing_text(standing, ascii, &terminal);
    ts_json_open(&out, NULL, '{');
    ts_standing_json(standing, &out);
    ts_json_close(&out, '}');
    *text = end_of(&terminal);
    *json = end_of(&members);
    data.standing = (struct ts_standing){.certificate = NULL};
    sample_free(&data);
    return end_of(&page);
}

static void assert_says(const char *text, const char *const *parts, bool says)
{
    for (; *parts; parts++) {
        if ((strstr(text, *parts) != NULL) != says)
            fail_msg("%s \"%s\":%s", says ? "missing" : "unwanted", *parts, text);
    }
}

static void load_and_see(struct ts_standing *standing, char *seen[3])
{
    struct ts_why why = {""};
    if (ts_standing_load(DIR, standing, &why))
        fail_msg("%s", why.text);
    seen[0] = page_of(standing, &seen[1], &seen[2]);
    for (const char *line = seen[1]; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
}

static void forget(struct ts_standing *standing, char *seen[3])
{
    ts_standing_free(standing);
    for (int i = 0; i < 3; i++)
        free(seen[i]);
}

static void a_rig_that_nobody_verified(void **state)
{
    struct ts_standing standing;
    char *seen[3];
    (void)state;
    make_folder(NULL, NULL, NULL);
    load_and_see(&standing, seen);
    assert_false(ts_standing_doubtful(&standing));
    assert_says(seen[0], (const char *[]){"Not verified", "photodiodes: none", NULL}, true);
    assert_says(seen[0], (const char *[]){"class=\"notice alarm\"", NULL}, false);
    assert_string_equal(seen[1], "Rig: not verified.\n");
    assert_says(seen[2], (const char *[]){"\"certificate\":null", "\"forced\":null", NULL}, true);
    forget(&standing, seen);
}

static void a_sound_rig(void **state)
{
    struct ts_standing standing;
    const struct ts_check_verdict check = verdict(true);
    char *seen[3];
    (void)state;
    make_certificate(true);
    make_folder(&certificate, &check, NULL);
    load_and_see(&standing, seen);
    assert_false(ts_standing_doubtful(&standing));
    assert_says(seen[0],
                (const char *[]){"Verification passed", "bench &lt;2&gt;", "2026-09-21 14:13 UTC",
                                 "in control before and after", "57 of 59", "\u22120.25", "0.33",
                                 "90 Hz", NULL},
                true);
    assert_says(seen[0], (const char *[]){"class=\"notice alarm\"", "Not verified", NULL}, false);
    assert_says(seen[1],
                (const char *[]){"passed",
                                 "bias -0.25 +-0.50, spread 1.75 ms; covered 57/59; "
                                 "gross 1/60",
                                 "in control before and after", NULL},
                true);
    assert_says(seen[2], (const char *[]){"\"passed\":true", "\"in_control\":true", "-0.25", NULL},
                true);
    forget(&standing, seen);
}

/* Before any number: no reader may overlook it. */
static void objections_come_first(void **state)
{
    static const char objection[] = "the camera calibration is 12 days old";
    struct ts_standing standing;
    const struct ts_check_verdict check = verdict(false);
    char *seen[3];
    (void)state;
    make_certificate(false);
    make_folder(&certificate, &check,
                "another board <uno>\nthe camera calibration is 12 days old\n");
    load_and_see(&standing, seen);
    assert_true(ts_standing_doubtful(&standing));
    const char *const parts[] = {objection, "settled moved by 4.00 ms", "failed its verification",
                                 NULL};
    assert_says(seen[0], parts, true);
    assert_says(seen[0], (const char *[]){"another board &lt;uno&gt;<br>", NULL}, true);
    assert_says(seen[0], (const char *[]){"\xef\xbf\xbd", NULL}, false);
    for (int i = 0; i < 3; i++)
        assert_true(strstr(seen[0], parts[i]) < strstr(seen[0], "<table"));
    assert_says(seen[1],
                (const char *[]){"\n  another board <uno>\n", objection, "FAILED", "OUT OF CONTROL",
                                 "settled moved", NULL},
                true);
    assert_says(seen[2],
                (const char *[]){"\"in_control\":false", objection, "\"passed\":false", NULL},
                true);
    forget(&standing, seen);
}

static void a_campaign_that_nothing_followed(void **state)
{
    struct ts_standing standing;
    struct ts_check_verdict check = verdict(true);
    char *seen[3];
    (void)state;
    check.judged = check.over = false;
    make_certificate(true);
    make_folder(&certificate, &check, NULL);
    load_and_see(&standing, seen);
    assert_says(seen[1], (const char *[]){"none was played after", NULL}, true);
    assert_says(seen[2], (const char *[]){"\"in_control\":null", NULL}, true);
    assert_says(seen[0], (const char *[]){">After<", NULL}, false);
    forget(&standing, seen);
}

static void damage_is_said(void **state)
{
    struct ts_standing standing;
    char *seen[3];
    (void)state;
    make_certificate(true);
    make_folder(&certificate, NULL, NULL);
    put_file(DIR "/checks/certificate.json", "{\"certificate\": \"passed\"}\n");
    load_and_see(&standing, seen);
    assert_true(ts_standing_doubtful(&standing));
    assert_null(standing.certificate);
    assert_says(seen[0], (const char *[]){"cannot be read", "certificate.json", NULL}, true);
    forget(&standing, seen);
    put_file(DIR "/checks/verdict.json", "{\"in_control\":3}\n");
    load_and_see(&standing, seen);
    assert_false(standing.checked);
    forget(&standing, seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rig_that_nobody_verified),
        cmocka_unit_test(a_sound_rig),
        cmocka_unit_test(objections_come_first),
        cmocka_unit_test(a_campaign_that_nothing_followed),
        cmocka_unit_test(damage_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
