/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three parts of a launch's measurement; each fills its share of *result and sets flags. */
#ifndef TS_MEASURE_PARTS_H
#define TS_MEASURE_PARTS_H

#include "measure/measure.h"
#include "measure/timeline.h"

/* What a launch begins with. All on the timeline, NAN: not known. */
struct ts_begin_times {
    /* From the accelerometer; none of them without a tap, but that the motor is never (INFINITY)
     * switched on. held: it stopped again. */
    double motor_ms, contact_ms, pickup_ms, lift_ms, held_ms;
    double first_line_ms, first_line_u_ms; /* the launch's first line in Android's log */
    double zero_ms; /* durations count from here: the lift, or without a tap Android's start */
};
/* Fills the stylus' share, and zero_ms by the lift. */
int ts_measure_stylus(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, struct ts_begin_times *times,
                      struct ts_result *result) TS_MUST_CHECK;

/* The terms of an instant of the stylus that was learnt on the contact plate: the spread of one
 * tap, what all share, and of that the plate's own (u of it alone). plate_taps 0: nominal values,
 * which no plate bore out. */
void ts_measure_plate_terms(int plate_taps, double spread_ms, double mean_u_ms, double plate_u_ms,
                            struct ts_budget *budget);

/* What the camera saw, relative to zero_ms. *changes: what the robust rule says, for those who
 * want more of it than the result holds; without frames or time zero, nothing happened. */
int ts_measure_screen(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, const struct ts_plan *plan,
                      const struct ts_begin_times *times, struct ts_result *result,
                      struct ts_vision_changes *changes) TS_MUST_CHECK;

/* What the photodiodes said of a scene; nothing else is computed from it. */
void ts_measure_photodiodes(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                            const struct ts_begin_times *times, struct ts_result *result);

/* The helper's button logs each touch that reached it. */
struct ts_log_line;
bool ts_measure_is_touch(const struct ts_log_line *line);

#define TS_SHUNT_LSB_V 2.5e-6 /* of the INA226 */

/* What it drew from its supply, where the plan asks for that; after the screen. */
int ts_measure_power(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     const struct ts_calibration *calibration, const struct ts_plan *plan,
                     const struct ts_begin_times *times, struct ts_result *result) TS_MUST_CHECK;

/* What Android said of the launch; without a tap also when it began, before the screen. */
int ts_measure_phone(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     struct ts_begin_times *times, struct ts_result *result) TS_MUST_CHECK;
/* After both. */
void ts_measure_first_change(const struct ts_begin_times *times, struct ts_result *result);

#endif
