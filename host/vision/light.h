/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: has the room's light changed? */
#ifndef TS_VISION_LIGHT_H
#define TS_VISION_LIGHT_H

#include "vision/window.h"

struct ts_light;

int ts_light_open(struct ts_light **out) TS_MUST_CHECK;
void ts_light_close(struct ts_light *light);
/* A step of the light from one level to another in the window. */
bool ts_light_changed(struct ts_light *light, const struct ts_window *window);

#endif
