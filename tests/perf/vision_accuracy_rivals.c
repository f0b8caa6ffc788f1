/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision_accuracy_rivals.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct accuracy_freeze {
    AVFilterGraph *graph;
    AVFilterContext *source, *sink; /* of the graph */
    AVFrame *in, *out;
    int width, height;
    double began_ms;
};

static int build(struct accuracy_freeze *f, double noise_db)
{
    char source[96], filter[96];
    AVFilterContext *freeze = NULL;
    snprintf(source, sizeof source, "video_size=%dx%d:pix_fmt=gray:time_base=1/1000000", f->width,
             f->height);
    snprintf(filter, sizeof filter, "n=%gdB:d=1", noise_db);
    f->graph->nb_threads = 1;
    const bool built = avfilter_graph_create_filter(&f->source, avfilter_get_by_name("buffer"),
                                                    "in", source, NULL, f->graph) >= 0 &&
                       avfilter_graph_create_filter(&freeze, avfilter_get_by_name("freezedetect"),
                                                    "freeze", filter, NULL, f->graph) >= 0 &&
                       avfilter_graph_create_filter(&f->sink, avfilter_get_by_name("buffersink"),
                                                    "out", NULL, NULL, f->graph) >= 0 &&
                       avfilter_link(f->source, 0, freeze, 0) == 0 &&
                       avfilter_link(freeze, 0, f->sink, 0) == 0 &&
                       avfilter_graph_config(f->graph, NULL) >= 0;
    return built ? TS_OK : TS_ENOTSUP;
}

int accuracy_freeze_open(const struct ts_camera_geometry *camera, double noise_db,
                         struct accuracy_freeze **out)
{
    *out = NULL;
    struct accuracy_freeze *f = calloc(1, sizeof *f);
    if (!f)
        return TS_ENOMEM;
    f->width = camera->width_px;
    f->height = camera->height_px;
    f->began_ms = NAN;
    f->graph = avfilter_graph_alloc();
    f->in = av_frame_alloc();
    f->out = av_frame_alloc();
    const int err = f->graph && f->in && f->out ? build(f, noise_db) : TS_ENOMEM;
    if (err) {
        accuracy_freeze_close(f);
        return err;
    }
    *out = f;
    return TS_OK;
}

void accuracy_freeze_close(struct accuracy_freeze *freeze)
{
    if (!freeze)
        return;
    avfilter_graph_free(&freeze->graph);
    av_frame_free(&freeze->in);
    av_frame_free(&freeze->out);
    free(freeze);
}

int accuracy_freeze_frame(struct accuracy_freeze *freeze, const uint8_t *pixels, double at_ms)
{
    AVFrame *in = freeze->in;
    in->width = freeze->width;
    in->height = freeze->height;
    in->format = AV_PIX_FMT_GRAY8;
    in->pts = llround(at_ms * 1000);
    if (av_frame_get_buffer(in, 0) < 0)
        return TS_ENOMEM;
    for (int y = 0; y < freeze->height; y++)
        memcpy(in->data[0] + (ptrdiff_t)y * in->linesize[0],
               pixels + (size_t)y * (size_t)freeze->width, (size_t)freeze->width);
    if (av_buffersrc_add_frame(freeze->source, in) < 0) /* takes the buffer over */
        return TS_EIO;
    while (av_buffersink_get_frame(freeze->sink, freeze->out) >= 0) {
        const AVDictionaryEntry *began =
            av_dict_get(freeze->out->metadata, "lavfi.freezedetect.freeze_start", NULL, 0);
        if (began)
            freeze->began_ms = strtod(began->value, NULL) * 1000;
        av_frame_unref(freeze->out);
    }
    return TS_OK;
}

double accuracy_freeze_began(const struct accuracy_freeze *freeze)
{
    return freeze->began_ms;
}

enum { LOOKED_AT = 320, FUZZ = 25 /* a tenth of full scale */ };

struct accuracy_last {
    int width, height, step; /* px of a frame; of these, every step-th is kept */
    size_t size;
    uint8_t **frames; /* [count] owned, of size */
    size_t count, capacity;
};

int accuracy_last_open(const struct ts_camera_geometry *camera, struct accuracy_last **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return TS_ENOMEM;
    (*out)->width = camera->width_px;
    (*out)->height = camera->height_px;
    (*out)->step = (camera->width_px + LOOKED_AT - 1) / LOOKED_AT;
    (*out)->size =
        (size_t)(camera->width_px / (*out)->step) * (size_t)(camera->height_px / (*out)->step);
    return TS_OK;
}

void accuracy_last_close(struct accuracy_last *last)
{
    if (!last)
        return;
    for (size_t i = 0; i < last->count; i++)
        free(last->frames[i]);
    free(last->frames);
    free(last);
}

int accuracy_last_frame(struct accuracy_last *last, const uint8_t *pixels)
{
    if (last->count == last->capacity) {
        const size_t more = last->capacity ? 2 * last->capacity : 256;
        uint8_t **frames = realloc(last->frames, more * sizeof *frames);
        if (!frames)
            return TS_ENOMEM;
        last->frames = frames;
        last->capacity = more;
    }
    uint8_t *kept = malloc(last->size);
    if (!kept)
        return TS_ENOMEM;
    last->frames[last->count++] = kept;
    for (int y = 0; y + last->step <= last->height; y += last->step) {
        for (int x = 0; x + last->step <= last->width; x += last->step)
            *kept++ = pixels[y * last->width + x];
    }
    return TS_OK;
}

static bool alike(const uint8_t *a, const uint8_t *b, size_t size)
{
    int different = 0;
    for (size_t i = 0; i < size; i++)
        different += abs(a[i] - b[i]) > FUZZ;
    return different == 0;
}

size_t accuracy_last_change(const struct accuracy_last *last)
{
    size_t n = last->count - 1;
    while (n > 0 && alike(last->frames[n - 1], last->frames[last->count - 1], last->size))
        n--;
    return n;
}
