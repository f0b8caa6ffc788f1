/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "film.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int film_code(int frame, int x)
{
    return 30 + 25 * ((x / 16 + frame / 8) % 8);
}

static int code_of(const struct film_kind *kind, int frame, int x)
{
    return kind->code ? kind->code(frame, x) : film_code(frame, x);
}

/* Grey in every format: colour differences in the middle of their range. */
static void draw(const struct film_kind *kind, int n, AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(kind->format);
    const int rgb = (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    uint16_t *row = calloc((size_t)kind->width, sizeof *row);
    for (int plane = 0; plane < AV_NUM_DATA_POINTERS; plane++) {
        if (frame->buf[plane]) /* lines are added to what is there */
            memset(frame->buf[plane]->data, 0, frame->buf[plane]->size);
    }
    for (int c = 0; c < format->nb_components; c++) {
        const int depth = format->comp[c].depth;
        const int chroma = !rgb && (c == 1 || c == 2);
        const int w = chroma ? -(-kind->width >> format->log2_chroma_w) : kind->width;
        const int h = chroma ? -(-kind->height >> format->log2_chroma_h) : kind->height;
        for (int x = 0; x < w; x++) {
            const int most = (1 << depth) - 1;
            row[x] = (uint16_t)(chroma ? 1 << (depth - 1) : code_of(kind, n, x) * most / 255);
            if (c == 3)
                row[x] = (uint16_t)most;
        }
        for (int y = 0; y < h; y++)
            av_write_image_line(row, frame->data, frame->linesize, format, 0, y, c, w);
    }
    free(row);
}

static void draw_palette(const struct film_kind *kind, int n, AVFrame *frame)
{
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t argb = 0xff000000u | i << 16 | i << 8 | i;
        memcpy(frame->data[1] + 4 * i, &argb, sizeof argb);
    }
    for (int y = 0; y < kind->height; y++) {
        for (int x = 0; x < kind->width; x++)
            frame->data[0][y * frame->linesize[0] + x] = (uint8_t)code_of(kind, n, x);
    }
}

static int write_y4m(const struct film_kind *kind, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return -1;
    fprintf(file, "YUV4MPEG2 W%d H%d F%d:%d Ip A1:1 Cmono\n", kind->width, kind->height, kind->den,
            kind->num);
    for (int n = 0; n < kind->frames; n++) {
        fputs("FRAME\n", file);
        for (int i = 0; i < kind->width * kind->height; i++)
            putc(code_of(kind, n, i % kind->width), file);
    }
    return fclose(file);
}

struct writer {
    AVFormatContext *file;
    AVCodecContext *encoder;
    AVStream *stream;
    AVPacket *packet;
    AVFrame *frame;
};

static int open_writer(const struct film_kind *kind, const char *path, struct writer *writer)
{
    const AVCodec *codec = avcodec_find_encoder_by_name(kind->encoder);
    if (!codec || avformat_alloc_output_context2(&writer->file, NULL, NULL, path) < 0)
        return -1;
    AVCodecContext *encoder = writer->encoder = avcodec_alloc_context3(codec);
    encoder->width = kind->width;
    encoder->height = kind->height;
    encoder->pix_fmt = kind->format;
    encoder->color_range = kind->range;
    encoder->time_base = (AVRational){kind->num, kind->den};
    encoder->thread_count = 1;
    encoder->flags = AV_CODEC_FLAG_BITEXACT;
    encoder->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (writer->file->oformat->flags & AVFMT_GLOBALHEADER)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (strcmp(kind->encoder, "mjpeg") == 0 || strcmp(kind->encoder, "mpeg4") == 0) {
        encoder->flags |= AV_CODEC_FLAG_QSCALE;
        encoder->global_quality = FF_QP2LAMBDA;
    }
    if (strcmp(kind->encoder, "mpeg4") == 0)
        encoder->max_b_frames = 2;
    av_opt_set(encoder->priv_data, "qp", "0", 0);
    av_opt_set(encoder->priv_data, "crf", "4", 0);
    av_opt_set(encoder->priv_data, "preset", "veryfast", 0);
    av_opt_set(encoder->priv_data, "x265-params", "log-level=none", 0);
    av_opt_set(encoder->priv_data, "deadline", "realtime", 0);
    writer->file->flags |= AVFMT_FLAG_BITEXACT;
    if (avcodec_open2(encoder, codec, NULL) < 0)
        return -1;
    writer->stream = avformat_new_stream(writer->file, NULL);
    writer->stream->time_base = encoder->time_base;
    if (avcodec_parameters_from_context(writer->stream->codecpar, encoder) < 0 ||
        avio_open(&writer->file->pb, path, AVIO_FLAG_WRITE) < 0 ||
        avformat_write_header(writer->file, NULL) < 0)
        return -1;
    writer->packet = av_packet_alloc();
    writer->frame = av_frame_alloc();
    writer->frame->format = kind->format;
    writer->frame->width = kind->width;
    writer->frame->height = kind->height;
    writer->frame->color_range = kind->range;
    return av_frame_get_buffer(writer->frame, 0);
}

static int encode(struct writer *writer, const AVFrame *frame, int64_t duration)
{
    if (avcodec_send_frame(writer->encoder, frame) < 0)
        return -1;
    while (avcodec_receive_packet(writer->encoder, writer->packet) >= 0) {
        writer->packet->duration = duration;
        av_packet_rescale_ts(writer->packet, writer->encoder->time_base, writer->stream->time_base);
        if (av_interleaved_write_frame(writer->file, writer->packet) < 0)
            return -1;
    }
    return 0;
}

int film_write(const struct film_kind *kind, const char *path)
{
    if (strcmp(kind->encoder, "y4m") == 0)
        return write_y4m(kind, path);
    av_log_set_level(AV_LOG_QUIET);
    struct writer writer = {0};
    const int64_t step = kind->step ? kind->step : 1;
    int err = open_writer(kind, path, &writer);
    for (int n = 0; !err && n < kind->frames; n++) {
        err = av_frame_make_writable(writer.frame);
        if (kind->format == AV_PIX_FMT_PAL8)
            draw_palette(kind, n, writer.frame);
        else
            draw(kind, n, writer.frame);
        writer.frame->pts = kind->stamp ? kind->stamp(n) : n * step;
        if (!err)
            err = encode(&writer, writer.frame, step);
    }
    if (!err)
        err = encode(&writer, NULL, step);
    if (!err)
        err = av_write_trailer(writer.file);
    if (writer.file)
        avio_closep(&writer.file->pb);
    av_packet_free(&writer.packet);
    av_frame_free(&writer.frame);
    avcodec_free_context(&writer.encoder);
    avformat_free_context(writer.file);
    return err ? -1 : 0;
}
