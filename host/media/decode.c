/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/decode.h"

#include "base/time.h"
#include "media/decode_grey.h"
#include "media/decode_input.h"

#include <libavutil/avstring.h>

#include <stdlib.h>

#define DAMAGED_MOST 100 /* packets in a row that give no frame but an error */

struct ts_decode {
    struct ts_decode_input input;
    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *frame;
    int damaged;
    bool draining;
    long frames;
    int64_t last_pts, step; /* of the container; of the frame before, and from the one before it */
    struct ts_grey grey;    /* opened once the first frame is there */
};

int ts_decode_open(const char *path, struct ts_decode **out, struct ts_why *why)
{
    struct ts_decode *decode = calloc(1, sizeof *decode);
    if (!decode)
        return TS_ENOMEM;
    int err = ts_decode_input_open(path, &decode->input, why);
    if (!err)
        err = ts_decode_input_codec(&decode->input, &decode->codec, why);
    decode->packet = av_packet_alloc();
    decode->frame = av_frame_alloc();
    if (!err && (!decode->packet || !decode->frame))
        err = TS_ENOMEM;
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
    ts_decode_input_close(&decode->input);
    ts_grey_close(&decode->grey);
    free(decode);
}

struct ts_decode_about ts_decode_about(const struct ts_decode *decode)
{
    const struct ts_decode_input *input = &decode->input;
    return (struct ts_decode_about){
        .grain_ms = 1e3 * av_q2d(input->stream->time_base),
        .counted = av_match_name("yuv4mpegpipe", input->format->iformat->name),
        .once = input->once,
    };
}

/* Decoding turns out the last pictures of AVI films with B-frames without stamps: those stand as
 * far from the picture before as it says it lasts. AV_NOPTS_VALUE: nothing is known. */
static int64_t stamp_of(struct ts_decode *decode)
{
    const AVFrame *frame = decode->frame;
    int64_t pts = frame->best_effort_timestamp;
    const int64_t step = frame->pkt_duration > 0 ? frame->pkt_duration : decode->step;
    if (pts == AV_NOPTS_VALUE && decode->frames > 0 && step > 0 &&
        decode->last_pts < INT64_MAX - step)
        pts = decode->last_pts + step;
    if (pts != AV_NOPTS_VALUE && decode->frames > 0)
        decode->step = ts_ns_between(pts, decode->last_pts);
    decode->last_pts = pts;
    return pts;
}

static int take_frame(struct ts_decode *decode, struct ts_decode_frame *out, struct ts_why *why)
{
    const AVFrame *frame = decode->frame;
    struct ts_grey *grey = &decode->grey;
    if (!grey->pixels) {
        if (frame->width < 1 || frame->height < 1 || frame->width > TS_DECODE_WIDTH_MAX ||
            frame->height > TS_DECODE_HEIGHT_MAX)
            return ts_fail(why, TS_EPROTO, "frames of %d x %d pixels are not supported",
                           frame->width, frame->height);
        if (ts_grey_open(grey, frame->width, frame->height))
            return TS_ENOMEM;
    }
    if (frame->width != grey->width || frame->height != grey->height)
        return ts_fail(
            why, TS_EPROTO,
            "the frame size changes from %dx%d to %dx%d at frame %ld: cut the film there",
            grey->width, grey->height, frame->width, frame->height, decode->frames);
    const int64_t pts = stamp_of(decode);
    const int64_t ns = pts == AV_NOPTS_VALUE ? INT64_MIN : ts_decode_input_ns(&decode->input, pts);
    if (ns == INT64_MIN)
        return ts_fail(why, TS_EPROTO, "frame %ld has no time stamp", decode->frames);
    const int err = ts_grey_take(grey, frame, decode->codec->codec_id, why);
    if (err)
        return err;
    decode->frames++;
    *out = (struct ts_decode_frame){grey->pixels, grey->width, grey->height, ns};
    return 1;
}

/* Gives the decoder one more packet, or tells it that there is none. */
static int feed(struct ts_decode *decode, struct ts_why *why)
{
    int av = av_read_frame(decode->input.format, decode->packet);
    if (av < 0) {
        decode->draining = true;
        if (av != AVERROR_EOF)
            return ts_decode_fail(why, TS_EPROTO, "the film is damaged or cut off", av);
        /* What fails here is a frame before the end, not the end. */
        if (avcodec_send_packet(decode->codec, NULL) < 0)
            decode->damaged++;
        return TS_OK;
    }
    if (decode->packet->stream_index == decode->input.stream->index) {
        av = avcodec_send_packet(decode->codec, decode->packet);
        decode->damaged = av < 0 ? decode->damaged + 1 : 0;
    }
    av_packet_unref(decode->packet);
    if (decode->damaged > DAMAGED_MOST)
        return ts_decode_fail(why, TS_EPROTO, "the film is damaged", av);
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
            return ts_decode_fail(why, TS_EPROTO, "the film is damaged", av);
        if (decode->draining && av == AVERROR(EAGAIN))
            return 0;
        if (decode->draining)
            continue;
        const int err = feed(decode, why);
        if (err)
            return err;
    }
}
