/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what the stylus covers. */
#ifndef TS_VISION_MASK_H
#define TS_VISION_MASK_H

#include "vision/track.h"
#include "vision/window.h"

#define TS_STYLUS_SHARE 0.4 /* of the screen; more is the screen itself */

/* Since then what moves before the tap may be the stylus, ms from the tap. */
double ts_mask_stylus_from_ms(const struct ts_vision_view *view);
/* The stylus and its shadow: what moved shortly before the tap; way: what it may cover on its way
 * out of view, unseen until now. True when something else changed on the screen then, or too much.
 */
bool ts_mask_stylus(const struct ts_track *track, const struct ts_window *window, double tap_ms,
                    uint8_t *stylus, uint8_t *way, uint8_t *scratch);
/* More has just moved outside stylus[] than the arm would newly move into. way: NULL, or the stylus
 * is known to move, and what moves on its way may be it however much that is. */
bool ts_mask_screen_moves(const struct ts_track *track, const uint8_t *stylus, const uint8_t *way);
/* Over a screen as dark as itself it was not seen before the tap: what moves now, and is not the
 * whole screen, is it. */
void ts_mask_find_stylus(const struct ts_track *track, uint8_t *stylus, uint8_t *way,
                         uint8_t *scratch);
/* After the tap, the stylus goes away through blocks that it had not covered before: what moves
 * beside it in way[], and is not the screen, is added to stylus[]. */
void ts_mask_follow_stylus(const struct ts_track *track, double now_ms, const uint8_t *way,
                           uint8_t *stylus);

#endif
