/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which edges are the screen's. The stylus is one opaque thing that goes its way in one piece:
 * where it may be, it covers and uncovers little by little, while a screen changes at once, or in
 * several blocks alike. Any other fade of the screen in nothing but what the stylus may cover is
 * taken for the stylus; one that reaches beyond is told by the blocks there. */
#include "vision/detector_state.h"
#include "vision/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ARM_WAY       36.0  /* coarse blocks to out of view: half a picture, and some more */
#define SLOW_FRAMES   2.0   /* from one of them to the next */
#define SUDDEN_SHARE  0.6   /* of a change, in one step */
#define SUDDEN_MS     30.0  /* so long a slow display may take for it, ... */
#define SUDDEN_FRAMES 3.5   /* ... or the frames around it */
#define SUDDEN_NEAR   3     /* coarse blocks: sudden changes so near to each other ... */
#define SUDDEN_LEAST  3     /* ... support each other */
#define AFTER_SHARE   0.01  /* of the blocks: a clock's hands */
#define DOUBTFUL      3.0   /* standard deviations of noise */
#define BESIDE        3     /* coarse blocks from where the stylus was seen */
#define SHADOW_CODES  30.0  /* its shadow takes no more */
#define ALIKE         1.3   /* in size, ... */
#define ALIKE_LEAST   4     /* ... so many blocks fade as one thing */
#define STILL_OUT     1.0f  /* out of bounds all the time before it arrives: a slow change */
#define MOST_OVER     8.0   /* times what is left of a change */
#define RIM_MS        250.0 /* so long the rim of the stylus is near one place */
#define FAINT_CODES   6.0
#define FAINT_NOISE   9.0
#define ALONE_MS      300.0
#define AGAIN_LEAST   4 /* moves */

/* A stylus that is still in view by then leaves so slowly that it needs some frames to cover or
 * uncover anything. Before, nothing that one place shows tells it from the screen. */
static bool stylus_is_slow(const struct ts_detector *detector, double ms)
{
    return ms - detector->tap_ms > ARM_WAY * SLOW_FRAMES * detector->view.period_ms;
}

static bool is_sudden(const struct ts_detector *detector, const struct ts_edge *edge)
{
    const double took_ms = (double)edge->ms - (double)edge->from_ms;
    const double step = (double)edge->to_code - (double)edge->from_code;
    const double whole = (double)edge->new_code - (double)edge->old_code;
    return edge->kind != TS_EDGE_FADE && fabs(step) > SUDDEN_SHARE * fabs(whole) &&
           took_ms < fmax(SUDDEN_MS, SUDDEN_FRAMES * detector->view.period_ms);
}

static bool is_near(const struct ts_detector *detector, const struct ts_edge *a,
                    const struct ts_edge *b)
{
    const long across = (long)detector->track.across;
    const long far = SUDDEN_NEAR * (long)ts_track_scale(&detector->track);
    const long i = (long)a->block, j = (long)b->block;
    return labs(i % across - j % across) <= far && labs(i / across - j / across) <= far;
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
        if (!is_near(detector, edge, other))
            continue;
        const double apart_ms = fabs((double)edge->ms - (double)other->ms);
        const double within_ms =
            1.5 * detector->view.period_ms + 2 * hypot((double)edge->u_ms, (double)other->u_ms);
        const double ratio = ts_edge_size(other) / ts_edge_size(edge);
        const bool alike = other->kind == TS_EDGE_FADE && apart_ms < within_ms && ratio < ALIKE &&
                           ratio > 1 / ALIKE;
        now += alike;
        soon += !alike && apart_ms < RIM_MS;
    }
    return now >= ALIKE_LEAST * ts_track_scale(&detector->track) && now > soon;
}

/* What changes where the stylus is, is the screen if it changes suddenly, in some blocks at once,
 * and more of them than do so shortly before or after: the rim of the stylus goes on and on. So is
 * what fades in some blocks at once beside it. Edges from .. count - 1 are those where it is. */
