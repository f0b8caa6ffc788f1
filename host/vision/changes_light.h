/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: did the light change, rather than what it falls on? */
#ifndef TS_VISION_CHANGES_LIGHT_H
#define TS_VISION_CHANGES_LIGHT_H

#include "vision/changes_series.h"

/* 1: the whole picture was multiplied at once by more than 3 %; blocks outside the phone are the
 * witnesses when there are some. 0: it was not. TS_ENOMEM. */
int ts_light_changed(const struct ts_series *series) TS_MUST_CHECK;

#endif
