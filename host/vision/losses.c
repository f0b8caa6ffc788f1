/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/losses.h"

#include <math.h>

#define DROPPED_SHARE 0.1 /* of the frames from t0 to the end: too much may have been missed */
#define DROPPED_FEW   5
#define SQRT_3        1.7320508075688772 /* half a span by the standard deviation within it */

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

/* A change somewhere in the time that nothing shows. What the frames beside it tell is worth more
 * in an event that many blocks show, but then its u says the rest. */
static double hidden_u_ms(const struct ts_loss *loss, const struct ts_vision_view *view,
                          double tap_ms, double at_ms)
{
    const double from = loss->from_ms - tap_ms, to = loss->to_ms - tap_ms;
    const bool beside = at_ms > from && at_ms < to + view->readout_ms + view->exposure_ms;
    return beside ? (to - from - view->period_ms) / 2 / SQRT_3 : 0;
}

bool ts_losses_matter(const struct ts_losses *losses, const struct ts_vision_view *view,
                      double tap_ms, struct ts_vision_changes *changes)
{
    const double settled = changes->settled.value;
    const double end = isnan(settled) ? losses->start_ms - tap_ms : settled + view->period_ms;
    uint32_t lost = 0;
    bool matters = false;
    for (size_t i = 0; i < losses->count; i++) {
        const struct ts_loss *loss = &losses->loss[i];
        if (loss->to_ms - tap_ms < 0 || loss->from_ms - tap_ms > end)
            continue;
        lost += loss->frames;
        struct ts_metric *metrics[] = {&changes->first, &changes->settled};
        for (int k = 0; k < 2; k++) {
            const double u = hidden_u_ms(loss, view, tap_ms, metrics[k]->value);
            metrics[k]->u = u > 0 ? hypot(metrics[k]->u, u) : metrics[k]->u;
            matters |= u * SQRT_3 > 1.01 * view->period_ms;
        }
    }
    return matters || (lost > DROPPED_FEW && lost * view->period_ms > DROPPED_SHARE * end);
}
