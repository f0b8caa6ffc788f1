/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the phone's display is in the picture. */
#ifndef TS_VISION_SCREEN_H
#define TS_VISION_SCREEN_H

#include "base/err.h"
#include "model/frame.h"

/* Finds the display from two averaged block pictures, one with the display white and one black.
 * corners: picture pixels, clockwise from the display's own top left (status bar at corner 0-1).
 * The display's long side runs along the longer side of what lights up; its top is the end nearer
 * to x = 0 (or y = 0 when it stands upright in the picture). TS_EPROTO: nothing of that shape. */
int ts_screen_find(const struct ts_camera_geometry *camera, const double *white,
                   const double *black, double corners[4][2], struct ts_why *why) TS_MUST_CHECK;

/* Finds the display where no flash was filmed: from where the picture changed while a launch did.
 * lowest, highest: [blocks] mean codes of each block over the film. Blocks between others that
 * changed count too; thin traces, as a stylus leaves them, do not. As fine as the blocks. */
int ts_screen_find_moving(const struct ts_camera_geometry *camera, const float *lowest,
                          const float *highest, double corners[4][2],
                          struct ts_why *why) TS_MUST_CHECK;

/* Grown by this, the display holds the centre of every block that shows a row of its pixels. */
#define TS_SCREEN_MARGIN_PX 2.0

/* outside[b] = 1 for blocks whose centre is not inside the quadrilateral, grown by margin_px. */
void ts_screen_mask(const struct ts_camera_geometry *camera, const double corners[4][2],
                    double margin_px, uint8_t *outside);
/* part[b] = 1 for blocks that touch a part of the display, 0..1 across and down from its own top
 * left; 0 for the others. */
void ts_screen_part(const struct ts_camera_geometry *camera, const double corners[4][2], double x0,
                    double y0, double x1, double y1, uint8_t *part);
/* bar[b] = 1 for blocks that touch the top `share` (0..1) of the display. */
void ts_screen_status_bar(const struct ts_camera_geometry *camera, const double corners[4][2],
                          double share, uint8_t *bar);

#endif
