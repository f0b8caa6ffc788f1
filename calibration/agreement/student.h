/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Student's t on both sides, of stats/distribution.h. */
#ifndef TS_AGREEMENT_STUDENT_H
#define TS_AGREEMENT_STUDENT_H

#include <stddef.h>

/* P(|T| <= t), T with `freedom` >= 1 degrees of freedom. */
double ts_student_within(double t, size_t freedom);
/* The t within which |T| lies with probability `level` (0..1, both excluded); NAN for freedom 0. */
double ts_student_quantile(double level, size_t freedom);

#endif
