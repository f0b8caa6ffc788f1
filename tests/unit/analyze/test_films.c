/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films of all kinds, sound and broken, through the whole analysis. */
#include "cli/analyze_video.h"
#include "film.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TAP     60  /* frame at which the tap is ... */
#define CHANGED 100 /* ... and which is the first to show the change */

static int launch(int frame, int x)
{
    return 60 + x % 40 + (frame >= CHANGED ? 80 : 0);
}

static struct film_kind launch_film(const char *encoder, enum AVPixelFormat format,
                                    const char *extension, int rate)
{
    return (struct film_kind){.encoder = encoder,
                              .format = format,
                              .extension = extension,
                              .width = 160,
                              .height = 120,
                              .frames = 100 + 2 * rate,
                              .num = 1,
                              .den = rate,
                              .code = launch};
}

static char film_path[300];

static const char *make(const struct film_kind *kind)
{
    snprintf(film_path, sizeof film_path, TS_BUILD_DIR "/tests/films_%d.%s", (int)getpid(),
             kind->extension);
    assert_int_equal(film_write(kind, film_path), 0);
    return film_path;
}

static struct ts_analyze_options options_for(const char *path, double exposure_ms)
{
    struct ts_analyze_options options = ts_analyze_usual(path);
    options.given.tap_given = true;
    options.given.exposure_ms = options.given.readout_ms = exposure_ms;
    return options;
}

static int analyze(const struct ts_analyze_options *options, struct ts_analyze_result *result)
{
    struct ts_why why = {""};
    const int err = ts_analyze_video(options, result, &why);
    if (err) {
        printf("  %s\n", why.text);
        assert_true(why.text[0] != '\0');
    }
    return err;
}

static void finds_the_change_at_every_rate(void **state)
{
    (void)state;
    static const int rates[] = {24, 25, 30, 50, 60, 90, 120, 240};
    static const struct {
        const char *encoder, *extension;
        enum AVPixelFormat format;
    } kinds[] = {
        {"ffvhuff", "mkv", AV_PIX_FMT_GRAY8},   {"libx264", "mp4", AV_PIX_FMT_YUV420P},
        {"libvpx", "webm", AV_PIX_FMT_YUV420P}, {"mpeg4", "avi", AV_PIX_FMT_YUV420P},
        {"rawvideo", "nut", AV_PIX_FMT_RGB24},  {"y4m", "y4m", AV_PIX_FMT_GRAY8},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            const double period = 1000.0 / rates[r];
            const struct film_kind kind =
                launch_film(kinds[k].encoder, kinds[k].format, kinds[k].extension, rates[r]);
            struct ts_analyze_options options = options_for(make(&kind), 0);
            options.given.tap_ns = TAP * 1000000000ll / rates[r];
            struct ts_analyze_result result;
            assert_int_equal(analyze(&options, &result), TS_OK);
            const double first = result.changes.first.value;
            printf("  %-8s %3d fps: T %.4f, first %.2f (u %.2f)\n", kinds[k].encoder, rates[r],
                   result.frame_period_ms, first, result.changes.first.u);
            assert_int_equal(result.frames, kind.frames);
            assert_int_equal(result.dropped, 0);
            assert_true(fabs(result.frame_period_ms - period) < 0.002);
            /* AVI's axis may begin a frame or two earlier. */
            const double slack = strcmp(kinds[k].extension, "avi") ? 0.6 : 2.1 * period;
            assert_true(first > (CHANGED - 1 - TAP) * period - slack);
            assert_true(first < (CHANGED - TAP) * period + slack);
            remove(film_path);
        }
    }
}

/* What a screen recorder writes of a launch: one picture before it, a few while it lasts. */
static int64_t recorded(int frame)
{
    static const int64_t at_ms[] = {0, 1500, 1517, 1533, 1550, 1567, 1583, 1600, 1617, 4000};
    return at_ms[frame];
}

static int recorded_code(int frame, int x)
{
    return 60 + x % 40 + (frame >= 1 ? 40 : 0) + (frame >= 8 ? 40 : 0);
}

