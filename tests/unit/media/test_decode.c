/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "film.h"

#include "media/decode.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define U AVCOL_RANGE_UNSPECIFIED
#define J AVCOL_RANGE_JPEG
#define M AVCOL_RANGE_MPEG

#define FILM(encoder_, format_, range_, extension_, width_, height_, frames_, rate_)               \
    {                                                                                              \
        .encoder = encoder_, .format = AV_PIX_FMT_##format_, .range = range_,                      \
        .extension = extension_, .width = width_, .height = height_, .frames = frames_, .num = 1,  \
        .den = rate_                                                                               \
    }

/* stretched: luma 16..235 is to become 0..255. slack: codes that a lossy coder may be off. */
static const struct {
    struct film_kind kind;
    int stretched, slack;
} cases[] = {
    {FILM("libx264", YUV420P, U, "mp4", 320, 240, 40, 60), 1, 1},
    {FILM("libx264", YUV420P, M, "mov", 640, 480, 20, 30), 1, 1},
    {FILM("libx264", YUV422P, J, "mkv", 320, 240, 20, 120), 0, 0},
    {FILM("libx264", YUV444P, M, "mp4", 320, 240, 20, 24), 1, 1},
    {FILM("libx264", YUV420P10LE, M, "mkv", 320, 240, 20, 60), 1, 1},
    {FILM("libx264", YUVJ420P, J, "mp4", 320, 240, 20, 60), 0, 0},
#ifndef __SANITIZE_ADDRESS__ /* that encoder leaks */
    {FILM("libx265", YUV420P, U, "mp4", 320, 240, 20, 60), 1, 4},
#endif
    {FILM("libvpx", YUV420P, U, "webm", 320, 240, 40, 60), 1, 6},
    {FILM("libvpx-vp9", YUV420P, U, "webm", 320, 240, 20, 30), 1, 6},
    {FILM("mpeg4", YUV420P, U, "avi", 320, 240, 20, 60), 1, 8},
    {FILM("mjpeg", YUVJ420P, J, "avi", 320, 240, 10, 30), 0, 5},
    {FILM("mjpeg", YUVJ444P, J, "mov", 320, 240, 10, 30), 0, 5},
    {FILM("ffv1", YUV420P, U, "mkv", 320, 240, 10, 60), 0, 0},
    {FILM("ffv1", YUV420P, M, "mkv", 320, 240, 10, 60), 1, 1},
    {FILM("ffv1", YUV444P10LE, J, "mkv", 320, 240, 10, 60), 0, 1},
    {FILM("ffv1", GRAY8, U, "mkv", 320, 240, 10, 240), 0, 0},
    {FILM("ffv1", GRAY10LE, U, "mkv", 320, 240, 10, 60), 0, 1},
    {FILM("ffv1", GRAY12LE, U, "mkv", 320, 240, 10, 60), 0, 1},
    {FILM("ffv1", GRAY16LE, U, "mkv", 320, 240, 10, 60), 0, 1},
    {FILM("ffv1", BGR0, U, "avi", 320, 240, 10, 60), 0, 0},
    {FILM("ffvhuff", GRAY8, U, "mkv", 1920, 1080, 4, 60), 0, 0},
    {FILM("ffvhuff", GRAY16LE, U, "nut", 320, 240, 10, 60), 0, 1},
    {FILM("ffvhuff", RGB24, U, "mkv", 320, 240, 10, 60), 0, 0},
    {FILM("huffyuv", YUV422P, U, "avi", 320, 240, 10, 60), 0, 0},
    {FILM("utvideo", GBRP, U, "avi", 320, 240, 10, 60), 0, 0},
    {FILM("magicyuv", GBRP, U, "avi", 320, 240, 10, 60), 0, 0},
    {FILM("png", RGB24, U, "mov", 322, 242, 10, 60), 0, 0},
    {FILM("png", GRAY16BE, U, "mkv", 320, 240, 10, 60), 0, 1},
    {FILM("qtrle", RGB24, U, "mov", 320, 240, 10, 60), 0, 0},
    {FILM("gif", PAL8, U, "gif", 320, 240, 10, 50), 0, 0},
    {FILM("rawvideo", PAL8, U, "nut", 320, 240, 10, 60), 0, 0},
    {FILM("rawvideo", RGB24, U, "nut", 320, 240, 10, 60), 0, 0},
    {FILM("rawvideo", BGR24, U, "avi", 320, 240, 10, 60), 0, 0},
    {FILM("rawvideo", RGB565LE, U, "nut", 320, 240, 10, 60), 0, 8},
    {FILM("rawvideo", YUYV422, U, "avi", 320, 240, 10, 60), 0, 0},
    {FILM("rawvideo", NV12, U, "nut", 320, 240, 10, 60), 0, 0},
    {FILM("y4m", GRAY8, U, "y4m", 321, 243, 10, 240), 0, 0},
};

static int expected(const struct film_kind *kind, int stretched, int frame, int x)
{
    const int code = kind->code ? kind->code(frame, x) : film_code(frame, x);
    if (!stretched)
        return code;
    const double full = (code - 16) * 255 / 219.0;
    return (int)lrint(fmin(fmax(full, 0), 255));
}

struct stamps {
    int64_t ns[1000];
    size_t count;
};

static bool take(void *user, int64_t pts_ns)
{
    struct stamps *stamps = user;
    stamps->ns[stamps->count++] = pts_ns;
    return stamps->count < 1000;
}

static void name_film(char path[256], const struct film_kind *kind)
{
    snprintf(path, 256, TS_BUILD_DIR "/tests/film_decode_%d.%s", (int)getpid(), kind->extension);
}

