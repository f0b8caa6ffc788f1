/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forests of an estimator: one, or one for each start type against the others. */
#ifndef TS_CLI_ESTIMATE_FORESTS_H
#define TS_CLI_ESTIMATE_FORESTS_H

#include "cli/estimate_model.h"

/* Launches as numbers, row by row; y is the target, or the number of the class. */
struct ts_estimator_matrix {
    double *x, *y; /* owned */
    size_t count, width;
};

bool ts_estimator_is_forest(const struct ts_estimator *estimator);

/* Trains, and learns on launches that the trees have not seen what their votes and times mean.
 * TS_EPROTO: there is nothing to learn; *why says what. */
int ts_estimator_grow(const struct ts_estimator_matrix *from, struct ts_estimator *out,
                      struct ts_why *why) TS_MUST_CHECK;
/* out[count * classes]; classes: ts_estimator_classes(). */
int ts_estimator_ask(const struct ts_estimator *estimator, const double *rows, size_t count,
                     double *out, struct ts_why *why) TS_MUST_CHECK;

#endif
