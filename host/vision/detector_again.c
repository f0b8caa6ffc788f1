/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of the window without flicker, once more when more is known of it. A display that was
 * dark before the tap shows its bands after it, and they are known when they have been seen for a
 * while; until then they were taken for changes of the screen. And at the tap it is known since
 * when the screen has rested. */
#include "vision/detector_state.h"
#include "vision/mask.h"

#include <math.h>

#define SAMPLE     7    /* one of so many blocks tells */
#define FAR_TIMES  4.0  /* the least movement, ... */
#define FAR_CODES  1.0  /* ... and so much more, is a move */
#define MUCH_SHARE 0.05 /* of the blocks */

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
    const size_t from = ts_flicker_from(&detector->flicker, window);
    ts_track_rewind(track, ts_window_start_ms(window, from), ts_detector_see_calm(detector, from));
    for (size_t n = from; n < window->count; n++) {
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

static void track_from(struct ts_detector *detector, size_t from, size_t to)
{
    ts_track_forget(&detector->track);
    for (size_t n = from; n < to; n++)
        ts_track_frame(&detector->track, ts_window_start_ms(&detector->window, n),
                       ts_detector_see_calm(detector, n));
}

static double mean_sum(const struct ts_window *window, size_t block, size_t from, size_t frames)
{
    double sum = 0;
    for (size_t n = from; n < from + frames; n++)
        sum += (double)ts_window_sums(window, n)[block];
    return sum / (double)frames;
}

struct movement {
    double codes; /* mean of all blocks */
    double share; /* of the blocks, that get further than `far` */
};

/* How the picture gets from one half of so many frames to the other. */
static struct movement movement_of(const struct ts_detector *detector, size_t from, size_t frames,
                                   double far)
{
    const struct ts_window *window = &detector->window;
    const size_t half = frames / 2;
    double codes = 0;
    size_t count = 0, moved = 0;
    for (size_t block = 0; block < detector->blocks; block += SAMPLE) {
        if (detector->ignore[block])
            continue;
        const double by =
            fabs(mean_sum(window, block, from + half, half) - mean_sum(window, block, from, half)) /
            (TS_BLOCK_PX * TS_BLOCK_PX);
        codes += by;
        moved += by > far;
        count++;
    }
    if (count == 0)
        return (struct movement){0};
    return (struct movement){codes / (double)count, (double)moved / (double)count};
}

/* The first frame that is known to come after all that moves before the tap and is no stylus; 0:
 * nothing does, or too late to learn anything since. */
static size_t find_rest(const struct ts_detector *detector, size_t frames, size_t count)
{
    const struct ts_window *window = &detector->window;
    const double hand_ms = detector->tap_ms + ts_mask_stylus_from_ms(&detector->view);
    double least = INFINITY;
    for (size_t n = 0; n + frames <= count; n += frames)
        least = fmin(least, movement_of(detector, n, frames, 0).codes);
    const double far = FAR_TIMES * least + FAR_CODES;
    size_t rest = 0;
    for (size_t n = 0; n + frames <= count; n += frames) {
        const bool hand = ts_window_start_ms(window, n + frames - 1) >= hand_ms;
        if (movement_of(detector, n, frames, far).share > (hand ? TS_STYLUS_SHARE : MUCH_SHARE))
            rest = n + frames;
    }
    return rest + frames <= count ? rest : 0;
}

/* A film may begin before the screen has come to what is tapped on, and noise and flicker are
 * learnt from that. They are learnt once more, from where it rests before the tap. */
void ts_detector_begin_at_rest(struct ts_detector *detector)
{
    const size_t count = detector->window.count - 1; /* the tap's is yet to be tracked */
    const size_t from = find_rest(detector, detector->track.learning, count);
    if (from == 0)
        return;
    ts_flicker_begin(&detector->flicker, &detector->window, from);
    track_from(detector, from, count);
}

/* Before the tap, nothing else has been made of what moved so far. Afterwards only what was looked
 * at is known better now: of the frames before, the lights' phases were known well by then. */
void ts_detector_see_again(struct ts_detector *detector, bool other_lights)
{
    struct ts_window *window = &detector->window;
    if (!detector->track.tapped) {
        track_from(detector, 0, window->count);
        return;
    }
    if (other_lights) {
        tell_again(detector);
        return;
    }
    for (size_t n = window->count - detector->flicker.stretch; n < window->count; n++)
        ts_flicker_remove(&detector->flicker, window, n);
}
