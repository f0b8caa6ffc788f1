/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/losses.h"

#include <math.h>

#define DROPPED_MANY 5

int ts_losses_frame(struct ts_losses *losses, uint32_t sequence, double start_ms)
{
    const uint32_t step = sequence - losses->sequence;
    const double from_ms = losses->start_ms;
    if (!isfinite(start_ms) || (losses->frames > 0 && (!(start_ms > from_ms) || step == 0)))
        return TS_EINVAL;
    losses->sequence = sequence;
    losses->start_ms = start_ms;
    if (losses->frames++ == 0 || step == 1)
        return TS_OK;
    if (losses->count < TS_LOSSES_KEPT) {
        losses->loss[losses->count++] = (struct ts_loss){from_ms, start_ms, step - 1};
        return TS_OK;
    }
    struct ts_loss *last = &losses->loss[TS_LOSSES_KEPT - 1];
    last->to_ms = start_ms;
    last->frames += step - 1;
    return TS_OK;
}

bool ts_losses_matter(const struct ts_losses *losses, const struct ts_vision_view *view,
                      double tap_ms, const struct ts_vision_changes *changes)
{
    const double first = changes->first.value, settled = changes->settled.value;
    const double end = isnan(settled) ? INFINITY : settled + view->period_ms;
    uint32_t lost = 0;
    for (size_t i = 0; i < losses->count; i++) {
        const struct ts_loss *loss = &losses->loss[i];
        const double from = loss->from_ms - tap_ms, to = loss->to_ms - tap_ms;
        if (to < 0 || from > end)
            continue;
        lost += loss->frames;
        const double late = to + view->readout_ms + view->exposure_ms;
        if ((first > from && first < late) || (settled > from && settled < late))
            return true;
    }
    return lost > DROPPED_MANY;
}
