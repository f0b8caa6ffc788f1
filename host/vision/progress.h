/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Visual progress of a launch, from the picture before the tap (0) to the final one (1):
 *     progress(t) = 1 - sum |v_b(t) - final_b| / sum |initial_b - final_b|
 * over the blocks b that count. Speed index = integral of (1 - progress) from t0 until settled, ms.
 * The final picture is known only at the end, so pictures are kept, and thinned out where nothing
 * happens, so that memory is bounded however long one looks. */
#ifndef TS_VISION_PROGRESS_H
#define TS_VISION_PROGRESS_H

#include "vision/detector.h"

struct ts_progress;

int ts_progress_open(size_t blocks, struct ts_progress **out) TS_MUST_CHECK;
void ts_progress_close(struct ts_progress *progress); /* NULL is fine */
/* values: [blocks] mean codes times 100 (0..25500), flicker divided out, borrowed for the call.
 * middle_ms: the middle of the exposure, rising. moving: something visible is changing in it. */
void ts_progress_frame(struct ts_progress *progress, double middle_ms, const uint16_t *values,
                       bool moving);
/* counts: [blocks] 1: the block counts (screen, not endless, not stylus); final: [blocks] as
 * values. Fills progress[], progress_count, visually_complete_85 and speed_index of *out, whose
 * `settled` and `first` are known already (NAN: then there is no progress), and each episode's
 * gain. */
void ts_progress_result(const struct ts_progress *progress, const uint8_t *counts,
                        const uint16_t *final, struct ts_vision_changes *out);

#endif
