/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reference values of a recording that is made up here: a window, its clock, and a late line. */
#include "recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 60, HEIGHT = 40, FRAMES = 840, WINDOW_AT = 100 };

static struct {
    uint8_t pixels[FRAMES][HEIGHT][WIDTH];
    int64_t begin_ns[FRAMES], arrival_ns[FRAMES];
    int sequence[FRAMES];
} made;

static void paint(int from, int x, int y, int width, uint8_t level)
{
    for (int n = from; n < FRAMES; n++) {
        for (int j = y; j < y + 5; j++)
            memset(&made.pixels[n][j][x], level, (size_t)width);
    }
}

/* The clock's last digit is at 20..24, the one before it at 15..19. */
static struct recording make(void)
{
    memset(&made, 90, sizeof made.pixels);
    for (int n = 0; n < FRAMES; n++) {
        made.begin_ns[n] = (n - RECORDING_TAP_AFTER) * 1000000000LL / RECORDING_RATE_HZ;
        made.arrival_ns[n] = made.begin_ns[n] + 400000;
        made.sequence[n] = n;
    }
    for (int y = 0; y < HEIGHT; y += 5)
        paint(WINDOW_AT, 0, y, WIDTH, 200);
    for (int n = 210; n < FRAMES; n += 120)
        paint(n, 20, 10, 5, (uint8_t)(30 + n % 7 * 20));
    return (struct recording){WIDTH,         HEIGHT,          FRAMES,        made.pixels[0][0],
                              made.begin_ns, made.arrival_ns, made.sequence, 0};
}

static int last_picture(const struct recording *recording, const struct recording_boxes *boxes)
{
    char text[1000] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    sim_recording_write_reference(recording, boxes, "made", file);
    fclose(file);
    const char *at = strstr(text, "settled_before_ms\": ");
    assert_non_null(at);
    const double ms = strtod(at + strlen("settled_before_ms\": "), NULL);
    return RECORDING_TAP_AFTER + (int)(ms * RECORDING_RATE_HZ / 1000);
}

/* The clock does, from x0 on, and nothing else; the rest has settled in that picture. */
static void assert_clock_goes_on(const struct recording *recording, int x0, int settled)
{
    struct recording_boxes boxes;
    sim_recording_find_boxes(recording, 2, &boxes);
    assert_int_equal(boxes.count, 1);
    assert_int_equal(boxes.box[0].x0, x0);
    assert_int_equal(boxes.box[0].x1, 25);
    assert_int_equal(boxes.box[0].y0, 10);
    assert_int_equal(boxes.box[0].y1, 15);
    assert_int_equal(last_picture(recording, &boxes), settled);
}

static void what_changes_in_the_end_goes_on(void **state)
{
    (void)state;
    const struct recording recording = make();
    assert_clock_goes_on(&recording, 20, WINDOW_AT);
}

static void a_clock_changes_its_tens_once(void **state)
{
    (void)state;
    const struct recording recording = make();
    paint(330, 15, 10, 5, 40);
    assert_clock_goes_on(&recording, 15, WINDOW_AT);
}

/* In one picture with the clock, or as near as its tens. */
static void a_late_line_is_the_app_s(void **state)
{
    (void)state;
    static const int lines[][3] = {{330, 10, 50}, {335, 35, 10}, {335, 25, 30}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct recording recording = make();
        paint(lines[i][0], lines[i][1], i < 2 ? 30 : 10, lines[i][2], 40);
        assert_clock_goes_on(&recording, 20, lines[i][0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_in_the_end_goes_on),
        cmocka_unit_test(a_clock_changes_its_tens_once),
        cmocka_unit_test(a_late_line_is_the_app_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
