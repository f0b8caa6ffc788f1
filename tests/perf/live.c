/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a live camera costs: this program is run anew as the command of `touchstone-bench exec`, so
 * that the simulated bench's own work is another process's. The processor time is that of capture,
 * conversion, block sums and the detector, and of umockdev's calls in place of the kernel's. */
#include "bench/live/camera.h"
#include "perf.h"
#include "vision/blocks.h"
#include "vision/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define WARM_UP_NS  (1 * TS_NS_PER_S)
#define MEASURE_NS  (20 * TS_NS_PER_S)
#define LAUNCH_NS   (4 * TS_NS_PER_S) /* so long a detector lives */
#define SHARE_LIMIT 0.25              /* of a core */

struct capture {
    struct ts_inbox *inbox;
    struct ts_camera *camera;
    struct ts_camera_geometry geometry;
    struct ts_detector *detector;
    int64_t detector_ns; /* when it was opened */
    unsigned frames;
};

static int open_detector(struct capture *capture, int64_t now_ns)
{
    const struct ts_vision_view view = {
        .camera = &capture->geometry,
        .period_ms = (double)capture->geometry.nominal_period_ns / (double)TS_NS_PER_MS,
        .exposure_ms = 4,
        .readout_ms = 6,
        .gamma = 2.2,
        .start_u_ms = 0.3,
        .stylus_from_ms = NAN,
        .stylus_down_ms = NAN,
        .stylus_up_ms = NAN,
        .quiet_ms = 1000,
    };
    ts_detector_close(capture->detector);
    capture->detector = NULL;
    capture->detector_ns = now_ns;
    return ts_detector_open(&view, TS_RULE_ROBUST, &capture->detector);
}

static int take_frame(struct capture *capture, const struct ts_frame *frame)
{
    int err = TS_OK;
    if (!capture->detector || frame->arrival.ns - capture->detector_ns > LAUNCH_NS)
        err = open_detector(capture, frame->arrival.ns);
    if (err)
        return err;
    ts_blocks_sum(frame->pixels, (size_t)capture->geometry.width_px, &capture->geometry,
                  frame->blocks);
    const double at_ms = (double)(frame->arrival.ns - capture->detector_ns) / (double)TS_NS_PER_MS;
    /* One that does not come later than the one before is refused, and measured all the same. */
    err = ts_detector_frame(capture->detector, frame->sequence, at_ms, frame->blocks);
    (void)ts_detector_is_certain(capture->detector);
    capture->frames++;
    return err == TS_ENOMEM ? err : TS_OK;
}

static int take_for(struct capture *capture, int64_t for_ns)
{
    const struct ts_host_time until = {ts_live_now().ns + for_ns};
    struct ts_item item;
    int err;
    while ((err = ts_inbox_take(capture->inbox, until, &item)) == TS_OK) {
        if (item.kind == TS_ITEM_FRAME)
            err = take_frame(capture, item.u.frame);
        if (item.kind == TS_ITEM_FAULT)
            err = TS_EIO;
        if (err || ts_live_now().ns >= until.ns)
            break;
    }
    return err == TS_ETIMEOUT ? TS_OK : err;
}

static double processor_s(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static int measure(struct capture *capture)
{
    struct ts_camera_state state;
    int err = capture->camera->ops->set(capture->camera, true);
    if (!err)
        err = take_for(capture, WARM_UP_NS);
    capture->frames = 0;
    const double began_s = processor_s();
    if (!err)
        err = take_for(capture, MEASURE_NS);
    const double used_s = processor_s() - began_s;
    /* Of film, not of wall clock: a computer with more to do takes longer for the same. */
    const double film_s = capture->frames * (double)capture->geometry.nominal_period_ns / 1e9;
    capture->camera->ops->state(capture->camera, &state);
    if (err)
        return err;
    printf("  %u frames of %dx%d, %.1f s of film, %.2f s of processor, %llu lost\n",
           capture->frames, capture->geometry.width_px, capture->geometry.height_px, film_s, used_s,
           (unsigned long long)state.lost);
    perf_say_ratio("processor seconds / second of film", used_s / film_s, PERF_AT_MOST,
                   SHARE_LIMIT);
    return TS_OK;
}

static int inside(const char *spec)
{
    struct capture capture = {0};
    struct ts_why why = {""};
    int err = ts_inbox_create(&capture.inbox);
    if (!err)
        err = ts_camera_open(spec, capture.inbox, &capture.camera, &why);
    if (!err) {
        capture.geometry = *capture.camera->ops->geometry(capture.camera);
        err = measure(&capture);
        capture.camera->ops->close(capture.camera);
    }
    if (err)
        fprintf(stderr, "live: %s: %s\n", spec, *why.text ? why.text : ts_err_text(err));
    ts_detector_close(capture.detector);
    if (capture.inbox)
        ts_inbox_destroy(capture.inbox);
    return err ? 1 : 0;
}

static int outside(const char *camera, const char *spec)
{
    static const char bench[] = TS_BIN_DIR "/touchstone-bench";
    char self[4096];
    int status = 1;
    const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    self[size > 0 ? size : 0] = '\0';
    printf("\n%s\n", spec);
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        execl(bench, bench, "exec", "--camera", camera, "--", self, "live", spec, (char *)NULL);
        perror(bench);
        _exit(127);
    }
    if (pid > 0)
        waitpid(pid, &status, 0);
    return status ? 1 : 0;
}

int perf_live(int argc, char **argv)
{
    if (argc == 1)
        return inside(argv[0]);
    return outside("ps3eye", "ps3eye?size=320x240&rate=125") |
           outside("v4l2", "v4l2:/dev/video0?size=320x240&rate=120&format=YUYV");
}