static size_t keep_screen(struct ts_detector *detector, size_t from, size_t count)
{
    const size_t scale = ts_track_scale(&detector->track), least = SUDDEN_LEAST * scale * scale;
    uint8_t *keep = detector->counts;
    for (size_t i = from; i < count; i++) {
        const struct ts_edge *edge = detector->edges[i];
        size_t now = 0, soon = 0;
        keep[i] = is_sudden(detector, edge) &&
                  (!detector->stylus[edge->block] || stylus_is_slow(detector, (double)edge->ms));
        for (size_t j = from; j < count && keep[i]; j++) {
            const struct ts_edge *other = detector->edges[j];
            if (!is_near(detector, edge, other))
                continue;
            const double apart_ms = fabs((double)edge->ms - (double)other->ms);
            const bool at_once = apart_ms < 1.5 * detector->view.period_ms;
            now += at_once && is_sudden(detector, other);
            soon += !at_once && apart_ms < RIM_MS;
        }
        keep[i] =
            (keep[i] && now >= least && now > soon) || fades_at_once(detector, edge, from, count);
    }
    size_t left = from;
    for (size_t i = from; i < count; i++) {
        if (keep[i])
            detector->edges[left++] = detector->edges[i];
    }
    return left;
}

bool ts_detector_is_faint(const struct ts_edge *edge)
{
    return edge->kind == TS_EDGE_FADE &&
           ts_edge_size(edge) < fmax(FAINT_CODES, FAINT_NOISE * (double)edge->noise);
}

/* So many of edges[count] are near to it and change at once with it, itself among them. */
static size_t count_near(const struct ts_detector *detector, const struct ts_edge *edge,
                         size_t count)
{
    size_t near = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ts_edge *other = detector->edges[i];
        const double apart_ms = fabs((double)edge->ms - (double)other->ms);
        near += is_near(detector, edge, other) &&
                apart_ms < 1.5 * detector->view.period_ms + 3 * (double)edge->u_ms;
    }
    return near;
}

size_t ts_detector_drop_rim(struct ts_detector *detector, size_t found)
{
    size_t count = 0;
    if (!(detector->view.stylus_held_ms > 0))
        return found;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *first = &detector->stories[block].first;
        if (first->kind != TS_EDGE_NONE)
            detector->edges[count++] = first;
    }
    memset(detector->scratch, 0, detector->blocks);
    for (size_t i = 0; i < count; i++) {
        const struct ts_edge *edge = detector->edges[i];
        detector->scratch[edge->block] = ts_detector_is_faint(edge) &&
                                         ts_detector_stylus_goes_on(detector, (double)edge->ms) &&
                                         count_near(detector, edge, count) < TS_EDGES_SUPPORT;
    }
    for (size_t block = 0; block < detector->blocks; block++) {
        if (!detector->scratch[block])
            continue;
        detector->stories[block].first.kind = TS_EDGE_NONE;
        found--;
    }
    return found;
}

static const struct ts_edge *last_edge(const struct ts_detector *detector, size_t block)
{
    const struct ts_edge *edge = &detector->stories[block].last;
    return edge->kind == TS_EDGE_NONE || detector->ignore[block] ? NULL : edge;
}

static const struct ts_edge *settled_edge(const struct ts_detector *detector, size_t block)
{
    const struct ts_edge *edge = &detector->stories[block].settled;
    return edge->kind == TS_EDGE_NONE || detector->ignore[block] || detector->status_bar[block] ||
                   detector->endless[block]
               ? NULL
               : edge;
}

/* Its shadow's rim may show where nothing else of it did; what takes more light than that shows
 * beside the rest of it, which scratch[] marks. */
static bool may_be_stylus(const struct ts_detector *detector, const struct ts_edge *edge)
{
    const double ms = (double)edge->ms;
    if (ts_detector_is_stylus(detector, edge->block, ms))
        return true;
    if (!(detector->view.stylus_held_ms > 0) || !ts_detector_stylus_goes_on(detector, ms))
        return false;
    return detector->scratch[edge->block] ||
           (detector->stylus_way[edge->block] && ts_edge_size(edge) < SHADOW_CODES);
}

