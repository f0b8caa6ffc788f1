/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pure parts of the cameras: payloads, missing pictures, modes, grey, the camera's text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "bench/live/camera/grey.h"
#include "bench/live/camera/spec.h"
#include "bench/live/ps3eye/missing.h"
#include "bench/live/ps3eye/payload.h"
#include "bench/live/ps3eye/sensor.h"

#include <math.h>

#define PICTURE 5000 /* bytes: three payloads */

struct seen {
    struct ts_payload payload;
    uint8_t picture[PICTURE];
    struct ts_payload_picture pictures[16];
    uint8_t first[16]; /* byte of each whole picture */
    size_t count;
};

static void on_picture(void *context, const struct ts_payload_picture *picture)
{
    struct seen *seen = context;
    seen->first[seen->count] = seen->picture[0];
    seen->pictures[seen->count++] = *picture;
}

static void begin(struct seen *seen)
{
    *seen = (struct seen){0};
    seen->payload = (struct ts_payload){PICTURE, seen->picture, on_picture, seen, false, {0}, 0};
}

static void feed(struct seen *seen, unsigned flags, uint32_t pts, size_t data)
{
    uint8_t bytes[TS_PAYLOAD_MAX] = {TS_PAYLOAD_HEADER, (uint8_t)(flags | TS_PAYLOAD_PTS),
                                     (uint8_t)pts, (uint8_t)(pts >> 8)};
    memset(bytes + TS_PAYLOAD_HEADER, (int)pts, data);
    ts_payload_feed(&seen->payload, bytes, TS_PAYLOAD_HEADER + data);
}

static void feed_whole(struct seen *seen, uint32_t pts)
{
    const unsigned fid = pts & 1;
    feed(seen, fid, pts, 2036);
    feed(seen, fid, pts, 2036);
    feed(seen, fid | TS_PAYLOAD_EOF, pts, PICTURE - 2 * 2036);
}

static void payloads_make_pictures(void **unused)
{
    (void)unused;
    struct seen seen;
    begin(&seen);
    for (uint32_t i = 1; i <= 3; i++)
        feed_whole(&seen, i);
    assert_int_equal(seen.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(seen.pictures[i].whole);
        assert_int_equal(seen.pictures[i].pts, i + 1);
        assert_int_equal(seen.first[i], i + 1);
    }
}

static void torn_pictures_are_told_once(void **unused)
{
    (void)unused;
    struct seen seen;
    begin(&seen);
    feed(&seen, 1, 1, 2036); /* a hole */
    feed(&seen, 1 | TS_PAYLOAD_EOF, 1, PICTURE - 2 * 2036);
    feed(&seen, 0, 2, 2036); /* no end */
    feed(&seen, 1, 3, 2036); /* flagged, with nothing in it */
    feed(&seen, 1 | TS_PAYLOAD_ERR, 3, 0);
    feed(&seen, 1, 3, 2036);
    feed(&seen, 1 | TS_PAYLOAD_EOF, 3, PICTURE - 2 * 2036);
    for (int i = 0; i < 4; i++) /* too much */
        feed(&seen, 0 | (i == 3 ? TS_PAYLOAD_EOF : 0), 4, 2036);
    feed_whole(&seen, 5);
    assert_int_equal(seen.count, 5);
    for (size_t i = 0; i < 4; i++) {
        assert_false(seen.pictures[i].whole);
        assert_int_equal(seen.pictures[i].pts, i + 1);
    }
    assert_true(seen.pictures[4].whole);
}

static void rubbish_makes_a_hole(void **unused)
{
    (void)unused;
    struct seen seen;
    uint8_t bytes[100];
    memset(bytes, 0xff, sizeof bytes);
    begin(&seen);
    ts_payload_feed(&seen.payload, bytes, sizeof bytes);
    feed(&seen, 1, 1, 2036);
    ts_payload_feed(&seen.payload, bytes, 5);
    feed(&seen, 1, 1, 2036);
    feed(&seen, 1 | TS_PAYLOAD_EOF, 1, PICTURE - 2 * 2036);
    feed_whole(&seen, 2);
    assert_int_equal(seen.count, 2);
    assert_false(seen.pictures[0].whole);
    assert_true(seen.pictures[1].whole);
}

/* Pictures at 125 Hz, of which runs are missing; arrivals late by up to `late_ms`, once there was
 * time to learn whether PTS is a clock. */
static void miss(bool clock, double late_ms, unsigned longest)
{
    struct ts_missing missing = {.period_ns = 8000000};
    struct ts_rng rng;
    ts_rng_seed(&rng, 77, 1);
    uint32_t number = 0, pts = 4294000000u;
    for (int i = 0; i < 5000; i++) {
        const uint32_t gap = i > 50 && i % 37 == 0 ? 1 + (uint32_t)i % longest : 0;
        number += 1 + gap;
        pts = clock ? 4294000000u + number * 8000u + (uint32_t)i % 3 : pts * 1664525u + 1013904223u;
        const double late_ns = i > 50 ? late_ms * 1e6 * ts_rng_uniform(&rng) : 0;
        const struct ts_host_time arrival = {(int64_t)number * 8000000 + (int64_t)late_ns};
        assert_int_equal(ts_missing_count(&missing, pts, number & 1, arrival), i ? gap : 0);
    }
}

