/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/faint.h"

#define MEAN_MS 300.0 /* before a step, and after it */
#define NOISE   6.0   /* standard deviations of the difference of two such means */
#define CODES   0.4   /* less, the light of the room may do */

struct steps {
    double apart_ms, *ms;
    size_t most, count;
};

static void note(struct steps *steps, double ms)
{
    size_t at = 0;
    for (size_t i = 0; i < steps->count; i++) {
        if (fabs(steps->ms[i] - ms) < steps->apart_ms)
            return;
        at += steps->ms[i] > ms;
    }
    if (steps->count == steps->most)
        return;
    for (size_t i = steps->count++; i > at; i--)
        steps->ms[i] = steps->ms[i - 1];
    steps->ms[at] = ms;
}

/* A step is where the difference of the means is the largest for as long as one of them takes, but
 * for the first and last frame that has both: it may be larger still beyond. */
static void find_in_block(const struct ts_track *track, const struct ts_window *window,
                          size_t block, struct steps *steps)
{
    const size_t mean = (size_t)fmax(1, MEAN_MS / track->period_ms);
    const double noise = NOISE * ts_track_noise_codes(track, block) * sqrt(2.0 / (double)mean);
    const double least = fmax(CODES, noise) * (double)mean;
    double difference = 0, largest = least; /* of the sums after and before */
    size_t at = 0;
    for (size_t i = 0; i < mean && 2 * mean <= window->count; i++)
        difference += (double)ts_window_code(window, mean + i, block) -
                      (double)ts_window_code(window, i, block);
    for (size_t n = mean; n + mean <= window->count; n++) {
        if (fabs(difference) > largest) {
            largest = fabs(difference);
            at = n;
        }
        const bool last = n + mean == window->count;
        if (at && (last || n - at >= mean)) {
            if (at > mean && at + mean < window->count)
                note(steps, ts_window_start_ms(window, at));
            largest = least;
            at = 0;
        }
        if (!last)
            difference += (double)ts_window_code(window, n + mean, block) +
                          (double)ts_window_code(window, n - mean, block) -
                          2 * (double)ts_window_code(window, n, block);
    }
}

size_t ts_faint_find(const struct ts_track *track, const struct ts_window *window,
                     struct ts_region_box box, double apart_ms, double *ms, size_t most)
{
    struct steps steps = {apart_ms, ms, most, 0};
    for (size_t y = box.y0; y <= box.y1; y++) {
        for (size_t x = box.x0; x <= box.x1; x++) {
            const size_t block = y * track->across + x;
            if (!track->ignore[block])
                find_in_block(track, window, block, &steps);
        }
    }
    return steps.count;
}
