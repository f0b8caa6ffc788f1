/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is the screen's doing where the stylus may be. The stylus is one dark opaque thing that goes
 * its way in one piece: it covers and uncovers little by little, while a screen changes at once, in
 * several blocks alike, or where the stylus is not. */
#include "vision/as_one.h"
#include "vision/detector_state.h"

#include <math.h>
#include <stdlib.h>

#define ARM_WAY       36.0  /* coarse blocks to out of view: half a picture, and some more */
#define SLOW_FRAMES   2.0   /* from one of them to the next */
#define SUDDEN_SHARE  0.6   /* of a change, in one step */
#define SUDDEN_MS     30.0  /* so long a slow display may take for it, ... */
#define SUDDEN_FRAMES 3.5   /* ... or the frames around it */
#define SUDDEN_NEAR   3     /* coarse blocks: sudden changes so near to each other ... */
#define SUDDEN_LEAST  3     /* ... support each other */
#define ALIKE         1.3   /* in size, ... */
#define ALIKE_LEAST   4     /* ... so many blocks are one thing, ... */
#define ALIKE_SHARE   0.33  /* ... and such a part of a crowd */
#define AS_ONE_LEAST  3     /* blocks */
#define AS_ONE_SEEN   8     /* blocks, where a stylus was seen */
#define AS_ONE_MS     80.0  /* the larger of them arrive so much later */
#define RIM_MS        250.0 /* so long the rim of the stylus is near one place */
#define RIM_SHARE     0.125 /* or such a part of the time in which it leaves, ... */
#define RIM_NEAR      5     /* ... and no coarse block further away */
#define ARM_CODES     45.0f /* the stylus is as dark as that */
#define DONE_SHARE    0.9   /* of a change, back to its begin, ... */
#define DONE_STEP     0.5   /* ... in no larger steps, ... */
#define DONE_MS       40.0  /* ... which takes so long: little by little */
#define CROWD_FRAMES  1.5   /* so much at once ... */
#define CROWD_NEAR    8     /* ... and so near, coarse blocks, ... */
#define CROWD_LEAST   12    /* ... come so many, ... */
#define CROWD_SELDOM  7     /* ... where most of the time none does, ... */
#define CROWD_SUDDEN  6     /* ... or sudden ones, ... */
#define CROWD_TIMES   5     /* ... so many times what usually comes anywhere */
#define STOP_MS       100.0 /* as long before the stylus stops its rim comes to rest at once */
#define SPANS_MOST    256   /* that usual is told from */
#define SPANS_LEAST   8

/* From the tap: a stylus that is in view by then is slow. */
static double slow_ms(const struct ts_detector *detector)
{
    return ARM_WAY * SLOW_FRAMES * detector->view.period_ms;
}

/* From the tap: it is about to stop. NAN: nobody knows. */
static double stop_ms(const struct ts_detector *detector)
{
    return detector->view.stylus_held_ms - STOP_MS;
}

bool ts_detector_stylus_is_slow(const struct ts_detector *detector, double ms)
{
    return ms - detector->tap_ms > slow_ms(detector);
}

static bool is_sudden(const struct ts_detector *detector, const struct ts_edge *edge)
{
    const double took_ms = (double)edge->ms - (double)edge->from_ms;
    const double step = (double)edge->to_code - (double)edge->from_code;
    const double whole = (double)edge->new_code - (double)edge->old_code;
    return edge->kind != TS_EDGE_FADE && fabs(step) > SUDDEN_SHARE * fabs(whole) &&
           took_ms < fmax(SUDDEN_MS, SUDDEN_FRAMES * detector->view.period_ms);
}

static bool is_within(const struct ts_detector *detector, const struct ts_edge *a,
                      const struct ts_edge *b, long coarse)
{
    const long across = (long)detector->track.across;
    const long far = coarse * (long)ts_track_scale(&detector->track);
    const long i = (long)a->block, j = (long)b->block;
    return labs(i % across - j % across) <= far && labs(i / across - j / across) <= far;
}

bool ts_detector_is_near(const struct ts_detector *detector, const struct ts_edge *a,
                         const struct ts_edge *b)
{
    return is_within(detector, a, b, SUDDEN_NEAR);
}

static bool is_alike(const struct ts_edge *a, const struct ts_edge *b)
{
    const double ratio = ts_edge_size(a) / ts_edge_size(b);
    return ratio < ALIKE && ratio > 1 / ALIKE;
}

/* Several blocks fade alike, and at one time, where the stylus itself was not seen. */
static bool fades_at_once(const struct ts_detector *detector, const struct ts_edge *edge,
                          size_t from, size_t count)
{
    size_t now = 0, soon = 0;
    if (edge->kind != TS_EDGE_FADE || detector->stylus[edge->block])
        return false;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *other = detector->edges[i];
        if (!ts_detector_is_near(detector, edge, other))
            continue;
        const double apart_ms = fabs((double)edge->ms - (double)other->ms);
        const double within_ms =
            1.5 * detector->view.period_ms + 2 * hypot((double)edge->u_ms, (double)other->u_ms);
        const bool alike =
            other->kind == TS_EDGE_FADE && apart_ms < within_ms && is_alike(other, edge);
        now += alike;
        soon += !alike && apart_ms < RIM_MS;
    }
    return now >= ALIKE_LEAST * ts_track_scale(&detector->track) && now > soon;
}

