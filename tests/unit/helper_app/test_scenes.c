/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helper app's scenes: their course is that of the simulated phone's, and what its bytecode
 * draws keeps the promise that its two spots make (model/scene.h). */
#include "drive.h"

#include "base/rng.h"
#include "model/scene.h"
#include "sim_phone/shows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COURSES 1200
/* As in Drive.java. */
#define WIDTH   50
#define HEIGHT  100
#define FRAMES  301
#define RECORD  (8 + 1 + WIDTH * HEIGHT)
#define REST    96
#define PAPER   235
#define VISIBLE 5.1 /* 2 % of full scale */

static void draws_are_the_hosts(void **state)
{
    (void)state;
    struct ts_rng rng;
    size_t size;
    char *text = drive("draws 100", &size);
    assert_int_equal(size, 100 * 17);
    ts_rng_seed(&rng, (uint64_t)-5, 0x73686f77);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(strtoull(text + i * 17, NULL, 16), ts_rng_next(&rng));
    free(text);
}

static void courses_are_those_of_the_simulated_phone(void **state)
{
    (void)state;
    char arguments[40];
    size_t size;
    snprintf(arguments, sizeof arguments, "courses %d", COURSES);
    char *text = drive(arguments, &size), *line = text;
    for (int i = 0; i < COURSES; i++) {
        struct sim_show show;
        char expected[200];
        const uint64_t seed = i < 6 ? (uint64_t)i : (uint64_t)i * 7919;
        sim_show_plan(&show, (enum sim_show_kind)(i % SIM_SHOW_COUNT), seed, 0);
        snprintf(expected, sizeof expected, "%d %llu %lld %lld %lld %lld %lld", (int)show.kind,
                 (unsigned long long)seed, (long long)show.start_ns, (long long)show.fade_ns,
                 (long long)show.late_ns, (long long)show.patch_ns[0], (long long)show.patch_ns[1]);
        char *end = strchr(line, '\n');
        assert_non_null(end);
        *end = '\0';
        assert_string_equal(line, expected);
        line = end + 1;
    }
    free(text);
}

struct film {
    enum sim_show_kind kind;
    struct sim_show show;
    char *bytes; /* owned */
};

static const uint8_t *pixels(const struct film *film, int frame)
{
    return (const uint8_t *)film->bytes + (size_t)frame * RECORD + 9;
}

static bool redraw_wanted(const struct film *film, int frame)
{
    return film->bytes[(size_t)frame * RECORD + 8] != 0;
}

/* Since the touch; -1 before it. */
static int64_t time_ns(const struct film *film, int frame)
{
    uint64_t ns = 0;
    for (int i = 0; i < 8; i++)
        ns = ns << 8 | (uint8_t)film->bytes[(size_t)frame * RECORD + (size_t)i];
    return (int64_t)ns;
}

static int spot_of(int x, int y)
{
    const double at_x = (x + 0.5) / WIDTH, at_y = (y + 0.5) / HEIGHT;
    int spot = 0;
    while (spot < TS_SPOT_COUNT && (at_x < ts_spots[spot].x0 || at_x >= ts_spots[spot].x1 ||
                                    at_y < ts_spots[spot].y0 || at_y >= ts_spots[spot].y1))
        spot++;
    return spot;
}

static bool endless(enum sim_show_kind kind)
{
    return kind == SIM_SHOW_SPINNER || kind == SIM_SHOW_CARET || kind == SIM_SHOW_CAROUSEL;
}

/* Neither spot nor the region that goes on changing. */
static bool of_the_page(const struct film *film, int x, int y)
{
    const bool in_endless = x >= WIDTH / 2 && y >= 36 && y < 52;
    return spot_of(x, y) == TS_SPOT_COUNT && !(endless(film->kind) && in_endless);
}

/* The largest difference between two frames in the page. */
static int difference(const struct film *film, int one, int other)
{
    int most = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int by = abs(pixels(film, one)[i] - pixels(film, other)[i]);
        if (by > most && of_the_page(film, i % WIDTH, i / WIDTH))
            most = by;
    }
    return most;
}

