/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the live bench needs of a camera. Each driver is a folder and a line in camera.c's table. */
#ifndef TS_LIVE_CAMERA_H
#define TS_LIVE_CAMERA_H

#include "bench/live/inbox.h"
#include "model/frame.h"

/* What the driver was asked for and what it can tell of the stream so far. */
struct ts_camera_state {
    uint64_t frames;     /* handed over */
    uint64_t lost;       /* known to be missing: torn, short, sequence gap, buffer error */
    uint64_t pool_empty; /* dropped because nobody let go of earlier ones */
    double measured_hz;  /* 0 until 1 s has been seen */
    const char *stamp;   /* what an arrival stands for: "arrival", "start of frame", ... */
};

struct ts_camera;

struct ts_camera_ops {
    /* Frames to the inbox from now on / no more. */
    int (*set)(struct ts_camera *camera, bool on);
    const struct ts_camera_geometry *(*geometry)(const struct ts_camera *camera);
    void (*state)(const struct ts_camera *camera, struct ts_camera_state *out);
    /* Ends its thread; nothing is posted after this returns. */
    void (*close)(struct ts_camera *camera);
};

struct ts_camera {
    const struct ts_camera_ops *ops;
};

/* `spec` is "DRIVER[:what][?key=value&key=value...]": ps3eye:SERIAL-OR-PORT?size=320x240&rate=187
 * &exposure=...&gain=..., v4l2:/dev/video0?size=640x480&rate=120&format=MJPG, stream:PIPE,
 * file:FILM. Frames and TS_FAULT_CAMERA_LOST go to the inbox, which outlives the camera. *why says
 * what to do (not there, no permission, busy, no such mode and which there are). */
struct ts_camera_driver {
    const char *name;
    int (*open)(const char *what, struct ts_inbox *inbox, struct ts_camera **out,
                struct ts_why *why);
};

extern const struct ts_camera_driver ts_camera_ps3eye, ts_camera_v4l2, ts_camera_stream,
    ts_camera_file;

/* By the table of the drivers above. */
int ts_camera_open(const char *spec, struct ts_inbox *inbox, struct ts_camera **out,
                   struct ts_why *why) TS_MUST_CHECK;

#endif
