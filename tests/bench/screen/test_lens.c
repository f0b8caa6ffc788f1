/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference values are of what the camera's lens shows, against its frames. */
#include "world.h"

#include "model/frame.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define MS TS_NS_PER_MS

static const int64_t from_ns = 200 * MS, change_ns = 500 * MS;

enum {
    ACROSS = WIDTH / TS_BLOCK_PX,
    BLOCKS = ACROSS * (HEIGHT / TS_BLOCK_PX),
    PIXELS = TS_BLOCK_PX * TS_BLOCK_PX,
    FRAMES = 400
};

/* Mean codes of a frame's blocks. */
static void see(const struct world *world, double mean[BLOCKS])
{
    for (int block = 0; block < BLOCKS; block++) {
        const int x0 = block % ACROSS * TS_BLOCK_PX, y0 = block / ACROSS * TS_BLOCK_PX;
        int sum = 0;
        for (int i = 0; i < PIXELS; i++)
            sum += world->pixels[(y0 + i / TS_BLOCK_PX) * WIDTH + x0 + i % TS_BLOCK_PX];
        mean[block] = (double)sum / PIXELS;
    }
}

/* The lens leaves a part of a line's light to the blocks beside: a block settles when that which
 * the camera shows of it does. */
static void a_thin_line_settles_as_it_is_seen(void **state)
{
    (void)state;
    static struct world world;
    static double seen[FRAMES][BLOCKS];
    int64_t middle_ns[FRAMES];
    for (uint64_t seed = 0; seed < 4; seed++) {
        const struct sim_camera_config config = world_exact(600 + seed);
        world_open(&world, &config, 120);
        struct sim_element line = world_sheet(200, change_ns);
        line.fade_ns = 1000 * MS;
        line.rect = (struct sim_rect){0.52, 0.2, 0.005, 0.4};
        world_add(&world, world_sheet(240, 0));
        world_add(&world, line);
        sim_camera_set(world.camera, 0, true);
        world_run(&world, from_ns);
        sim_camera_watch(world.camera, from_ns);
        int count = 0;
        for (int64_t exposed_ns = 0; exposed_ns < 2000 * MS && count < FRAMES; count++) {
            sim_camera_next(world.camera, &exposed_ns);
            world_take(&world);
            see(&world, seen[count]);
            middle_ns[count] = exposed_ns - 6 * MS; /* of its rows' exposures, within 3 ms */
        }
        int out = 0;
        for (int block = 0; block < BLOCKS; block++) {
            for (int n = out; n < count; n++)
                out = fabs(seen[n][block] - seen[count - 1][block]) > 5.1 ? n : out;
        }
        assert_true(middle_ns[out] > change_ns + 200 * MS);
        const struct sim_changes changes = sim_camera_changes(world.camera, SIM_FOREVER);
        assert_near((double)(changes.settled_ns - middle_ns[out]) / 1e6, 4, 15);
        world_close(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_line_settles_as_it_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
