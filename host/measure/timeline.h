/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything of one part on one time axis: host nanoseconds. The MCU's ticks come there by the
 * clock readings of the part, the camera's frames by the sync LEDs, which the MCU stamped; so the
 * USB's delay shifts both alike and is not in any duration between them. */
#ifndef TS_MEASURE_TIMELINE_H
#define TS_MEASURE_TIMELINE_H

#include "base/err.h"
#include "clock/track.h"
#include "model/calibration.h"
#include "model/evidence.h"
#include "tap/tap.h"
#include "vision/sync.h"

struct ts_timeline {
    bool mcu_known; /* the MCU's clock could be fitted */
    /* The stretch in which the tap was sent; suspicious also when the board was reset, its clock
     * jumped or the link stalled (link.h) in this part. */
    struct ts_clock_fit mcu;
    uint32_t boot_id;   /* ticks of another boot are of another clock, and left out */
    int64_t base_ticks; /* unwrapping starts here */
    bool phone_known;   /* the stretch in which the tap was sent */
    struct ts_clock_fit phone;
    struct ts_clock_track phone_real, phone_up; /* owned; no segments: not known */
    int64_t zero_ns;                            /* host: "ms" below count from here */
    /* frames, borrowed from the evidence */
    const uint16_t **blocks;    /* owned array */
    uint32_t *sequence;         /* owned */
    double *arrival_ms;         /* owned */
    struct ts_sync_edge *edges; /* owned */
    size_t edge_count, edge_capacity;
};

int ts_timeline_build(const struct ts_evidence *evidence, struct ts_timeline *out) TS_MUST_CHECK;
void ts_timeline_free(struct ts_timeline *timeline);

/* Unwrapped ticks (with a fraction) -> host nanoseconds. */
double ts_timeline_host_ns(const struct ts_timeline *timeline, double ticks);
double ts_timeline_ms(const struct ts_timeline *timeline, int64_t host_ns);
/* The frames as sync and vision want them. */
struct ts_sync_frames ts_timeline_frames(const struct ts_timeline *timeline,
                                         const struct ts_evidence *evidence);

/* What is known of when the camera took the frames of a part. */
struct ts_frame_times {
    bool tied; /* to the MCU's clock, by the sync LEDs; else placed by their arrival */
    double period_ms, exposure_ms, readout_ms;
    double start_u_ms; /* standard uncertainty, common to all frames */
    double exposure_u_ms, readout_u_ms;
};
/* start_ms: [frames->count], at least one; when row 0 of each began to collect light. */
struct ts_frame_times ts_timeline_place_frames(const struct ts_timeline *timeline,
                                               const struct ts_sync_frames *frames,
                                               const struct ts_calibration *calibration,
                                               double *start_ms);

/* The accelerometer's samples between two stamps, in order; *samples is owned by the caller.
 * Returns their number or a negative ts_err. motor_on receives the tick of the DROPPING state that
 * opens tap number `tap` (from 0), TS_EOF when there is no such tap. */
int ts_timeline_tap(const struct ts_timeline *timeline, const struct ts_evidence *evidence, int tap,
                    struct ts_tap_sample **samples, size_t *count, int64_t *motor_on) TS_MUST_CHECK;
/* When that tap's motor stopped, the stylus held above the glass; false when it is not known. */
bool ts_timeline_held(const struct ts_timeline *timeline, const struct ts_evidence *evidence,
                      int tap, int64_t *held);
/* The contact plate's first closing and last opening during that tap; false when it did neither. */
bool ts_timeline_plate(const struct ts_timeline *timeline, const struct ts_evidence *evidence,
                       int tap, int64_t *closed, int64_t *opened);

#endif
