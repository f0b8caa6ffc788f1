/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept videos on the launch's own time axis, and the page that shows them: what it shows of whom,
 * how large it gets, and what it says where there is no video or a damaged one. */
#include "footage/strip.h"
#include "media/picture.h"
#include "report/html.h"
#include "sample.h"
#include "session.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[200], dir[260];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_footage_XXXXXX", TS_BUILD_DIR);
    snprintf(dir, sizeof dir, "%s/session", mkdtemp(folder));
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static char *make_page(void)
{
    struct ts_report_data data;
    struct ts_out out = {0};
    struct ts_why why = {""};
    assert_int_equal(ts_report_data_load(dir, &data, &why), TS_OK);
    assert_int_equal(ts_report_page(&data, true, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    ts_report_data_free(&data);
    return (char *)out.text.data;
}

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
    session_write(dir, &(struct session_shape){1, 2, 1, 60});
    assert_int_equal(ts_session_open(dir, &session, &why), TS_OK);
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
    /* All of the way is gone at once, with picture 34. */
    const double half_ms = ts_footage_progress_ms(footage, 0.5);
    assert_true(half_ms > ts_footage_ms(footage, 33) && half_ms < ts_footage_ms(footage, 34));
    ts_footage_close(footage);
    ts_session_free(session);
}

static void strips_are_in_order(void **state)
{
    (void)state;
    struct ts_session *session;
    struct ts_strip strip;
    struct ts_why why = {""};
    session_write(dir, &(struct session_shape){1, 1, 1, 60});
    assert_int_equal(ts_session_open(dir, &session, &why), TS_OK);
    assert_int_equal(ts_strip_make(session, 1, &strip, &why), TS_OK);
    assert_int_equal(strip.count, 6);
    assert_string_equal(strip.pictures[0].name, "lift");
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
    session_write(dir, &(struct session_shape){16, 10, 2, 60});
    char *page = make_page();
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
    session_write(dir, &(struct session_shape){2, 2, 2, 60});
    snprintf(command, sizeof command,
             "cd '%s/launches' && rm 0001/video.mkv 0003/video.mkv &&"
             " truncate -s 20000 0002/video.mkv && truncate -s 0 0004/video.mkv",
             dir);
    assert_int_equal(system(command), 0);
    char *page = make_page();
    assert_int_equal(count(page, "No video of a launch that counts was kept."), 1);
    assert_int_equal(count(page, "Its pictures cannot be shown: "), 2);
    assert_int_equal(count(page, "<img "), 0);
    free(page);
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
        cmocka_unit_test_setup_teardown(pictures_stand_where_they_were_taken, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(strips_are_in_order, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(page_shows_typical_and_slowest, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(page_says_what_it_cannot_show, make_folder, remove_folder),
        cmocka_unit_test(small_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
