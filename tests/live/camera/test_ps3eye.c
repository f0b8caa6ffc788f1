/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PS3 Eye's driver, through libusb, against a camera of umockdev's. With an argument: only the
 * long run, of so many seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/live/ps3eye/ps3eye.h"
#include "sim_live_camera/eye_peer.h"
#include "watch.h"

#define SPEC "ps3eye:1-1?size=320x240&rate=125"

/* Where all is slow, the device keeps more, or each picture would have a hole. */
static struct sim_eye_config config = {.source = {.draw = sim_picture_test},
                                       .fifo_ms = WATCH_SLOW ? 2000 : 0};
static UMockdevTestbed *testbed;
static struct sim_eye *peer;
static unsigned seconds;

static int setup(void **state)
{
    (void)state;
    struct ts_why why = {""};
    if (sim_eye_open(testbed, &config, &peer, &why))
        fail_msg("%s", why.text);
    return 0;
}

static int setup_blind(void **state)
{
    config.blind_pts = true;
    const int err = setup(state);
    config.blind_pts = false;
    return err;
}

static int teardown(void **state)
{
    (void)state;
    sim_eye_close(peer);
    return 0;
}

static void end(struct watch *watch)
{
    watch->camera->ops->set(watch->camera, false);
    watch_for(watch, 300);
    watch_until(watch, (unsigned)watch_state(watch).frames, watch->faults + 1);
    /* So slow a computer loses pictures before PTS is known for a clock, which decides how many. */
    if (!WATCH_SLOW) {
        assert_int_equal(watch->wrong, 0);
        assert_int_equal(watch_state(watch).pool_empty, 0);
    }
    assert_int_equal(watch_state(watch).frames, watch->frames);
}

/* What is missing between the first picture and the last one is what the camera says is lost; but
 * of what this computer lost on its own, some may lie behind the last one. */
static void assert_exact(const struct watch *watch)
{
    const uint64_t lost = watch_state(watch).lost;
    const uint32_t dropped = (uint32_t)watch_state(watch).pool_empty;
    const uint32_t missing = watch->last - watch->first + 1 - watch->frames - dropped;
    const uint32_t overrun = sim_eye_counts(peer).overrun;
    assert_in_range(lost, missing, missing + overrun + dropped);
}

static void all_modes(void **unused)
{
    (void)unused;
    static const struct {
        const char *spec;
        int64_t period_ns;
        enum watch_kind kind;
    } cases[] = {
        {"ps3eye?size=320x240&rate=100", 10000000, WATCH_BAYER},
        {"ps3eye?size=320x240&rate=125&format=YUYV", 8000000, WATCH_EXACT},
        {"ps3eye?size=320x240&rate=150&format=GRBG", 6666667, WATCH_BAYER},
        {"ps3eye?size=320x240&rate=187", 5333333, WATCH_BAYER},
        {"ps3eye?size=640x480&rate=60&format=YUYV", 16666667, WATCH_EXACT},
        {"ps3eye?size=640x480&rate=75", 13333333, WATCH_BAYER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct watch watch;
        /* So slow a peer leaves a hole in each of the large ones, and of the quick ones in most. */
        if (WATCH_SLOW && (strstr(cases[i].spec, "640x480") || cases[i].period_ns < 8000000))
            continue;
        watch_open(&watch, cases[i].spec, cases[i].kind);
        const struct ts_camera_geometry *geometry = watch.camera->ops->geometry(watch.camera);
        assert_int_equal(geometry->nominal_period_ns, cases[i].period_ns);
        assert_false(sim_eye_light(peer));
        watch.camera->ops->set(watch.camera, true);
        watch_until(&watch, 80, 1);
        assert_true(WATCH_SLOW || sim_eye_light(peer)); /* pictures may overtake it */
        end(&watch);
        assert_false(!WATCH_SLOW && sim_eye_light(peer));
        assert_int_equal(watch.faults, 0);
        const double period_ns =
            (double)(watch.last_ns - watch.first_ns) / (watch.last - watch.first);
        assert_true(WATCH_SLOW || (period_ns > 0.9 * (double)cases[i].period_ns &&
                                   period_ns < 1.1 * (double)cases[i].period_ns));
        watch_close(&watch);
    }
}

static void picture_is_set_by_hand(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC "&exposure=260&gain=37&white=140", WATCH_BAYER);
    assert_int_equal(sim_eye_sensor(peer, 0x13), 0xf0);
    assert_int_equal(sim_eye_sensor(peer, 0x08), 1);
    assert_int_equal(sim_eye_sensor(peer, 0x10), 4);
    assert_int_equal(sim_eye_sensor(peer, 0x00), 0x75);
    assert_int_equal(sim_eye_sensor(peer, 0x02), 140);
    watch_close(&watch);
}

