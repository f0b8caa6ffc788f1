/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "web/film.h"

#include "media/decode.h"

#include <stdlib.h>
#include <string.h>

struct ts_film {
    char *path; /* owned */
    struct ts_decode *decode;
    int next; /* the frame that the decoder gives next */
    int width_px, height_px;
    size_t memory;
    int64_t *stamps_ns; /* owned */
    size_t count, capacity;
    /* Frames first..next-1 are in slot index % slots. */
    uint8_t *pixels; /* owned */
    int slots, first;
};

static int start(struct ts_film *film, struct ts_why *why)
{
    ts_decode_close(film->decode);
    film->decode = NULL;
    film->next = film->first = 0;
    return ts_decode_open(film->path, &film->decode, why);
}

static size_t frame_size(const struct ts_film *film)
{
    return (size_t)film->width_px * (size_t)film->height_px;
}

/* The ring's size is known with the first frame. */
static int make_ring(struct ts_film *film, const struct ts_decode_frame *frame)
{
    film->width_px = frame->width_px;
    film->height_px = frame->height_px;
    const size_t slots = film->memory / frame_size(film);
    film->slots = slots < 2 ? 2 : slots > TS_FILM_FRAMES_MAX ? TS_FILM_FRAMES_MAX : (int)slots;
    film->pixels = malloc((size_t)film->slots * frame_size(film));
    return film->pixels ? TS_OK : TS_ENOMEM;
}

static int keep(struct ts_film *film, const struct ts_decode_frame *frame, struct ts_why *why)
{
    if (!film->pixels) {
        const int err = make_ring(film, frame);
        if (err)
            return err;
    }
    if (frame->width_px != film->width_px || frame->height_px != film->height_px)
        return ts_fail(why, TS_EPROTO, "%s: the frame size changes", film->path);
    memcpy(film->pixels + (size_t)(film->next % film->slots) * frame_size(film), frame->grey,
           frame_size(film));
    film->next++;
    if (film->next - film->first > film->slots)
        film->first = film->next - film->slots;
    return TS_OK;
}

static int note_stamp(struct ts_film *film, int64_t stamp_ns, struct ts_why *why)
{
    if (film->count >= TS_FILM_FRAMES_MAX)
        return ts_fail(why, TS_EPROTO, "%s: more than %d frames; cut it to the launch", film->path,
                       TS_FILM_FRAMES_MAX);
    void *stamps = film->stamps_ns;
    int64_t *stamp = ts_grow(&stamps, &film->count, &film->capacity, sizeof *stamp);
    film->stamps_ns = stamps;
    if (!stamp)
        return TS_ENOMEM;
    *stamp = stamp_ns;
    return TS_OK;
}

static int look_through(struct ts_film *film, struct ts_why *why)
{
    struct ts_decode_frame frame;
    int err = start(film, why);
    while (!err) {
        const int got = ts_decode_next(film->decode, &frame, why);
        if (got <= 0) {
            err = got;
            break;
        }
        err = keep(film, &frame, why);
        if (!err)
            err = note_stamp(film, frame.pts_ns, why);
    }
    if (!err && film->count == 0)
        err = ts_fail(why, TS_EPROTO, "%s: no frame in it", film->path);
    return err;
}

int ts_film_open(const char *path, size_t memory, struct ts_film **out, struct ts_why *why)
{
    struct ts_film *film = calloc(1, sizeof *film);
    *out = NULL;
    if (!film)
        return TS_ENOMEM;
    film->memory = memory;
    film->path = strdup(path);
    const int err = film->path ? look_through(film, why) : TS_ENOMEM;
    if (err) {
        if (err == TS_ENOMEM)
            ts_fail(why, err, "%s: not enough memory for this film", path);
        ts_film_close(film);
        return err;
    }
    *out = film;
    return TS_OK;
}

void ts_film_close(struct ts_film *film)
{
    if (!film)
        return;
    ts_decode_close(film->decode);
    free(film->stamps_ns);
    free(film->pixels);
    free(film->path);
    free(film);
}

int ts_film_count(const struct ts_film *film)
{
    return (int)film->count;
}

const int64_t *ts_film_stamps_ns(const struct ts_film *film)
{
    return film->stamps_ns;
}

int ts_film_frame(struct ts_film *film, int index, struct ts_picture *out, struct ts_why *why)
{
    if (index < 0 || (size_t)index >= film->count)
        return ts_fail(why, TS_EINVAL, "the film has frames 0 to %zu", film->count - 1);
    int err = index < film->first ? start(film, why) : TS_OK;
    /* A quarter of the ring ahead of the frame, the rest behind it: people step back to compare. */
    const int ahead = film->next <= index ? film->slots / 4 : 0;
    while (!err && film->next <= index + ahead && (size_t)film->next < film->count) {
        struct ts_decode_frame frame;
        const int got = ts_decode_next(film->decode, &frame, why);
        if (got <= 0)
            err =
                got ? got : ts_fail(why, TS_EPROTO, "%s: has become shorter meanwhile", film->path);
        else
            err = keep(film, &frame, why);
    }
    if (err)
        return err;
    *out = (struct ts_picture){film->width_px, film->height_px, 1,
                               film->pixels + (size_t)(index % film->slots) * frame_size(film)};
    return TS_OK;
}
