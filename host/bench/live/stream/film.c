/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file:FILM: a recorded film, played at its own time stamps from when the camera is switched on;
 * switched off, it stands still. An arrival is when the film says that the picture is due. Its end
 * is that of the camera (TS_FAULT_CAMERA_LOST, TS_EOF). */
#include "bench/live/camera/capture.h"
#include "media/decode.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERIOD_NS (TS_NS_PER_S / 30)

struct film {
    struct ts_capture capture; /* first */
    const char *path;          /* owned */
    struct ts_decode *decode;
    struct ts_decode_frame next; /* to be shown */
    int64_t started_ns;          /* stamp 0 of the film, on the host's clock */
};

static struct film *of(struct ts_capture *capture)
{
    return (struct film *)capture;
}

static int read_next(struct film *film, struct ts_why *why)
{
    const int got = ts_decode_next(film->decode, &film->next, why);
    return got > 0 ? TS_OK : got < 0 ? got : TS_EOF;
}

static int attach(struct ts_capture *capture, struct ts_why *why)
{
    struct film *film = of(capture);
    const int err = ts_decode_open(film->path, &film->decode, why);
    if (err)
        return err;
    const int got = read_next(film, why);
    return got == TS_EOF ? ts_fail(why, TS_EPROTO, "%.200s: no picture in it", film->path) : got;
}

static void detach(struct ts_capture *capture)
{
    ts_decode_close(of(capture)->decode);
    of(capture)->decode = NULL;
}

static int start(struct ts_capture *capture)
{
    of(capture)->started_ns = ts_ns_between(ts_live_now().ns, of(capture)->next.pts_ns);
    return TS_OK;
}

static void stop(struct ts_capture *capture)
{
    (void)capture;
}

static int step(struct ts_capture *capture, int wake)
{
    struct film *film = of(capture);
    const int64_t due_ns = ts_ns_after(film->started_ns, film->next.pts_ns);
    const int64_t left_ns = ts_ns_between(due_ns, ts_live_now().ns);
    if (left_ns > 0) {
        /* A whole millisecond too late is no matter: the stamp is the film's. */
        const int64_t left_ms = left_ns / TS_NS_PER_MS + 1;
        ts_capture_wait(-1, wake, left_ms < 100 ? (int)left_ms : 100);
        return TS_OK;
    }
    uint8_t *pixels = ts_feed_take(&capture->feed);
    if (pixels) {
        const struct ts_camera_geometry *geometry = &capture->feed.geometry;
        memcpy(pixels, film->next.grey, (size_t)geometry->width_px * (size_t)geometry->height_px);
        ts_feed_give(&capture->feed, (struct ts_host_time){due_ns});
    }
    return read_next(film, NULL);
}

static void destroy(struct ts_capture *capture)
{
    free((char *)(uintptr_t)of(capture)->path);
    free(capture);
}

static const struct ts_capture_ops ops = {attach, detach, start, stop, step, destroy, true, false};

struct stamps {
    int count;
    int64_t at_ns[2];
};

static bool take_stamp(void *user, int64_t pts_ns)
{
    struct stamps *stamps = user;
    stamps->at_ns[stamps->count++] = pts_ns;
    return stamps->count < 2;
}

static int64_t period_of(const char *path)
{
    struct stamps stamps = {0};
    if (ts_decode_stamps(path, take_stamp, &stamps, NULL) || stamps.count < 2)
        return DEFAULT_PERIOD_NS;
    const int64_t period_ns = ts_ns_between(stamps.at_ns[1], stamps.at_ns[0]);
    return period_ns >= TS_NS_PER_MS && period_ns <= TS_NS_PER_S ? period_ns : DEFAULT_PERIOD_NS;
}

static int open_film(const char *what, struct ts_inbox *inbox, struct ts_camera **out,
                     struct ts_why *why)
{
    if (!*what)
        return ts_fail(why, TS_EINVAL, "file: which film, as file:FILM?");
    struct film *film = calloc(1, sizeof *film);
    char *path = strdup(what);
    if (!film || !path) {
        free(film);
        free(path);
        return ts_fail(why, TS_ENOMEM, "file: no memory");
    }
    struct ts_capture *capture = &film->capture;
    film->path = path;
    int err = ts_capture_open(capture, &ops, why);
    if (!err && ts_decode_about(film->decode).once)
        err = ts_fail(why, TS_EINVAL, "%.200s: this is a pipe: say stream:%.200s", what, what);
    const struct ts_capture_form form = {film->next.width_px, film->next.height_px,
                                         err ? 0 : (double)TS_NS_PER_S / (double)period_of(path),
                                         "the film's time stamp"};
    return ts_capture_begin(capture, err, &form, inbox, out, why);
}

const struct ts_camera_driver ts_camera_file = {"file", open_film};