static void missing_by_a_clock_in_pts(void **unused)
{
    (void)unused;
    miss(true, 200, 70);
}

/* A host that was late reads the first pictures in one go, after a pause that looks like a loss. */
static void first_pictures_in_a_bunch(void **unused)
{
    (void)unused;
    struct ts_missing missing = {.period_ns = 8000000};
    for (uint32_t number = 0; number < 40; number++) {
        const uint32_t went = number < 4 ? 60 * number : 180 + (number > 20 ? number : 0);
        const struct ts_host_time arrival = {(int64_t)went * 1000000};
        assert_int_equal(ts_missing_count(&missing, 8000 * number, number & 1, arrival), 0);
    }
}

static void missing_by_time_and_frame_id(void **unused)
{
    (void)unused;
    miss(false, 7, 70);
}

static void modes_have_the_rates_of_their_registers(void **unused)
{
    (void)unused;
    static const int pll[] = {1, 4, 6, 8};
    for (const struct ts_eye_mode *mode = ts_eye_modes; mode->width_px; mode++) {
        const double k = mode->width_px == 320 ? 375 : 150;
        const double hz =
            k * pll[mode->com4 >> 6] / (2.0 * ((mode->clkrc & 0x3f) + 1) * (mode->divider + 1));
        assert_true(fabs(hz - mode->rate_hz) < 0.01);
        assert_int_equal(mode->com4 & 0x3f, 1);
        /* The PLL does not reach this. */
        assert_false(mode->com4 >> 6 == 3 && mode->divider == 2);
    }
}

/* A mosaic of one colour gives one grey, wherever red is. */
static void bayer_of_one_colour_is_one_grey(void **unused)
{
    (void)unused;
    enum { WIDTH = 11, HEIGHT = 8 };
    uint8_t mosaic[WIDTH * HEIGHT], grey[WIDTH * HEIGHT];
    const uint8_t colour[] = {200, 90, 30};
    for (unsigned red = 0; red < 4; red++) {
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
            const unsigned away = red ^ (2 * (i / WIDTH & 1) + (i % WIDTH & 1));
            mosaic[i] = colour[away == 0 ? 0 : away == 3 ? 2 : 1];
        }
        ts_camera_from_bayer(mosaic, WIDTH, red, WIDTH, HEIGHT, grey);
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            assert_int_equal(grey[i], (77 * 200 + 150 * 90 + 29 * 30 + 128) / 256);
    }
}

static void bytes_are_picked(void **unused)
{
    (void)unused;
    const uint8_t uyvy[] = {9, 1, 9, 2, 7, 7, 9, 3, 9, 4, 7, 7};
    const uint8_t expected[] = {1, 2, 3, 4};
    uint8_t grey[4];
    ts_camera_from_bytes(uyvy, 6, 2, 1, 2, 2, grey);
    assert_memory_equal(grey, expected, sizeof expected);
}

static void spec_is_read(void **unused)
{
    (void)unused;
    struct ts_camera_spec spec;
    struct ts_why why;
    const char *keys = "size rate format exposure";
    assert_int_equal(
        ts_camera_spec_read("/dev/video0?size=640x480&rate=59.94&exposure=3", keys, &spec, &why),
        TS_OK);
    assert_string_equal(spec.what, "/dev/video0");
    assert_int_equal(spec.width_px, 640);
    assert_int_equal(spec.height_px, 480);
    assert_true(spec.rate_hz == 59.94);
    assert_int_equal(spec.exposure, 3);
    assert_int_equal(spec.gain, -1);
    static const char *const bad[] = {"?size=640",
                                      "?size=0x5",
                                      "?rate=0",
                                      "?rate=nan",
                                      "?gain=3",
                                      "?size",
                                      "?exposure=-1",
                                      "?exposure=1e3",
                                      "?rate=1e99",
                                      "?e=3",
                                      "?format=ABCDEFGHIJKLMNOPQ"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ts_camera_spec_read(bad[i], keys, &spec, &why), TS_EINVAL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(payloads_make_pictures),
        cmocka_unit_test(torn_pictures_are_told_once),
        cmocka_unit_test(rubbish_makes_a_hole),
        cmocka_unit_test(missing_by_a_clock_in_pts),
        cmocka_unit_test(missing_by_time_and_frame_id),
        cmocka_unit_test(first_pictures_in_a_bunch),
        cmocka_unit_test(modes_have_the_rates_of_their_registers),
        cmocka_unit_test(bayer_of_one_colour_is_one_grey),
        cmocka_unit_test(bytes_are_picked),
        cmocka_unit_test(spec_is_read),
    };
    return cmocka_run_group_tests_name("camera_parts", tests, NULL, NULL);
}
