/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded launches of real programs: what the analysis says against the frames themselves. */
#include "cli/analyze.h"
#include "cli/analyze_video.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RECORDINGS TS_SOURCE_DIR "/fixtures/recordings/"
#define SLACK_MS   1.0 /* fetching a picture takes time, too */

#define GALLERY_TAP_NS   3635229589572 /* of gallery.csv; its first frame's arrival */
#define FIRST_ARRIVAL_NS 3634737822071
#define GALLERY_TAP_MS   490 /* about the same tap, from the first frame */

static struct ts_analyze_options screen_options(const char *name, char video[512], char csv[512])
{
    snprintf(video, 512, RECORDINGS "%s.nut", name);
    snprintf(csv, 512, RECORDINGS "%s.csv", name);
    struct ts_analyze_options options = ts_analyze_usual(video);
    options.given = (struct ts_film_given){.frames_csv = csv, .tap_given = true};
    return options;
}

static void check_between(const json_t *reference, const char *name, const struct ts_metric *metric)
{
    char key[64];
    snprintf(key, sizeof key, "%s_after_ms", name);
    const double after = json_real_value(json_object_get(reference, key));
    snprintf(key, sizeof key, "%s_before_ms", name);
    const double before = json_real_value(json_object_get(reference, key));
    printf("  %s %.2f (u %.2f) in %.2f .. %.2f\n", name, metric->value, metric->u, after, before);
    assert_true(metric->value >= after - SLACK_MS);
    assert_true(metric->value <= before + SLACK_MS);
    assert_true(metric->u > 0 && metric->u < 6);
}

static void check_recording(const char *name)
{
    char video[512], csv[512], path[512];
    struct ts_analyze_options options = screen_options(name, video, csv);
    snprintf(path, sizeof path, RECORDINGS "%s.json", name);
    json_t *reference = json_load_file(path, 0, NULL);
    assert_non_null(reference);
    options.given.tap_ns = json_integer_value(json_object_get(reference, "tap_ns"));
    struct ts_analyze_result result;
    struct ts_why why = {""};
    assert_int_equal(ts_analyze_video(&options, &result, &why), TS_OK);
    printf("%s: flags %x\n", name, result.changes.flags);
    assert_int_equal(result.changes.flags, 0);
    assert_int_equal(result.frames, json_integer_value(json_object_get(reference, "frames")));
    assert_int_equal(result.dropped, json_integer_value(json_object_get(reference, "dropped")));
    check_between(reference, "first_visual_change", &result.changes.first);
    check_between(reference, "settled", &result.changes.settled);
    assert_int_equal(isnan(result.changes.last.value),
                     json_is_true(json_object_get(reference, "goes_on")));

    options.rule = TS_RULE_LITERAL;
    assert_int_equal(ts_analyze_video(&options, &result, &why), TS_OK);
    check_between(reference, "first_visual_change", &result.changes.first);
    json_decref(reference);
}

static void finds_launches_of_real_programs(void **state)
{
    (void)state;
    check_recording("xcalc");
    check_recording("xterm");
    check_recording("gallery");
    check_recording("gallery_busy");
}

static void takes_the_container_times(void **state)
{
    (void)state;
    char video[512], csv[512];
    struct ts_analyze_options options = screen_options("gallery", video, csv);
    struct ts_analyze_result with, without;
    struct ts_why why = {""};
    options.given.tap_ns = FIRST_ARRIVAL_NS + GALLERY_TAP_MS * 1000000ll;
    assert_int_equal(ts_analyze_video(&options, &with, &why), TS_OK);
    options.given.frames_csv = NULL;
    options.given.tap_ns = GALLERY_TAP_MS * 1000000ll;
    assert_int_equal(ts_analyze_video(&options, &without, &why), TS_OK);
    assert_true(fabs(with.changes.first.value - without.changes.first.value) < 1);
    assert_true(fabs(with.changes.settled.value - without.changes.settled.value) < 1);
}

static void unknown_latency_widens_the_uncertainty(void **state)
{
    (void)state;
    char video[512], csv[512];
    struct ts_analyze_options options = screen_options("gallery", video, csv);
    struct ts_analyze_result known, unknown;
    struct ts_why why = {""};
    options.given.tap_ns = GALLERY_TAP_NS;
    assert_int_equal(ts_analyze_video(&options, &known, &why), TS_OK);
    options.given.latency_ms = NAN;
    assert_int_equal(ts_analyze_video(&options, &unknown, &why), TS_OK);
    assert_true(unknown.changes.settled.u > known.changes.settled.u + 1);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    char video[512], csv[512];
    struct ts_analyze_options options = screen_options("gallery", video, csv);
    struct ts_analyze_result result;
    struct ts_why why = {""};
    options.video = RECORDINGS "none.nut";
    assert_int_equal(ts_analyze_video(&options, &result, &why), TS_EIO);
    assert_non_null(strstr(why.text, "none.nut"));
    options.video = RECORDINGS "xcalc.csv"; /* not a video */
    assert_true(ts_analyze_video(&options, &result, &why) < 0);
    options.video = RECORDINGS "xcalc.nut"; /* not its frames */
    assert_int_equal(ts_analyze_video(&options, &result, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "480"));
    char *usage[] = {"analyze", "/nowhere/none.mp4", NULL};
    assert_int_equal(ts_cli_analyze(2, usage), 1);
}

/* Cut off and altered files must end in an error or a result, whatever they are. */
static void survives_damage(void **state)
{
    (void)state;
    static char data[1 << 20];
    FILE *file = fopen(RECORDINGS "xcalc.nut", "rb");
    assert_non_null(file);
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    unsigned random = 1;
    for (int i = 0; i < 40; i++) {
        const char *path = TS_BUILD_DIR "/tests/damaged.nut";
        file = fopen(path, "wb");
        assert_non_null(file);
        const size_t keep = i % 2 ? size : size * (size_t)i / 40;
        for (int k = 0; k < 20 * (i % 2); k++) {
            random = random * 1664525u + 1013904223u;
            data[(random >> 8) % size] ^= (char)(1 << (random >> 4 & 7));
        }
        assert_int_equal(fwrite(data, 1, keep, file), keep);
        fclose(file);
        const struct ts_analyze_options options = ts_analyze_usual(path);
        struct ts_analyze_result result;
        struct ts_why why = {""};
        const int err = ts_analyze_video(&options, &result, &why);
        assert_true(err == TS_OK || why.text[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_launches_of_real_programs),
        cmocka_unit_test(takes_the_container_times),
        cmocka_unit_test(unknown_latency_widens_the_uncertainty),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
