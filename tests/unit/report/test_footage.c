/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept videos on the launch's own time axis, and the page that shows them: what it shows of whom,
 * how large it gets, and what it says where there is no video or a damaged one. */
#include "footage/pair.h"
#include "footage/strip.h"
#include "media/canvas.h"
#include "media/decode.h"
#include "media/picture.h"
#include "report/html.h"
#include "sample.h"
#include "folder.h"
#include "session.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int count(const char *page, const char *text)
{
    int n = 0;
    for (; (page = strstr(page, text)); page++)
        n++;
    return n;
}

static void pictures_stand_where_they_were_taken(void **state)
{
    (void)state;
    struct ts_session *session;
    struct ts_footage *footage;
    const struct ts_picture *picture;
    struct ts_why why = {""};
    session_write(session_dir, &(struct session_shape){1, 2, 1, 60});
    assert_int_equal(ts_session_open(session_dir, &session, &why), TS_OK);
    assert_true(ts_footage_kept(session, 1));
    assert_false(ts_footage_kept(session, 2));
    assert_int_equal(ts_footage_open(session, 2, &footage, &why), TS_EOF);
    assert_int_equal(ts_footage_open(session, 1, &footage, &why), TS_OK);
    assert_int_equal(ts_footage_count(footage), 60);
    for (int n = 1; n < 60; n++)
        assert_true(fabs(ts_footage_ms(footage, n) - ts_footage_ms(footage, n - 1) - 8) < 0.1);
    /* Frames arrive after they were taken: by exposure, read-out and what the camera needs. */
    const double behind_ms = -ts_footage_ms(footage, 4);
    assert_true(behind_ms > 0 && behind_ms < 30);
    assert_int_equal(ts_footage_at(footage, ts_footage_ms(footage, 20)), 20);
    assert_int_equal(ts_footage_at(footage, ts_footage_ms(footage, 20) + 0.01), 21);
    assert_int_equal(ts_footage_at(footage, -1e9), 0);
    assert_int_equal(ts_footage_at(footage, 1e9), 59);
    for (int n = 33; n < 35; n++) { /* grey, then stripes */
        assert_int_equal(ts_footage_picture(footage, n, &picture, &why), TS_OK);
        assert_int_equal(picture->width_px, 320);
        assert_int_equal(abs(picture->pixels[0] - picture->pixels[25]) > 100, n == 34);
    }
    assert_int_equal(ts_footage_picture(footage, 60, &picture, &why), TS_EPROTO);
    ts_footage_close(footage);
    ts_session_free(session);
}

static void strips_are_in_order(void **state)
{
    (void)state;
    struct ts_session *session;
    struct ts_strip strip;
    struct ts_why why = {""};
    session_write(session_dir, &(struct session_shape){1, 1, 1, 60});
    assert_int_equal(ts_session_open(session_dir, &session, &why), TS_OK);
    assert_int_equal(ts_strip_make(session, 1, &strip, &why), TS_OK);
    assert_int_equal(strip.count, 6);
    assert_string_equal(strip.pictures[0].name, "lift");
    struct ts_result result;
    assert_int_equal(ts_session_load_result(session, 1, &result, &why), TS_OK);
    assert_string_equal(strip.pictures[2].name, "25\u00a0%");
    assert_true(fabs(strip.pictures[2].at_ms - result.progress_25_ms) < 1e-9);
    assert_string_equal(strip.pictures[3].name, "50\u00a0%");
    assert_true(fabs(strip.pictures[3].at_ms - result.progress_50_ms) < 1e-9);
    for (int i = 0; i < strip.count; i++) {
        const struct ts_strip_picture *one = &strip.pictures[i];
        assert_true(i == 0 || one->at_ms >= one[-1].at_ms);
        assert_true(one->taken_ms >= one->at_ms && one->taken_ms < one->at_ms + 8.1);
        assert_int_equal(one->width_px, TS_STRIP_SIDE_PX);
        assert_true(one->jpeg.size > 500 && one->jpeg.data[0] == 0xff && one->jpeg.data[1] == 0xd8);
    }
    ts_strip_free(&strip);
    ts_session_free(session);
}

