/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A formula that follows its phone: after every launch that was measured its coefficients move a
 * little (paper M, section 2.3: stochastic gradient descent, no rate given), and an alarm says when
 * that is not enough and terms have to be chosen again. */
#ifndef TS_ESTIMATORS_ONLINE_H
#define TS_ESTIMATORS_ONLINE_H

#include "estimators/spore.h"

struct ts_online {
    double rate; /* 0..2; 0.1 by default: normalised LMS (S. Haykin, Adaptive Filter
                    Theory, 3rd edition, 1996, chapter 9): each coefficient moves by
                    rate * (y - estimate) * x / sum x^2, x the values of the terms */
    /* Page's cumulative sum ("Continuous inspection schemes", Biometrika 41 (1954) 100-115) of how
     * far the relative error of estimates lies above that of training: sum becomes
     * max(0, sum + error - expected - slack). */
    double expected; /* mean relative error in training */
    double slack;    /* this much more is no matter */
    double limit;    /* of the sum, for the alarm */
    double sum;
    size_t seen;
    bool alarm; /* stays until ts_online_start() */
};

void ts_online_start(struct ts_online *online, const struct ts_spore_model *model);

/* Judges the estimate first, then learns from the launch. A row or time that is not finite is
 * passed over. Gives the estimate as it was before. */
double ts_online_update(struct ts_online *online, struct ts_spore_model *model, const double *row,
                        double y);

#endif
