/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/scene.h"

const char *const ts_scene_names[TS_SCENE_COUNT] = {"cut",   "fade",     "spinner",
                                                    "caret", "carousel", "splash"};

const struct ts_spot ts_spots[TS_SPOT_COUNT] = {{0.44, 0.05, 0.56, 0.11}, {0.44, 0.89, 0.56, 0.95}};
