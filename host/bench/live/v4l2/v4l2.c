/* SPDX-License-Identifier: GPL-3.0-or-later */
/* v4l2:/dev/videoN?size=WxH&rate=HZ&format=FOURCC&exposure=100US&gain=N&white=KELVIN
 *
 * An arrival is the driver's own stamp where that is of CLOCK_MONOTONIC: it knows better than a
 * thread that had to be woken. Stamps of the end of a frame are taken as they are. Stamps of its
 * start (uvcvideo) stand the readout earlier than the frame comes; a constant period is added, so
 * that no item arrives before others that were already handed out; the constant is part of the
 * camera's latency, as it is anyway.
 *
 * uvcvideo copies several frames at a time and may be done with the later one first (seen in
 * tests/live/guest). So a frame whose number is ahead waits for the one before it, for two more
 * frames at most: what has not come by then is lost. */
#include "bench/live/camera/capture.h"
#include "bench/live/camera/grey.h"
#include "bench/live/v4l2/device.h"

#include <math.h>
#include <stdlib.h>

#define STEP_MS       100
#define HELD_MOST     2           /* frames that wait for an earlier one */
#define PLAUSIBLE_NS  TS_NS_PER_S /* a stamp further from now than this is of some other clock */
#define STAMP_START   "start of frame, by the driver, and one period"
#define STAMP_END     "end of frame, by the driver"
#define STAMP_ARRIVAL "arrival"

struct taken {
    struct v4l2_buffer buffer;
    struct ts_host_time now; /* it was taken */
};

struct v4l2 {
    struct ts_capture capture; /* first */
    struct ts_camera_spec spec;
    struct ts_v4l2_device device;
    struct ts_jpeg *jpeg;
    bool counting;     /* since it was switched on, a buffer has come: */
    uint32_t expected; /* the driver's number of the next one */
    uint32_t given_up; /* the first of the numbers that were counted as lost last, */
    uint32_t given_up_count;
    struct taken held[HELD_MOST + 1];
    unsigned held_count;
    const char *stamp;
};

static struct v4l2 *of(struct ts_capture *capture)
{
    return (struct v4l2 *)capture;
}

static int attach(struct ts_capture *capture, struct ts_why *why)
{
    struct v4l2 *camera = of(capture);
    const struct ts_camera_geometry *before = &capture->feed.geometry;
    const int err = ts_v4l2_open(&camera->device, &camera->spec, why);
    if (err)
        return err;
    /* Another camera may have taken its place. */
    const bool other = before->width_px && (before->width_px != camera->device.width_px ||
                                            before->height_px != camera->device.height_px);
    return other ? TS_ENOTSUP : TS_OK;
}

static void detach(struct ts_capture *capture)
{
    ts_v4l2_close(&of(capture)->device);
}

static int start(struct ts_capture *capture)
{
    of(capture)->counting = false;
    of(capture)->given_up_count = of(capture)->held_count = 0;
    return ts_v4l2_stream(&of(capture)->device, true);
}

static void stop(struct ts_capture *capture)
{
    /* A device that is gone is noticed when it is switched on again. */
    (void)!ts_v4l2_stream(&of(capture)->device, false);
}

/* How many frames are missing before this one. A driver that always says the same number, or goes
 * back, tells nothing. */
static uint32_t gap_before(const struct v4l2 *camera, uint32_t sequence)
{
    const uint32_t gap = sequence - camera->expected;
    return camera->counting && gap < 1u << 31 ? gap : 0;
}

/* False: it was counted as lost already. */
static bool count(struct v4l2 *camera, uint32_t sequence)
{
    const uint32_t gap = gap_before(camera, sequence);
    if (sequence - camera->given_up < camera->given_up_count)
        return false;
    if (gap) {
        ts_feed_lost(&camera->capture.feed, gap);
        camera->given_up = camera->expected;
        camera->given_up_count = gap;
    }
    camera->counting = true;
    camera->expected = sequence + 1;
    return true;
}

