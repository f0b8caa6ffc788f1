/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/stream/pipe.h"

#include <stdlib.h>
#include <string.h>

void ts_pipe_open_y4m(struct ts_pipe *pipe)
{
    *pipe = (struct ts_pipe){.state = TS_PIPE_HEADER};
}

void ts_pipe_open_raw(struct ts_pipe *pipe, int width_px, int height_px)
{
    const size_t luma = (size_t)width_px * (size_t)height_px;
    *pipe = (struct ts_pipe){.raw = true,
                             .state = TS_PIPE_LUMA,
                             .width_px = width_px,
                             .height_px = height_px,
                             .luma = luma,
                             .left = luma};
}

static int read_side(const char *text)
{
    char *end;
    const long side = strtol(text, &end, 10);
    return end != text && !*end && side >= 1 && side <= TS_PIPE_SIDE_MAX ? (int)side : 0;
}

static double read_ratio(const char *text)
{
    char *end;
    const long top = strtol(text, &end, 10);
    const long bottom = *end == ':' ? strtol(end + 1, &end, 10) : 0;
    return !*end && top > 0 && bottom > 0 ? (double)top / (double)bottom : 0;
}

/* Bytes of both chroma planes. Deeper formats end in p10, p12, p14, p16. */
static int read_chroma(struct ts_pipe *pipe, const char *name, struct ts_why *why)
{
    const size_t width = (size_t)pipe->width_px, height = (size_t)pipe->height_px;
    const size_t half = (width + 1) / 2;
    if (!strcmp(name, "mono"))
        pipe->chroma = 0;
    else if (!strcmp(name, "420") || !strcmp(name, "420jpeg") || !strcmp(name, "420paldv") ||
             !strcmp(name, "420mpeg2"))
        pipe->chroma = 2 * half * ((height + 1) / 2);
    else if (!strcmp(name, "422"))
        pipe->chroma = 2 * half * height;
    else if (!strcmp(name, "411"))
        pipe->chroma = 2 * ((width + 3) / 4) * height;
    else if (!strcmp(name, "444"))
        pipe->chroma = 2 * width * height;
    else
        return ts_fail(why, TS_ENOTSUP,
                       "stream: Y4M of \"%.20s\" is not read here: convert it, for example with "
                       "ffmpeg ... -pix_fmt gray -f yuv4mpegpipe",
                       name);
    return TS_OK;
}

static int read_header(struct ts_pipe *pipe, struct ts_why *why)
{
    char *rest = NULL;
    const char *chroma = "420jpeg";
    const char *word = strtok_r(pipe->line, " ", &rest);
    if (!word || strcmp(word, "YUV4MPEG2") != 0)
        return ts_fail(why, TS_EPROTO,
                       "stream: this is no Y4M; of bare grey pictures say "
                       "?format=grey&size=WIDTHxHEIGHT&rate=HZ");
    while ((word = strtok_r(NULL, " ", &rest))) {
        if (*word == 'W')
            pipe->width_px = read_side(word + 1);
        else if (*word == 'H')
            pipe->height_px = read_side(word + 1);
        else if (*word == 'F')
            pipe->rate_hz = read_ratio(word + 1);
        else if (*word == 'C')
            chroma = word + 1;
    }
    if (!pipe->width_px || !pipe->height_px)
        return ts_fail(why, TS_EPROTO, "stream: Y4M without a size");
    pipe->luma = (size_t)pipe->width_px * (size_t)pipe->height_px;
    pipe->state = TS_PIPE_MARK;
    const int err = read_chroma(pipe, chroma, why);
    return err ? err : TS_PIPE_OPENED;
}

static int read_line(struct ts_pipe *pipe, struct ts_why *why)
{
    pipe->line[pipe->used] = 0;
    pipe->used = 0;
    if (pipe->state == TS_PIPE_HEADER)
        return read_header(pipe, why);
    if (strncmp(pipe->line, "FRAME", 5) != 0)
        return ts_fail(why, TS_EPROTO,
                       "stream: the pipe is out of step: no FRAME where one begins");
    pipe->state = TS_PIPE_LUMA;
    pipe->left = pipe->luma;
    return TS_PIPE_MORE;
}

static int take_line(struct ts_pipe *pipe, uint8_t byte, struct ts_why *why)
{
    if (byte == '\n')
        return read_line(pipe, why);
    if (pipe->used + 1 >= sizeof pipe->line)
        return ts_fail(why, TS_EPROTO, "stream: this is no Y4M: a line without an end");
    pipe->line[pipe->used++] = (char)byte;
    return TS_PIPE_MORE;
}

/* As much of the plane at hand as there is; returns how much. */
static size_t take_plane(struct ts_pipe *pipe, const uint8_t *bytes, size_t size)
{
    const size_t part = size < pipe->left ? size : pipe->left;
    if (pipe->state == TS_PIPE_LUMA && pipe->to)
        memcpy(pipe->to + (pipe->luma - pipe->left), bytes, part);
    pipe->left -= part;
    return part;
}

/* A plane is whole. */
static int go_on(struct ts_pipe *pipe)
{
    const bool picture = pipe->state == TS_PIPE_LUMA;
    if (pipe->raw) {
        pipe->left = pipe->luma;
    } else if (picture && pipe->chroma) {
        pipe->state = TS_PIPE_CHROMA;
        pipe->left = pipe->chroma;
    } else {
        pipe->state = TS_PIPE_MARK;
    }
    return picture ? TS_PIPE_PICTURE : TS_PIPE_MORE;
}

int ts_pipe_feed(struct ts_pipe *pipe, const uint8_t *bytes, size_t size, size_t *used,
                 struct ts_why *why)
{
    int event = TS_PIPE_MORE;
    *used = 0;
    while (event == TS_PIPE_MORE && *used < size) {
        if (pipe->state == TS_PIPE_HEADER || pipe->state == TS_PIPE_MARK) {
            event = take_line(pipe, bytes[(*used)++], why);
            continue;
        }
        *used += take_plane(pipe, bytes + *used, size - *used);
        if (!pipe->left)
            event = go_on(pipe);
    }
    return event;
}
