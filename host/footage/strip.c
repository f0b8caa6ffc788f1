/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "footage/strip.h"

#include "media/picture.h"

#include <math.h>
#include <stdlib.h>

static int compare_pictures(const void *one, const void *other)
{
    const struct ts_strip_picture *a = one, *b = other;
    return (a->at_ms > b->at_ms) - (a->at_ms < b->at_ms);
}

static void choose(const struct ts_footage *footage, struct ts_strip *strip)
{
    const struct ts_result *result = ts_footage_result(footage);
    const struct ts_strip_picture wanted[TS_STRIP_MOST] = {
        {.name = ts_result_zero_words(result), .at_ms = 0},
        {.name = "first change", .at_ms = result->first_visual_change.value},
        {.name = "25\u00a0%", .at_ms = result->progress_25_ms},
        {.name = "50\u00a0%", .at_ms = result->progress_50_ms},
        {.name = "85\u00a0%", .at_ms = result->visually_complete_85.value},
        {.name = "settled", .at_ms = result->settled.value},
    };
    for (int i = 0; i < TS_STRIP_MOST; i++) {
        if (isfinite(wanted[i].at_ms))
            strip->pictures[strip->count++] = wanted[i];
    }
    qsort(strip->pictures, (size_t)strip->count, sizeof *strip->pictures, compare_pictures);
}

static int take(struct ts_footage *footage, struct ts_strip_picture *one, struct ts_why *why)
{
    const struct ts_picture *picture;
    struct ts_picture small;
    const int n = ts_footage_at(footage, one->at_ms);
    int err = ts_footage_picture(footage, n, &picture, why);
    if (err)
        return err;
    err = ts_picture_shrink(picture, TS_STRIP_SIDE_PX, &small);
    if (err)
        return ts_fail(why, err, "a picture cannot be made smaller: %s", ts_err_text(err));
    one->taken_ms = ts_footage_ms(footage, n);
    one->width_px = small.width_px;
    one->height_px = small.height_px;
    err = ts_picture_jpeg(&small, &one->jpeg, why);
    ts_picture_free(&small);
    return err;
}

int ts_strip_make(const struct ts_session *session, int launch, struct ts_strip *out,
                  struct ts_why *why)
{
    struct ts_footage *footage;
    *out = (struct ts_strip){.count = 0};
    int err = ts_footage_open(session, launch, &footage, why);
    if (err)
        return err;
    choose(footage, out);
    for (int i = 0; i < out->count && !err; i++)
        err = take(footage, &out->pictures[i], why);
    ts_footage_close(footage);
    if (err)
        ts_strip_free(out);
    return err;
}

void ts_strip_free(struct ts_strip *strip)
{
    for (int i = 0; i < strip->count; i++)
        ts_buf_free(&strip->pictures[i].jpeg);
    *strip = (struct ts_strip){.count = 0};
}