static struct ts_host_time arrival_of(struct v4l2 *camera, const struct v4l2_buffer *buffer,
                                      struct ts_host_time now)
{
    const bool of_start =
        (buffer->flags & V4L2_BUF_FLAG_TSTAMP_SRC_MASK) == V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
    const char *stamp = of_start ? STAMP_START : STAMP_END;
    int64_t ns = buffer->timestamp.tv_sec * TS_NS_PER_S + buffer->timestamp.tv_usec * TS_NS_PER_US;
    if (of_start)
        ns += camera->capture.feed.geometry.nominal_period_ns;
    const bool monotonic =
        (buffer->flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    if (!monotonic || llabs(ns - now.ns) > PLAUSIBLE_NS) {
        ns = now.ns;
        stamp = STAMP_ARRIVAL;
    }
    if (stamp != camera->stamp)
        ts_feed_stamp(&camera->capture.feed, stamp);
    camera->stamp = stamp;
    return (struct ts_host_time){ns};
}

static int convert(struct v4l2 *camera, const struct v4l2_buffer *buffer, uint8_t *pixels)
{
    const struct ts_v4l2_device *device = &camera->device;
    const struct ts_v4l2_format *format = device->format;
    const struct ts_v4l2_buffer *mapped = &device->buffers[buffer->index];
    if (buffer->flags & V4L2_BUF_FLAG_ERROR || buffer->bytesused > mapped->size ||
        mapped->size < device->frame_bytes)
        return TS_EPROTO;
    if (format->kind == TS_V4L2_JPEG)
        return ts_jpeg_grey(camera->jpeg, mapped->data, buffer->bytesused, device->width_px,
                            device->height_px, pixels);
    if (buffer->bytesused < device->frame_bytes)
        return TS_EPROTO;
    if (format->kind == TS_V4L2_BAYER)
        ts_camera_from_bayer(mapped->data, device->stride, format->red, device->width_px,
                             device->height_px, pixels);
    else
        ts_camera_from_bytes(mapped->data, device->stride, format->step, format->offset,
                             device->width_px, device->height_px, pixels);
    return TS_OK;
}

static int deliver(struct v4l2 *camera, const struct taken *taken)
{
    const struct v4l2_buffer *buffer = &taken->buffer;
    struct ts_feed *feed = &camera->capture.feed;
    if (count(camera, buffer->sequence)) {
        const struct ts_host_time arrival = arrival_of(camera, buffer, taken->now);
        uint8_t *pixels = ts_feed_take(feed);
        if (pixels && convert(camera, buffer, pixels))
            ts_feed_lost(feed, 1);
        else if (pixels)
            ts_feed_give(feed, arrival);
    }
    return ts_v4l2_queue(&camera->device, buffer->index);
}

/* The frames whose turn it is; `most` may go on waiting. */
static int deliver_held(struct v4l2 *camera, unsigned most)
{
    int err = TS_OK;
    while (camera->held_count && !err) {
        unsigned first = 0;
        for (unsigned i = 1; i < camera->held_count; i++) {
            if (gap_before(camera, camera->held[i].buffer.sequence) <
                gap_before(camera, camera->held[first].buffer.sequence))
                first = i;
        }
        const struct taken next = camera->held[first];
        if (camera->held_count <= most && gap_before(camera, next.buffer.sequence))
            return TS_OK;
        camera->held[first] = camera->held[--camera->held_count];
        err = deliver(camera, &next);
    }
    return err;
}

static int step(struct ts_capture *capture, int wake)
{
    struct v4l2 *camera = of(capture);
    struct taken *taken = &camera->held[camera->held_count];
    if (!ts_capture_wait(camera->device.fd, wake, STEP_MS)) {
        const int err = deliver_held(camera, 0);
        return err ? err : TS_ETIMEOUT;
    }
    const int err = ts_v4l2_dequeue(&camera->device, &taken->buffer);
    taken->now = ts_live_now();
    if (err)
        return err;
    camera->held_count++;
    /* The driver needs two to go on. */
    const unsigned spare = camera->device.count - 2;
    return deliver_held(camera, spare < HELD_MOST ? spare : HELD_MOST);
}

static void destroy(struct ts_capture *capture)
{
    ts_jpeg_destroy(of(capture)->jpeg);
    free(capture);
}

static const struct ts_capture_ops ops = {attach, detach, start, stop, step, destroy, false, false};

static int open_v4l2(const char *what, struct ts_inbox *inbox, struct ts_camera **out,
                     struct ts_why *why)
{
    struct v4l2 *camera = calloc(1, sizeof *camera);
    if (!camera)
        return ts_fail(why, TS_ENOMEM, "v4l2: no memory");
    struct ts_capture *capture = &camera->capture;
    camera->device.fd = -1;
    camera->jpeg = ts_jpeg_create();
    int err = camera->jpeg ? TS_OK : TS_ENOMEM;
    if (!err)
        err = ts_camera_spec_read(what, "size rate format exposure gain white", &camera->spec, why);
    if (err) {
        destroy(capture);
        return err;
    }
    err = ts_capture_open(capture, &ops, why);
    const struct ts_capture_form form = {camera->device.width_px, camera->device.height_px,
                                         camera->device.rate_hz, STAMP_ARRIVAL};
    return ts_capture_begin(capture, err, &form, inbox, out, why);
}

const struct ts_camera_driver ts_camera_v4l2 = {"v4l2", open_v4l2};
