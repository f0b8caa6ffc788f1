/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/mask.h"

#include "vision/region.h"

#include <math.h>
#include <string.h>

#define SINGLE            3
#define UNKNOWN_STYLUS_MS 600.0 /* whatever moved so shortly before the tap, may be one */
#define STYLUS_LEAD_MS    30.0  /* the motor's start is known this well */
#define ARM_MOST          14    /* blocks that an arm newly moves into at once */
#define ARM_FRAME_MS      8.3
#define ARM_NEAR          2
#define ARM_MS            60.0
#define STYLUS_GROW       2
#define STYLUS_WAY        7  /* so much of it may not have been seen, ... */
#define STYLUS_WAY_DARK   16 /* ... and so much over what is as dark as itself */
#define DARK_CODES        40.0f
#define RING_MS           30.0 /* bounces after the contact are over */
#define QUIET_BEFORE_MS   300.0
#define OTHER_LEAST       8 /* blocks, more than a clock that ticks, ... */
#define OTHER_NEAR        3 /* ... so near to each other */
#define BAR_SHARE         0.4
#define CHANGED_CODES     8.0 /* another picture, ... */
#define CHANGED_NOISE     8.0 /* ... and no noise */

static struct ts_region_grid grid_of(const struct ts_track *track)
{
    return (struct ts_region_grid){track->across, track->down};
}

/* What is known of the screen before the tap. */
struct before {
    const struct ts_track *track;
    const struct ts_vision_view *view;
    double tap_ms;
};

/* The block's latest move before the tap, ms from the tap; -INFINITY: none. */
static double moved_ms(const struct before *before, size_t block)
{
    return (double)before->track->untap_ms[block] - before->tap_ms;
}

static bool in_status_bar(const struct before *before, size_t block)
{
    return before->view->status_bar && before->view->status_bar[block];
}

static bool screen_changed(const struct before *before, size_t block, double until_ms)
{
    const double ms = moved_ms(before, block);
    return ms >= -QUIET_BEFORE_MS && ms < until_ms && !in_status_bar(before, block);
}

/* Between contact and pick-up the arm is still: it has rung out, and does not move again. What is
 * another picture then, in any two frames, is the screen's doing, even where the arm moves over it
 * later or the screen goes on with it. */
static void mark_changed_at_rest(const struct before *before, const struct ts_window *window,
                                 uint8_t *changed)
{
    const struct ts_vision_view *view = before->view;
    const double down_ms = before->tap_ms + view->stylus_down_ms + RING_MS;
    const double up_ms = before->tap_ms + view->stylus_up_ms - view->exposure_ms - view->readout_ms;
    if (!(down_ms < up_ms)) /* or not known */
        return;
    const size_t from = ts_window_find(window, down_ms);
    for (size_t n = from + 1; n < window->count && ts_window_start_ms(window, n) < up_ms; n++) {
        for (size_t block = 0; block < window->blocks; block++) {
            const float was = ts_window_code(window, from, block);
            const double change = fabs((double)(ts_window_code(window, n, block) - was));
            if (change > CHANGED_CODES &&
                change > CHANGED_NOISE * ts_track_noise_codes(before->track, block) &&
                !before->track->ignore[block])
                changed[block] = 1;
        }
    }
}

/* Most of the status bar is no clock that ticks: something slides in over it. Its blocks are taken
 * out of changed[]. */
static bool bar_changed(const struct before *before, uint8_t *changed)
{
    size_t bar = 0, of_it = 0;
    for (size_t block = 0; block < before->track->blocks; block++) {
        if (!in_status_bar(before, block) || before->track->ignore[block])
            continue;
        bar++;
        of_it += changed[block];
        changed[block] = 0;
    }
    return (double)of_it > BAR_SHARE * (double)bar;
}

/* A change of the screen shows in several blocks (at once, when only the latest move is known); one
 * block that moves by itself is noise on what the stylus has just uncovered. */
static size_t count_others(const struct before *before, const uint8_t *others, bool at_once)
{
    const struct ts_track *track = before->track;
    const size_t reach = OTHER_NEAR * ts_track_scale(track);
    size_t count = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        if (!others[block])
            continue;
        const size_t x = block % track->across, y = block / track->across;
        size_t near = 0;
        for (size_t j = y > reach ? y - reach : 0; j <= y + reach && j < track->down; j++) {
            for (size_t i = x > reach ? x - reach : 0; i <= x + reach && i < track->across; i++) {
                const size_t other = j * track->across + i;
                near += others[other] &&
                        (!at_once || fabs(moved_ms(before, other) - moved_ms(before, block)) <
                                         1.5 * track->period_ms);
            }
        }
        count += near >= OTHER_LEAST * ts_track_scale(track) * ts_track_scale(track);
    }
    return count;
}

