/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A synthetic study in the shape of paper E's (table I): launches in a lab, and ten weeks of daily
 * use, as recordings of several phones. No figure of it comes from a phone. */
#ifndef TS_ESTIMATORS_STUDY_H
#define TS_ESTIMATORS_STUDY_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum ts_study { TS_STUDY_LAB, TS_STUDY_DAILY };
extern const char *const ts_study_names[]; /* "lab", "daily"; NULL ends */

struct ts_study_recording {
    char device[64];
    char name[64];     /* of the period: "lab", "light-1", "heavy-1", "light-2", "heavy-2" */
    struct ts_buf log; /* owned; what recording.h reads */
};

/* Recording `number` (from 0) of the study that this seed gives. TS_EOF: there are no more.
 * Defined by fixtures/study, which a program may be linked with or not. */
int ts_study_record(enum ts_study study, uint64_t seed, size_t number,
                    struct ts_study_recording *out) TS_MUST_CHECK;

#endif