/* So many pictures between two losses; before the first, more than make a clock of PTS. */
static void count_losses(const char *spec, bool blind, unsigned between)
{
    struct watch watch;
    watch_open(&watch, spec, WATCH_BAYER);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 20, 1);
    for (unsigned n = 1; n <= 6; n++) {
        watch_until(&watch, watch.frames + between, 1);
        sim_eye_drop(peer, n);
        watch_until(&watch, watch.frames + between, 1);
        sim_eye_tear(peer, n);
    }
    watch_until(&watch, watch.frames + between, 1);
    end(&watch);
    const struct sim_eye_counts counts = sim_eye_counts(peer);
    assert_int_equal(watch.faults, 0);
    if (!WATCH_SLOW) { /* a picture that such a computer loses, too, is counted as its own */
        assert_int_equal(counts.dropped, 21);
        assert_int_equal(counts.torn, 21);
    }
    if (!counts.overrun && !(blind && WATCH_SLOW)) /* which takes a picture for the one before */
        assert_int_equal(watch_state(&watch).lost, 42);
    assert_exact(&watch);
    watch_close(&watch);
}

static void losses_are_counted(void **unused)
{
    (void)unused;
    count_losses(SPEC, false, 25);
}

/* By the time between arrivals. Beside the frame id it tells one missing picture from none by a
 * whole period: 66 ms here, more than a busy computer lets a picture wait. */
static void losses_are_counted_blindly(void **unused)
{
    (void)unused;
    count_losses("ps3eye:1-1?size=640x480&rate=15", true, 4);
}

static void stall_is_lost_pictures(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC, WATCH_BAYER);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 30, 1);
    sim_eye_stall(peer, 500);
    watch_until(&watch, 80, 1);
    end(&watch);
    assert_int_equal(watch.faults, 0);
    assert_true(watch_state(&watch).lost >= 62);
    assert_true(WATCH_SLOW || watch_state(&watch).lost <= 72 + sim_eye_counts(peer).overrun);
    assert_exact(&watch);
    watch_close(&watch);
}

static void silent_camera_is_lost(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC, WATCH_BAYER);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, 5, 1);
    sim_eye_stall(peer, 3000);
    watch_until(&watch, 100000, 1);
    assert_int_equal(watch.fault_detail, TS_ETIMEOUT);
    watch_until(&watch, watch.frames + 20, 3);
    watch_close(&watch);
}

static void unplugged_and_back(void **unused)
{
    (void)unused;
    struct watch watch;
    watch_open(&watch, SPEC, WATCH_BAYER);
    watch.camera->ops->set(watch.camera, true);
    for (unsigned i = 1; i <= 2; i++) {
        watch_until(&watch, watch.frames + 20, i);
        sim_eye_plug(peer, false);
        watch_until(&watch, 100000, i);
        assert_int_equal(watch.fault_detail, TS_EIO);
        watch_for(&watch, 600);
        watch_refused(SPEC, TS_EIO, "no camera at 1-1");
        sim_eye_plug(peer, true);
        watch_until(&watch, watch.frames + 20, i + 1);
        assert_int_equal(watch.faults, i);
    }
    end(&watch);
    watch_close(&watch);
}