/* Some blocks fade as one with their neighbours; more of them where the stylus itself was seen.
 * When it stops, all of its rim does. */
static bool fades_as_one(const struct ts_detector *detector, const struct ts_edge *edge,
                         size_t from, size_t count)
{
    const size_t least = detector->stylus[edge->block] ? AS_ONE_SEEN : AS_ONE_LEAST;
    size_t as_one = 0;
    if (!edge->as_one || (double)edge->ms - detector->tap_ms > stop_ms(detector))
        return false;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *other = detector->edges[i];
        as_one += other->as_one && ts_detector_is_near(detector, edge, other) &&
                  fabs((double)other->ms - (double)edge->ms) < AS_ONE_MS &&
                  (detector->stylus[edge->block] || !detector->stylus[other->block]);
    }
    return as_one >= least * ts_track_scale(&detector->track);
}

static int by_size(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* So many edges, and so many sudden ones, usually come in one span of time while the stylus leaves
 * slowly: it goes on at its own pace, screens do not. INFINITY: nobody knows. */
struct usual {
    double edges, sudden;
};

static struct usual find_usual(const struct ts_detector *detector, size_t from, size_t count)
{
    const double span_ms = CROWD_FRAMES * detector->view.period_ms;
    const double begin_ms = slow_ms(detector);
    const double spans = (stop_ms(detector) - begin_ms) / span_ms;
    size_t edges[SPANS_MOST] = {0}, sudden[SPANS_MOST] = {0};
    if (!(spans >= SPANS_LEAST))
        return (struct usual){INFINITY, INFINITY};
    const size_t known = spans < SPANS_MOST ? (size_t)spans : SPANS_MOST;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *edge = detector->edges[i];
        const double span = ((double)edge->ms - detector->tap_ms - begin_ms) / span_ms;
        if (!(span >= 0 && span < (double)known))
            continue;
        edges[(size_t)span]++;
        sudden[(size_t)span] += is_sudden(detector, edge);
    }
    qsort(edges, known, sizeof *edges, by_size);
    qsort(sudden, known, sizeof *sudden, by_size);
    const size_t middle = known / 2;
    return (struct usual){(double)edges[middle], (double)sudden[middle]};
}

/* While the stylus leaves slowly: many more than usual come at once, in one place, and some of them
 * are alike. Sudden ones need not be so many: the rim of a slow stylus seldom is. */
static bool comes_in_a_crowd(const struct ts_detector *detector, const struct ts_edge *edge,
                             size_t from, size_t count, const struct usual *usual)
{
    const size_t scale = ts_track_scale(&detector->track);
    const double span_ms = CROWD_FRAMES * detector->view.period_ms, ms = (double)edge->ms;
    size_t now = 0, sudden = 0, alike = 0;
    if (!ts_detector_stylus_is_slow(detector, ms) || ms - detector->tap_ms > stop_ms(detector))
        return false;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *other = detector->edges[i];
        if (fabs((double)other->ms - ms) > span_ms / 2 ||
            !is_within(detector, edge, other, CROWD_NEAR))
            continue;
        now++;
        sudden += is_sudden(detector, other);
        alike += is_alike(edge, other);
    }
    const size_t least = usual->edges > 0 ? CROWD_LEAST : CROWD_SELDOM;
    const bool many =
        now >= least * scale * scale && (double)now >= CROWD_TIMES * (usual->edges + 1);
    const bool many_sudden = is_sudden(detector, edge) && sudden >= CROWD_SUDDEN * scale * scale &&
                             (double)sudden >= CROWD_TIMES * (usual->sudden + 1);
    return (many || many_sudden) && alike >= ALIKE_LEAST * scale &&
           (double)alike >= ALIKE_SHARE * (double)now;
}

/* Suddenly, in some blocks at once, and in more of them than shortly before or after: the rim of
 * the stylus goes on and on. */
static bool changes_at_once(const struct ts_detector *detector, const struct ts_edge *edge,
                            size_t from, size_t count)
{
    const size_t scale = ts_track_scale(&detector->track);
    size_t now = 0, soon = 0;
    if (!is_sudden(detector, edge) ||
        (detector->stylus[edge->block] && !ts_detector_stylus_is_slow(detector, (double)edge->ms)))
        return false;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *other = detector->edges[i];
        if (!ts_detector_is_near(detector, edge, other))
            continue;
        const double apart_ms = fabs((double)edge->ms - (double)other->ms);
        const bool at_once = apart_ms < 1.5 * detector->view.period_ms;
        now += at_once && is_sudden(detector, other);
        soon += !at_once && apart_ms < RIM_MS;
    }
    return now >= SUDDEN_LEAST * scale * scale && now > soon;
}

