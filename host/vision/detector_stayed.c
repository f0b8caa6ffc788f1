/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside a clock, something of the app may change in step with it, and once: it is told from the
 * clock by what it does later, which is nothing. A launch is not over before its quiet time, so
 * such a change before that is the launch's; later ones, as of the clock's minutes, are the
 * clock's. */
#include "vision/detector_state.h"

#include <math.h>

#define ONE_MS     300.0 /* moves so near to each other are one change */
#define LATER_MS   50.0  /* than all else; less is the end of that */
#define NOISE_MOST 1.0   /* codes: of more, no frame may show that it changes again */
#define BUSY_SHARE 0.5   /* of the quiet times since, ... */
#define TIMES_MOST 16    /* ... of which no more are looked at */

/* Visibly, after from_ms, and stays since; when, or INFINITY. */
static double changed_once_ms(const struct ts_detector *detector, size_t block, double from_ms)
{
    const struct ts_moves *moves = &detector->track.moves[block];
    const struct ts_edge *settled = &detector->stories[block].settled;
    const double last_ms = (double)detector->track.last_ms[block];
    if (!detector->endless[block] || detector->ignore[block] || detector->status_bar[block] ||
        settled->kind == TS_EDGE_NONE || (double)settled->ms <= from_ms ||
        ts_track_noise_codes(&detector->track, block) > NOISE_MOST)
        return INFINITY;
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        const double ms = ts_moves_back(moves, i);
        if (ms > from_ms && ms < last_ms - ONE_MS)
            return INFINITY;
    }
    return (double)settled->ms;
}

/* What goes on did so since, in so many of the quiet times until now: a carousel rests for longer.
 */
static bool goes_on_since(const struct ts_detector *detector, double since_ms)
{
    const double quiet_ms = detector->view.quiet_ms;
    const double all = (ts_window_end_ms(&detector->window) - since_ms) / quiet_ms;
    bool seen[TIMES_MOST] = {false};
    size_t count = 0;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_moves *moves = &detector->track.moves[block];
        for (size_t i = 0; detector->endless[block] && i < ts_moves_known(moves); i++) {
            const double at = (ts_moves_back(moves, i) - since_ms) / quiet_ms;
            if (!(at >= 0 && at < TIMES_MOST) || seen[(size_t)at])
                continue;
            seen[(size_t)at] = true;
            count++;
        }
    }
    return count && (double)count >= BUSY_SHARE * fmin(floor(all), TIMES_MOST);
}

bool ts_detector_free_stayed(struct ts_detector *detector, double settled_ms)
{
    const double from_ms = settled_ms + LATER_MS, quiet_ms = settled_ms + detector->view.quiet_ms;
    uint8_t *once = detector->scratch;
    double latest_ms = -INFINITY;
    if (isnan(settled_ms))
        return false; /* all that changed goes on */
    for (size_t block = 0; block < detector->blocks; block++) {
        const double ms = changed_once_ms(detector, block, from_ms);
        if (isfinite(ms) && ms > quiet_ms)
            return false; /* it goes on by changing once, here and there */
        once[block] = isfinite(ms) ? 1 : 0;
        latest_ms = once[block] ? fmax(latest_ms, ms) : latest_ms;
    }
    if (!isfinite(latest_ms) || !goes_on_since(detector, latest_ms + ONE_MS))
        return false;
    for (size_t block = 0; block < detector->blocks; block++)
        detector->endless[block] &= !once[block];
    return true;
}
