/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/record.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE 64

struct ts_record {
    AVFormatContext *muxer;  /* owned, used by the worker while it lives */
    AVCodecContext *encoder; /* owned, likewise */
    AVFrame *picture;        /* owned, likewise; its data are borrowed from a queued frame */
    AVPacket *packet;        /* owned, likewise */
    int width_px, height_px;
    int64_t pictures; /* handed to the encoder */
    int refused;      /* < 0: why the file could not be opened, libavutil's number */

    pthread_t worker;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* A ring: frames [released, encoded) await release by the caller, [encoded, queued) await the
     * worker. The three only grow. */
    struct ts_frame *ring[QUEUE];
    uint64_t queued, encoded, released;
    bool closing;
    int err; /* the first one */
};

/* What the encoder has ready goes into the file. */
static int drain(struct ts_record *record)
{
    for (;;) {
        const int got = avcodec_receive_packet(record->encoder, record->packet);
        if (got == AVERROR(EAGAIN) || got == AVERROR_EOF)
            return TS_OK;
        if (got < 0)
            return TS_EIO;
        av_packet_rescale_ts(record->packet, record->encoder->time_base,
                             record->muxer->streams[0]->time_base);
        if (av_write_frame(record->muxer, record->packet) < 0)
            return TS_EIO;
        av_packet_unref(record->packet);
    }
}

static int encode(struct ts_record *record, const struct ts_frame *frame)
{
    record->picture->data[0] = (uint8_t *)(uintptr_t)frame->pixels; /* libav never writes to it */
    record->picture->linesize[0] = record->width_px;
    record->picture->pts = record->pictures++;
    if (avcodec_send_frame(record->encoder, record->picture) < 0)
        return TS_EIO;
    return drain(record);
}

static void *work(void *argument)
{
    struct ts_record *record = argument;
    pthread_mutex_lock(&record->lock);
    for (;;) {
        while (record->encoded == record->queued && !record->closing)
            pthread_cond_wait(&record->changed, &record->lock);
        if (record->encoded == record->queued)
            break;
        const struct ts_frame *frame = record->ring[record->encoded % QUEUE];
        const bool broken = record->err != TS_OK;
        pthread_mutex_unlock(&record->lock);
        const int err = broken ? TS_OK : encode(record, frame);
        pthread_mutex_lock(&record->lock);
        if (err)
            record->err = err;
        record->encoded++;
        pthread_cond_signal(&record->changed);
    }
    pthread_mutex_unlock(&record->lock);
    return NULL;
}

static void release_encoded(struct ts_record *record)
{
    for (; record->released < record->encoded; record->released++) {
        struct ts_frame *frame = record->ring[record->released % QUEUE];
        frame->ops->release(frame);
    }
}

static int open_encoder(struct ts_record *record, const struct ts_camera_geometry *geometry)
{
    /* FFVHUFF with median prediction and tables made anew for every frame: on noisy 320x240 px
     * about 5,500 frames/s of one core at half the plain size. FFV1 packs 5 to 7 % better at a
     * sixth of the speed; FFVHUFF's defaults are a little quicker and 14 to 21 % larger. */
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_FFVHUFF);
    record->encoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!record->encoder)
        return TS_ENOTSUP;
    AVCodecContext *encoder = record->encoder;
    encoder->width = geometry->width_px;
    encoder->height = geometry->height_px;
    encoder->pix_fmt = AV_PIX_FMT_GRAY8;
    const int64_t period_us = geometry->nominal_period_ns / TS_NS_PER_US;
    encoder->time_base = (AVRational){period_us > 0 ? (int)period_us : 8333, 1000000};
    encoder->framerate = av_inv_q(encoder->time_base);
    encoder->thread_count = 1;
    encoder->thread_type = FF_THREAD_SLICE; /* frame threads would warn of the option below */
    if (av_opt_set_int(encoder->priv_data, "context", 1, 0) < 0 ||
        av_opt_set(encoder->priv_data, "pred", "median", 0) < 0)
        return TS_ENOTSUP;
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    return avcodec_open2(encoder, codec, NULL) < 0 ? TS_ENOTSUP : TS_OK;
}

