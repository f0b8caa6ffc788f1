/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The V4L2 driver against a camera of umockdev's. With an argument: only the long run, of so many
 * seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim_live_camera/v4l2_peer.h"
#include "watch.h"

#include <linux/videodev2.h>

#define SPEC "v4l2:/dev/video7?size=320x240&rate=120&format="

static const struct sim_v4l2_mode modes[] = {
    {V4L2_PIX_FMT_YUYV, SIM_CODE_YUYV, 640, 480, 30},
    {V4L2_PIX_FMT_YUYV, SIM_CODE_YUYV, 320, 240, 120},
    {V4L2_PIX_FMT_YUYV, SIM_CODE_YUYV, 320, 240, 60},
    {V4L2_PIX_FMT_GREY, SIM_CODE_GREY, 320, 240, 120},
    {V4L2_PIX_FMT_SGRBG8, SIM_CODE_BAYER, 320, 240, 120},
    {V4L2_PIX_FMT_MJPEG, SIM_CODE_JPEG, 320, 240, 120},
};
static struct sim_v4l2_config config = {
    .node = 7,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .start_stamps = true,
    .source = {.draw = sim_picture_test},
};
static UMockdevTestbed *testbed;
static struct sim_v4l2 *peer;
static unsigned seconds;

static void peer_open(void)
{
    struct ts_why why = {""};
    if (sim_v4l2_open(testbed, &config, &peer, &why))
        fail_msg("%s", why.text);
}

static int setup(void **state)
{
    (void)state;
    peer_open();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sim_v4l2_close(peer);
    return 0;
}

/* What the camera's counters say is what the peer did; only what the peer was told to break, and
 * what this computer was too busy for, is lost. */
static void assert_exact(const struct watch *watch)
{
    const struct ts_camera_state state = watch_state(watch);
    const struct sim_v4l2_counts counts = sim_v4l2_counts(peer);
    assert_int_equal(watch->wrong, 0);
    assert_int_equal(state.pool_empty, 0);
    assert_int_equal(state.frames, watch->frames);
    const unsigned missing = counts.dropped + counts.torn + counts.overrun;
    if (WATCH_SLOW) /* no frame may have followed the last of them, which would tell */
        assert_in_range(state.lost, 0, missing);
    else
        assert_int_equal(state.lost, missing);
}

static void modes_and_content(void **unused)
{
    (void)unused;
    static const struct {
        const char *format;
        enum watch_kind kind;
    } cases[] = {
        {"GREY", WATCH_EXACT}, {"YUYV", WATCH_EXACT}, {"GRBG", WATCH_BAYER}, {"MJPG", WATCH_JPEG}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[100];
        struct watch watch;
        snprintf(spec, sizeof spec, SPEC "%s", cases[i].format);
        watch_open(&watch, spec, cases[i].kind);
        watch.camera->ops->set(watch.camera, true);
        watch_until(&watch, 30, 1);
        watch.camera->ops->set(watch.camera, false);
        watch_for(&watch, 200);
        assert_int_equal(watch.faults, 0);
        assert_int_equal(watch.wrong, 0);
        watch_close(&watch);
    }
}

static void without_format_takes_the_least_work(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, "v4l2?size=320x240&rate=60", WATCH_EXACT);
    assert_int_equal(watch.camera->ops->geometry(watch.camera)->nominal_period_ns, 16666667);
    watch_close(&watch);
    watch_open(&watch, "v4l2:/dev/video7?size=320x240&rate=120", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 10, 1);
    watch_close(&watch);
}

static void off_and_on_again(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    for (int i = 0; i < 3; i++) {
        const unsigned before = watch.frames;
        watch.camera->ops->set(watch.camera, true);
        watch_until(&watch, before + 20, 1);
        watch.camera->ops->set(watch.camera, false);
        watch_for(&watch, 200);
        const unsigned off = watch.frames;
        watch_for(&watch, 100);
        assert_int_equal(watch.frames, off);
        watch_anew(&watch);
    }
    assert_int_equal(watch.last + 1, watch.frames + watch_state(&watch).lost);
    assert_int_equal(watch.wrong, 0);
    watch_close(&watch);
}

