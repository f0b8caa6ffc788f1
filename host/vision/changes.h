/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From block sums to the instants of a launch on the screen. Two end rules, side by side. All
 * times are milliseconds from t0 (the lift); the light of frame n, row r of H was collected from
 * start_ms[n] + r * readout / H for exposure_ms. */
#ifndef TS_VISION_CHANGES_H
#define TS_VISION_CHANGES_H

#include "base/err.h"
#include "model/frame.h"
#include "model/result.h"

#include <stddef.h>


struct ts_old_frames {
    const struct ts_camera_geometry *camera;
    size_t count;
    const uint16_t *const *blocks;  /* [count] -> blocks_y * blocks_x sums */
    const double *start_ms;         /* [count] exposure of row 0 begins, rising */
    const uint32_t *sequence;       /* [count] a step of more than 1: frames were lost */
    double period_ms;               /* measured */
    double exposure_ms, readout_ms; /* best knowledge */
    double gamma;                   /* code = 255 * light^(1/gamma); 1 when unknown */
    double start_u_ms;              /* standard uncertainty of start_ms, common to all frames */
    double exposure_u_ms, readout_u_ms;
    const uint8_t *ignore; /* [blocks] 1: not the phone (LEDs, outside the screen); or NULL */
    const uint8_t
        *status_bar;       /* [blocks] 1: status bar: seen as change, never for settled; or NULL */
    double stylus_from_ms; /* the stylus begins to move (< 0); NAN: no stylus in view */
    double stylus_down_ms; /* contact, and ... */
    double stylus_up_ms;   /* pick-up: in between it rests, what changes is the screen; or NAN */
    double quiet_ms;       /* the end is believed after this much rest */
};

struct ts_old_changes {
    struct ts_metric first, last, settled; /* u_common left 0: the caller knows it */
    uint32_t flags;        /* bits of enum ts_flag: no_change, never_settled, screen_not_quiet,
                              light_changed, frames_dropped (only losses that matter to the result) */
    size_t endless_blocks; /* that go on changing until the end */
};

/* Paper E, section 3: |sum25(t) - sum25(t-1)| >= 638 in at least one block; the end is the last
 * changed frame. Ignores masks only of `ignore`. */
int ts_changes_literal(const struct ts_old_frames *frames,
                       struct ts_old_changes *out) TS_MUST_CHECK;
int ts_changes_robust(const struct ts_old_frames *frames,
                      struct ts_old_changes *out) TS_MUST_CHECK;

#endif
