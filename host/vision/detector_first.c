/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of what changed first after the tap a launch made: no clock, no stylus and no noise. */
#include "vision/detector_state.h"
#include "vision/pool.h"

#include <math.h>

#define SEEN_MS       150.0 /* at the latest so long after it was half way, a change was seen */
#define SOON_SHARE    0.005 /* of the blocks */
#define SOONEST_MS    2.5   /* no touch gets through a phone faster */
#define CLOCK_MS      25.0  /* so soon after the tap a clock may tick as well */
#define UNMOVED       2.0   /* of the noise: nothing of a change is seen */
#define PLAIN_CODES   6.5   /* no noise makes so much, ... */
#define PLAIN_FROM_MS 30.0  /* after the tap */
#define PLAIN_NOISE   20.0  /* ... nor so many times its standard deviation */
#define BEFORE_MS     400.0 /* of rest before the first change */
#define LEFT_LEAST    2.0   /* standard deviations: more than that is left of flicker */
#define FAINT_MOST    1.2   /* times what counts: more is not left out for being faint */

/* The last exposure that shows nothing of the change yet has ended; -INFINITY: none does. */
static double begins_ms(const struct ts_edge *edge, double exposure_ms)
{
    double begins = -INFINITY;
    for (uint32_t n = 0; n < edge->frames && edge->begin_ms[n] < edge->ms; n++) {
        if (fabs((double)edge->code[n] - (double)edge->old_code) < UNMOVED * (double)edge->noise)
            begins = (double)edge->begin_ms[n] + exposure_ms;
    }
    return begins;
}

/* So soon after the tap a phone may show a splash, but what is no larger than a clock, by itself,
 * is one; or the stylus, which begins to move then and takes its time. Returns how many of the
 * first changes are left. */
static size_t drop_clock(struct ts_detector *detector, size_t found)
{
    const double until_ms = detector->tap_ms + CLOCK_MS;
    size_t early = 0;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *first = &detector->stories[block].first;
        detector->scratch[block] =
            first->kind != TS_EDGE_NONE &&
            fmin((double)first->ms, begins_ms(first, detector->view.exposure_ms)) < until_ms &&
            (double)first->ms < until_ms + CLOCK_MS;
        early += detector->scratch[block];
    }
    if ((double)early > SOON_SHARE * (double)detector->blocks)
        return found;
    for (size_t block = 0; block < detector->blocks; block++) {
        if (detector->scratch[block])
            detector->stories[block].first.kind = TS_EDGE_NONE;
    }
    return found - early;
}

/* The status bar's clock ticks whether or not an app is launched: what shows there alone is no
 * first change. */
static size_t drop_status_bar(struct ts_detector *detector, size_t found)
{
    double app_ms = INFINITY;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *first = &detector->stories[block].first;
        if (first->kind != TS_EDGE_NONE && !detector->status_bar[block])
            app_ms = fmin(app_ms, (double)first->ms);
    }
    for (size_t block = 0; block < detector->blocks; block++) {
        struct ts_edge *first = &detector->stories[block].first;
        if (first->kind == TS_EDGE_NONE || !detector->status_bar[block] ||
            (double)first->ms > app_ms - CLOCK_MS)
            continue;
        first->kind = TS_EDGE_NONE;
        found--;
    }
    return found;
}

static void doubt(struct ts_detector *detector, const struct ts_edge *first)
{
    if (!detector->flicker_left)
        detector->doubted_first_ms = fmin(detector->doubted_first_ms, (double)first->ms);
}

/* Hardly large enough to count before what is not faint, and no noise. */
static bool is_faint_for_certain(const struct ts_edge *first)
{
    return ts_detector_is_faint(first) &&
           ts_edge_size(first) > TS_EDGES_SURE * (double)first->noise &&
           ts_edge_size(first) < FAINT_MOST * TS_VISIBLE_CODES;
}

/* So little in more than one place is what is left of flicker; unless many are alike. */
static void doubt_faint(struct ts_detector *detector)
{
    const struct ts_edge *earliest = NULL;
    bool apart = false;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *first = &detector->stories[block].first;
        if (first->kind == TS_EDGE_NONE || !is_faint_for_certain(first))
            continue;
        const double codes = ts_detector_alike_codes(detector, first);
        if (codes >= TS_VISIBLE_CODES && isfinite(codes))
            doubt(detector, first);
        apart = apart || (earliest && !ts_detector_is_near(detector, earliest, first));
        if (!earliest || first->ms < earliest->ms)
            earliest = first;
    }
    if (earliest && !apart)
        doubt(detector, earliest);
}

/* Most of a splash may stay just below what counts, and noise bring some of its blocks above: what
 * its neighbours do tells what such a block would show without noise. */
static size_t drop_barely_noise(struct ts_detector *detector, size_t found)
{
    for (size_t block = 0; block < detector->blocks; block++) {
        struct ts_edge *first = &detector->stories[block].first;
        if (first->kind == TS_EDGE_NONE || first->kind == TS_EDGE_FADE ||
            ts_detector_alike_codes(detector, first) >= TS_VISIBLE_CODES)
            continue;
        first->kind = TS_EDGE_NONE;
        found--;
    }
    return found;
}

static double row_code(const struct ts_detector *detector, size_t row, size_t frame)
{
    const size_t across = detector->window.across;
    double sum = 0;
    for (size_t block = row * across; block < (row + 1) * across; block++) {
        if (!detector->ignore[block])
            sum += (double)ts_window_code(&detector->window, frame, block);
    }
    return sum;
}

/* What is left of flicker in a row, standard deviation of its codes in frames from .. to - 1, in
 * which nothing moves. The track does not see it: it follows each row's light. */