/* Something near may be the stylus when the edge comes, in this frame: it is as dark. */
static bool is_dark_near(const struct ts_detector *detector, const struct ts_edge *edge,
                         size_t frame)
{
    const struct ts_track *track = &detector->track;
    const size_t far = RIM_NEAR * ts_track_scale(track);
    const size_t x = edge->block % track->across, y = edge->block / track->across;
    for (size_t j = y > far ? y - far : 0; j <= y + far && j < track->down; j++) {
        for (size_t i = x > far ? x - far : 0; i <= x + far && i < track->across; i++) {
            const size_t block = j * track->across + i;
            if (!track->ignore[block] &&
                ts_window_code(&detector->window, frame, block) < ARM_CODES)
                return true;
        }
    }
    return false;
}

/* Little by little until this frame, and no display takes so long for one picture. */
static bool is_gradual(const struct ts_detector *detector, const struct ts_edge *edge, size_t frame)
{
    const double size = (double)edge->old_code - (double)edge->new_code;
    double left = 0, took_ms = 0; /* of the change; back from its end */
    for (size_t n = frame; n-- > 0 && left < DONE_SHARE;) {
        const double code = (double)ts_window_code(&detector->window, n, edge->block);
        const double before = (code - (double)edge->new_code) / size;
        if (before - left > DONE_STEP)
            return false;
        left = before;
        took_ms += detector->view.period_ms;
    }
    return took_ms > DONE_MS;
}

static bool leaves_slowly(const struct ts_detector *detector, double ms)
{
    return detector->view.stylus_held_ms > slow_ms(detector) &&
           ts_detector_stylus_goes_on(detector, ms);
}

/* It takes a frame at least from one coarse block to the next: wherever it is, it is seen. */
static bool is_followed(const struct ts_detector *detector, double ms)
{
    return detector->view.stylus_held_ms > slow_ms(detector) / SLOW_FRAMES &&
           ts_detector_stylus_goes_on(detector, ms);
}

/* It covers or uncovers something, and is no shadow. */
static bool is_dark_thing(const struct ts_edge *edge)
{
    return fmin((double)edge->old_code, (double)edge->new_code) < (double)ARM_CODES &&
           ts_edge_size(edge) > TS_STYLUS_SHADOW_CODES;
}

void ts_detector_note_stylus(const struct ts_detector *detector, struct ts_edge *edge)
{
    const size_t frame = ts_window_find(&detector->window, (double)edge->ms);
    if (edge->kind == TS_EDGE_NONE || !is_followed(detector, (double)edge->ms) || frame == 0 ||
        frame >= detector->window.count)
        return;
    edge->is_bright = !is_dark_near(detector, edge, frame);
    if (!leaves_slowly(detector, (double)edge->ms))
        return;
    edge->uncovers = is_dark_thing(edge) && is_gradual(detector, edge, frame);
    edge->as_one = ts_fades_as_one(&detector->track, &detector->window, edge, frame);
}

/* Nothing near is dark, and what is dark, and covers or uncovers something at about that time, does
 * so elsewhere. */
static bool is_far_from_stylus(const struct ts_detector *detector, const struct ts_edge *edge,
                               size_t from, size_t count)
{
    const double within_ms = fmax(RIM_MS, RIM_SHARE * detector->view.stylus_held_ms);
    bool seen = false;
    if (!edge->is_bright)
        return false;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *other = detector->edges[i];
        const double apart_ms = fabs((double)other->ms - (double)edge->ms);
        if (!is_dark_thing(other) || apart_ms > within_ms)
            continue;
        if (apart_ms < within_ms / 2 && is_within(detector, edge, other, RIM_NEAR))
            return false;
        seen = true;
    }
    return seen;
}

/* Of what may be the stylus and fades as one, no more than tells more than all else does. */
static void keep_what_fades_as_one(struct ts_detector *detector, size_t from, size_t count,
                                   uint8_t *keep)
{
    double latest_ms = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (i < from || keep[i])
            latest_ms = fmax(latest_ms, (double)detector->edges[i]->ms);
    }
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *edge = detector->edges[i];
        keep[i] =
            keep[i] || ((double)edge->ms > latest_ms && fades_as_one(detector, edge, from, count));
    }
}

size_t ts_detector_keep_screen(struct ts_detector *detector, size_t from, size_t count)
{
    const struct usual usual = find_usual(detector, from, count);
    uint8_t *keep = detector->counts;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *edge = detector->edges[i];
        keep[i] = changes_at_once(detector, edge, from, count) ||
                  fades_at_once(detector, edge, from, count) ||
                  comes_in_a_crowd(detector, edge, from, count, &usual) ||
                  is_far_from_stylus(detector, edge, from, count);
    }
    keep_what_fades_as_one(detector, from, count, keep);
    size_t left = from;
    for (size_t i = from; i < count; i++) {
        if (keep[i])
            detector->edges[left++] = detector->edges[i];
    }
    return left;
}
