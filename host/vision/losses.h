/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: frames that were lost, as far as they could hide or shift a result. */
#ifndef TS_VISION_LOSSES_H
#define TS_VISION_LOSSES_H

#include "vision/detector.h"

#define TS_LOSSES_KEPT 64 /* later ones are counted together with the last */

struct ts_losses {
    uint32_t sequence; /* of the latest frame */
    double start_ms;
    size_t frames, count;
    struct ts_loss {
        double from_ms, to_ms; /* starts of the frames on both sides */
        uint32_t frames;
    } loss[TS_LOSSES_KEPT];
};

/* TS_EINVAL: the frame is not later than the one before it. */
int ts_losses_frame(struct ts_losses *losses, uint32_t sequence, double start_ms) TS_MUST_CHECK;
/* Widens u of the changes beside a loss by what it may hide. True: that is more than a period, or
 * so many were lost that a change may have been missed. */
bool ts_losses_matter(const struct ts_losses *losses, const struct ts_vision_view *view,
                      double tap_ms, struct ts_vision_changes *changes);

#endif
