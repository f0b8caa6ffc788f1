/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stretches of change of a launch are. */
#ifndef TS_VISION_EPISODES_H
#define TS_VISION_EPISODES_H

#include "vision/detector.h"

/* Fills splash, first_app_frame and main_content of *out from its episodes and progress:
 *   splash          the first episode that covers most of the screen, when another one that covers
 *                   most of it replaces it later;
 *   first_app_frame the episode that replaces the splash, or else the first that covers most of the
 *                   screen;
 *   main_content    the episode from first_app_frame on (or any) that brings the largest gain of
 *                   visual progress.
 * Values are the instants at which these episodes end. */
void ts_episodes_name(struct ts_vision_changes *out);

#endif
