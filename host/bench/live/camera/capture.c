/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/camera/capture.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static void say(struct ts_capture *capture)
{
    const char byte = 0;
    /* A full pipe wakes as well. */
    (void)!write(capture->wake[1], &byte, 1);
}

static void listen_anew(struct ts_capture *capture)
{
    char bytes[64];
    if (ts_capture_wait(capture->wake[0], -1, 0))
        (void)!read(capture->wake[0], bytes, sizeof bytes);
}

int ts_capture_wait(int fd, int wake, int timeout_ms)
{
    struct pollfd both[] = {{.fd = fd, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
    return poll(both, 2, timeout_ms) > 0 && both[0].revents != 0;
}

static void lose(struct ts_capture *capture, int err)
{
    const struct ts_host_time now = ts_live_now();
    capture->ops->detach(capture);
    ts_feed_fault(&capture->feed, now, err);
}

static bool is_wanted(const struct ts_capture *capture)
{
    return capture->ops->always || atomic_load(&capture->on);
}

/* Switched on until it is switched off, or lost. */
static int stream(struct ts_capture *capture)
{
    int err = capture->ops->start(capture);
    ts_feed_begin(&capture->feed);
    capture->heard_ns = ts_live_now().ns;
    while (!err && is_wanted(capture) && !atomic_load(&capture->end)) {
        err = capture->ops->step(capture, capture->wake[0]);
        const int64_t now_ns = ts_live_now().ns;
        if (!err)
            capture->heard_ns = now_ns;
        else if (err == TS_ETIMEOUT && now_ns - capture->heard_ns < TS_CAPTURE_SILENT_NS)
            err = TS_OK;
        listen_anew(capture);
    }
    if (!err)
        capture->ops->stop(capture);
    return err;
}

static void *run(void *context)
{
    struct ts_capture *capture = context;
    bool attached = true;
    ts_feed_hurry();
    while (!atomic_load(&capture->end)) {
        if (attached && is_wanted(capture)) {
            const int err = stream(capture);
            if (err) {
                lose(capture, err);
                attached = false;
            }
            continue;
        }
        const bool back = !attached && !capture->ops->for_good;
        ts_capture_wait(-1, capture->wake[0], back ? TS_CAPTURE_AGAIN_MS : -1);
        listen_anew(capture);
        if (!back || atomic_load(&capture->end))
            continue;
        attached = capture->ops->attach(capture, NULL) == TS_OK;
        if (!attached)
            capture->ops->detach(capture);
    }
    return NULL;
}

static int set(struct ts_camera *camera, bool on)
{
    struct ts_capture *capture = (struct ts_capture *)camera;
    atomic_store(&capture->on, on);
    say(capture);
    return TS_OK;
}

static const struct ts_camera_geometry *geometry(const struct ts_camera *camera)
{
    return &((const struct ts_capture *)camera)->feed.geometry;
}

static void state(const struct ts_camera *camera, struct ts_camera_state *out)
{
    ts_feed_state(&((const struct ts_capture *)camera)->feed, out);
}

static void shut(struct ts_camera *camera)
{
    ts_capture_close((struct ts_capture *)camera);
}

static const struct ts_camera_ops camera_ops = {set, geometry, state, shut};

int ts_capture_open(struct ts_capture *capture, const struct ts_capture_ops *ops,
                    struct ts_why *why)
{
    capture->camera.ops = &camera_ops;
    capture->ops = ops;
    capture->wake[0] = capture->wake[1] = -1;
    atomic_init(&capture->on, false);
    atomic_init(&capture->end, false);
    if (pipe(capture->wake))
        return ts_fail(why, TS_EIO, "camera: no pipe: too many open files");
    return ops->attach(capture, why);
}

static int start(struct ts_capture *capture, struct ts_why *why)
{
    if (pthread_create(&capture->thread, NULL, run, capture))
        return ts_fail(why, TS_ENOMEM, "camera: no thread for it");
    capture->running = true;
    return TS_OK;
}

void ts_capture_close(struct ts_capture *capture)
{
    if (!capture)
        return;
    atomic_store(&capture->end, true);
    if (capture->running) {
        say(capture);
        pthread_join(capture->thread, NULL);
    }
    capture->ops->detach(capture);
    ts_feed_close(&capture->feed);
    for (int i = 0; i < 2; i++) {
        if (capture->wake[i] >= 0)
            close(capture->wake[i]);
    }
    capture->ops->destroy(capture);
}

int ts_capture_begin(struct ts_capture *capture, int err, const struct ts_capture_form *form,
                     struct ts_inbox *inbox, struct ts_camera **out, struct ts_why *why)
{
    if (!err)
        err = ts_feed_open(&capture->feed, inbox, form->width_px, form->height_px, form->rate_hz,
                           form->stamp);
    if (!err)
        err = start(capture, why);
    if (err) {
        ts_capture_close(capture);
        return err;
    }
    *out = &capture->camera;
    return TS_OK;
}
