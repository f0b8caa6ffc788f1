/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that decides: items in, commands out. It knows no "now" but the stamp of the item it
 * is given, never sleeps, and draws every choice from the seed; so the same items give the same
 * commands, which `replay --strict` checks.
 *
 * A campaign is a row of parts: part 0 learns the instrument (screen, sync LEDs, contact plate,
 * clocks), parts 1..n are the launches, first the helper app's scenes if the plan asks for any.
 * Each part runs through a table of steps (control/steps.c). */
#ifndef TS_CONTROL_CONTROL_H
#define TS_CONTROL_CONTROL_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/evidence.h"
#include "model/item.h"
#include "model/plan.h"

#define TS_CONTROL_COMMANDS_MAX 16

struct ts_control_output {
    struct ts_command commands[TS_CONTROL_COMMANDS_MAX]; /* strings borrowed until the next call */
    size_t count;
    bool part_ended; /* the item just taken was the part's last one */
};

struct ts_control;

/* plan and camera are borrowed for the life of the control. */
int ts_control_create(const struct ts_plan *plan, uint64_t seed,
                      const struct ts_camera_geometry *camera,
                      struct ts_control **out) TS_MUST_CHECK;
void ts_control_destroy(struct ts_control *control);

/* Opens the next part and gives its first commands; first call: part 0. TS_EOF after the last. */
int ts_control_next_part(struct ts_control *control, struct ts_host_time now,
                         struct ts_control_output *out) TS_MUST_CHECK;
/* As next_part, after the last part that shall be: what leaves the phone as it was found. TS_EOF:
 * there is nothing to do. Its commands and items belong to no part. */
int ts_control_close_down(struct ts_control *control, struct ts_host_time now,
                          struct ts_control_output *out) TS_MUST_CHECK;
/* Another control had finished this part, with these conditions and flags: the next one follows
 * it. For parts 1, 2, ... in turn, before the first next_part. */
void ts_control_take_over(struct ts_control *control, const struct ts_result *finished);
/* After part 1, 2, ..., before the next one: what was measured of it. By the plan's stop rule its
 * app may have enough, and no more launches of it follow; then the reason goes into the conditions
 * of *result and of intent. TS_ENOMEM. */
int ts_control_measured(struct ts_control *control, struct ts_result *result) TS_MUST_CHECK;
/* One item of the open part. A frame's blocks are filled in. Negative: the rig cannot go on; *why
 * says what to do. */
int ts_control_item(struct ts_control *control, const struct ts_item *item,
                    struct ts_control_output *out, struct ts_why *why) TS_MUST_CHECK;

/* The number of the open part, 0..n, and what control knew in it. */
int ts_control_part(const struct ts_control *control);
const struct ts_evidence_intent *ts_control_intent(const struct ts_control *control);
/* After part 0: what it taught; copied. */
void ts_control_calibrated(struct ts_control *control, const struct ts_calibration *calibration);

#endif