static double flicker_codes(const struct ts_detector *detector, size_t row, size_t from, size_t to)
{
    const size_t across = detector->window.across;
    size_t count = 0;
    for (size_t block = row * across; block < (row + 1) * across; block++)
        count += !detector->ignore[block];
    if (count == 0 || from + 1 >= to)
        return 0;
    double sum = 0, before = row_code(detector, row, from);
    for (size_t n = from + 1; n < to; n++) {
        const double code = row_code(detector, row, n);
        sum += fabs(code - before);
        before = code;
    }
    return sum / (double)(to - from - 1) / (double)count / TS_MEAN_DIFFERENCE;
}

/* Since when the block's first change may be the screen's; INFINITY: never. What moves first where
 * the stylus may be is the stylus, on its way, unless much does at once. */
static double since_ms(const struct ts_detector *detector, size_t block)
{
    const double first_ms = (double)detector->track.first_ms[block];
    const double period_ms = detector->view.period_ms;
    if (detector->ignore[block] || isinf(first_ms))
        return INFINITY;
    if (!detector->stylus[block])
        return fmax(detector->tap_ms, first_ms - SEEN_MS);
    return fabs(first_ms - detector->under_ms) < 1.5 * period_ms
               ? detector->under_ms - 2 * period_ms
               : INFINITY;
}

struct told {
    size_t found, too_soon;
};

/* Looks in frames `from` and later, of which nothing moves before `rest`. */
static void tell_row(struct ts_detector *detector, size_t row, size_t from, size_t rest,
                     struct told *told)
{
    const struct ts_track *track = &detector->track;
    const size_t across = detector->window.across;
    const double left = flicker_codes(detector, row, from, rest);
    for (size_t block = row * across; block < (row + 1) * across; block++) {
        struct ts_edge *first = &detector->stories[block].first;
        const double since = since_ms(detector, block);
        const double noise = ts_track_noise_codes(track, block);
        const bool flickers = left > LEFT_LEAST * noise;
        detector->flicker_left |= flickers && !detector->ignore[block];
        first->kind = TS_EDGE_NONE; /* an earlier look may have found one */
        if (isinf(since) || !ts_story_first(&detector->reader, block, from, detector->window.count,
                                            flickers ? left : noise, since, first))
            continue;
        const bool stylus = detector->stylus[block] && (double)first->ms < since;
        const bool soon = (double)first->ms < detector->tap_ms + SOONEST_MS;
        told->too_soon += soon && !stylus && !detector->status_bar[block];
        told->found += !soon && !stylus;
        if (soon || stylus)
            first->kind = TS_EDGE_NONE;
    }
}

void ts_detector_tell_first(struct ts_detector *detector)
{
    struct ts_window *window = &detector->window;
    const size_t from = ts_window_find(window, detector->trigger_ms - BEFORE_MS);
    const size_t rest = ts_window_find(window, detector->trigger_ms - 2 * detector->view.period_ms);
    struct told told = {0};
    ts_window_level(window);
    detector->flicker_left = false;
    for (size_t row = 0; row < window->down; row++)
        tell_row(detector, row, from, rest, &told);
    if ((double)told.too_soon > SOON_SHARE * (double)detector->blocks)
        detector->not_quiet = true; /* it was not the tap, nor a clock */
    size_t found = ts_detector_drop_rim(detector, drop_clock(detector, told.found));
    found = drop_barely_noise(detector, drop_status_bar(detector, found));
    doubt_faint(detector);
    detector->first_known = found > 0;
    if (found == 0)
        detector->trigger_ms = NAN; /* a false alarm: wait for the next */
}

/* Needs no others to be believed. So soon after the tap it does: a clock may tick just then. */
static bool is_plain(const struct ts_detector *detector, const struct ts_edge *edge)
{
    return (double)edge->ms > detector->tap_ms + PLAIN_FROM_MS &&
           ts_edge_size(edge) > fmax(PLAIN_CODES, PLAIN_NOISE * (double)edge->noise);
}

/* Of many blocks that change, one that does so by itself before all the others was noise. */
static size_t keep_supported(struct ts_detector *detector, size_t count)
{
    const double reach = 1.5 * detector->view.period_ms;
    while (count >= TS_EDGES_MANY) {
        double earliest = INFINITY;
        size_t near = 0;
        for (size_t i = 0; i < count; i++)
            earliest = fmin(earliest, (double)detector->edges[i]->ms);
        for (size_t i = 0; i < count; i++) {
            const struct ts_edge *edge = detector->edges[i];
            if ((double)edge->ms < earliest + reach + 3 * (double)edge->u_ms)
                near += is_plain(detector, edge) ? TS_EDGES_SUPPORT : 1;
        }
        if (near >= TS_EDGES_SUPPORT)
            return count;
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            const struct ts_edge *edge = detector->edges[i];
            if ((double)edge->ms > earliest)
                detector->edges[left++] = edge;
            else if (ts_edge_size(edge) > TS_EDGES_SURE * (double)edge->noise)
                doubt(detector, edge);
        }
        count = left;
    }
    return count;
}

size_t ts_detector_first_edges(struct ts_detector *detector)
{
    size_t count = 0;
    for (int faint = 0; faint < 2 && count == 0; faint++) {
        for (size_t block = 0; block < detector->blocks; block++) {
            const struct ts_edge *edge = &detector->stories[block].first;
            if (edge->kind != TS_EDGE_NONE && (faint || !ts_detector_is_faint(edge)))
                detector->edges[count++] = edge;
        }
    }
    return keep_supported(detector, count);
}
