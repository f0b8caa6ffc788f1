/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of the window without flicker, once more when more is known of it. A display that was
 * dark before the tap shows its bands after it, and they are known when they have been seen for a
 * while; until then they were taken for changes of the screen. */
#include "vision/detector_state.h"

#include <math.h>

const uint16_t *ts_detector_see_calm(struct ts_detector *detector, size_t frame)
{
    struct ts_window *window = &detector->window;
    ts_flicker_remove(&detector->flicker, window, frame);
    if (!window->flickers)
        return ts_window_sums(window, frame);
    ts_window_calm(window, frame, detector->calm);
    return detector->calm;
}

/* Of the moves that are in the window, the first that may be the first change. */
static void find_trigger(struct ts_detector *detector)
{
    double first_ms = detector->under_ms;
    for (size_t block = 0; block < detector->blocks; block++) {
        const double ms = (double)detector->track.first_ms[block];
        if (ms < first_ms && !ts_detector_is_stylus(detector, block, ms))
            first_ms = ms;
    }
    detector->trigger_ms = isinf(first_ms) ? NAN : first_ms;
    detector->first_known = false;
    detector->doubted_first_ms = INFINITY;
}

static void track_again(struct ts_detector *detector)
{
    const struct ts_vision_view *view = &detector->view;
    struct ts_track *track = &detector->track;
    struct ts_window *window = &detector->window;
    ts_track_rewind(track, ts_window_start_ms(window, 0), ts_detector_see_calm(detector, 0));
    for (size_t n = 0; n < window->count; n++) {
        const double start_ms = ts_window_start_ms(window, n);
        track->tapped = start_ms + view->exposure_ms + view->readout_ms >= detector->tap_ms;
        ts_track_frame(track, start_ms, ts_detector_see_calm(detector, n));
    }
}

static void forget(struct ts_edge *edge, double from_ms)
{
    if ((double)edge->ms > from_ms)
        edge->kind = TS_EDGE_NONE;
}

/* What was told of frames that are gone stays told. */
static void tell_again(struct ts_detector *detector)
{
    const double from_ms = ts_window_start_ms(&detector->window, 0);
    for (size_t block = 0; block < detector->blocks; block++) {
        if (!((double)detector->track.last_ms[block] > from_ms))
            continue;
        detector->pending[block] = 1;
        forget(&detector->stories[block].last, from_ms);
        forget(&detector->stories[block].settled, from_ms);
        ts_barely_forget(&detector->stories[block].barely, from_ms);
    }
    track_again(detector);
    detector->due_ms = detector->losses.start_ms;
    detector->masked_ms = -INFINITY;
    if (detector->trigger_ms > from_ms + TS_FIRST_ROOM_MS)
        find_trigger(detector);
}

static void track_from_start(struct ts_detector *detector)
{
    const struct ts_window *window = &detector->window;
    ts_track_forget(&detector->track);
    for (size_t n = 0; n < window->count; n++)
        ts_track_frame(&detector->track, ts_window_start_ms(window, n),
                       ts_detector_see_calm(detector, n));
}

/* Before the tap, nothing else has been made of what moved so far. Afterwards only what was looked
 * at is known better now: of the frames before, the lights' phases were known well by then. */
void ts_detector_see_again(struct ts_detector *detector, bool other_lights)
{
    struct ts_window *window = &detector->window;
    if (!detector->track.tapped) {
        track_from_start(detector);
        return;
    }
    if (other_lights) {
        tell_again(detector);
        return;
    }
    for (size_t n = window->count - detector->flicker.stretch; n < window->count; n++)
        ts_flicker_remove(&detector->flicker, window, n);
}