static size_t collect(struct ts_detector *detector,
                      const struct ts_edge *(*edge_of)(const struct ts_detector *, size_t))
{
    const struct ts_region_grid grid = {detector->track.across, detector->track.down};
    size_t count = 0;
    ts_region_grow(grid, detector->stylus, BESIDE * ts_track_scale(&detector->track),
                   detector->scratch);
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *edge = edge_of(detector, block);
        if (edge && !may_be_stylus(detector, edge))
            detector->edges[count++] = edge;
    }
    const size_t from = count;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *edge = edge_of(detector, block);
        if (edge && may_be_stylus(detector, edge))
            detector->edges[count++] = edge;
    }
    return keep_screen(detector, from, count);
}

size_t ts_detector_last_edges(struct ts_detector *detector)
{
    return collect(detector, last_edge);
}

/* On-line the launch had ended by then. Who looks on sees a clock tick, sooner or later: what is no
 * larger than one does not make another end of it. */
static size_t drop_afterwards(struct ts_detector *detector, size_t count)
{
    size_t before = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ts_edge *edge = detector->edges[i];
        if ((double)edge->ms >= detector->certain_ms)
            continue;
        detector->edges[i] = detector->edges[before];
        detector->edges[before++] = edge;
    }
    const bool few = (double)(count - before) <= AFTER_SHARE * (double)detector->blocks;
    return before > 0 && few ? before : count;
}

/* What was left of the change, codes: nothing where the block had arrived before. */
static double left_codes(const struct ts_edge *edge)
{
    for (uint32_t n = 0; n < edge->frames && edge->begin_ms[n] < edge->ms; n++) {
        if (fabs((double)edge->code[n] - (double)edge->new_code) <= TS_VISIBLE_CODES)
            return 0;
    }
    return fabs((double)edge->code[0] - (double)edge->new_code);
}

/* Just out of bounds, by itself, and as noisy as that: noise. So is the end of a larger change of
 * which the rest is over. */
static bool is_doubtful(const struct ts_edge *edge)
{
    const double near = TS_VISIBLE_CODES + DOUBTFUL * (double)edge->noise;
    const double whole = ts_edge_size(edge), left = left_codes(edge);
    return edge->out_before < STILL_OUT &&
           (whole <= near ||
            (edge->kind == TS_EDGE_FADE && left <= near && whole > MOST_OVER * left));
}

/* One block of a fine picture, which moves again and again where nothing else does: something small
 * that goes on for ever, and seldom shows. */
static bool is_leftover(const struct ts_detector *detector, const struct ts_edge *edge,
                        size_t count)
{
    size_t soon = 0;
    for (size_t i = 0; i < count; i++)
        soon += (double)detector->edges[i]->ms > (double)edge->ms - ALONE_MS;
    return soon == 1 && ts_track_scale(&detector->track) > 1 &&
           detector->track.moves[edge->block].count >= AGAIN_LEAST;
}

static size_t drop_doubtful(struct ts_detector *detector, size_t count)
{
    const double reach = 1.5 * detector->view.period_ms;
    while (count >= TS_EDGES_MANY) {
        size_t latest = 0, near = 0;
        for (size_t i = 1; i < count; i++)
            latest = detector->edges[i]->ms > detector->edges[latest]->ms ? i : latest;
        const struct ts_edge *edge = detector->edges[latest];
        for (size_t i = 0; i < count; i++)
            near += (double)detector->edges[i]->ms > (double)edge->ms - reach;
        if (near >= TS_EDGES_SUPPORT || !(is_doubtful(edge) || is_leftover(detector, edge, count)))
            break;
        detector->edges[latest] = detector->edges[--count];
    }
    return count;
}

size_t ts_detector_settled_edges(struct ts_detector *detector)
{
    return drop_doubtful(detector, drop_afterwards(detector, collect(detector, settled_edge)));
}