static void pictures_of_a_recording_stand(void **state)
{
    (void)state;
    struct film_kind kind = launch_film("ffv1", AV_PIX_FMT_GRAY8, "mkv", 1000);
    kind.frames = 10;
    kind.stamp = recorded;
    kind.code = recorded_code;
    struct ts_analyze_options options = options_for(make(&kind), 0);
    options.given.tap_ns = 1000 * 1000000ll;
    struct ts_analyze_result result;
    assert_int_equal(analyze(&options, &result), TS_OK);
    printf("  first %.2f settled %.2f T %.3f flags %x\n", result.changes.first.value,
           result.changes.settled.value, result.frame_period_ms, result.changes.flags);
    assert_int_equal(result.dropped, 0);
    assert_int_equal(result.frames, 10);
    assert_true(fabs(result.changes.first.value - 500) < 17);
    assert_true(fabs(result.changes.settled.value - 617) < 17);
    assert_int_equal(result.changes.flags, 0);
    remove(film_path);
}

static int two_sides(int frame, int x)
{
    return 100 + (x < 80 && frame >= 80 ? 60 : 0) + (x >= 80 && frame >= CHANGED ? 60 : 0);
}

static void looks_at_the_screen_only(void **state)
{
    (void)state;
    struct film_kind kind = launch_film("ffv1", AV_PIX_FMT_GRAY8, "mkv", 60);
    kind.code = two_sides;
    struct ts_analyze_options options = options_for(make(&kind), 0);
    options.given.tap_ns = TAP * 1000000000ll / 60;
    struct ts_analyze_result all, right, nothing;
    assert_int_equal(analyze(&options, &all), TS_OK);
    options.screen_given = true;
    const double corners[4][2] = {{90, 10}, {150, 10}, {150, 110}, {90, 110}};
    memcpy(options.screen_px, corners, sizeof corners);
    assert_int_equal(analyze(&options, &right), TS_OK);
    assert_true(fabs(all.changes.first.value - (80 - TAP) * 1000 / 60.0) < 17);
    assert_true(fabs(right.changes.first.value - (CHANGED - TAP) * 1000 / 60.0) < 17);
    for (int i = 0; i < 4; i++)
        options.screen_px[i][0] += 1000;
    assert_int_equal(analyze(&options, &nothing), TS_EINVAL);
    remove(film_path);
}

static void says_what_is_odd(void **state)
{
    (void)state;
    struct ts_analyze_result result;
    struct film_kind kind = launch_film("ffv1", AV_PIX_FMT_GRAY8, "mkv", 60);
    kind.frames = 1;
    struct ts_analyze_options options = options_for(make(&kind), NAN);
    assert_int_equal(analyze(&options, &result), TS_EPROTO);
    kind.frames = 10;
    kind.width = kind.height = 4;
    make(&kind);
    assert_int_equal(analyze(&options, &result), TS_EPROTO);
    FILE *file = fopen(film_path, "wb");
    fputs("YUV4MPEG2 W100000 H90000 F60:1 Cmono\nFRAME\n", file);
    fclose(file);
    assert_true(analyze(&options, &result) < 0);
    remove(film_path);
}

static void append(const char *path, char *data, size_t most, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size += fread(data + *size, 1, most - *size, file);
    fclose(file);
}