/* Each spot is of one colour and exactly in its place, and turns white once, at its time. */
static void assert_spots(const struct film *film)
{
    for (int frame = 0; frame < FRAMES; frame++)
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const int spot = spot_of(i % WIDTH, i / WIDTH);
            if (spot < TS_SPOT_COUNT)
                assert_int_equal(pixels(film, frame)[i],
                                 time_ns(film, frame) >= film->show.patch_ns[spot] ? 255 : 0);
        }
}

/* The first frame in which a spot is white. */
static int turn_of(const struct film *film, int spot)
{
    int frame = 0;
    while (frame < FRAMES && time_ns(film, frame) < film->show.patch_ns[spot])
        frame++;
    assert_in_range(frame, 1, FRAMES - 1);
    return frame;
}

/* By the picture alone: a fade has done half of its first step (until 50 ms after it is visible)
 * where paper has, anything else with its first change. Where the page begins to rest a fade is
 * rounded to whole codes, for 0.4 codes of 139: less than a frame. */
static void assert_page_keeps_the_promise(const struct film *film)
{
    const int first = turn_of(film, 0), settled = turn_of(film, 1), last = FRAMES - 1;
    const bool fades = film->kind == SIM_SHOW_FADE;
    const int paper = 8 * WIDTH + 10;
    assert_int_equal(pixels(film, last)[paper], PAPER);
    for (int frame = 0; frame < FRAMES; frame++) {
        const int code = pixels(film, frame)[paper], rest = difference(film, frame, last);
        const double step =
            VISIBLE + (PAPER - REST) * 50e6 / (double)film->show.fade_ns; /* codes */
        if (!fades)
            assert_int_equal(difference(film, frame, 0) > 0, frame >= first);
        else if (frame < first - 1) /* whole codes: up to a frame early or late */
            assert_true(code < REST + step / 2);
        else if (frame > first)
            assert_true(code > REST + step / 2);
        if (frame >= settled)
            assert_true(rest <= (fades ? VISIBLE + 0.5 : 0));
        else if (frame < settled - (fades ? 1 : 0))
            assert_true(rest > VISIBLE);
    }
}

static void assert_ends(const struct film *film)
{
    const int last = FRAMES - 1;
    int moved = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        bool moves = false;
        for (int frame = last - 140; frame < last; frame++)
            moves = moves || pixels(film, frame)[i] != pixels(film, last)[i];
        moved += moves;
        /* All of the display is drawn on, to its edges. */
        if (of_the_page(film, i % WIDTH, i / WIDTH))
            assert_true(!moves && pixels(film, last)[i] != REST);
        assert_true(spot_of(i % WIDTH, i / WIDTH) < TS_SPOT_COUNT || pixels(film, 0)[i] == REST);
    }
    assert_int_equal(moved > 0, endless(film->kind));
    assert_int_equal(redraw_wanted(film, last), endless(film->kind));
    if (film->kind == SIM_SHOW_SPLASH)
        assert_int_equal(pixels(film, turn_of(film, 0))[8 * WIDTH + 10], 30);
}

static void scenes_keep_the_promise_of_their_spots(void **state)
{
    (void)state;
    static const unsigned seeds[] = {0, 1, 77, 999999999};
    for (int i = 0; i < 4 * TS_SCENE_COUNT; i++) {
        struct film film = {.kind = sim_show_by_name(ts_scene_names[i / 4])};
        char arguments[60];
        size_t size;
        snprintf(arguments, sizeof arguments, "scene %s %u", ts_scene_names[i / 4], seeds[i % 4]);
        film.bytes = drive(arguments, &size);
        assert_int_equal(size, FRAMES * RECORD);
        assert_int_equal(time_ns(&film, 0), -1);
        sim_show_plan(&film.show, film.kind, seeds[i % 4], 0);
        assert_spots(&film);
        assert_page_keeps_the_promise(&film);
        assert_ends(&film);
        free(film.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_the_hosts),
        cmocka_unit_test(courses_are_those_of_the_simulated_phone),
        cmocka_unit_test(scenes_keep_the_promise_of_their_spots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
