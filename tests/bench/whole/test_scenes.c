/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helper app's scenes, from the command to the photodiodes' edges. */
#include "drive.h"

#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"cut", "fade", "spinner", "caret", "carousel", "splash"};
#define KINDS 6

/* The one edge upwards of a photodiode since the tap; the host's time of it. */
static int64_t edge_up_ns(const struct drive *drive, enum wire_edge_kind kind)
{
    int64_t at_ns = 0;
    for (int i = 0; i < drive->edge_count; i++) {
        const struct wire_edge *edge = &drive->edges[i].edge;
        if (edge->kind != kind)
            continue;
        assert_int_equal(edge->state, 1);
        assert_int_equal(at_ns, 0);
        at_ns = drive_host_ns(drive, edge->ticks);
    }
    assert_int_not_equal(at_ns, 0);
    return at_ns;
}

static void assert_between(const char *kind, const char *what, int64_t ns, double low_ms,
                           double high_ms)
{
    const double ms = (double)ns / 1e6;
    if (!(ms >= low_ms && ms <= high_ms))
        fail_msg("%s: %s: %.3f ms is not within %.3f .. %.3f", kind, what, ms, low_ms, high_ms);
}

/* Refreshes at 90 Hz follow each other in 11.1 ms, of which a scan-out takes up to 95 %; the pixels
 * respond within 1 ms: what is done in one frame lies within 10.6 ms and some of the response. */
static void scenes_of_a_rig(uint64_t seed)
{
    static struct drive drive;
    struct {
        int64_t edge_ns[2];
        int touches, starts;
    } seen[KINDS];
    drive_open(&drive, "scenes", seed,
               "rig=7,faults=1,bridge=none,refresh_hz=90,response_ms=1,wander_ppm=0");
    for (int i = 0; i < KINDS; i++) {
        drive_scene(&drive, kinds[i], (unsigned)(seed * 10) + (unsigned)i, 3200);
        seen[i].edge_ns[0] = edge_up_ns(&drive, WIRE_EDGE_PHOTO0);
        seen[i].edge_ns[1] = edge_up_ns(&drive, WIRE_EDGE_PHOTO1);
        seen[i].touches = drive.touches;
        seen[i].starts = drive.starts;
    }
    drive_close(&drive);
    assert_int_equal(json_array_size(drive.truths), KINDS);
    for (int i = 0; i < KINDS; i++) {
        const int64_t photo0_ns = drive_truth(&drive, i, "photo0_ns");
        const int64_t photo1_ns = drive_truth(&drive, i, "photo1_ns");
        const int64_t first_ns = drive_truth(&drive, i, "first_visual_change_ns");
        const int64_t settled_ns = drive_truth(&drive, i, "settled_ns");
        const int64_t lift_ns = drive_truth(&drive, i, "lift_ns");
        const json_t *line = json_array_get(drive.truths, (size_t)i);
        assert_string_equal(json_string_value(json_object_get(line, "kind")), kinds[i]);
        assert_int_equal(json_array_size(json_object_get(line, "injected_faults")), 0);
        assert_int_equal(drive_truth(&drive, i, "launch"), i + 1);
        assert_int_equal(seen[i].touches, 1);
        assert_int_equal(seen[i].starts, 0);
        /* A stamped edge is up to a look of the comparator late, and no more than microseconds
         * beside that. */
        assert_between(kinds[i], "edge 0", seen[i].edge_ns[0] - photo0_ns, -0.02, 0.13);
        assert_between(kinds[i], "edge 1", seen[i].edge_ns[1] - photo1_ns, -0.02, 0.13);
        /* The digitizer takes 12 to 50 ms, the scene 60 to 900 and half of a fade. */
        assert_between(kinds[i], "wait", photo0_ns - lift_ns, 60, 900 + 50 + 300 + 25);
        print_message("%-8s first %+7.3f, settled %+7.3f ms from the photodiode, %.1f ms apart\n",
                      kinds[i], (double)(first_ns - photo0_ns) / 1e6,
                      (double)(settled_ns - photo1_ns) / 1e6,
                      (double)(photo1_ns - photo0_ns) / 1e6);
        assert_between(kinds[i], "first change", first_ns - photo0_ns, -2.5, 0.5);
        assert_between(kinds[i], "settled", settled_ns - photo1_ns, 0, 4);
        const bool endless = json_is_true(json_object_get(line, "endless"));
        assert_int_equal(endless, i >= 2 && i <= 4);
    }
    const int64_t cut_ns =
        drive_truth(&drive, 0, "photo1_ns") - drive_truth(&drive, 0, "photo0_ns");
    assert_between("cut", "apart", cut_ns, 7, 10);
    for (int i = 1; i < KINDS; i++) {
        const int64_t apart_ns =
            drive_truth(&drive, i, "photo1_ns") - drive_truth(&drive, i, "photo0_ns");
        assert_between(kinds[i], "apart", apart_ns, 60, 1520);
    }
    drive_free(&drive);
}

static void test_scenes(void **state)
{
    (void)state;
    for (uint64_t seed = 41; seed < 44; seed++)
        scenes_of_a_rig(seed);
}

/* The same scene waits as long and looks the same in every session. */
static void test_a_scene_is_its_seed(void **state)
{
    (void)state;
    static struct drive drive;
    int64_t apart_ns[2];
    for (int i = 0; i < 2; i++) {
        drive_open(&drive, "same-scene", 50 + (uint64_t)i, "rig=7,refresh_hz=120");
        drive_scene(&drive, "splash", 99, 3200);
        drive_close(&drive);
        apart_ns[i] = drive_truth(&drive, 0, "photo1_ns") - drive_truth(&drive, 0, "photo0_ns");
        drive_free(&drive);
    }
    assert_between("splash", "apart", llabs(apart_ns[0] - apart_ns[1]), 0, 8.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_a_scene_is_its_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
