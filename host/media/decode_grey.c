/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/decode_grey.h"

#include <libavutil/pixdesc.h>

#include <stdlib.h>
#include <string.h>

int ts_grey_open(struct ts_grey *grey, int width, int height)
{
    *grey = (struct ts_grey){.width = width, .height = height};
    const size_t row = (size_t)width;
    grey->pixels = malloc(row * (size_t)height);
    grey->rows = malloc(3 * row);
    grey->wide = malloc(row * sizeof *grey->wide);
    return grey->pixels && grey->rows && grey->wide ? TS_OK : TS_ENOMEM;
}

void ts_grey_close(struct ts_grey *grey)
{
    free(grey->pixels);
    free(grey->rows);
    free(grey->wide);
    for (int i = 0; i < 3; i++)
        free(grey->scale[i].of);
    *grey = (struct ts_grey){0};
}

static bool is_limited(const AVFrame *frame, enum AVCodecID codec)
{
    if (frame->color_range != AVCOL_RANGE_UNSPECIFIED)
        return frame->color_range == AVCOL_RANGE_MPEG;
    switch (frame->format) {
    case AV_PIX_FMT_YUVJ411P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P:
        return false;
    default:
        break;
    }
    switch (codec) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
    case AV_CODEC_ID_MPEG4:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_THEORA:
        return true;
    default:
        return false;
    }
}

static int set_scale(struct ts_grey_scale *scale, int depth, bool limited)
{
    if (scale->of && scale->depth == depth && scale->limited == limited)
        return TS_OK;
    const uint32_t count = 1u << depth;
    uint8_t *of = realloc(scale->of, count);
    if (!of)
        return TS_ENOMEM;
    *scale = (struct ts_grey_scale){of, depth, limited};
    const uint32_t black = limited && depth >= 8 ? 16u << (depth - 8) : 0;
    const uint32_t range = limited && depth >= 8 ? 219u << (depth - 8) : count - 1;
    for (uint32_t code = 0; code < count; code++) {
        const uint32_t above = code > black ? code - black : 0;
        const uint32_t scaled = (above * 255 + range / 2) / range;
        of[code] = (uint8_t)(scaled < 255 ? scaled : 255);
    }
    return TS_OK;
}

/* Row y of component c, as 8 bits. */
static void read_row(struct ts_grey *grey, const AVFrame *frame, const AVPixFmtDescriptor *format,
                     int c, int y, uint8_t *to)
{
    const AVComponentDescriptor *component = &format->comp[c];
    const struct ts_grey_scale *scale = &grey->scale[c];
    const uint8_t *of = scale->of;
    if (component->depth != 8 || component->shift) {
        av_read_image_line2(grey->wide, (const uint8_t **)(uintptr_t)frame->data, frame->linesize,
                            format, 0, y, c, grey->width, 0, sizeof *grey->wide);
        for (int x = 0; x < grey->width; x++)
            to[x] = of[grey->wide[x]];
        return;
    }
    const ptrdiff_t step = component->step;
    const uint8_t *at = frame->data[component->plane] +
                        (ptrdiff_t)y * frame->linesize[component->plane] + component->offset;
    if (scale->limited)
        for (int x = 0; x < grey->width; x++)
            to[x] = of[at[x * step]];
    else if (step == 1)
        memcpy(to, at, (size_t)grey->width);
    else
        for (int x = 0; x < grey->width; x++)
            to[x] = at[x * step];
}

static uint8_t luma(unsigned r, unsigned g, unsigned b)
{
    return (uint8_t)((299 * r + 587 * g + 114 * b + 500) / 1000);
}

static void look_up_palette(struct ts_grey *grey, const AVFrame *frame)
{
    uint8_t codes[256], *to = grey->pixels;
    for (int i = 0; i < 256; i++) {
        uint32_t argb;
        memcpy(&argb, frame->data[1] + 4 * i, sizeof argb);
        codes[i] = luma(argb >> 16 & 255, argb >> 8 & 255, argb & 255);
    }
    for (int y = 0; y < grey->height; y++) {
        const uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (int x = 0; x < grey->width; x++)
            *to++ = codes[row[x]];
    }
}

static void mix_rgb(struct ts_grey *grey, const AVFrame *frame, const AVPixFmtDescriptor *format)
{
    const size_t width = (size_t)grey->width;
    const uint8_t *r = grey->rows, *g = r + width, *b = g + width;
    uint8_t *to = grey->pixels;
    for (int y = 0; y < grey->height; y++) {
        for (int c = 0; c < 3; c++)
            read_row(grey, frame, format, c, y, grey->rows + (size_t)c * width);
        for (size_t x = 0; x < width; x++)
            *to++ = luma(r[x], g[x], b[x]);
    }
}

int ts_grey_take(struct ts_grey *grey, const AVFrame *frame, enum AVCodecID codec,
                 struct ts_why *why)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const uint64_t odd = AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                         AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    if (!format || !frame->data[0])
        return ts_fail(why, TS_EPROTO, "a frame without a known pixel format");
    if (format->flags & AV_PIX_FMT_FLAG_PAL && frame->data[1]) {
        look_up_palette(grey, frame);
        return TS_OK;
    }
    if (format->flags & (odd | AV_PIX_FMT_FLAG_PAL) || format->comp[0].depth > 16)
        return ts_fail(why, TS_ENOTSUP,
                       "pixel format %s is not supported: convert the video to yuv420p or gray",
                       format->name);
    const bool rgb = format->flags & AV_PIX_FMT_FLAG_RGB && format->nb_components >= 3;
    const bool limited = !rgb && is_limited(frame, codec);
    for (int c = 0; c < (rgb ? 3 : 1); c++) {
        if (set_scale(&grey->scale[c], format->comp[c].depth, limited))
            return TS_ENOMEM;
    }
    if (rgb) {
        mix_rgb(grey, frame, format);
        return TS_OK;
    }
    for (int y = 0; y < grey->height; y++)
        read_row(grey, frame, format, 0, y, grey->pixels + (ptrdiff_t)y * grey->width);
    return TS_OK;
}
