/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The check standard: a few scenes before and after each campaign, against the differences that the
 * rig's certificate has for scenes of their kinds. Charted one by one (W. Shewhart, Economic
 * Control of Quality of Manufactured Product, 1931; ISO 7870-2:2013, individuals): the point is the
 * median over the check's scenes of difference - the kind's own, its limits are the certificate's
 * spread times Student's t at 99.9 %, with what the certificate itself does not know of its centre.
 * A point beyond its limit is out of control. Eight in a row on one side of zero are a warning: the
 * rig has moved, if by less than matters yet. */
#ifndef TS_INSTRUMENT_CHART_H
#define TS_INSTRUMENT_CHART_H

#include "model/certificate.h"

/* Played by a check are all six kinds and the first four again. Cuts, spinners and carets count,
 * two of each: a fade is too blurred an instant, and carousel and splash take the camera in now and
 * then. */
#define TS_CHECK_SCENES       10
#define TS_CHECK_LEAST        3
#define TS_CONTROL_KIND(kind) ((kind) == 0 || (kind) == 2 || (kind) == 3)
/* A spread smaller than this is chance: no rig repeats itself better. */
#define TS_CONTROL_LEAST_MS 0.1
#define TS_CHART_RUN        8

/* NAN where fewer than TS_CHECK_LEAST scenes are usable, or the certificate has no limits. */
struct ts_check_point {
    double value_ms[TS_MEASURAND_COUNT], limit_ms[TS_MEASURAND_COUNT];
};
struct ts_check_point ts_check_point(const struct ts_control_limits control[TS_MEASURAND_COUNT],
                                     const struct ts_scene_pair *pairs, int count);

/* TS_EPROTO: beyond a limit, or too few usable scenes to say; *why tells. */
int ts_check_judge(const struct ts_check_point *point, struct ts_why *why) TS_MUST_CHECK;

/* How many of the latest points lie on the same side of zero as the last one. */
int ts_chart_run(const double *values, int count);

#endif
