/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a duration's uncertainty comes from: its terms, after JCGM 100:2008 ("GUM"), 5.1.2 and 8.
 */
#ifndef TS_MODEL_BUDGET_H
#define TS_MODEL_BUDGET_H

#include <stdbool.h>

enum ts_shape {
    TS_SHAPE_NORMAL,
    TS_SHAPE_STUDENT, /* a normal one whose spread was estimated: has dof */
    TS_SHAPE_UNIFORM, /* of half width sqrt(3) u; two alike make a triangle, others a trapezoid */
};
extern const char *const ts_shape_names[]; /* NULL ends the row */

/* name, type (A: from repetitions, B: known otherwise; JCGM 100:2008, 4.2 and 4.3), shared by the
 * whole session, shape, in words
 * (at most 30 characters: a column of a table). */
#define TS_TERM_LIST(X)                                                                            \
    X(CHANGE, change, 'A', false, NORMAL, "place of change in the frames")                         \
    X(FRAMES, frames, 'A', false, NORMAL, "frames on the MCU's clock")                             \
    X(EXPOSURE, exposure, 'A', false, NORMAL, "exposure time, half of it")                         \
    X(READOUT, readout, 'A', false, NORMAL, "row time, half the picture")                          \
    X(LATENCY, latency, 'B', true, UNIFORM, "camera latency, no sync LEDs")                        \
    X(LIFT_TAP, lift_tap, 'A', false, STUDENT, "stylus, from tap to tap")                          \
    X(LIFT_DELAY, lift_delay, 'A', true, STUDENT, "stylus, its calibration")                       \
    X(PLATE, plate, 'B', true, UNIFORM, "contact plate, early or late")                            \
    X(CLOCK, clock, 'B', false, NORMAL, "rate of the MCU's clock")                                 \
    X(HOST, host, 'B', true, UNIFORM, "MCU's clock on the host's")                                 \
    X(PHONE, phone, 'B', true, UNIFORM, "phone's clock on the host's")                             \
    X(STAMP, stamp, 'B', false, UNIFORM, "stamp of Android's start")

enum ts_term_name {
#define TS_TERM_ENUM(NAME, name, type, common, shape, words) TS_TERM_##NAME,
    TS_TERM_LIST(TS_TERM_ENUM)
#undef TS_TERM_ENUM
        TS_TERM_COUNT
};

struct ts_term_kind {
    const char *name, *words;
    char type;
    bool common;
    enum ts_shape shape;
};
extern const struct ts_term_kind ts_term_kinds[TS_TERM_COUNT];

/* One term: the input's standard uncertainty in its own unit, by how many ms the duration moves
 * with one of these, and the degrees of freedom behind it (INFINITY: known otherwise). Its share of
 * the duration's uncertainty is |sensitivity| * u. */
struct ts_term {
    double u, sensitivity, dof;
};

struct ts_budget {
    struct ts_term terms[TS_TERM_COUNT]; /* u 0: plays no part */
};

/* |sensitivity| * u. */
double ts_term_share_ms(const struct ts_term *term);

/* Combined standard uncertainty, JCGM 100:2008, 5.1.2, equation (10), 0 without a term; and the
 * part of it that the whole session shares. */
double ts_budget_u_ms(const struct ts_budget *budget);
double ts_budget_common_ms(const struct ts_budget *budget);

/* Effective degrees of freedom: Welch and Satterthwaite, JCGM 100:2008, G.4.1. */
double ts_budget_dof(const struct ts_budget *budget);

#endif
