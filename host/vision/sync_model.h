/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The camera as five numbers, what each row of a LED should show under them, and the least squares
 * that finds them (Levenberg and Marquardt, with a smooth Huber loss; W. Press et al., "Numerical
 * Recipes", 15.5 and 15.7). For sync.c alone. */
#ifndef TS_VISION_SYNC_MODEL_H
#define TS_VISION_SYNC_MODEL_H

#include "vision/sync_rows.h"
#include "vision/sync_track.h"

#define TS_SYNC_SIGMA_LEAST 0.004 /* share of the LED's step */

enum ts_sync_parameter {
    TS_SYNC_ORIGIN,
    TS_SYNC_PERIOD,
    TS_SYNC_EXPOSURE,
    TS_SYNC_READOUT,
    TS_SYNC_GAMMA,
    TS_SYNC_PARAMETERS
};

struct ts_sync_model {
    double p[TS_SYNC_PARAMETERS];
    double at_number; /* frame that TS_SYNC_ORIGIN belongs to, counted from the first */
};

struct ts_sync_problem {
    const struct ts_sync_frames *frames;
    const struct ts_led_track *tracks;
    struct ts_arrival_line line;
    struct ts_sync_rows rows;
    bool free[TS_SYNC_PARAMETERS];
    double prior[TS_SYNC_PARAMETERS], prior_u[TS_SYNC_PARAMETERS];
    double sigma; /* robust, of one row */
};

struct ts_sync_normal {
    double matrix[TS_SYNC_PARAMETERS][TS_SYNC_PARAMETERS], vector[TS_SYNC_PARAMETERS];
    double cost, weight, square; /* of rows that see an edge: weights, weighted squares */
};

/* When the row of this frame starts its exposure. */
double ts_sync_row_start(const struct ts_sync_model *model, const struct ts_sync_row *row);
void ts_sync_keep_sane(const struct ts_sync_problem *problem, struct ts_sync_model *model);
/* The normal equations at a model, rows weighted for this sigma. */
void ts_sync_gather(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                    double sigma, struct ts_sync_normal *normal);
/* Solves matrix * x = vector by Cholesky; false when it is singular. */
bool ts_sync_solve(double matrix[TS_SYNC_PARAMETERS][TS_SYNC_PARAMETERS], const double *vector,
                   double *x);
void ts_sync_refine(struct ts_sync_problem *problem, struct ts_sync_model *model);

#endif
