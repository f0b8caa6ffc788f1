/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPORE-FoBa: launch time as a sparse polynomial of few features, a formula that people can read
 * (paper M, section 2.3; L. Huang and others, "Predicting execution time of computer programs using
 * sparse polynomial regression", NIPS 2010, algorithm 2), with LASSO and plain FoBa beside it. */
#ifndef TS_ESTIMATORS_SPORE_H
#define TS_ESTIMATORS_SPORE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_SPORE_DEGREE_MAX 4
#define TS_SPORE_TERMS_MAX  24

/* count rows of `width` features, row by row, all finite; y > 0. Borrowed. */
struct ts_spore_data {
    const double *x, *y;
    size_t count, width;
    const bool *barred; /* features that must not be used; NULL: none */
    /* What becomes 0 and 1 of each feature; NULL: the least and the greatest of these rows. */
    const double *low, *high;
};

enum ts_spore_error { TS_SPORE_RELATIVE, TS_SPORE_RMSE };

struct ts_spore_settings {
    int degree;       /* of a term, in all; 1: linear */
    double threshold; /* a new feature must lower the error by more */
    double f_scale;   /* a new term by more than f_scale * threshold */
    double nu;        /* a term goes if that costs at most nu of what the last one gained */
    double ridge;     /* (X'X + ridge I) c = X'y, the constant's column too */
    size_t max_terms; /* the constant counted */
    enum ts_spore_error error; /* what decides; the fit minimises squares in either case */
    bool relative_fit;         /* weights as 1 / y^2, 1 on average: the fit minimises what the
                                  error counts */
    /* Noise-aware: only features that are chosen in at least 80 % of `resamples` random halves
     * are left in the last fit; 0: the algorithm as published, which takes a few noise terms. */
    size_t resamples;
    uint64_t seed; /* of the halves */
};
/* Of the authors' own program: 3, 0.01, 0.1, 0.5, 1e-3, 5, relative. */
struct ts_spore_settings ts_spore_defaults(void);

struct ts_spore_term {
    int16_t factor[TS_SPORE_DEGREE_MAX]; /* features, ascending, repeated for powers; -1: no more */
};

/* estimate = sum of coefficient * product of (feature - low) / (high - low). */
struct ts_spore_model {
    size_t width;       /* features of a row */
    double *low, *high; /* owned, `width` each: over the rows of training; equal: not used */
    struct ts_spore_term terms[TS_SPORE_TERMS_MAX];
    double coefficients[TS_SPORE_TERMS_MAX];
    size_t count;
    double error; /* on the rows of training */
};

/* TS_EPROTO: fewer than 4 rows, y not above 0, or a number that is not finite. A model of the
 * constant alone is a valid answer. */
int ts_spore_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                 struct ts_spore_model *out, struct ts_why *why) TS_MUST_CHECK;
/* T. Zhang, "Adaptive forward-backward greedy algorithm for sparse learning with linear models",
 * NIPS 2008: over all monomials at once. TS_ENOTSUP: more than TS_EXPANSION_MOST of them. */
int ts_foba_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                struct ts_spore_model *out, struct ts_why *why) TS_MUST_CHECK;
/* R. Tibshirani, "Regression shrinkage and selection via the lasso", J. Royal Statistical Society B
 * 58 (1996) 267-288, over all monomials, by coordinate descent down a path of penalties; the last
 * set of at most max_terms terms is fitted again without the penalty. */
int ts_lasso_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                 struct ts_spore_model *out, struct ts_why *why) TS_MUST_CHECK;
#define TS_EXPANSION_MOST 6000

/* NAN where a feature that is used is. */
double ts_spore_predict(const struct ts_spore_model *model, const double *row);
bool ts_spore_uses(const struct ts_spore_model *model, size_t feature);
/* A feature that is used lies outside the range of training. */
bool ts_spore_extrapolates(const struct ts_spore_model *model, const double *row);
/* Mean |estimate - y| / y, or the root of the mean square. */
double ts_spore_error_of(const struct ts_spore_model *model, const struct ts_spore_data *data,
                         enum ts_spore_error error);
/* "0.284 + 1.944 a + 6.749 a b", of features as shares of their range of training. */
int ts_spore_print(const struct ts_spore_model *model, const char *const *names,
                   struct ts_buf *out) TS_MUST_CHECK;
void ts_spore_free(struct ts_spore_model *model);

#endif
