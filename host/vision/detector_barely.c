/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the last change is as large as what counts, whether it does is chance, and seconds may lie
 * between the two answers: neither is given for good. Nor is one where the camera did not see. */
#include "vision/detector_state.h"

#include <math.h>

#define APART_MS     50.0 /* the answers are, ... */
#define APART_FRAMES 2.0  /* ... and more than what tells them */
#define COVERS       1.96 /* standard uncertainties make up an interval of 95 % */
#define LATE_LEAST   2    /* blocks, where one may be what is left of flicker */
#define BARELY       1.25 /* times what counts: noise brings many blocks of a splash there */
#define LOOK_MS      64.0 /* before and after, at the most */
#define NEAR         3    /* blocks */
#define ALIKE        5.0  /* standard deviations: a neighbour changes by as much */
#define ALIKE_LEAST  9    /* such neighbours */

struct sides { /* of an instant: frames before .. before_end - 1 and after .. after_end - 1 */
    size_t before, before_end, after, after_end;
};

static struct sides sides_of(const struct ts_detector *detector, double ms)
{
    const struct ts_window *window = &detector->window;
    const double clear_ms = detector->view.period_ms + detector->view.readout_ms;
    return (struct sides){ts_window_find(window, ms - LOOK_MS - clear_ms),
                          ts_window_find(window, ms - clear_ms - detector->view.exposure_ms),
                          ts_window_find(window, ms + clear_ms),
                          ts_window_find(window, ms + clear_ms + LOOK_MS)};
}

static double mean_code(const struct ts_window *window, size_t block, size_t from, size_t to)
{
    double sum = 0;
    for (size_t n = from; n < to; n++)
        sum += (double)ts_window_code(window, n, block);
    return sum / (double)(to - from);
}

double ts_detector_alike_codes(const struct ts_detector *detector, const struct ts_edge *edge)
{
    const struct ts_window *window = &detector->window;
    const struct sides sides = sides_of(detector, (double)edge->ms);
    if (ts_edge_size(edge) > BARELY * TS_VISIBLE_CODES || sides.before >= sides.before_end ||
        sides.after >= sides.after_end)
        return INFINITY;
    const size_t x = edge->block % window->across, y = edge->block / window->across;
    const double frames = 1 / (1 / (double)(sides.before_end - sides.before) +
                               1 / (double)(sides.after_end - sides.after));
    const double u = (double)edge->noise / sqrt(frames);
    const double own = (double)edge->new_code - (double)edge->old_code;
    double sum = 0;
    size_t alike = 0;
    for (size_t j = y > NEAR ? y - NEAR : 0; j <= y + NEAR && j < window->down; j++) {
        for (size_t i = x > NEAR ? x - NEAR : 0; i <= x + NEAR && i < window->across; i++) {
            const size_t block = j * window->across + i;
            const double step = mean_code(window, block, sides.after, sides.after_end) -
                                mean_code(window, block, sides.before, sides.before_end);
            if (fabs(step - own) > ALIKE * u)
                continue;
            sum += fabs(step);
            alike++;
        }
    }
    return alike < ALIKE_LEAST ? INFINITY : sum / (double)alike;
}

double ts_detector_surely_changed_ms(const struct ts_detector *detector, size_t count)
{
    double sure_ms = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct ts_story *story = &detector->stories[detector->edges[i]->block];
        sure_ms = fmax(sure_ms, (double)story->barely.least_ms);
    }
    return sure_ms;
}

/* If it is visible, it counts. */
static bool may_count(const struct ts_detector *detector, size_t block, double ms)
{
    const bool stylus = detector->stylus[block] || detector->stylus_way[block];
    return ms > detector->tap_ms && ms < detector->certain_ms && !detector->ignore[block] &&
           !detector->status_bar[block] && !detector->endless[block] &&
           !(stylus && ts_detector_stylus_goes_on(detector, ms));
}

static double apart_ms_of(const struct ts_detector *detector)
{
    return fmax(APART_MS, APART_FRAMES * detector->view.period_ms);
}

bool ts_detector_first_hangs_on_limit(const struct ts_detector *detector, double first_ms)
{
    return first_ms > detector->doubted_first_ms + apart_ms_of(detector);
}

bool ts_detector_hangs_on_limit(const struct ts_detector *detector, double sure_ms,
                                const struct ts_metric *settled)
{
    const double apart_ms = apart_ms_of(detector), settled_ms = settled->value;
    if (isnan(settled_ms))
        return false;
    size_t late = 0;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_barely *barely = &detector->stories[block].barely;
        const double ms = (double)barely->most_ms;
        late += ms > fmax(settled_ms, (double)barely->least_ms) + apart_ms &&
                may_count(detector, block, ms);
    }
    const bool flickers = detector->flicker_left || detector->window.flickers;
    const size_t least = flickers ? LATE_LEAST : 1;
    return late >= least || sure_ms < settled_ms - apart_ms ||
           detector->doubted_ms > settled_ms + apart_ms || COVERS * settled->u > apart_ms;
}

bool ts_detector_is_overexposed(const struct ts_detector *detector, double settled_ms)
{
    const double from_ms = settled_ms + apart_ms_of(detector);
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_story *story = &detector->stories[block];
        const double ms = (double)story->white_ms;
        if (ms > from_ms && story->settled.kind != TS_EDGE_NONE && may_count(detector, block, ms))
            return true;
    }
    return false;
}
