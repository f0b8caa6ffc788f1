/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: blocks that speak against a cut as it was fitted. */
#ifndef TS_VISION_CONTRADICT_H
#define TS_VISION_CONTRADICT_H

#include "vision/cut.h"

/* A few blocks that are late among many must be heard all the same: adds those of the group that
 * speak most for one refresh more. True: enough of them to be believed. */
bool ts_cut_add_contradicting(struct ts_cut *cut, const struct ts_fit_group *group);

#endif
