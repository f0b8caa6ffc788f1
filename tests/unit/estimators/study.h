/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic launches whose truth is known: what apps, phones and loads do to times and events is
 * set here, so that tests can ask for it back. No figure of it comes from a phone. */
#ifndef TS_TEST_ESTIMATORS_STUDY_H
#define TS_TEST_ESTIMATORS_STUDY_H

#include "estimators/table.h"

struct study_options {
    size_t launches; /* of each device */
    size_t apps, devices;
    double load;  /* factor on every time: 1.25 for a phone under load */
    double noise; /* sd of a launch's own factor */
    uint64_t seed;
};

/* Cold and hot starts, 44 % cold as in paper E's table I. */
void study_make(const struct study_options *options, struct ts_feature_table *out);

#endif
