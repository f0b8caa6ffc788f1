/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/annotate.h"
#include "report/text.h"
#include "store/json_out.h"

#include <math.h>
#include <stdio.h>

#define NAME_WIDTH 20

static void put_frame(struct ts_out *out, int frame)
{
    if (frame < 0)
        ts_out_put(out, "       -");
    else
        ts_out_printf(out, " %7d", frame);
}

static void put_ms(struct ts_out *out, double ms)
{
    if (isfinite(ms))
        ts_out_printf(out, " %10.1f", ms);
    else
        ts_out_put(out, "          -");
}

static void put_row(const struct ts_annotation *one, struct ts_out *out)
{
    const struct ts_text_style style = ts_text_style_for(stdout);
    ts_out_put(out, "  ");
    const int used = ts_out_text(out, one->by, NAME_WIDTH, style);
    ts_out_printf(out, "%*s ", NAME_WIDTH - used, "");
    ts_out_text(out, one->when, 0, style); /* 20 columns */
    put_frame(out, one->marks.first_change_frame);
    put_ms(out, one->first_change_ms);
    put_frame(out, one->marks.settled_frame);
    put_ms(out, one->settled_ms);
    ts_out_put(out, "\n");
    if (*one->superseded) {
        ts_out_put(out, "    superseded ");
        ts_out_text(out, one->superseded, 0, style);
        ts_out_put(out, "\n");
    }
    if (one->marks.cannot_tell)
        ts_out_put(out, "    cannot tell\n");
    if (*one->marks.note) {
        ts_out_put(out, "    note: ");
        ts_out_text(out, one->marks.note, 0, style);
        ts_out_put(out, "\n");
    }
}

static void put_table(const struct ts_shown_film *film, const struct ts_annotations *annotations,
                      struct ts_out *out)
{
    ts_out_text(out, film->video.text, 0, ts_text_style_for(stdout));
    ts_out_put(out, "\n");
    if (!annotations->count) {
        ts_out_put(out, "  nobody has marked it\n");
        return;
    }
    ts_out_printf(out, "  %-*s %-20s %7s %10s %7s %10s\n", NAME_WIDTH, "BY", "WHEN", "FIRST", "MS",
                  "SETTLED", "MS");
    for (size_t i = 0; i < annotations->count; i++)
        put_row(&annotations->items[i], out);
    ts_out_put(out, "  milliseconds from the ");
    ts_out_text(out, annotations->items[annotations->count - 1].zero, 0, ts_text_style_for(stdout));
    ts_out_put(out, "\n");
}

static void put_frame_json(struct ts_json_out *out, const char *key, int frame)
{
    if (frame < 0)
        ts_json_null(out, key);
    else
        ts_json_integer(out, key, frame);
}

static void put_json(const struct ts_shown_film *film, const struct ts_annotations *annotations,
                     struct ts_json_out *out)
{
    ts_json_open(out, NULL, '{');
    ts_json_text(out, "video", film->video.text);
    ts_json_open(out, "annotations", '[');
    for (size_t i = 0; i < annotations->count; i++) {
        const struct ts_annotation *one = &annotations->items[i];
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "by", one->by);
        ts_json_text(out, "when", one->when);
        put_frame_json(out, "first_change_frame", one->marks.first_change_frame);
        put_frame_json(out, "settled_frame", one->marks.settled_frame);
        ts_json_number(out, "first_change_ms", one->first_change_ms);
        ts_json_number(out, "settled_ms", one->settled_ms);
        ts_json_text(out, "zero", one->zero);
        ts_json_integer(out, "frames", one->frames);
        ts_json_boolean(out, "cannot_tell", one->marks.cannot_tell);
        ts_json_text(out, "note", one->marks.note);
        ts_json_text_or_null(out, "superseded", one->superseded);
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
    ts_json_close(out, '}');
}

int ts_annotate_list(const struct ts_shown_films *films, bool json, struct ts_out *out,
                     struct ts_why *why)
{
    struct ts_json_out object = {.buf = &out->text, .broken_depth = 2};
    if (json)
        ts_json_open(&object, NULL, '[');
    for (size_t i = 0; i < films->count; i++) {
        struct ts_annotations annotations;
        const int err = ts_annotations_load(films->items[i]->annotations.text, &annotations, why);
        if (err)
            return err;
        if (json)
            put_json(films->items[i], &annotations, &object);
        else
            put_table(films->items[i], &annotations, out);
        ts_annotations_free(&annotations);
    }
    if (json) {
        ts_json_close(&object, ']');
        ts_out_put(out, "\n");
    }
    return object.err;
}
