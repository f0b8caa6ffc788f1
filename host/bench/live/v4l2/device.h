/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A V4L2 capture device with its mode and its mapped buffers. */
#ifndef TS_LIVE_V4L2_DEVICE_H
#define TS_LIVE_V4L2_DEVICE_H

#include "bench/live/camera/spec.h"
#include "bench/live/v4l2/formats.h"

#include <linux/videodev2.h>

#define TS_V4L2_BUFFERS 8

struct ts_v4l2_buffer {
    uint8_t *data; /* mapped */
    size_t size;
};

struct ts_v4l2_device {
    int fd; /* -1: closed */
    char path[TS_CAMERA_WHAT_MAX];
    const struct ts_v4l2_format *format; /* what the driver really set: */
    int width_px, height_px;
    size_t stride;      /* bytes from row to row; 0 of JPEG */
    size_t frame_bytes; /* of a whole picture; 0 of JPEG */
    double rate_hz;
    struct ts_v4l2_buffer buffers[TS_V4L2_BUFFERS];
    unsigned count;
};

/* ioctl() that goes on after a signal. */
int ts_v4l2_ioctl(int fd, unsigned long request, void *argument);

/* Opens spec->what ("": the only capture device that is there). *why tells apart: not there (and
 * what is), no permission, no camera, busy, no such mode (and which there are). */
int ts_v4l2_open(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                 struct ts_why *why) TS_MUST_CHECK;
void ts_v4l2_close(struct ts_v4l2_device *device); /* closed already is fine */

/* Format, size and rate. */
int ts_v4l2_negotiate(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                      struct ts_why *why) TS_MUST_CHECK;
/* Exposure, gain and white balance by hand where they are named, and never a lower rate for the
 * sake of a longer exposure. */
int ts_v4l2_set_controls(struct ts_v4l2_device *device, const struct ts_camera_spec *spec,
                         struct ts_why *why) TS_MUST_CHECK;
/* The driver's modes of taken formats, as text: "YUYV 320x240 at 30, 120; ..." */
void ts_v4l2_list_modes(int fd, char *text, size_t size);

int ts_v4l2_stream(struct ts_v4l2_device *device, bool on) TS_MUST_CHECK;
/* A filled buffer. TS_ETIMEOUT: none yet. TS_EIO: the device is gone. */
int ts_v4l2_dequeue(struct ts_v4l2_device *device, struct v4l2_buffer *buffer) TS_MUST_CHECK;
int ts_v4l2_queue(struct ts_v4l2_device *device, unsigned index) TS_MUST_CHECK;

#endif