static void losses_are_counted(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    for (unsigned n = 1; n <= 5; n++) {
        watch_until(&watch, watch.frames + 20, 1);
        sim_v4l2_drop(peer, n);
        watch_until(&watch, watch.frames + 20, 1);
        sim_v4l2_tear(peer, n);
    }
    watch_until(&watch, watch.frames + 20, 1);
    watch.camera->ops->set(watch.camera, false);
    watch_for(&watch, 200);
    const struct sim_v4l2_counts counts = sim_v4l2_counts(peer);
    assert_int_equal(counts.dropped, 15);
    assert_int_equal(counts.torn, 15);
    assert_exact(&watch);
    watch_close(&watch);
}

static void swapped_frames_are_put_right(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    for (unsigned n = 0; n < 4; n++) {
        watch_until(&watch, watch.frames + 15, 1);
        sim_v4l2_swap(peer, 1 + n);
        sim_v4l2_drop(peer, n & 1); /* may fall between the two */
    }
    watch_until(&watch, watch.frames + 25, 1);
    watch.camera->ops->set(watch.camera, false);
    watch_for(&watch, 200);
    assert_int_equal(sim_v4l2_counts(peer).dropped, 2);
    assert_exact(&watch);
    watch_close(&watch);
}

static void torn_jpeg_is_lost(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "MJPG", WATCH_JPEG);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 10, 1);
    sim_v4l2_tear(peer, 6);
    watch_until(&watch, 40, 1);
    watch.camera->ops->set(watch.camera, false);
    watch_for(&watch, 200);
    assert_exact(&watch);
    watch_close(&watch);
}

static void stall_is_lost_frames(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 20, 1);
    sim_v4l2_stall(peer, 500);
    watch_until(&watch, 60, 1);
    watch.camera->ops->set(watch.camera, false);
    watch_for(&watch, 200);
    assert_int_equal(watch.faults, 0);
    assert_in_range(sim_v4l2_counts(peer).dropped, 59, 70);
    assert_exact(&watch);
    watch_close(&watch);
}

static void silent_camera_is_lost(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 5, 1);
    sim_v4l2_stall(peer, 3000);
    watch_until(&watch, 100000, 1);
    assert_int_equal(watch.fault_detail, TS_ETIMEOUT);
    watch_until(&watch, watch.frames + 20, 3);
    watch_close(&watch);
}

static void unplugged_and_back(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    for (unsigned i = 1; i <= 2; i++) {
        watch_until(&watch, watch.frames + 20, i);
        sim_v4l2_plug(peer, false);
        watch_until(&watch, 100000, i);
        assert_int_equal(watch.fault_detail, TS_EIO);
        watch_for(&watch, 600);
        watch_refused(SPEC "YUYV", TS_EIO, "no such camera");
        sim_v4l2_plug(peer, true);
        watch_until(&watch, watch.frames + 20, i + 1);
        assert_int_equal(watch.faults, i);
    }
    assert_int_equal(watch.wrong, 0);
    watch_close(&watch);
}

static void refusals(void **unused)
{
    (void)unused;
    watch_refused("v4l2:/dev/video7?size=320x240&rate=90", TS_ENOTSUP, "YUYV 640x480 at 30");
    watch_refused("v4l2:/dev/video7?size=800x600", TS_ENOTSUP, "320x240 at 120");
    watch_refused("v4l2:/dev/video7?format=H264", TS_ENOTSUP, "no such mode");
    watch_refused("v4l2:/dev/video7?colour=red", TS_EINVAL, "size rate format");
    watch_refused("v4l2:/dev/video7?rate=fast", TS_EINVAL, "no value of rate");
    watch_refused("v4l2:/dev/video7?exposure=100", TS_ENOTSUP, "exposure");
    watch_refused("v4l2:/dev/video9", TS_EIO, "/dev/video7 (Touchstone peer)");
    watch_refused("v4l2:/dev/null", TS_EINVAL, "no camera");
    watch_refused("webcam", TS_EINVAL, "ps3eye");
    sim_v4l2_occupy(peer, true);
    watch_refused(SPEC "YUYV", TS_EIO, "another program");
    sim_v4l2_occupy(peer, false);
}

