/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ps3eye:WHICH?size=320x240&rate=187&format=GRBG|YUYV&exposure=ROWS&gain=0..63&white=0..255
 *
 * An arrival is the end of the transfer that a picture's last, short payload ends: the end of the
 * picture, and what the bus and the system took to say so. */
#include "bench/live/camera/capture.h"
#include "bench/live/camera/grey.h"
#include "bench/live/camera/spec.h"
#include "bench/live/ps3eye/missing.h"
#include "bench/live/ps3eye/payload.h"
#include "bench/live/ps3eye/usb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HZ    125.0
#define RATE_SLACK_HZ 0.75 /* 187 means 187.5 */
#define BAYER_RED     1    /* GRGR / BGBG */
/* Rows of a frame with its blanking, less a few: a longer exposure would change the rate. */
#define ROWS_SMALL      270
#define ROWS_LARGE      500
#define YUYV_BYTES_MOST 37000000.0 /* a second, what USB 2 carries */

struct eye {
    struct ts_capture capture; /* first */
    struct ts_camera_spec spec;
    struct ts_eye_settings settings;
    struct ts_eye_usb usb;
    struct ts_payload payload;
    struct ts_missing missing;
    bool seen; /* a whole picture since it was switched on: before, pieces are no loss */
    struct ts_host_time arrival; /* of the transfer at hand */
};

static struct eye *of(struct ts_capture *capture)
{
    return (struct eye *)capture;
}

static void on_picture(void *context, const struct ts_payload_picture *picture)
{
    struct eye *eye = context;
    struct ts_feed *feed = &eye->capture.feed;
    const struct ts_eye_mode *mode = eye->settings.mode;
    if (!picture->whole && !eye->seen)
        return;
    eye->seen = true;
    const uint32_t missing =
        ts_missing_count(&eye->missing, picture->pts, picture->fid, eye->arrival);
    if (missing || !picture->whole)
        ts_feed_lost(feed, missing + !picture->whole);
    uint8_t *pixels = picture->whole ? ts_feed_take(feed) : NULL;
    if (!pixels)
        return;
    const size_t width = (size_t)mode->width_px;
    if (eye->settings.yuyv)
        ts_camera_from_bytes(eye->payload.picture, 2 * width, 2, 0, mode->width_px, mode->height_px,
                             pixels);
    else
        ts_camera_from_bayer(eye->payload.picture, width, BAYER_RED, mode->width_px,
                             mode->height_px, pixels);
    ts_feed_give(feed, eye->arrival);
}

static void on_bytes(void *context, struct ts_host_time arrival, const uint8_t *bytes, size_t size)
{
    struct eye *eye = context;
    eye->arrival = arrival;
    ts_payload_feed(&eye->payload, bytes, size);
}

static int attach(struct ts_capture *capture, struct ts_why *why)
{
    struct eye *eye = of(capture);
    int err = ts_eye_usb_open(&eye->usb, eye->spec.what, why);
    if (err)
        return err;
    ts_why_say(why, "ps3eye: the camera does not answer: plug it in anew");
    return ts_eye_set_up(&eye->usb.bus, &eye->settings, why);
}

static void detach(struct ts_capture *capture)
{
    ts_eye_usb_close(&of(capture)->usb);
}

static int start(struct ts_capture *capture)
{
    struct eye *eye = of(capture);
    ts_payload_reset(&eye->payload);
    eye->missing = (struct ts_missing){.period_ns = capture->feed.geometry.nominal_period_ns};
    eye->seen = false;
    const int err = ts_eye_usb_flow(&eye->usb, true);
    return err ? err : ts_eye_run(&eye->usb.bus, true);
}

static void stop(struct ts_capture *capture)
{
    struct eye *eye = of(capture);
    /* A device that is gone is noticed when it is switched on again. */
    (void)!ts_eye_run(&eye->usb.bus, false);
    (void)!ts_eye_usb_flow(&eye->usb, false);
}

static int step(struct ts_capture *capture, int wake)
{
    (void)wake; /* something comes every few milliseconds, or after 50 nothing does */
    return ts_eye_usb_step(&of(capture)->usb);
}

static void destroy(struct ts_capture *capture)
{
    free(of(capture)->payload.picture);
    free(capture);
}

