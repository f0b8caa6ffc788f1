/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/mask.h"

#include "vision/region.h"

#include <math.h>
#include <string.h>

#define STYLUS_SHARE      0.4 /* of the screen; more is the screen itself */
#define SINGLE            3
#define UNKNOWN_STYLUS_MS 600.0 /* whatever moved so shortly before the tap, may be one */
#define STYLUS_LEAD_MS    30.0  /* the motor's start is known this well */
#define ARM_MOST          14    /* blocks that an arm newly moves into at once */
#define ARM_FRAME_MS      8.3
#define ARM_NEAR          2
#define ARM_MS            60.0
#define STYLUS_GROW       2
#define STYLUS_WAY        7    /* over a dark screen, so much of it may not have been seen */
#define RING_MS           30.0 /* bounces after the contact are over */
#define QUIET_BEFORE_MS   300.0
#define OTHER_LEAST       8 /* blocks, more than a clock that ticks, ... */
#define OTHER_NEAR        3 /* ... so near to each other, at once */

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

/* Between contact and pick-up the arm is still: it has rung out, and does not move again. A move is
 * seen up to a frame late. */
static bool while_stylus_rests(const struct before *before, size_t block)
{
    const double ms = moved_ms(before, block), period = before->view->period_ms;
    return ms > before->view->stylus_down_ms + RING_MS + period &&
           ms < before->view->stylus_up_ms - period && !in_status_bar(before, block);
}

/* A change of the screen shows in several blocks at once; one block that moves by itself is noise
 * on what the stylus has just uncovered. */
static size_t count_others(const struct before *before, const uint8_t *others)
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
                near += others[other] && fabs(moved_ms(before, other) - moved_ms(before, block)) <
                                             1.5 * track->period_ms;
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

bool ts_mask_stylus(const struct ts_track *track, const struct ts_vision_view *view, double tap_ms,
                    uint8_t *stylus, uint8_t *way, uint8_t *scratch)
{
    const struct before before = {track, view, tap_ms};
    const bool known = !isnan(view->stylus_from_ms);
    const double from_ms = known ? view->stylus_from_ms - STYLUS_LEAD_MS : -UNKNOWN_STYLUS_MS;
    size_t screen = 0, moved = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        stylus[block] = scratch[block] = 0;
        if (track->ignore[block])
            continue; /* a sync LED, not the arm */
        screen++;
        scratch[block] = (known && screen_changed(&before, block, from_ms)) ||
                         while_stylus_rests(&before, block);
        stylus[block] = moved_ms(&before, block) >= from_ms;
        moved += stylus[block] && screen_changed(&before, block, 0);
    }
    const size_t others = count_others(&before, scratch);
    if ((double)moved > STYLUS_SHARE * (double)screen) {
        memset(stylus, 0, track->blocks);
        memset(way, 0, track->blocks);
        return true;
    }
    drop_single(track, stylus, scratch);
    ts_region_grow(grid_of(track), stylus, STYLUS_GROW * ts_track_scale(track), scratch);
    memcpy(stylus, scratch, track->blocks);
    ts_region_grow(grid_of(track), stylus, STYLUS_WAY * ts_track_scale(track), way);
    return others > 0;
}

/* A slow camera sees the arm move further between two frames. */
static double arm_frames(const struct ts_track *track)
{
    return fmax(1, fmin(4, track->period_ms / ARM_FRAME_MS));
}

bool ts_mask_screen_moves(const struct ts_track *track, const uint8_t *stylus)
{
    const size_t scale = ts_track_scale(track);
    size_t elsewhere = 0;
    for (size_t n = 0; n < track->moved_count; n++)
        elsewhere += !stylus[track->moved[n]];
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
    for (size_t n = 0; n < track->moved_count; n++) {
        const size_t block = track->moved[n];
        const size_t x = block % track->across, y = block / track->across;
        bool beside = false;
        for (size_t j = y > reach ? y - reach : 0;
             j <= y + reach && j < track->down && way[block] && !stylus[block]; j++) {
            for (size_t i = x > reach ? x - reach : 0; i <= x + reach && i < track->across; i++) {
                const size_t other = j * track->across + i;
                beside = beside || (stylus[other] && now_ms - (double)track->last_ms[other] <
                                                         fmax(ARM_MS, 2.5 * track->period_ms));
            }
        }
        if (beside)
            stylus[block] = 1;
    }
}