static void check_frames(const struct film_kind *kind, const char *path, int stretched, int slack)
{
    struct ts_decode *decode;
    struct ts_decode_frame frame;
    struct ts_why why = {""};
    struct stamps stamps = {.count = 0};
    assert_int_equal(ts_decode_stamps(path, take, &stamps, &why), TS_OK);
    assert_int_equal(stamps.count, kind->frames);
    assert_int_equal(ts_decode_open(path, &decode, &why), TS_OK);
    const double grain_ms = ts_decode_about(decode).grain_ms;
    int n = 0, got, worst = 0;
    int64_t first_ns = 0;
    for (; (got = ts_decode_next(decode, &frame, &why)) > 0; n++) {
        assert_int_equal(frame.width_px, kind->width);
        assert_int_equal(frame.height_px, kind->height);
        for (int y = 0; y < frame.height_px; y += frame.height_px / 3) {
            for (int x = 8; x < frame.width_px; x += 16) { /* away from edges */
                const int is = frame.grey[y * frame.width_px + x];
                const int off = abs(is - expected(kind, stretched, n, x));
                worst = off > worst ? off : worst;
            }
        }
        first_ns = n ? first_ns : frame.pts_ns;
        /* AVI stamps packets as they are decoded, not as they are shown. */
        assert_in_range(frame.pts_ns - first_ns - (stamps.ns[n] - stamps.ns[0]) + 1, 0, 2);
        assert_true(frame.pts_ns == stamps.ns[n] || strcmp(kind->extension, "avi") == 0);
        const int64_t stamp = kind->stamp ? kind->stamp(n) - kind->stamp(0) : n;
        const double due_ms = 1e3 * (double)stamp * kind->num / kind->den;
        assert_true(fabs((double)(frame.pts_ns - first_ns) / 1e6 - due_ms) <= grain_ms);
    }
    printf("  %-10s %-12s %d frames, %d codes off\n", kind->encoder, kind->extension, n, worst);
    assert_int_equal(got, 0);
    assert_int_equal(n, kind->frames);
    assert_true(worst <= slack);
    ts_decode_close(decode);
}

static void decodes_the_usual_films(void **state)
{
    (void)state;
    int made = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[256];
        name_film(path, &cases[i].kind);
        if (film_write(&cases[i].kind, path) == 0) {
            check_frames(&cases[i].kind, path, cases[i].stretched, cases[i].slack);
            made++;
        } else {
            printf("  %s in %s cannot be made here\n", cases[i].kind.encoder,
                   cases[i].kind.extension);
        }
        remove(path);
    }
    assert_true(made > 25);
}

static int64_t uneven(int frame)
{
    return frame * 1500 + (frame % 3 == 0 ? 400 : 0) + (frame > 10 ? 9000 : 0);
}

static void keeps_uneven_times(void **state)
{
    (void)state;
    struct film_kind kinds[] = {
        FILM("libx264", YUV420P, M, "mp4", 320, 240, 30, 90000),
        FILM("libx264", YUV420P, M, "mkv", 320, 240, 30, 90000),
        FILM("ffv1", GRAY8, U, "nut", 320, 240, 30, 90000),
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char path[256];
        kinds[i].stamp = uneven;
        name_film(path, &kinds[i]);
        assert_int_equal(film_write(&kinds[i], path), 0);
        check_frames(&kinds[i], path, kinds[i].range == M, 1);
        remove(path);
    }
}

static int black_and_white(int frame, int x)
{
    static const int codes[] = {0, 16, 17, 126, 234, 235, 255, 40};
    return codes[(x / 16 + frame / 8) % 8];
}

/* Below black and above white nothing wraps around; full range stays as it is. */
static void stretches_limited_range(void **state)
{
    (void)state;
    struct film_kind kind = FILM("ffv1", YUV420P, M, "mkv", 320, 240, 4, 60);
    kind.code = black_and_white;
    char path[256];
    name_film(path, &kind);
    assert_int_equal(film_write(&kind, path), 0);
    check_frames(&kind, path, 1, 0);
    kind.range = J;
    assert_int_equal(film_write(&kind, path), 0);
    check_frames(&kind, path, 0, 0);
    kind.range = U;
    assert_int_equal(film_write(&kind, path), 0);
    check_frames(&kind, path, 0, 0);
    kind.range = M;
    kind.format = AV_PIX_FMT_YUV420P10LE;
    assert_int_equal(film_write(&kind, path), 0);
    check_frames(&kind, path, 1, 1);
    remove(path);
}

static void says_what_it_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
        int err;
    } files[] = {
        {"empty.mp4", "", "no film", TS_EPROTO},
        {"text.txt", "a letter\nto somebody\n", "no film", 0},
        {"list.m3u8", "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n", "no film", 0},
        {"list.ffconcat", "ffconcat version 1.0\nfile /etc/passwd\n", "no film", TS_ENOTSUP},
    };
    struct ts_decode *decode;
    struct ts_why why = {""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256];
        snprintf(path, sizeof path, TS_BUILD_DIR "/tests/%d_%s", (int)getpid(), files[i].name);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(files[i].text, file);
        fclose(file);
        const int err = ts_decode_open(path, &decode, &why);
        printf("  %s\n", why.text);
        assert_true(files[i].err ? err == files[i].err : err < 0);
        assert_non_null(strstr(why.text, files[i].says));
        remove(path);
    }
    assert_int_equal(ts_decode_open("/tmp", &decode, &why), TS_EIO);
    assert_non_null(strstr(why.text, "folder"));
    assert_int_equal(ts_decode_open("http://localhost/film.mp4", &decode, &why), TS_EIO);
    assert_non_null(strstr(why.text, "No such file"));
    ts_decode_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_the_usual_films),
        cmocka_unit_test(keeps_uneven_times),
        cmocka_unit_test(stretches_limited_range),
        cmocka_unit_test(says_what_it_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
