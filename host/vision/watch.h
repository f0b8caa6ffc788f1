/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The on-line, causal part of the detector: tells control when it need not look any longer. It
 * decides nothing about the result; measure looks at all frames again. */
#ifndef TS_VISION_WATCH_H
#define TS_VISION_WATCH_H

#include "base/err.h"
#include "model/frame.h"

struct ts_watch;

int ts_watch_create(const struct ts_camera_geometry *camera, double quiet_ms,
                    struct ts_watch **out) TS_MUST_CHECK;
void ts_watch_destroy(struct ts_watch *watch);
/* Blocks that are not the screen (1 = ignore); copied. NULL: none. */
void ts_watch_ignore(struct ts_watch *watch, const uint8_t *ignore);
/* Forget what was seen; from now on the noise floor is learnt until ts_watch_arm(). */
void ts_watch_reset(struct ts_watch *watch);
/* The lift has happened (or is about to): changes count from here. */
void ts_watch_arm(struct ts_watch *watch, struct ts_host_time at);
void ts_watch_frame(struct ts_watch *watch, const struct ts_frame *frame);
/* True before a tap when nothing on the screen has changed for quiet_ms. */
bool ts_watch_is_quiet(const struct ts_watch *watch);
/* True after ts_watch_arm(): something changed, and then every block outside those that go on
 * changing has rested for quiet_ms. */
bool ts_watch_has_settled(const struct ts_watch *watch);
bool ts_watch_has_changed(const struct ts_watch *watch);

#endif