/* A block that moved all by itself was noise. */
static void drop_single(const struct ts_track *track, uint8_t *mask, uint8_t *scratch)
{
    for (size_t block = 0; block < track->blocks; block++) {
        if (mask[block] != 1)
            continue;
        size_t size = 0;
        ts_region_connected(grid_of(track), mask, block, 1, scratch);
        for (size_t i = 0; i < track->blocks; i++)
            size += scratch[i];
        for (size_t i = 0; i < track->blocks; i++)
            mask[i] = scratch[i] ? (size < SINGLE ? 0 : 2) : mask[i];
    }
}

static void find_way(const struct ts_track *track, const uint8_t *stylus, uint8_t *way,
                     uint8_t *scratch)
{
    ts_region_grow(grid_of(track), stylus, STYLUS_WAY * ts_track_scale(track), way);
    ts_region_grow(grid_of(track), stylus, STYLUS_WAY_DARK * ts_track_scale(track), scratch);
    for (size_t block = 0; block < track->blocks; block++)
        way[block] |= scratch[block] && track->rest[block] < DARK_CODES * TS_BLOCK_PX * TS_BLOCK_PX;
}

double ts_mask_stylus_from_ms(const struct ts_vision_view *view)
{
    return isnan(view->stylus_from_ms) ? -UNKNOWN_STYLUS_MS : view->stylus_from_ms - STYLUS_LEAD_MS;
}

bool ts_mask_stylus(const struct ts_track *track, const struct ts_window *window, double tap_ms,
                    uint8_t *stylus, uint8_t *way, uint8_t *scratch)
{
    const struct ts_vision_view *view = window->view;
    const struct before before = {track, view, tap_ms};
    memset(scratch, 0, track->blocks);
    mark_changed_at_rest(&before, window, scratch);
    bool others = bar_changed(&before, scratch);
    others = others || count_others(&before, scratch, false) > 0;
    const bool known = !isnan(view->stylus_from_ms);
    const double from_ms = ts_mask_stylus_from_ms(view);
    size_t screen = 0, moved = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        stylus[block] = scratch[block] = 0;
        if (track->ignore[block])
            continue; /* a sync LED, not the arm */
        screen++;
        scratch[block] = known && screen_changed(&before, block, from_ms);
        stylus[block] = moved_ms(&before, block) >= from_ms;
        moved += stylus[block] && screen_changed(&before, block, 0);
    }
    others = others || count_others(&before, scratch, true) > 0;
    if ((double)moved > TS_STYLUS_SHARE * (double)screen) {
        memset(stylus, 0, track->blocks);
        memset(way, 0, track->blocks);
        return true;
    }
    drop_single(track, stylus, scratch);
    ts_region_grow(grid_of(track), stylus, STYLUS_GROW * ts_track_scale(track), scratch);
    memcpy(stylus, scratch, track->blocks);
    find_way(track, stylus, way, scratch);
    return others;
}

/* A slow camera sees the arm move further between two frames. */
static double arm_frames(const struct ts_track *track)
{
    return fmax(1, fmin(4, track->period_ms / ARM_FRAME_MS));
}

bool ts_mask_screen_moves(const struct ts_track *track, const uint8_t *stylus, const uint8_t *way)
{
    const size_t scale = ts_track_scale(track);
    size_t elsewhere = 0;
    for (size_t n = 0; n < track->moved_count; n++)
        elsewhere += !stylus[track->moved[n]] && !(way && way[track->moved[n]]);
    return (double)elsewhere > ARM_MOST * arm_frames(track) * (double)(scale * scale);
}

void ts_mask_find_stylus(const struct ts_track *track, uint8_t *stylus, uint8_t *way,
                         uint8_t *scratch)
{
    memset(scratch, 0, track->blocks);
    for (size_t n = 0; n < track->moved_count; n++)
        scratch[track->moved[n]] = 1;
    ts_region_grow(grid_of(track), scratch, STYLUS_GROW * ts_track_scale(track), stylus);
    ts_region_grow(grid_of(track), scratch, STYLUS_WAY * ts_track_scale(track), way);
}

void ts_mask_follow_stylus(const struct ts_track *track, double now_ms, const uint8_t *way,
                           uint8_t *stylus)
{
    const size_t reach = (size_t)(ARM_NEAR * arm_frames(track)) * ts_track_scale(track);
    const size_t across = track->across;
    for (size_t n = 0; n < track->moved_count; n++) {
        const size_t block = track->moved[n];
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): what moved is in a row */
        const size_t x = block % across, y = block / across;
        bool beside = false;
        for (size_t j = y > reach ? y - reach : 0;
             j <= y + reach && j < track->down && way[block] && !stylus[block]; j++) {
            for (size_t i = x > reach ? x - reach : 0; i <= x + reach && i < across; i++) {
                const size_t other = j * across + i;
                beside = beside || (stylus[other] && now_ms - (double)track->last_ms[other] <
                                                         fmax(ARM_MS, 2.5 * track->period_ms));
            }
        }
        if (beside)
            stylus[block] = 1;
    }
}