static void page_shows_typical_and_slowest(void **state)
{
    (void)state;
    session_write(session_dir, &(struct session_shape){16, 10, 2, 60});
    char *page = folder_page();
    /* The one nearest to the median may be the slower one too; then it stands there once. */
    const int one = count(page, "Nearest to the median and slowest of those kept: launch ");
    const int typical = count(page, "Nearest to the median of those kept: launch ");
    const int slowest = count(page, "Slowest of those kept: launch ");
    assert_int_equal(one + typical, 16);
    assert_int_equal(typical, slowest);
    assert_in_range(typical, 5, 15);
    assert_int_equal(count(page, "<img "), (one + typical + slowest) * 6);
    assert_true(strlen(page) < 5000000);
    free(page);
}

static void page_says_what_it_cannot_show(void **state)
{
    (void)state;
    char command[400];
    session_write(session_dir, &(struct session_shape){2, 2, 2, 60});
    snprintf(command, sizeof command,
             "cd '%s/launches' && rm 0001/video.mkv 0003/video.mkv &&"
             " truncate -s 20000 0002/video.mkv && truncate -s 0 0004/video.mkv",
             session_dir);
    assert_int_equal(system(command), 0);
    char *page = folder_page();
    assert_int_equal(count(page, "No video of a launch that counts was kept."), 1);
    assert_int_equal(count(page, "Its pictures cannot be shown: "), 2);
    assert_int_equal(count(page, "<img "), 0);
    free(page);
    snprintf(command, sizeof command, "rm '%s'/launches/*/video.mkv", session_dir);
    assert_int_equal(system(command), 0);
    page = folder_page();
    assert_int_equal(count(page, "No video of a launch that counts is in the session"), 1);
    assert_int_equal(count(page, "No video of a launch that counts was kept."), 0);
    free(page);
}

/* The brightest stripe less the darkest one in the middle of a part of the film's picture. */
static int stripes(const struct ts_decode_frame *frame, int from, int to)
{
    const uint8_t *line =
        frame->grey + (size_t)(frame->height_px * 6 / 10) * (size_t)frame->width_px;
    int least = 255, most = 0;
    for (int x = from; x < to; x++) {
        least = line[x] < least ? line[x] : least;
        most = line[x] > most ? line[x] : most;
    }
    return most - least;
}

/* Both films show their app 240 ms after the lift, less what lies between a picture and its
 * arrival; the pair's one begins 200 ms before, and is four times slower. */
static void pairs_begin_at_the_lift(void **state)
{
    (void)state;
    struct ts_session *session;
    struct ts_why why = {""};
    struct ts_pair pair = {.names = {"one", "other \u00e4"}, .slow = 4};
    struct ts_decode *film;
    struct ts_decode_frame frame;
    char path[300];
    session_write(session_dir, &(struct session_shape){2, 1, 1, 60});
    snprintf(path, sizeof path, "%s/pair.mkv", folder);
    assert_int_equal(ts_session_open(session_dir, &session, &why), TS_OK);
    for (int side = 0; side < 2; side++)
        assert_int_equal(ts_footage_open(session, side + 1, &pair.footage[side], &why), TS_OK);
    const double shown_ms = ts_footage_ms(pair.footage[0], 34);
    assert_int_equal(ts_pair_write(&pair, path, &why), TS_OK);
    assert_int_equal(ts_decode_open(path, &film, &why), TS_OK);
    int count_before = 0, count_after = 0;
    while (ts_decode_next(film, &frame, &why) == 1) {
        const double ms = (double)frame.pts_ns / 4e6 - TS_PAIR_BEFORE_MS;
        const int half = frame.width_px / 2;
        const int left = stripes(&frame, 40, half - 40);
        const int right = stripes(&frame, half + 40, frame.width_px - 40);
        if (ms < shown_ms - 8.1) {
            count_before++;
            assert_in_range(left, 0, 20);
            assert_in_range(right, 0, 20);
        } else if (ms > shown_ms + 8.1) {
            count_after++;
            assert_in_range(left, 100, 255);
            assert_in_range(right, 100, 255);
        }
    }
    assert_in_range(count_before, (int)((shown_ms + 200) / 8) - 4, 60);
    assert_in_range(count_after, 20, 40); /* until the videos end */
    ts_decode_close(film);
    pair.slow = 0;
    assert_int_equal(ts_pair_write(&pair, path, &why), TS_EINVAL);
    pair.slow = 1;
    snprintf(path, sizeof path, "%s/no/pair.mkv", folder);
    assert_true(ts_pair_write(&pair, path, &why) < 0);
    for (int side = 0; side < 2; side++)
        ts_footage_close(pair.footage[side]);
    ts_session_free(session);
}

