/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reference values of what the stylus hides, against what the camera's frames show. */
#include "vision/blocks.h"
#include "world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define MS TS_NS_PER_MS

static const int64_t from_ns = 400 * MS, change_ns = 700 * MS;

enum { BLOCKS_X = WIDTH / TS_BLOCK_PX, BLOCKS_Y = HEIGHT / TS_BLOCK_PX };
enum { BLOCKS = BLOCKS_X * BLOCKS_Y, PIXELS = TS_BLOCK_PX * TS_BLOCK_PX };

/* A badge comes there, while the stylus is in view. */
static struct sim_changes badge_at(double across, double along, bool left_out, double *most_codes)
{
    static const struct ts_camera_geometry camera = {WIDTH, HEIGHT, BLOCKS_X, BLOCKS_Y, 0};
    static struct world world;
    uint16_t before[BLOCKS], after[BLOCKS];
    const struct sim_camera_config config = world_exact(900);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(120, 0));
    struct sim_element badge = world_sheet(250, change_ns);
    badge.rect = (struct sim_rect){across, along, 0.02, 0.012};
    world_add(&world, badge);
    if (left_out)
        assert_int_equal(sim_camera_leave_stylus(world.camera, world.tip_mm), TS_OK);
    sim_camera_set(world.camera, 0, true);
    sim_camera_watch(world.camera, from_ns);
    world_run(&world, from_ns + 100 * MS);
    ts_blocks_sum(world.pixels, WIDTH, &camera, before);
    world_run(&world, 1900 * MS);
    ts_blocks_sum(world.pixels, WIDTH, &camera, after);
    *most_codes = 0;
    for (int i = 0; i < BLOCKS; i++)
        *most_codes = fmax(*most_codes, fabs((double)after[i] - before[i]) / PIXELS);
    const struct sim_changes changes = sim_camera_changes(world.camera, 2000 * MS);
    world_close(&world);
    return changes;
}

/* Is it left out of the values when the stylus is known to stay where it is? What some block shows,
 * counts, and nothing else. */
static bool is_behind_stylus(double across, double along)
{
    double seen_codes;
    const struct sim_changes all = badge_at(across, along, false, &seen_codes);
    assert_true(all.settled_ns > change_ns);
    const struct sim_changes seen = badge_at(across, along, true, &seen_codes);
    assert_true(seen.settled_ns <= all.settled_ns);
    assert_true((seen.first_ns == 0) == (seen.settled_ns == 0));
    if (seen.settled_ns != 0 ? seen_codes < 4.9 : seen_codes > 5.3) /* pixels are whole codes */
        fail_msg("a badge at %.2f, %.2f %s, but shows as %.2f codes at most", across, along,
                 seen.settled_ns != 0 ? "counts" : "does not count", seen_codes);
    return seen.settled_ns == 0;
}

static void what_the_stylus_hides_is_left_out(void **state)
{
    (void)state;
    int behind = 0;
    for (int i = 0; i < 100; i++) {
        const int across = i % 10, along = i / 10;
        behind += is_behind_stylus(0.05 + 0.1 * across, 0.4 + 0.03 * along);
    }
    printf("  %d of 100 badges are behind the stylus\n", behind);
    assert_in_range(behind, 2, 40);
    assert_false(is_behind_stylus(0.1, 0.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_stylus_hides_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