static int open_muxer(struct ts_record *record, const char *path)
{
    if (avformat_alloc_output_context2(&record->muxer, NULL, "matroska", path) < 0)
        return TS_ENOTSUP;
    AVStream *stream = avformat_new_stream(record->muxer, NULL);
    if (!stream || avcodec_parameters_from_context(stream->codecpar, record->encoder) < 0)
        return TS_ENOMEM;
    stream->time_base = record->encoder->time_base;
    stream->avg_frame_rate = record->encoder->framerate;
    record->muxer->flags |= AVFMT_FLAG_BITEXACT; /* no random ids, no library version */
    record->refused = avio_open(&record->muxer->pb, path, AVIO_FLAG_WRITE);
    if (record->refused < 0)
        return TS_EIO;
    return avformat_write_header(record->muxer, NULL) < 0 ? TS_EIO : TS_OK;
}

static int open_all(struct ts_record *record, const char *path,
                    const struct ts_camera_geometry *geometry)
{
    int err = open_encoder(record, geometry);
    if (!err)
        err = open_muxer(record, path);
    if (err)
        return err;
    record->picture = av_frame_alloc();
    record->packet = av_packet_alloc();
    if (!record->picture || !record->packet)
        return TS_ENOMEM;
    record->picture->format = AV_PIX_FMT_GRAY8;
    record->picture->width = geometry->width_px;
    record->picture->height = geometry->height_px;
    if (pthread_create(&record->worker, NULL, work, record))
        return TS_ENOMEM;
    return TS_OK;
}

static void destroy(struct ts_record *record)
{
    av_packet_free(&record->packet);
    av_frame_free(&record->picture);
    avcodec_free_context(&record->encoder);
    if (record->muxer)
        avio_closep(&record->muxer->pb);
    avformat_free_context(record->muxer);
    pthread_cond_destroy(&record->changed);
    pthread_mutex_destroy(&record->lock);
    free(record);
}

int ts_record_create(const char *path, const struct ts_camera_geometry *geometry,
                     struct ts_record **out, struct ts_why *why)
{
    *out = NULL;
    struct ts_record *record = calloc(1, sizeof *record);
    if (!record)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    record->width_px = geometry->width_px;
    record->height_px = geometry->height_px;
    pthread_mutex_init(&record->lock, NULL);
    pthread_cond_init(&record->changed, NULL);
    const int err = open_all(record, path, geometry);
    if (err) {
        ts_fail(why, err, "%s: a video of %dx%d px cannot be written: %s", path, geometry->width_px,
                geometry->height_px,
                record->refused < 0 ? av_err2str(record->refused) : ts_err_text(err));
        destroy(record);
        return err;
    }
    *out = record;
    return TS_OK;
}

int ts_record_frame(struct ts_record *record, struct ts_frame *frame)
{
    if (!frame->pixels)
        return TS_EINVAL;
    pthread_mutex_lock(&record->lock);
    while (record->queued - record->encoded == QUEUE)
        pthread_cond_wait(&record->changed, &record->lock);
    release_encoded(record);
    const int err = record->err;
    if (!err) {
        frame->ops->retain(frame);
        record->ring[record->queued++ % QUEUE] = frame;
        pthread_cond_signal(&record->changed);
    }
    pthread_mutex_unlock(&record->lock);
    return err;
}

int ts_record_finish(struct ts_record *record)
{
    if (!record)
        return TS_OK;
    pthread_mutex_lock(&record->lock);
    record->closing = true;
    pthread_cond_signal(&record->changed);
    pthread_mutex_unlock(&record->lock);
    pthread_join(record->worker, NULL);
    release_encoded(record);
    int err = record->err;
    if (!err && avcodec_send_frame(record->encoder, NULL) < 0)
        err = TS_EIO;
    if (!err)
        err = drain(record);
    if (!err && av_write_trailer(record->muxer) < 0)
        err = TS_EIO;
    /* avio remembers a failed write and tells it only here. */
    if (avio_closep(&record->muxer->pb) < 0 && !err)
        err = TS_EIO;
    destroy(record);
    return err;
}