static void refusals(void **unused)
{
    (void)unused;
    watch_refused("ps3eye?rate=120", TS_ENOTSUP, "125, 150, 187.5; 640x480");
    watch_refused("ps3eye?size=640x480&rate=75&format=YUYV", TS_ENOTSUP, "no such mode");
    watch_refused("ps3eye?format=MJPG", TS_ENOTSUP, "GRBG, YUYV");
    watch_refused("ps3eye?exposure=300", TS_EINVAL, "270 rows");
    watch_refused("ps3eye:1-4.2", TS_EIO, "there is: 1-1");
    sim_eye_occupy(peer, true);
    watch_refused(SPEC, TS_EIO, "another program");
    sim_eye_occupy(peer, false);
}

static void self_test_sees_the_bars(void **unused)
{
    (void)unused;
    struct ts_why why = {""};
    const int err = ts_ps3eye_self_test("1-1", &why);
    if (err && !WATCH_SLOW)
        fail_msg("%s", why.text);
    assert_int_equal(sim_eye_sensor(peer, 0x0c) & 1, 1);
    uint8_t picture[80 * 60];
    for (int i = 0; i < 80 * 60; i++)
        picture[i] = (uint8_t)(30 * (i % 80 / 10));
    assert_true(ts_ps3eye_is_pattern(picture, 80, 60));
    picture[80 * 31 + 7] ^= 0x80;
    assert_false(ts_ps3eye_is_pattern(picture, 80, 60));
    memset(picture, 7, sizeof picture);
    assert_false(ts_ps3eye_is_pattern(picture, 80, 60));
}

/* 187.5 pictures a second for some time, with a few broken. */
static void long_run(void **unused)
{
    (void)unused;
    const unsigned run = seconds ? seconds : 5;
    struct watch watch;
    watch_open(&watch, "ps3eye?size=320x240&rate=187", WATCH_BAYER);
    watch.every = 12; /* the time is the cameras' */
    watch.camera->ops->set(watch.camera, true);
    for (unsigned i = 0; i < run; i++) {
        watch_for(&watch, 1000);
        sim_eye_drop(peer, i % 3);
        sim_eye_tear(peer, i % 2);
    }
    watch_for(&watch, 300);
    end(&watch);
    const struct sim_eye_counts counts = sim_eye_counts(peer);
    const struct ts_camera_state state = watch_state(&watch);
    print_message("%u made, %u dropped, %u torn, %u overrun; %.3f Hz\n", counts.made,
                  counts.dropped, counts.torn, counts.overrun, state.measured_hz);
    assert_int_equal(watch.faults, 0);
    assert_exact(&watch);
    if (!counts.overrun)
        assert_int_equal(state.lost, counts.dropped + counts.torn);
    /* A camera that was overrun had stood still, too. */
    assert_true(WATCH_SLOW || counts.overrun ||
                (state.measured_hz > 187 && state.measured_hz < 188));
    if (seconds)
        assert_true(counts.overrun * 1000 <= counts.made);
    watch_close(&watch);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_modes, setup, teardown),
        cmocka_unit_test_setup_teardown(picture_is_set_by_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(losses_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(losses_are_counted_blindly, setup_blind, teardown),
        cmocka_unit_test_setup_teardown(stall_is_lost_pictures, setup, teardown),
        cmocka_unit_test_setup_teardown(silent_camera_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(unplugged_and_back, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(self_test_sees_the_bars, setup, teardown),
        cmocka_unit_test_setup_teardown(long_run, setup, teardown),
    };
    static const struct CMUnitTest only[] = {
        cmocka_unit_test_setup_teardown(long_run, setup, teardown),
    };
    testbed = umockdev_testbed_new();
    int failed;
    if (argc > 1) {
        seconds = (unsigned)atoi(argv[1]);
        failed = cmocka_run_group_tests_name("ps3eye_long", only, NULL, NULL);
    } else {
        failed = cmocka_run_group_tests_name("ps3eye", tests, NULL, NULL);
    }
    g_object_unref(testbed);
    return failed;
}
