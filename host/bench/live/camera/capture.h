/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thread of a camera: it attaches the device, switches it on and off as it is told, takes what
 * comes, says when the device is gone, and takes it up again when it is back. Drivers only say how
 * each of these is done. */
#ifndef TS_LIVE_CAMERA_CAPTURE_H
#define TS_LIVE_CAMERA_CAPTURE_H

#include "bench/live/camera/feed.h"

#include <stdatomic.h>

/* Switched on and silent for so long, a camera counts as lost and is attached anew. */
#define TS_CAPTURE_SILENT_NS (2 * TS_NS_PER_S)
#define TS_CAPTURE_AGAIN_MS  250 /* from one try to attach to the next */

struct ts_capture;

struct ts_capture_ops {
    /* Finds and opens the device and sets its mode. The first time in the thread of whoever opens
     * the camera (and then opens the feed), later on the capture thread, with the feed's geometry.
     * What it leaves behind when it fails, detach() takes away. */
    int (*attach)(struct ts_capture *capture, struct ts_why *why);
    void (*detach)(struct ts_capture *capture);
    int (*start)(struct ts_capture *capture);
    void (*stop)(struct ts_capture *capture);
    /* Feeds what comes. Returns when something came (TS_OK), soon after `wake` is readable, or
     * after some 100 ms of nothing (TS_ETIMEOUT); anything else: the device is lost. */
    int (*step)(struct ts_capture *capture, int wake);
    void (*destroy)(struct ts_capture *capture);
    bool for_good; /* what is lost once does not come back */
    bool always;   /* steps also while it is switched off, and looks at `on` itself */
};

struct ts_capture {
    struct ts_camera camera; /* first: a camera is its capture */
    const struct ts_capture_ops *ops;
    struct ts_feed feed;
    pthread_t thread;
    bool running; /* the thread is */
    int wake[2];  /* a pipe: on or end has changed */
    atomic_bool on, end;
    int64_t heard_ns; /* something came */
};

/* `capture` is the first member of a zeroed driver's struct from calloc(); attaches. Whatever
 * comes of it, ts_capture_close() frees, by destroy(). */
int ts_capture_open(struct ts_capture *capture, const struct ts_capture_ops *ops,
                    struct ts_why *why) TS_MUST_CHECK;
/* What the attached camera sends; stamp: what arrivals stand for, static text. */
struct ts_capture_form {
    int width_px, height_px;
    double rate_hz;
    const char *stamp;
};
/* After ts_capture_open(), whose outcome is `err`: opens the feed and runs the thread. Hands out
 * the camera, or closes the capture and returns what went wrong. */
int ts_capture_begin(struct ts_capture *capture, int err, const struct ts_capture_form *form,
                     struct ts_inbox *inbox, struct ts_camera **out,
                     struct ts_why *why) TS_MUST_CHECK;
void ts_capture_close(struct ts_capture *capture);

/* fd (-1: none) has something to read: 1; nothing, or `wake` is readable: 0. */
int ts_capture_wait(int fd, int wake, int timeout_ms);

#endif
