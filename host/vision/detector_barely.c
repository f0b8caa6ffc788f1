/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the last change is as large as what counts, whether it does is chance, and seconds may lie
 * between the two answers: neither is given for good. */
#include "vision/detector_state.h"

#include <math.h>

#define APART_MS     50.0 /* the answers are, ... */
#define APART_FRAMES 2.0  /* ... and more than what tells them */
#define LATE_LEAST   2    /* blocks: one may be what is left of flicker */

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

bool ts_detector_hangs_on_limit(const struct ts_detector *detector, double sure_ms,
                                double settled_ms)
{
    const double apart_ms = fmax(APART_MS, APART_FRAMES * detector->view.period_ms);
    if (isnan(settled_ms))
        return false;
    size_t late = 0;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_barely *barely = &detector->stories[block].barely;
        const double ms = (double)barely->most_ms;
        late += ms > fmax(settled_ms, (double)barely->least_ms) + apart_ms &&
                may_count(detector, block, ms);
    }
    return late >= LATE_LEAST || sure_ms < settled_ms - apart_ms ||
           detector->doubted_ms > settled_ms + apart_ms;
}
