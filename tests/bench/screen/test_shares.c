/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of each display pixel lies in which block, against the blocks' outlines. */
#include "world.h"

#include "model/frame.h"
#include "sim_screen/shares.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct view {
    struct sim_optics optics;
    struct sim_shares shares;
};

static int across(const struct view *view)
{
    return view->optics.width / TS_BLOCK_PX;
}

static int down(const struct view *view)
{
    return view->optics.height / TS_BLOCK_PX;
}

static void view_open(struct view *view, int width, int height)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, 7, 0);
    assert_int_equal(sim_optics_open(&view->optics, width, height, &rng), TS_OK);
    assert_int_equal(sim_shares_open(&view->shares, &view->optics), TS_OK);
}

static void view_close(struct view *view)
{
    sim_shares_close(&view->shares);
    sim_optics_close(&view->optics);
}

/* Its outline in display pixels; false: it reaches over the display's edge. */
static bool outline(const struct view *view, int block, double x[4], double y[4])
{
    static const int right[4] = {0, 1, 1, 0}, below[4] = {0, 0, 1, 1};
    for (int i = 0; i < 4; i++) {
        double u, v;
        sim_optics_display(&view->optics, TS_BLOCK_PX * (block % across(view) + right[i]),
                           TS_BLOCK_PX * (block / across(view) + below[i]), &u, &v);
        if (!(u > 0 && u < 1 && v > 0 && v < 1))
            return false;
        x[i] = u * SIM_DISPLAY_X;
        y[i] = v * SIM_DISPLAY_Y;
    }
    return true;
}

static double area(const double x[4], const double y[4])
{
    double twice = 0;
    for (int i = 0; i < 4; i++)
        twice += x[i] * y[(i + 1) % 4] - x[(i + 1) % 4] * y[i];
    return fabs(twice) / 2;
}

/* Each block gets as many pixels' worth as it is large, and no pixel is given away twice. */
static void check_areas(int width, int height)
{
    struct view view;
    view_open(&view, width, height);
    const size_t blocks = (size_t)(across(&view) * down(&view));
    double *worth = calloc(blocks, sizeof *worth);
    assert_non_null(worth);
    for (size_t pixel = 0; pixel < (size_t)SIM_DISPLAY_X * SIM_DISPLAY_Y; pixel++) {
        int whole = 0;
        for (size_t i = view.shares.from[pixel]; i < view.shares.from[pixel + 1]; i++) {
            const struct sim_share *share = &view.shares.share[i];
            worth[share->block] += (double)share->parts / SIM_SHARE_WHOLE;
            whole += share->parts;
        }
        assert_in_range(whole, 0, SIM_SHARE_WHOLE);
    }
    size_t inside = 0;
    for (size_t block = 0; block < blocks; block++) {
        double x[4], y[4];
        if (!outline(&view, (int)block, x, y))
            continue;
        inside++;
        assert_near(worth[block] / area(x, y), 1, 0.1); /* known to an eighth of a pixel */
    }
    assert_true(inside > blocks / 3);
    free(worth);
    view_close(&view);
}

static void blocks_get_their_area(void **state)
{
    (void)state;
    check_areas(320, 240);
    check_areas(1280, 720);
}

/* Of a line one display pixel wide a block shows as much as the line takes of its width. */
static void a_line_weighs_what_it_covers(void **state)
{
    (void)state;
    struct view view;
    view_open(&view, 1280, 720);
    const int middle = down(&view) / 2 * across(&view) + across(&view) / 2;
    double x[4], y[4];
    assert_true(outline(&view, middle, x, y));
    const double wide =
        fmax(fmax(x[0], x[1]), fmax(x[2], x[3])) - fmin(fmin(x[0], x[1]), fmin(x[2], x[3]));
    const int column = (int)fmin(fmin(x[0], x[1]), fmin(x[2], x[3])) + 1; /* all of it inside */
    double line = 0, all = 0;
    for (size_t pixel = 0; pixel < (size_t)SIM_DISPLAY_X * SIM_DISPLAY_Y; pixel++) {
        for (size_t i = view.shares.from[pixel]; i < view.shares.from[pixel + 1]; i++) {
            const struct sim_share *share = &view.shares.share[i];
            if (share->block != middle)
                continue;
            all += share->parts;
            line += (int)(pixel % SIM_DISPLAY_X) == column ? share->parts : 0;
        }
    }
    assert_near(line / all * wide, 1, 0.1);
    view_close(&view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_get_their_area),
        cmocka_unit_test(a_line_weighs_what_it_covers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
