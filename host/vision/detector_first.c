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
#define PLAIN_CODES   12.0  /* no noise makes so much, ... */
#define PLAIN_FROM_MS 30.0  /* after the tap */
#define PLAIN_NOISE   20.0  /* ... nor so many times its standard deviation */
#define BEFORE_MS     400.0 /* of rest before the first change */
#define BARELY        1.25  /* times what counts: noise brings many blocks of a splash there */
#define BARELY_MS     64.0  /* before and after, at the most */
#define BARELY_NEAR   3     /* blocks */
#define BARELY_ALIKE  5.0   /* standard deviations: a neighbour changes by as much */
#define BARELY_LEAST  8     /* such neighbours */

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

struct sides { /* of an instant: frames before .. before_end - 1 and after .. after_end - 1 */
    size_t before, before_end, after, after_end;
};

static struct sides sides_of(const struct ts_detector *detector, double ms)
{
    const struct ts_window *window = &detector->window;
    const double clear_ms = detector->view.period_ms + detector->view.readout_ms;
    return (struct sides){ts_window_find(window, ms - BARELY_MS - clear_ms),
                          ts_window_find(window, ms - clear_ms - detector->view.exposure_ms),
                          ts_window_find(window, ms + clear_ms),
                          ts_window_find(window, ms + clear_ms + BARELY_MS)};
}

static double mean_code(const struct ts_window *window, size_t block, size_t from, size_t to)
{
    double sum = 0;
    for (size_t n = from; n < to; n++)
        sum += (double)ts_window_code(window, n, block);
    return sum / (double)(to - from);
}

/* Most of a splash may stay just below what counts, and noise bring some of its blocks above: what
 * its neighbours do tells what such a block would show without noise. */
static bool is_barely_noise(const struct ts_detector *detector, const struct ts_edge *edge)
{
    const struct ts_window *window = &detector->window;
    const struct sides sides = sides_of(detector, (double)edge->ms);
    if (edge->kind == TS_EDGE_FADE || ts_edge_size(edge) > BARELY * TS_VISIBLE_CODES ||
        sides.before >= sides.before_end || sides.after >= sides.after_end)
        return false;
    const size_t by = BARELY_NEAR, x = edge->block % window->across,
                 y = edge->block / window->across;
    const double frames = 1 / (1 / (double)(sides.before_end - sides.before) +
                               1 / (double)(sides.after_end - sides.after));
    const double u = (double)edge->noise / sqrt(frames);
    const double own = (double)edge->new_code - (double)edge->old_code;
    double sum = 0;
    size_t alike = 0;
    for (size_t j = y > by ? y - by : 0; j <= y + by && j < window->down; j++) {
        for (size_t i = x > by ? x - by : 0; i <= x + by && i < window->across; i++) {
            const size_t block = j * window->across + i;
            const double step = mean_code(window, block, sides.after, sides.after_end) -
                                mean_code(window, block, sides.before, sides.before_end);
            if (fabs(step - own) > BARELY_ALIKE * u)
                continue;
            sum += fabs(step);
            alike++;
        }
    }
    return alike > BARELY_LEAST && sum < TS_VISIBLE_CODES * (double)alike;
}

static size_t drop_barely_noise(struct ts_detector *detector, size_t found)
{
    for (size_t block = 0; block < detector->blocks; block++) {
        struct ts_edge *first = &detector->stories[block].first;
        if (first->kind == TS_EDGE_NONE || !is_barely_noise(detector, first))
            continue;
        first->kind = TS_EDGE_NONE;
        found--;
    }
    return found;
}

void ts_detector_tell_first(struct ts_detector *detector)
{
    struct ts_window *window = &detector->window;
    const struct ts_track *track = &detector->track;
    const double tap = detector->tap_ms;
    const size_t from = ts_window_find(window, detector->trigger_ms - BEFORE_MS);
    ts_window_level(window);
    size_t found = 0, too_soon = 0;
    for (size_t block = 0; block < detector->blocks; block++) {
        struct ts_edge *first = &detector->stories[block].first;
        const double since_ms = fmax(tap, (double)track->first_ms[block] - SEEN_MS);
        first->kind = TS_EDGE_NONE; /* an earlier look may have found one */
        if (isinf(track->first_ms[block]) || detector->stylus[block] || detector->ignore[block] ||
            !ts_story_first(&detector->reader, block, from, window->count,
                            ts_track_noise_codes(track, block), since_ms, first))
            continue;
        const bool soon = (double)first->ms < tap + SOONEST_MS;
        too_soon += soon && !detector->status_bar[block];
        if (soon)
            first->kind = TS_EDGE_NONE;
        else
            found++;
    }
    if ((double)too_soon > SOON_SHARE * (double)detector->blocks)
        detector->not_quiet = true; /* it was not the tap, nor a clock */
    found = ts_detector_drop_rim(detector, drop_clock(detector, found));
    found = drop_barely_noise(detector, drop_status_bar(detector, found));
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
            if ((double)detector->edges[i]->ms > earliest)
                detector->edges[left++] = detector->edges[i];
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