/* The driver says 120, the camera gives 96. */
static void measured_rate_is_the_real_one(void **unused)
{
    (void)unused;
    struct watch watch;
    sim_v4l2_close(peer);
    config.real_hz = 96;
    peer_open();
    config.real_hz = 0;
    watch_open(&watch, SPEC "GREY", WATCH_EXACT);
    assert_true(watch_state(&watch).measured_hz == 0);
    watch.camera->ops->set(watch.camera, true);
    watch_for(&watch, 2500);
    const struct ts_camera_state state = watch_state(&watch);
    assert_true(state.measured_hz > 95.99 && state.measured_hz < 96.01);
    assert_non_null(strstr(state.stamp, "start of frame"));
    watch_close(&watch);
}

static void end_stamps_are_taken(void **unused)
{
    (void)unused;
    struct watch watch;
    sim_v4l2_close(peer);
    config.start_stamps = false;
    peer_open();
    config.start_stamps = true;
    watch_open(&watch, SPEC "GREY", WATCH_EXACT);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 20, 1);
    assert_non_null(strstr(watch_state(&watch).stamp, "end of frame"));
    watch_close(&watch);
}

static void long_run(void **unused)
{
    (void)unused;
    const unsigned run = seconds ? seconds : 5;
    struct watch watch;
    watch_open(&watch, SPEC "YUYV", WATCH_EXACT);
    watch.every = 12; /* the time is the cameras' */
    watch.camera->ops->set(watch.camera, true);
    for (unsigned i = 0; i < run; i++) {
        watch_for(&watch, 1000);
        sim_v4l2_drop(peer, i % 3);
    }
    watch_for(&watch, 300);
    watch.camera->ops->set(watch.camera, false);
    watch_for(&watch, 200);
    const struct sim_v4l2_counts counts = sim_v4l2_counts(peer);
    const struct ts_camera_state state = watch_state(&watch);
    print_message("%u made, %u dropped, %u overrun; %.3f Hz\n", counts.made, counts.dropped,
                  counts.overrun, state.measured_hz);
    assert_int_equal(watch.faults, 0);
    assert_exact(&watch);
    assert_true(counts.made >= 120 * run);
    if (seconds)
        assert_true(counts.overrun * 1000 <= counts.made);
    assert_true(state.measured_hz > 119.9 && state.measured_hz < 120.1);
    watch_close(&watch);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(modes_and_content, setup, teardown),
        cmocka_unit_test_setup_teardown(without_format_takes_the_least_work, setup, teardown),
        cmocka_unit_test_setup_teardown(off_and_on_again, setup, teardown),
        cmocka_unit_test_setup_teardown(losses_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(swapped_frames_are_put_right, setup, teardown),
        cmocka_unit_test_setup_teardown(torn_jpeg_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(stall_is_lost_frames, setup, teardown),
        cmocka_unit_test_setup_teardown(silent_camera_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(unplugged_and_back, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(measured_rate_is_the_real_one, setup, teardown),
        cmocka_unit_test_setup_teardown(end_stamps_are_taken, setup, teardown),
        cmocka_unit_test_setup_teardown(long_run, setup, teardown),
    };
    static const struct CMUnitTest only[] = {
        cmocka_unit_test_setup_teardown(long_run, setup, teardown),
    };
    testbed = umockdev_testbed_new();
    int failed;
    if (argc > 1) {
        seconds = (unsigned)atoi(argv[1]);
        failed = cmocka_run_group_tests_name("v4l2_long", only, NULL, NULL);
    } else {
        failed = cmocka_run_group_tests_name("v4l2", tests, NULL, NULL);
    }
    g_object_unref(testbed);
    return failed;
}
