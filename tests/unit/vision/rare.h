/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One launch, its changes laid down one by one, and what the detector must say of it. */
#ifndef TESTS_UNIT_VISION_RARE_H
#define TESTS_UNIT_VISION_RARE_H

#include "picture.h"

#define QUIET_MS 1000.0

void rare_start(struct picture *picture, double until_ms);
struct picture_element *rare_add(struct picture *picture, double from_ms, double x, double y,
                                 double w, double h, double level);
struct ts_vision_changes rare_find(struct picture *picture, struct picture_reference *reference);
void rare_settles(struct picture *picture, double within_ms);
/* There, whatever the content without a camera says. */
void rare_settles_at(struct picture *picture, double ms, double within_ms);
void rare_begins(struct picture *picture, double within_ms);

#endif
