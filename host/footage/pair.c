/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "footage/pair.h"

#include "media/canvas.h"
#include "media/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE_HEIGHT  480
#define SIDE_WIDE    400 /* px at most; a display that stands upright needs about 270 */
#define HEAD_HEIGHT  64
#define GAP          20
#define PERIOD_LEAST 2.0 /* ms */
#define WHITE        255
#define DIM          150

/* Reference counted, as the recorder wants it: it encodes later, in a thread of its own. */
struct shot {
    struct ts_frame frame; /* first: the recorder hands back this */
    struct ts_picture canvas;
    int references;
};

static void retain(struct ts_frame *frame)
{
    ((struct shot *)frame)->references++;
}

static void release(struct ts_frame *frame)
{
    struct shot *shot = (struct shot *)frame;
    if (--shot->references > 0)
        return;
    ts_picture_free(&shot->canvas);
    free(shot);
}

static const struct ts_frame_ops ops = {retain, release};

static int new_shot(int width_px, struct shot **out)
{
    struct shot *shot = calloc(1, sizeof *shot);
    if (!shot)
        return TS_ENOMEM;
    const int err = ts_canvas_make(width_px, HEAD_HEIGHT + SIDE_HEIGHT, &shot->canvas);
    if (err) {
        free(shot);
        return err;
    }
    shot->references = 1;
    shot->frame = (struct ts_frame){.ops = &ops, .pixels = shot->canvas.pixels};
    *out = shot;
    return TS_OK;
}

static double settled_ms(const struct ts_footage *footage)
{
    return ts_footage_result(footage)->settled.value;
}

/* The last picture taken by then; the first when there is none. */
static int taken_by(const struct ts_footage *footage, double ms)
{
    const int n = ts_footage_at(footage, ms);
    return n > 0 && ts_footage_ms(footage, n) > ms ? n - 1 : n;
}

static int put_side(const struct ts_pair *pair, int side, double ms, struct ts_canvas_place place,
                    struct ts_picture *canvas, struct ts_why *why)
{
    struct ts_footage *footage = pair->footage[side];
    const struct ts_picture *picture;
    const double settled = settled_ms(footage);
    char clock[40];
    int err = ts_footage_picture(footage, taken_by(footage, ms), &picture, why);
    if (!err)
        err = ts_canvas_put(canvas, picture, place);
    if (err)
        return err;
    const bool done = ms >= settled; /* false for a launch that never settled */
    snprintf(clock, sizeof clock, done ? "settled %.0f ms" : "%.0f ms", done ? settled : ms);
    ts_canvas_write(canvas, pair->names[side], place.x, 26, place.width_px, DIM);
    ts_canvas_write(canvas, clock, place.x, 52, place.width_px, WHITE);
    return TS_OK;
}

/* Where each side stands: as wide as its pictures are at this height. */
static int lay_out(const struct ts_pair *pair, struct ts_canvas_place places[2], int *width_px,
                   struct ts_why *why)
{
    int x = GAP;
    for (int side = 0; side < 2; side++) {
        const struct ts_picture *picture;
        const int err = ts_footage_picture(pair->footage[side], 0, &picture, why);
        if (err)
            return err;
        const double scale =
            fmin((double)SIDE_HEIGHT / picture->height_px, (double)SIDE_WIDE / picture->width_px);
        places[side] =
            (struct ts_canvas_place){x, HEAD_HEIGHT, (int)fmax(1, picture->width_px * scale),
                                     (int)fmax(1, picture->height_px * scale)};
        x += places[side].width_px + GAP;
    }
    *width_px = x + x % 2;
    return TS_OK;
}

static int write_shots(const struct ts_pair *pair, const struct ts_canvas_place places[2],
                       int width_px, double period_ms, struct ts_record *record, struct ts_why *why)
{
    double end_ms = -INFINITY;
    for (int side = 0; side < 2; side++) {
        const struct ts_footage *footage = pair->footage[side];
        const double last_ms = ts_footage_ms(footage, ts_footage_count(footage) - 1);
        end_ms = fmax(end_ms, fmin(last_ms, isfinite(settled_ms(footage))
                                                ? settled_ms(footage) + TS_PAIR_AFTER_MS
                                                : last_ms));
    }
    int err = TS_OK;
    for (int n = 0; !err && n * period_ms - TS_PAIR_BEFORE_MS <= end_ms; n++) {
        struct shot *shot;
        err = new_shot(width_px, &shot);
        if (err)
            return err;
        for (int side = 0; side < 2 && !err; side++)
            err = put_side(pair, side, n * period_ms - TS_PAIR_BEFORE_MS, places[side],
                           &shot->canvas, why);
        if (!err)
            err = ts_record_frame(record, &shot->frame);
        release(&shot->frame);
    }
    return err;
}

int ts_pair_write(const struct ts_pair *pair, const char *path, struct ts_why *why)
{
    struct ts_canvas_place places[2];
    struct ts_record *record;
    int width_px;
    if (pair->slow < 1 || pair->slow > TS_PAIR_SLOW_MOST)
        return ts_fail(why, TS_EINVAL, "a film is 1 to %d times slower than it was",
                       TS_PAIR_SLOW_MOST);
    int err = lay_out(pair, places, &width_px, why);
    if (err)
        return err;
    const double period_ms =
        fmax(PERIOD_LEAST, fmin(ts_footage_result(pair->footage[0])->frame_period_ms,
                                ts_footage_result(pair->footage[1])->frame_period_ms));
    const struct ts_camera_geometry geometry = {
        .width_px = width_px,
        .height_px = HEAD_HEIGHT + SIDE_HEIGHT,
        .nominal_period_ns = (int64_t)(period_ms * pair->slow * (double)TS_NS_PER_MS)};
    err = ts_record_create(path, &geometry, &record, why);
    if (err)
        return err;
    err = write_shots(pair, places, width_px, period_ms, record, why);
    const int end = ts_record_finish(record);
    if (!err && end)
        err = ts_fail(why, end, "%s: the film cannot be written: %s", path, ts_err_text(end));
    return err;
}