static const struct ts_capture_ops ops = {attach, detach, start, stop, step, destroy, false, false};

static int no_such_mode(struct ts_why *why)
{
    char text[300];
    size_t used = 0;
    int width_px = 0;
    for (const struct ts_eye_mode *mode = ts_eye_modes; mode->width_px; mode++) {
        char size[40] = ", ";
        if (mode->width_px != width_px)
            snprintf(size, sizeof size, "%s%dx%d at ", used ? "; " : "", mode->width_px,
                     mode->height_px);
        width_px = mode->width_px;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.4g", size, mode->rate_hz);
    }
    return ts_fail(why, TS_ENOTSUP,
                   "ps3eye: no such mode; there are: %s Hz (as YUYV up to 60 at "
                   "640x480)",
                   text);
}

static int choose_mode(struct eye *eye, struct ts_why *why)
{
    const struct ts_camera_spec *spec = &eye->spec;
    const int width_px = spec->width_px ? spec->width_px : 320;
    const int height_px = spec->width_px ? spec->height_px : 240;
    const double hz = spec->rate_hz > 0 ? spec->rate_hz : width_px == 320 ? DEFAULT_HZ : 60;
    struct ts_eye_settings *settings = &eye->settings;
    settings->yuyv = !strcmp(spec->format, "YUYV");
    if (spec->format[0] && !settings->yuyv && strcmp(spec->format, "GRBG") != 0)
        return ts_fail(why, TS_ENOTSUP, "ps3eye: no format \"%s\"; there are: GRBG, YUYV",
                       spec->format);
    for (const struct ts_eye_mode *mode = ts_eye_modes; mode->width_px; mode++) {
        const double bytes = 2.0 * mode->width_px * mode->height_px * mode->rate_hz;
        if (mode->width_px == width_px && mode->height_px == height_px &&
            fabs(mode->rate_hz - hz) < RATE_SLACK_HZ &&
            (!settings->yuyv || bytes <= YUYV_BYTES_MOST))
            settings->mode = mode;
    }
    if (!settings->mode)
        return no_such_mode(why);
    const int rows = width_px == 320 ? ROWS_SMALL : ROWS_LARGE;
    if (spec->exposure > rows || spec->gain > 63 || spec->white > 255)
        return ts_fail(why, TS_EINVAL,
                       "ps3eye: exposure goes to %d rows here, gain to 63, white to 255", rows);
    settings->exposure = spec->exposure;
    settings->gain = spec->gain;
    settings->white = spec->white;
    settings->pattern = spec->pattern;
    return TS_OK;
}

static int prepare(struct eye *eye, const char *what, struct ts_why *why)
{
    int err =
        ts_camera_spec_read(what, "size rate format exposure gain white test", &eye->spec, why);
    if (!err)
        err = choose_mode(eye, why);
    if (err)
        return err;
    const struct ts_eye_mode *mode = eye->settings.mode;
    const size_t bytes =
        (eye->settings.yuyv ? 2u : 1u) * (size_t)mode->width_px * (size_t)mode->height_px;
    eye->payload = (struct ts_payload){.picture_bytes = bytes, .take = on_picture, .context = eye};
    eye->payload.picture = malloc(bytes);
    eye->usb.take = on_bytes;
    eye->usb.user = eye;
    return eye->payload.picture ? TS_OK : ts_fail(why, TS_ENOMEM, "ps3eye: no memory");
}

static int open_eye(const char *what, struct ts_inbox *inbox, struct ts_camera **out,
                    struct ts_why *why)
{
    struct eye *eye = calloc(1, sizeof *eye);
    if (!eye)
        return ts_fail(why, TS_ENOMEM, "ps3eye: no memory");
    struct ts_capture *capture = &eye->capture;
    int err = prepare(eye, what, why);
    if (err) {
        destroy(capture);
        return err;
    }
    const struct ts_eye_mode *mode = eye->settings.mode;
    err = ts_capture_open(capture, &ops, why);
    const struct ts_capture_form form = {mode->width_px, mode->height_px, mode->rate_hz,
                                         "end of frame, as the transfer's end was seen"};
    return ts_capture_begin(capture, err, &form, inbox, out, why);
}

const struct ts_camera_driver ts_camera_ps3eye = {"ps3eye", open_eye};
