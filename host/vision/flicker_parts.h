/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the parts of flicker: looking for waves, and measuring them. */
#ifndef TS_VISION_FLICKER_PARTS_H
#define TS_VISION_FLICKER_PARTS_H

#include "vision/flicker.h"

#define TS_FLICKER_FRAMES      128 /* a stretch has at most so many */
#define TS_FLICKER_FIRST_LOOKS 3   /* ... at 24 frames, 48 and 96 */

/* The frames that are looked at. */
struct ts_flicker_stretch {
    struct ts_flicker *flicker;
    struct ts_window *window;
    size_t from, count;
    double zero_ms; /* its middle */
};

static inline double ts_flicker_ms(const struct ts_flicker_stretch *stretch, size_t n)
{
    return ts_window_start_ms(stretch->window, stretch->from + n) - stretch->zero_ms;
}

/* Takes frames from .. to - 1 into the range in which each block is; fresh: and no others. */
void ts_flicker_range(struct ts_flicker *flicker, const struct ts_window *window, size_t from,
                      size_t to, bool fresh);
/* Of the stretch that was taken, marks the blocks that do no more than flicker may; returns how
 * many of them there are. */
size_t ts_flicker_find_steady(const struct ts_flicker_stretch *stretch);
/* Where the known waves are now, and those that are seen besides; whether there are any. */
bool ts_flicker_search(const struct ts_flicker_stretch *stretch);
/* Puts each wave where it fits the rows best, all of them together; left[] is what they leave.
 * Returns which share of the last wave's amplitudes in the rows is of one sign: light has no other,
 * while a picture that moves or fades has any. */
double ts_flicker_follow(const struct ts_flicker_stretch *stretch);
/* How strong the waves are, and which share of its light each block has of them. */
void ts_flicker_fit(const struct ts_flicker_stretch *stretch);

#endif
