/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which edges are the screen's. Where the stylus may be, detector_screen.c tells; any other fade in
 * nothing but what the stylus may cover is taken for the stylus; one that reaches beyond is told by
 * the blocks there. */
#include "vision/detector_state.h"
#include "vision/region.h"

#include <math.h>
#include <string.h>

#define AFTER_SHARE 0.01 /* of the blocks: a clock's hands */
#define DOUBTFUL    3.0  /* standard deviations of noise */
#define BESIDE      3    /* coarse blocks from where the stylus was seen, ... */
#define FURTHER     7    /* ... and so far what shows by itself is its rim */
#define CREEP_U     6.0  /* what creeps together arrives so far apart */
#define STILL_OUT   1.0f /* out of bounds all the time before it arrives: a slow change */
#define MOST_OVER   8.0  /* times what is left of a change */
#define FAINT_CODES 6.0
#define FAINT_NOISE 9.0
#define ALONE_MS    300.0
#define FOLLOW_MS   40.0 /* of changes that follow each other closely */
#define AGAIN_LEAST 4    /* moves */

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
        near += ts_detector_is_near(detector, edge, other) &&
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
           (detector->stylus_way[edge->block] && ts_edge_size(edge) < TS_STYLUS_SHADOW_CODES);
}

/* Marks in scratch what lies beside the stylus. Over what is as dark as itself it goes unseen, but
 * what it uncovers tells of it; where it was never seen on its way, what gets darker does not. */
static void mark_beside(struct ts_detector *detector,
                        const struct ts_edge *(*edge_of)(const struct ts_detector *, size_t))
{
    const struct ts_region_grid grid = {detector->track.across, detector->track.down};
    uint8_t *stylus = detector->scratch + detector->blocks;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *edge = edge_of(detector, block);
        stylus[block] = detector->stylus[block] ||
                        (edge && edge->uncovers &&
                         (detector->stylus_way[block] || edge->new_code > edge->old_code));
    }
    ts_region_grow(grid, stylus, BESIDE * ts_track_scale(&detector->track), detector->scratch);
}

static size_t collect(struct ts_detector *detector,
                      const struct ts_edge *(*edge_of)(const struct ts_detector *, size_t))
{
    size_t count = 0;
    mark_beside(detector, edge_of);
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
    return ts_detector_keep_screen(detector, from, count);
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

/* So many codes are just out of bounds, and as noisy as that. */
static bool is_on_limit(const struct ts_edge *edge, double codes)
{
    return edge->out_before < STILL_OUT &&
           codes <= TS_VISIBLE_CODES + DOUBTFUL * (double)edge->noise;
}

/* How far it was from where it arrives when the others had come to rest, or later; codes. */
static double left_after(const struct ts_edge *edge, double others_ms)
{
    double left = 0;
    for (uint32_t n = 0; n < edge->frames && edge->begin_ms[n] < edge->ms; n++) {
        if ((double)edge->begin_ms[n] >= others_ms)
            left = fmax(left, fabs((double)edge->code[n] - (double)edge->new_code));
    }
    return left;
}

/* By itself that is noise. So is the end of a larger change that was over but for that when the
 * others were. */
static bool is_doubtful(const struct ts_edge *edge, double others_ms)
{
    const double whole = ts_edge_size(edge), left = left_codes(edge);
    return is_on_limit(edge, whole) ||
           (edge->kind == TS_EDGE_FADE && is_on_limit(edge, left) && whole > MOST_OVER * left &&
            is_on_limit(edge, left_after(edge, others_ms)));
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

/* It ends one of some changes that follow each other closely, and where nothing is as dark as the
 * stylus. */
static bool ends_bright_changes(const struct ts_detector *detector, const struct ts_edge *edge,
                                size_t count)
{
    size_t soon = 0;
    for (size_t i = 0; i < count; i++)
        soon += detector->edges[i]->is_bright &&
                (double)detector->edges[i]->ms > (double)edge->ms - FOLLOW_MS;
    return edge->is_bright && soon >= TS_EDGES_SUPPORT;
}

/* A large change by itself, not far from where the stylus was seen, which still leaves slowly;
 * scratch[] marks how far. */
static bool is_rim(const struct ts_detector *detector, const struct ts_edge *edge, size_t count)
{
    const double ms = (double)edge->ms;
    return detector->view.stylus_held_ms > 0 && detector->scratch[edge->block] &&
           ts_edge_size(edge) > TS_STYLUS_SHADOW_CODES &&
           ts_detector_stylus_is_slow(detector, ms) && ts_detector_stylus_goes_on(detector, ms) &&
           !ends_bright_changes(detector, edge, count);
}

static size_t drop_doubtful(struct ts_detector *detector, size_t count)
{
    const struct ts_region_grid grid = {detector->track.across, detector->track.down};
    const double reach = 1.5 * detector->view.period_ms;
    detector->doubted_ms = -INFINITY;
    ts_region_grow(grid, detector->stylus, FURTHER * ts_track_scale(&detector->track),
                   detector->scratch);
    while (count >= TS_EDGES_MANY) {
        size_t latest = 0, near = 0;
        for (size_t i = 1; i < count; i++)
            latest = detector->edges[i]->ms > detector->edges[latest]->ms ? i : latest;
        const struct ts_edge *edge = detector->edges[latest];
        const double before_ms = reach + CREEP_U * (double)edge->level_u_ms;
        double others_ms = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            near += (double)detector->edges[i]->ms > (double)edge->ms - before_ms;
            others_ms = i == latest ? others_ms : fmax(others_ms, (double)detector->edges[i]->ms);
        }
        if (near >= TS_EDGES_SUPPORT ||
            !(is_doubtful(edge, others_ms) || is_leftover(detector, edge, count) ||
              is_rim(detector, edge, count)))
            break;
        if (is_on_limit(edge, ts_edge_size(edge)) &&
            ts_edge_size(edge) > TS_EDGES_SURE * (double)edge->noise)
            detector->doubted_ms = fmax(detector->doubted_ms, (double)edge->ms);
        detector->edges[latest] = detector->edges[--count];
    }
    return count;
}

size_t ts_detector_settled_edges(struct ts_detector *detector)
{
    return drop_doubtful(detector, drop_afterwards(detector, collect(detector, settled_edge)));
}
