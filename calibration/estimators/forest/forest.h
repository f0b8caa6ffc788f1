/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random forest (L. Breiman, "Random forests", Machine Learning 45 (2001) 5-32), grown by
 * XGBoost: one round of parallel trees without shrinkage or penalty. Of durations each tree gives a
 * time; of labels 0 and 1 the mean is the share of votes. Missing features (NAN) are taken as they
 * are. The only place that knows XGBoost. */
#ifndef TS_FOREST_FOREST_H
#define TS_FOREST_FOREST_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct ts_forest_settings {
    int trees;      /* 100 */
    double rows;    /* share of the rows that each tree sees, without replacement: 0.63, as many
                       different ones as a bootstrap has */
    double columns; /* share of the features that each split may choose from: 0.33 */
    int depth;      /* 30: as good as no limit */
    uint32_t seed;
};
struct ts_forest_settings ts_forest_defaults(void);

struct ts_forest;

/* x: count rows of width, row by row. TS_EPROTO: no rows, all targets equal, or no feature that
 * varies; *why says which. */
int ts_forest_train(const double *x, const double *y, size_t count, size_t width,
                    const struct ts_forest_settings *settings, struct ts_forest **out,
                    struct ts_why *why) TS_MUST_CHECK;
int ts_forest_predict(const struct ts_forest *forest, const double *x, size_t count, size_t width,
                      double *out, struct ts_why *why) TS_MUST_CHECK;

int ts_forest_save(const struct ts_forest *forest, struct ts_buf *out,
                   struct ts_why *why) TS_MUST_CHECK;
/* TS_EPROTO: these bytes are no forest, or have other features. */
int ts_forest_load(const void *bytes, size_t size, size_t width, struct ts_forest **out,
                   struct ts_why *why) TS_MUST_CHECK;
/* The trees as a JSON array, numbers to the last bit: for the emitter. */
int ts_forest_dump(const struct ts_forest *forest, struct ts_buf *out,
                   struct ts_why *why) TS_MUST_CHECK;
/* What the trees' leaves are added to. */
double ts_forest_base(const struct ts_forest *forest);
void ts_forest_free(struct ts_forest *forest);

#endif
