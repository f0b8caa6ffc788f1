/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stretches of change of a launch are. */
#ifndef TS_VISION_EPISODES_H
#define TS_VISION_EPISODES_H

#include "vision/detector.h"

/* Fills splash, first_app_frame and main_content of *out from its episodes and their gain:
 *   splash          the first episode that covers most of the screen, when another one that covers
 *                   most of it replaces it later;
 *   first_app_frame the episode that replaces the splash, or else the first that covers most of the
 *                   screen;
 *   main_content    the episode from first_app_frame on (or any, where there is no such) that
 *                   brings the largest gain of visual progress, if that is a gain at all.
 * Values are the instants at which these episodes end; NAN: there is none. u: the larger of those
 * of `first` and `settled`, which are placed like the ends of episodes; where both are NAN, so is
 * everything here.
 *
 * An episode covers most of the screen when half of the screen's blocks changed in it, or a tenth
 * of them, spread over most of the area in which anything ever changed: text on a white window
 * changes few blocks, but all over it. Episodes of nothing but endless regions never count. So a
 * small splash (a picture in the middle of a screen that keeps its colour) is no splash, and a
 * white window before content is one. Pictures cannot tell an app that draws its window twice from
 * a splash and one drawing: such an app's first window is called splash. */
void ts_episodes_name(struct ts_vision_changes *out);

#endif
