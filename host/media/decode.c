/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/decode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DAMAGED_MOST 100 /* packets in a row that give no frame but an error */

struct ts_decode {
    AVFormatContext *format;
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *frame;
    AVRational time_base;
    int stream, width, height, damaged;
    bool draining;
    uint8_t *grey; /* [width * height], once the first frame is there */
};

static int fail(struct ts_why *why, int err, const char *what, int av)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    av_strerror(av, text, sizeof text);
    return ts_fail(why, err, "%s: %s", what, text);
}

static int open_codec(struct ts_decode *decode, struct ts_why *why)
{
    const AVCodec *codec = NULL;
    decode->stream = av_find_best_stream(decode->format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (decode->stream < 0 || !codec)
        return ts_fail(why, TS_EPROTO, "no video in this file that can be decoded");
    const AVStream *stream = decode->format->streams[decode->stream];
    decode->time_base = stream->time_base;
    decode->codec = avcodec_alloc_context3(codec);
    decode->packet = av_packet_alloc();
    decode->frame = av_frame_alloc();
    if (!decode->codec || !decode->packet || !decode->frame)
        return TS_ENOMEM;
    decode->codec->max_pixels = (int64_t)TS_DECODE_WIDTH_MAX * TS_DECODE_HEIGHT_MAX;
    decode->codec->pkt_timebase = stream->time_base;
    int av = avcodec_parameters_to_context(decode->codec, stream->codecpar);
    if (av >= 0)
        av = avcodec_open2(decode->codec, codec, NULL);
    return av < 0 ? fail(why, TS_EPROTO, "the video cannot be decoded", av) : TS_OK;
}

int ts_decode_open(const char *path, struct ts_decode **out, struct ts_why *why)
{
    av_log_set_level(AV_LOG_QUIET); /* every error comes back as a code and is told once */
    struct ts_decode *decode = calloc(1, sizeof *decode);
    if (!decode)
        return TS_ENOMEM;
    int err = TS_OK;
    int av = avformat_open_input(&decode->format, path, NULL, NULL);
    if (av < 0)
        err = fail(why, av == AVERROR_INVALIDDATA ? TS_EPROTO : TS_EIO, path, av);
    if (!err && (av = avformat_find_stream_info(decode->format, NULL)) < 0)
        err = fail(why, TS_EPROTO, path, av);
    if (!err)
        err = open_codec(decode, why);
    if (err) {
        ts_decode_close(decode);
        return err;
    }
    *out = decode;
    return TS_OK;
}

void ts_decode_close(struct ts_decode *decode)
{
    if (!decode)
        return;
    av_frame_free(&decode->frame);
    av_packet_free(&decode->packet);
    avcodec_free_context(&decode->codec);
    avformat_close_input(&decode->format);
    free(decode->grey);
    free(decode);
}

/* One component of one pixel, brought to 8 bits. */
static unsigned component(const AVFrame *frame, const AVComponentDescriptor *c, int x, int y)
{
    const uint8_t *at = frame->data[c->plane] + (ptrdiff_t)y * frame->linesize[c->plane] +
                        (ptrdiff_t)x * c->step + c->offset;
    const unsigned value = c->depth > 8 || c->shift ? at[0] | (unsigned)at[1] << 8 : at[0];
    const unsigned bits = value >> c->shift & ((1u << c->depth) - 1);
    return c->depth > 8 ? bits >> (c->depth - 8) : bits << (8 - c->depth);
}

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((299 * r + 587 * g + 114 * b + 500) / 1000);
}

static void copy_luma(struct ts_decode *decode, const AVComponentDescriptor *c)
{
    const AVFrame *frame = decode->frame;
    for (int y = 0; y < decode->height; y++) {
        uint8_t *row = decode->grey + (size_t)y * (size_t)decode->width;
        if (c->depth == 8 && c->step == 1 && c->shift == 0) {
            memcpy(row, frame->data[c->plane] + (ptrdiff_t)y * frame->linesize[c->plane],
                   (size_t)decode->width);
            continue;
        }
        for (int x = 0; x < decode->width; x++)
            row[x] = (uint8_t)component(frame, c, x, y);
    }
}

static void mix_rgb(struct ts_decode *decode, const AVComponentDescriptor c[3])
{
    uint8_t *to = decode->grey;
    for (int y = 0; y < decode->height; y++) {
        for (int x = 0; x < decode->width; x++)
            *to++ =
                luma(component(decode->frame, &c[0], x, y), component(decode->frame, &c[1], x, y),
                     component(decode->frame, &c[2], x, y));
    }
}

