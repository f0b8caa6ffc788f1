/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a virtual machine: films with a driver of ours what a camera behind the kernel's own
 * drivers shows, and compares each picture with what was shown.
 *
 *   guest_camera SPEC exact|bayer HZ PICTURES STAMP [unplug]
 *
 * unplug: having said "unplug" it waits until the camera is gone and back again. STAMP: how the
 * text of what stamps stand for begins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "watch.h"

static char **arguments;

/* In place of the table of all drivers, which would bring libraries for films into the guest. */
int ts_camera_open(const char *spec, struct ts_inbox *inbox, struct ts_camera **out,
                   struct ts_why *why)
{
    return strncmp(spec, "v4l2:", 5)
               ? ts_camera_ps3eye.open(spec + strlen("ps3eye"), inbox, out, why)
               : ts_camera_v4l2.open(spec + 5, inbox, out, why);
}

static void compare(const struct watch *watch, double hz, const char *stamp)
{
    const struct ts_camera_state state = watch_state(watch);
    const uint64_t missing = watch->last - watch->first + 1 - watch->frames;
    printf("%s: %u pictures, %u wrong, %llu lost, %llu for want of memory, %.2f Hz, stamped at "
           "the %s\n",
           arguments[0], watch->frames, watch->wrong, (unsigned long long)state.lost,
           (unsigned long long)state.pool_empty, state.measured_hz, state.stamp);
    assert_int_equal(watch->wrong, 0);
    assert_int_equal(state.frames, watch->frames);
    assert_memory_equal(state.stamp, stamp, strlen(stamp));
    if (watch->faults) /* numbers go on, but what was missed meanwhile nobody can know */
        return;
    /* What the watcher was too slow for lies between the pictures, or behind the last one. */
    assert_in_range(missing, state.lost, state.lost + state.pool_empty);
    /* An emulated processor is late, but it sees no pictures that are not there. */
    assert_true(state.measured_hz > 0.5 * hz && state.measured_hz < 1.12 * hz);
}

static void film(void **unused)
{
    (void)unused;
    const enum watch_kind kind = strcmp(arguments[1], "bayer") ? WATCH_EXACT : WATCH_BAYER;
    const unsigned pictures = (unsigned)atoi(arguments[3]);
    struct watch watch;
    watch_open(&watch, arguments[0], kind);
    watch.camera->ops->set(watch.camera, true);
    watch_until(&watch, pictures, 1);
    assert_int_equal(watch.faults, 0);
    if (arguments[5]) {
        puts("unplug");
        watch_until(&watch, UINT32_MAX, 1);
        watch_until(&watch, watch.frames + pictures, 2);
        assert_int_equal(watch.faults, 1);
    }
    watch.camera->ops->set(watch.camera, false);
    watch_for(&watch, 300);
    watch_until(&watch, (unsigned)watch_state(&watch).frames, watch.faults + 1);
    compare(&watch, atof(arguments[2]), arguments[4]);
    watch_close(&watch);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(film)};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc != 6 && !(argc == 7 && !strcmp(argv[6], "unplug"))) {
        fprintf(stderr, "usage: %s SPEC exact|bayer HZ PICTURES STAMP [unplug]\n", argv[0]);
        return 2;
    }
    arguments = argv + 1;
    return cmocka_run_group_tests_name(argv[1], tests, NULL, NULL);
}