static void canvases_keep_to_their_bounds(void **state)
{
    (void)state;
    struct ts_picture canvas, small;
    assert_int_equal(ts_canvas_make(0, 5, &canvas), TS_EINVAL);
    assert_int_equal(ts_canvas_make(60, 40, &canvas), TS_OK);
    assert_int_equal(ts_canvas_make(8, 8, &small), TS_OK);
    memset(small.pixels, 7, 64);
    assert_int_equal(ts_canvas_put(&canvas, &small, (struct ts_canvas_place){40, 0, 21, 9}),
                     TS_EINVAL);
    assert_int_equal(ts_canvas_put(&canvas, &small, (struct ts_canvas_place){40, 30, 20, 10}),
                     TS_OK);
    assert_int_equal(canvas.pixels[30 * 60 + 40], 7);
    assert_int_equal(canvas.pixels[39 * 60 + 59], 7);
    assert_int_equal(canvas.pixels[29 * 60 + 59], 0);
    ts_canvas_write(&canvas, "far too wide a text for this canvas \u00e4", 2, 20, 36, 255);
    int lit = 0, beyond = 0;
    for (int at = 0; at < 30 * 60; at++) {
        lit += canvas.pixels[at] > 0;
        beyond += canvas.pixels[at] > 0 && at % 60 > 42;
    }
    assert_true(lit > 20);
    assert_int_equal(beyond, 0);
    ts_canvas_write(&canvas, "outside", -500, 5000, 100, 255);
    ts_picture_free(&canvas);
    ts_picture_free(&small);
}

static void small_pictures(void **state)
{
    (void)state;
    static uint8_t pixels[33 * 21];
    const struct ts_picture picture = {33, 21, 1, pixels}, nothing = {0};
    struct ts_picture small;
    struct ts_buf one = {0}, two = {0};
    memset(pixels, 200, sizeof pixels);
    assert_int_equal(ts_picture_shrink(&picture, 11, &small), TS_OK);
    assert_int_equal(small.width_px, 11);
    assert_int_equal(small.height_px, 7);
    assert_int_equal(small.pixels[76], 200);
    ts_picture_free(&small);
    assert_int_equal(ts_picture_shrink(&picture, 100, &small), TS_OK);
    assert_int_equal(small.width_px, 33);
    ts_picture_free(&small);
    assert_int_equal(ts_picture_shrink(&nothing, 100, &small), TS_EINVAL);
    assert_int_equal(ts_picture_jpeg(&picture, &one, NULL), TS_OK);
    assert_int_equal(ts_picture_jpeg(&picture, &two, NULL), TS_OK);
    assert_true(one.size == two.size && memcmp(one.data, two.data, one.size) == 0);
    assert_int_equal(ts_picture_jpeg(&nothing, &one, NULL), TS_EINVAL);
    ts_buf_free(&one);
    ts_buf_free(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pictures_stand_where_they_were_taken, folder_make,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(strips_are_in_order, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(page_shows_typical_and_slowest, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(page_says_what_it_cannot_show, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(pairs_begin_at_the_lift, folder_make, folder_remove),
        cmocka_unit_test(canvases_keep_to_their_bounds),
        cmocka_unit_test(small_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
