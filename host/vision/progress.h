/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Visual progress of a launch, from the picture before the tap (0) to the final one (1):
 *     progress(t) = 1 - sum |v_b(t) - final_b| / sum |initial_b - final_b|
 * over the blocks b that count; differences within the noise, at most 2 % of full scale, are none.
 * It is below 0 while the screen is further from its final look than before the tap (a white splash
 * before a dark app): nothing is cut off there, since such a launch does look worse.
 *     speed index = integral of (1 - progress) from t0 until settled, ms
 * after WebPageTest's Speed Index (docs.webpagetest.org/metrics/speedindex), whose "mean pixel"
 * kin this is: pictures are compared place by place, not by their histograms.
 *
 * The final picture is known only at the end, so pictures are kept, and thinned out where they lie
 * on the line between their neighbours, so that memory is bounded however long one looks. */
#ifndef TS_VISION_PROGRESS_H
#define TS_VISION_PROGRESS_H

#include "vision/detector.h"

struct ts_progress;

#define TS_PROGRESS_VALUE_MOST INT16_MAX

/* Takes all the memory that it will ever use: 96 pictures. TS_EINVAL: no blocks; TS_ENOMEM. */
int ts_progress_open(size_t blocks, struct ts_progress **out) TS_MUST_CHECK;
void ts_progress_close(struct ts_progress *progress); /* NULL is fine */
/* Would the values of this frame be kept? Asked before ts_progress_frame(), saves preparing them in
 * a rest. */
bool ts_progress_wants(const struct ts_progress *progress, double middle_ms, bool moving);
/* To be told of every frame: a rest lasts until its last one. values: NULL where they are not
 * wanted; [blocks] mean codes times 100 (0..25500, somewhat more where flicker was divided out, but
 * no more than TS_PROGRESS_VALUE_MOST), borrowed for the call.
 * middle_ms: the middle of the exposure, rising. moving: something visible is changing in it. The
 * initial picture is the last one up to t0, or else the first. */
void ts_progress_frame(struct ts_progress *progress, double middle_ms, const uint16_t *values,
                       bool moving);
/* counts: [blocks] 1: the block counts (screen, not endless, not stylus); final: [blocks] as
 * values. Fills progress[], progress_count, visually_complete_85 and speed_index of *out, whose
 * `settled`, `first` and episodes are known already, and each episode's gain: from the middle of
 * the rest before it to the middle of the rest after it. All NAN, and no curve, where `settled` or
 * `first` is NAN or the final picture is the initial one.
 * The u are of the pictures alone, of how far apart they stand and of an error of 0.5 % in the
 * level of the curve; the caller adds what it does not know of the frames' times. */
void ts_progress_result(const struct ts_progress *progress, const uint8_t *counts,
                        const uint16_t *final, struct ts_vision_changes *out);

/* When the curve passes `share` for good, straight between its points; NAN: it does not, or there
 * is none. */
double ts_progress_passes_ms(const struct ts_vision_changes *curve, double share);

#endif
