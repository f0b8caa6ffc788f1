/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: which blocks do not count. Masks are [blocks], 1 = of that kind. */
#ifndef TS_VISION_CHANGES_MASK_H
#define TS_VISION_CHANGES_MASK_H

#include "vision/changes_steps.h"

/* Regions that go on changing until the end; returns how many blocks they take. */
size_t ts_mask_endless(const struct ts_series *series, const struct ts_story *stories,
                       uint8_t *endless, uint8_t *scratch);
/* The stylus and its shadow. True when something else changed on the screen before t0. */
bool ts_mask_stylus(const struct ts_series *series, const struct ts_story *stories, uint8_t *stylus,
                    uint8_t *scratch);
/* 1 wherever a block of `from` is at most `by` blocks away (in both directions). */
void ts_mask_grow(const struct ts_series *series, const uint8_t *from, size_t by, uint8_t *to);

#endif
