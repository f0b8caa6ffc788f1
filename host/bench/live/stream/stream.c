/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream:PIPE, where PIPE is "-", a path, or "|COMMAND", and writes Y4M; or, with
 * ?format=grey&size=WIDTHxHEIGHT&rate=HZ, bare grey pictures. An arrival is when the last byte of a
 * picture's luma was read. A pipe cannot tell of lost pictures. It is read while the camera is
 * switched off too, so that what comes afterwards is new. */
#include "bench/live/camera/capture.h"
#include "bench/live/camera/spec.h"
#include "bench/live/stream/pipe.h"
#include "bench/live/stream/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK      65536 /* what a pipe holds */
#define STEP_MS    100
#define HEADER_MS  10000 /* a command may have to start first */
#define DEFAULT_HZ 30.0

struct stream {
    struct ts_capture capture; /* first */
    struct ts_camera_spec spec;
    struct ts_source source;
    struct ts_pipe pipe;
    bool asked;        /* for a frame to put the next picture into */
    size_t size, used; /* of chunk */
    struct ts_host_time read_at;
    uint8_t chunk[CHUNK];
};

static struct stream *of(struct ts_capture *capture)
{
    return (struct stream *)capture;
}

static int fill(struct stream *stream)
{
    const ssize_t got = read(stream->source.fd, stream->chunk, sizeof stream->chunk);
    stream->read_at = ts_live_now();
    if (got <= 0)
        return got ? TS_EIO : TS_EOF;
    stream->size = (size_t)got;
    stream->used = 0;
    return TS_OK;
}

/* The next event in the chunk. */
static int feed(struct stream *stream, struct ts_why *why)
{
    size_t used;
    const int event = ts_pipe_feed(&stream->pipe, stream->chunk + stream->used,
                                   stream->size - stream->used, &used, why);
    stream->used += used;
    return event;
}

static int read_header(struct stream *stream, struct ts_why *why)
{
    for (;;) {
        if (!ts_capture_wait(stream->source.fd, -1, HEADER_MS))
            return ts_fail(why, TS_ETIMEOUT, "stream: nothing comes out of %.200s",
                           stream->spec.what);
        if (fill(stream))
            return ts_fail(why, TS_EIO, "stream: %.200s ends before it begins", stream->spec.what);
        const int event = feed(stream, why);
        if (event != TS_PIPE_MORE)
            return event == TS_PIPE_OPENED ? TS_OK : event;
    }
}

static int attach(struct ts_capture *capture, struct ts_why *why)
{
    struct stream *stream = of(capture);
    const struct ts_camera_spec *spec = &stream->spec;
    const bool raw = !strcmp(spec->format, "grey");
    if (spec->format[0] && !raw && strcmp(spec->format, "y4m") != 0)
        return ts_fail(why, TS_ENOTSUP, "stream: no format \"%s\"; there are: y4m, grey",
                       spec->format);
    if (raw && (!spec->width_px || spec->rate_hz <= 0))
        return ts_fail(why, TS_EINVAL, "stream: bare pictures need size=WIDTHxHEIGHT and rate=HZ");
    const int err = ts_source_open(&stream->source, spec->what, why);
    if (err)
        return err;
    if (raw) {
        ts_pipe_open_raw(&stream->pipe, spec->width_px, spec->height_px);
        return TS_OK;
    }
    ts_pipe_open_y4m(&stream->pipe);
    return read_header(stream, why);
}

static void detach(struct ts_capture *capture)
{
    ts_source_close(&of(capture)->source);
}

static int start(struct ts_capture *capture)
{
    (void)capture;
    return TS_OK;
}

static void stop(struct ts_capture *capture)
{
    (void)capture;
}

static bool between_pictures(const struct ts_pipe *pipe)
{
    return pipe->state != TS_PIPE_LUMA || pipe->left == pipe->luma;
}

static int step(struct ts_capture *capture, int wake)
{
    struct stream *stream = of(capture);
    int err = TS_OK;
    /* A pipe that is silent is not gone: its end is seen. */
    if (stream->used == stream->size) {
        if (!ts_capture_wait(stream->source.fd, wake, STEP_MS))
            return TS_OK;
        err = fill(stream);
    }
    while (!err && stream->used < stream->size) {
        const bool on = atomic_load(&capture->on);
        if (on && !stream->asked && between_pictures(&stream->pipe)) {
            stream->pipe.to = ts_feed_take(&capture->feed);
            stream->asked = true;
        }
        const int event = feed(stream, NULL);
        if (event < 0)
            return event;
        if (event != TS_PIPE_PICTURE)
            continue;
        if (stream->pipe.to && on)
            ts_feed_give(&capture->feed, stream->read_at);
        stream->pipe.to = NULL;
        stream->asked = false;
    }
    return err;
}

static void destroy(struct ts_capture *capture)
{
    free(capture);
}

static const struct ts_capture_ops ops = {attach, detach, start, stop, step, destroy, true, true};

static int read_spec(struct ts_camera_spec *spec, const char *what, struct ts_why *why)
{
    const size_t size = strlen(what);
    /* A command may hold question marks, and says all else itself. */
    if (*what != '|')
        return ts_camera_spec_read(what, "format size rate", spec, why);
    *spec = (struct ts_camera_spec){0};
    if (size >= sizeof spec->what)
        return ts_fail(why, TS_EINVAL, "stream: the command is too long");
    memcpy(spec->what, what, size);
    return TS_OK;
}

static int open_stream(const char *what, struct ts_inbox *inbox, struct ts_camera **out,
                       struct ts_why *why)
{
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return ts_fail(why, TS_ENOMEM, "stream: no memory");
    struct ts_capture *capture = &stream->capture;
    stream->source.fd = -1;
    int err = read_spec(&stream->spec, what, why);
    if (err) {
        free(stream);
        return err;
    }
    err = ts_capture_open(capture, &ops, why);
    const struct ts_pipe *pipe = &stream->pipe;
    const double hz = stream->spec.rate_hz > 0 ? stream->spec.rate_hz
                      : pipe->rate_hz > 0      ? pipe->rate_hz
                                               : DEFAULT_HZ;
    const struct ts_capture_form form = {pipe->width_px, pipe->height_px, hz, "last byte read"};
    return ts_capture_begin(capture, err, &form, inbox, out, why);
}

const struct ts_camera_driver ts_camera_stream = {"stream", open_stream};
