/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenes that the helper app plays for `verify`: made like launches, but the phone itself says
 * on two spots, which photodiodes watch, when they begin to show and when they have settled. */
#ifndef TS_MODEL_SCENE_H
#define TS_MODEL_SCENE_H

#define TS_SCENE_COMPONENT "org.touchstone.helper/.Scene"

/* cut, fade, spinner, caret, carousel, splash; as the helper app calls them. */
#define TS_SCENE_COUNT 6
extern const char *const ts_scene_names[TS_SCENE_COUNT];

/* The spots, 0..1 of the display from its own top left corner: black until the scene's first
 * visible change, white from then on; black until everything outside endless regions is within 2 %
 * of full scale of its final value, white from then on. */
struct ts_spot {
    double x0, y0, x1, y1;
};
#define TS_SPOT_COUNT 2
extern const struct ts_spot ts_spots[TS_SPOT_COUNT];

#endif