static void look_up_palette(struct ts_decode *decode)
{
    const AVFrame *frame = decode->frame;
    const uint32_t *palette = (const uint32_t *)(const void *)frame->data[1];
    uint8_t *to = decode->grey;
    for (int y = 0; y < decode->height; y++) {
        for (int x = 0; x < decode->width; x++) {
            const uint32_t argb = palette[frame->data[0][(ptrdiff_t)y * frame->linesize[0] + x]];
            *to++ = luma(argb >> 16 & 255, argb >> 8 & 255, argb & 255);
        }
    }
}

static int make_grey(struct ts_decode *decode, struct ts_why *why)
{
    const AVFrame *frame = decode->frame;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const uint64_t odd = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                         AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    if (!format || !frame->data[0])
        return ts_fail(why, TS_EPROTO, "a frame without a known pixel format");
    if (frame->format == AV_PIX_FMT_PAL8 && frame->data[1])
        look_up_palette(decode);
    else if (format->flags & odd || format->comp[0].depth > 16)
        return ts_fail(why, TS_ENOTSUP,
                       "pixel format %s is not supported: convert the video to "
                       "yuv420p or gray",
                       format->name);
    else if (format->flags & AV_PIX_FMT_FLAG_RGB && format->nb_components >= 3)
        mix_rgb(decode, format->comp);
    else
        copy_luma(decode, &format->comp[0]);
    return TS_OK;
}

static int take_frame(struct ts_decode *decode, struct ts_decode_frame *out, struct ts_why *why)
{
    const AVFrame *frame = decode->frame;
    if (!decode->grey) {
        if (frame->width < 1 || frame->height < 1 || frame->width > TS_DECODE_WIDTH_MAX ||
            frame->height > TS_DECODE_HEIGHT_MAX)
            return ts_fail(why, TS_EPROTO, "frames of %d x %d pixels are not supported",
                           frame->width, frame->height);
        decode->width = frame->width;
        decode->height = frame->height;
        decode->grey = malloc((size_t)frame->width * (size_t)frame->height);
        if (!decode->grey)
            return TS_ENOMEM;
    }
    if (frame->width != decode->width || frame->height != decode->height)
        return ts_fail(why, TS_EPROTO, "the frame size changes from %dx%d to %dx%d", decode->width,
                       decode->height, frame->width, frame->height);
    if (frame->best_effort_timestamp == AV_NOPTS_VALUE)
        return ts_fail(why, TS_EPROTO, "a frame has no time stamp");
    const int err = make_grey(decode, why);
    if (err)
        return err;
    *out = (struct ts_decode_frame){
        decode->grey, decode->width, decode->height,
        av_rescale_q(frame->best_effort_timestamp, decode->time_base, (AVRational){1, 1000000000})};
    return 1;
}

/* Gives the decoder one more packet, or tells it that there is none. */
static int feed(struct ts_decode *decode, struct ts_why *why)
{
    int av = av_read_frame(decode->format, decode->packet);
    if (av < 0) {
        decode->draining = true;
        if (av != AVERROR_EOF)
            return fail(why, TS_EPROTO, "the file is damaged or cut off", av);
        return avcodec_send_packet(decode->codec, NULL) < 0 ? TS_EPROTO : TS_OK;
    }
    if (decode->packet->stream_index == decode->stream) {
        av = avcodec_send_packet(decode->codec, decode->packet);
        decode->damaged = av < 0 ? decode->damaged + 1 : 0;
    }
    av_packet_unref(decode->packet);
    if (decode->damaged > DAMAGED_MOST)
        return fail(why, TS_EPROTO, "the video is damaged", av);
    return TS_OK;
}

int ts_decode_next(struct ts_decode *decode, struct ts_decode_frame *frame, struct ts_why *why)
{
    for (;;) {
        const int av = avcodec_receive_frame(decode->codec, decode->frame);
        if (av >= 0)
            return take_frame(decode, frame, why);
        if (av == AVERROR_EOF)
            return 0;
        if (av != AVERROR(EAGAIN) && ++decode->damaged > DAMAGED_MOST)
            return fail(why, TS_EPROTO, "the video is damaged", av);
        if (decode->draining && av == AVERROR(EAGAIN))
            return 0;
        if (decode->draining)
            continue;
        const int err = feed(decode, why);
        if (err)
            return err;
    }
}