static void write_bytes(const char *path, const char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static char bytes[4 << 20], damaged[4 << 20];

static void a_film_keeps_its_size(void **state)
{
    (void)state;
    size_t size = 0;
    struct film_kind kind = launch_film("libx264", AV_PIX_FMT_YUV420P, "ts", 30);
    append(make(&kind), bytes, sizeof bytes, &size);
    kind.width = 320;
    append(make(&kind), bytes, sizeof bytes, &size);
    write_bytes(film_path, bytes, size);
    const struct ts_analyze_options options = options_for(film_path, NAN);
    struct ts_analyze_result result;
    struct ts_why why = {""};
    assert_int_equal(ts_analyze_video(&options, &result, &why), TS_EPROTO);
    printf("  %s\n", why.text);
    assert_non_null(strstr(why.text, "160x120 to 320x120"));
    remove(film_path);
}

/* Cut off anywhere, bits turned over anywhere: a result or a reason. */
static void survives_damage(void **state)
{
    (void)state;
    static const struct {
        const char *encoder, *extension;
        enum AVPixelFormat format;
    } kinds[] = {
        {"ffvhuff", "mkv", AV_PIX_FMT_GRAY8},   {"libx264", "mp4", AV_PIX_FMT_YUV420P},
        {"libx264", "mkv", AV_PIX_FMT_YUV420P}, {"mjpeg", "avi", AV_PIX_FMT_YUVJ420P},
        {"png", "mov", AV_PIX_FMT_RGB24},       {"gif", "gif", AV_PIX_FMT_PAL8},
        {"libvpx", "webm", AV_PIX_FMT_YUV420P}, {"y4m", "y4m", AV_PIX_FMT_GRAY8},
    };
    struct ts_rng rng;
    ts_rng_seed(&rng, 11, 0);
    int results = 0, reasons = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct film_kind kind =
            launch_film(kinds[k].encoder, kinds[k].format, kinds[k].extension, 20);
        kind.width = kind.height = 40;
        size_t size = 0;
        append(make(&kind), bytes, sizeof bytes, &size);
        for (int i = 0; i < 40; i++) {
            const size_t keep = i % 2 ? size : ts_rng_below(&rng, (uint32_t)size);
            memcpy(damaged, bytes, keep);
            for (int n = 0; n < i % 2 * i; n++)
                damaged[ts_rng_below(&rng, (uint32_t)size)] ^= (char)(1 << ts_rng_below(&rng, 8));
            write_bytes(film_path, damaged, keep);
            const struct ts_analyze_options options = options_for(film_path, i % 3 ? NAN : 0);
            struct ts_analyze_result result;
            struct ts_why why = {""};
            const int err = ts_analyze_video(&options, &result, &why);
            if (err && !why.text[0])
                printf("%s %d: %d without a reason\n", kind.extension, i, err);
            assert_true(err == TS_OK || why.text[0]);
            results += err == TS_OK;
            reasons += err != TS_OK;
        }
        remove(film_path);
    }
    printf("  %d results, %d reasons\n", results, reasons);
    assert_true(results > 20 && reasons > 20);
}

/* Sends the film through a pipe, as another program would. */
static int analyze_pipe(struct ts_analyze_options *options, struct ts_analyze_result *result)
{
    char pipe_path[320];
    size_t size = 0;
    snprintf(pipe_path, sizeof pipe_path, "%s.pipe", film_path);
    append(film_path, bytes, sizeof bytes, &size);
    remove(pipe_path);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const pid_t child = fork();
    if (child == 0) {
        FILE *out = fopen(pipe_path, "wb");
        const bool sent = out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0;
        _exit(!sent);
    }
    options->video = pipe_path;
    const int err = analyze(options, result);
    waitpid(child, NULL, 0);
    remove(pipe_path);
    return err;
}

static void reads_pipes(void **state)
{
    (void)state;
    struct ts_analyze_result result;
    struct film_kind kind = launch_film("y4m", AV_PIX_FMT_GRAY8, "y4m", 60);
    struct ts_analyze_options options = options_for(make(&kind), 0);
    options.given.tap_ns = TAP * 1000000000ll / 60;
    assert_int_equal(analyze_pipe(&options, &result), TS_OK);
    assert_true(fabs(result.changes.first.value - (CHANGED - TAP) * 1000 / 60.0) < 17);
    remove(film_path);

    kind = launch_film("ffv1", AV_PIX_FMT_GRAY8, "mkv", 60);
    make(&kind);
    assert_int_equal(analyze_pipe(&options, &result), TS_EPROTO);
    char csv[320];
    snprintf(csv, sizeof csv, "%s.csv", film_path);
    FILE *file = fopen(csv, "w");
    for (int n = 0; n < kind.frames; n++)
        fprintf(file, "%d,%d,%lld\n", n, n, n * 1000000000ll / 60);
    fclose(file);
    options.given.frames_csv = csv;
    options.given.latency_ms = 0;
    assert_int_equal(analyze_pipe(&options, &result), TS_OK);
    assert_true(fabs(result.changes.first.value - (CHANGED - TAP) * 1000 / 60.0) < 17);
    remove(csv);
    remove(film_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_change_at_every_rate),
        cmocka_unit_test(pictures_of_a_recording_stand),
        cmocka_unit_test(looks_at_the_screen_only),
        cmocka_unit_test(says_what_is_odd),
        cmocka_unit_test(a_film_keeps_its_size),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(reads_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
