/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three parts of a launch's measurement; each fills its share of *result and sets flags. */
#ifndef TS_MEASURE_PARTS_H
#define TS_MEASURE_PARTS_H

#include "measure/measure.h"
#include "measure/timeline.h"

/* Contact, pick-up and lift from the accelerometer. lift_ms, motor_ms: on the timeline; NAN when
 * the stylus did not lift. */
struct ts_stylus_times {
    double motor_ms, contact_ms, pickup_ms, lift_ms;
    double lift_u_ms, lift_common_u_ms;
};
int ts_measure_stylus(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, struct ts_stylus_times *times,
                      struct ts_result *result) TS_MUST_CHECK;

/* What the camera saw, relative to the lift. *changes: what the robust rule says, for those who
 * want more of it than the result holds; without frames or lift, nothing happened. */
int ts_measure_screen(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, const struct ts_plan *plan,
                      const struct ts_stylus_times *times, struct ts_result *result,
                      struct ts_vision_changes *changes) TS_MUST_CHECK;

/* What the photodiodes said of a scene; nothing else is computed from it. */
void ts_measure_photodiodes(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                            const struct ts_stylus_times *times, struct ts_result *result);

/* What Android said of the launch. */
int ts_measure_phone(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     const struct ts_stylus_times *times, struct ts_result *result) TS_MUST_CHECK;

#endif
