/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trained estimator to carry away: one C file that needs nothing but a compiler,
 *
 *     double touchstone_estimate(const double *features);
 *
 * gives the numbers that this program gives, to the last bit (compiled without -ffast-math and
 * without contraction), and the probes that it needs and no others: which accessibility events, and
 * which commands before the tap (paper M, section 2.3.4: backward reachability, here from the
 * columns that are used over the dictionary's sources). */
#ifndef TS_ESTIMATORS_EMIT_H
#define TS_ESTIMATORS_EMIT_H

#include "estimators/spore.h"

/* Names of the columns of a row in their order: features, and "app=NAME" for 1 or 0. */
struct ts_emit_columns {
    const char *const *names;
    size_t count;
    const char *about; /* goes into the head of the file: which model, trained on what */
};

int ts_emit_spore(const struct ts_spore_model *model, const struct ts_emit_columns *columns,
                  struct ts_buf *out, struct ts_why *why) TS_MUST_CHECK;
/* What the leaves that a launch ends in come to. */
struct ts_emit_sum {
    double base;    /* of ts_forest_base(); they are added to it */
    bool logarithm; /* of a time: factor * exp(sum) is the estimate, and the file needs libm */
    double factor;
};
/* dump: of ts_forest_dump(). TS_EPROTO: it is none. */
int ts_emit_forest(const char *dump, size_t size, struct ts_emit_sum sum,
                   const struct ts_emit_columns *columns, struct ts_buf *out,
                   struct ts_why *why) TS_MUST_CHECK;

/* AccessibilityEvent types that the used columns need, as a bit mask for
 * AccessibilityServiceInfo.eventTypes; 0: none. */
uint32_t ts_emit_event_mask(const struct ts_emit_columns *columns, const bool *used);
/* A shell script for adb: what to ask before the tap and what to watch. */
int ts_emit_script(const struct ts_emit_columns *columns, const bool *used,
                   struct ts_buf *out) TS_MUST_CHECK;
/* used[count]: which columns the trees split by. */
int ts_emit_forest_uses(const char *dump, size_t size, size_t count, bool *used,
                        struct ts_why *why) TS_MUST_CHECK;

#endif
