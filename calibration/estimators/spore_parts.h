/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that the sparse regressions share. Inside this room only. */
#ifndef TS_ESTIMATORS_SPORE_PARTS_H
#define TS_ESTIMATORS_SPORE_PARTS_H

#include "estimators/spore.h"

/* What a fit works on: scaled features, and a column of values for any term. */
struct ts_spore_work {
    const struct ts_spore_data *data;
    const struct ts_spore_settings *settings;
    double *scaled;  /* owned; feature by feature, data->count each */
    double *weights; /* owned; of the rows in the fit */
    bool *usable;    /* owned; per feature */
};

/* Chosen terms with their columns; terms[0] is the constant. */
struct ts_spore_set {
    struct ts_spore_term terms[TS_SPORE_TERMS_MAX];
    double *columns; /* owned; TS_SPORE_TERMS_MAX of count */
    double coefficients[TS_SPORE_TERMS_MAX];
    size_t count;
    double error;
};

struct ts_spore_candidates {
    struct ts_spore_term *terms; /* owned */
    size_t count, capacity;
};

/* Also fills the model's scale. Free with ts_spore_work_free() whatever comes back. */
int ts_spore_work_start(struct ts_spore_work *work, const struct ts_spore_data *data,
                        const struct ts_spore_settings *settings, struct ts_spore_model *model,
                        struct ts_why *why) TS_MUST_CHECK;
void ts_spore_work_free(struct ts_spore_work *work);

int ts_spore_set_start(const struct ts_spore_work *work, struct ts_spore_set *set) TS_MUST_CHECK;
void ts_spore_set_copy(const struct ts_spore_work *work, struct ts_spore_set *to,
                       const struct ts_spore_set *from);

void ts_spore_fill(const struct ts_spore_work *work, const struct ts_spore_term *term,
                   double *column);
/* Coefficients and error of the set as it is. */
void ts_spore_solve(const struct ts_spore_work *work, struct ts_spore_set *set);

/* All monomials of 1 .. degree factors over features[count]; with `must` >= 0 only those that
 * have it as a factor. */
int ts_spore_expand(const struct ts_spore_work *work, const size_t *features, size_t count,
                    long must, struct ts_spore_candidates *out) TS_MUST_CHECK;

/* Forward and backward over the candidates, from the set as it is. */
int ts_foba_linear(const struct ts_spore_work *work, const struct ts_spore_candidates *candidates,
                   struct ts_spore_set *set) TS_MUST_CHECK;

void ts_spore_take(struct ts_spore_model *model, const struct ts_spore_set *set);

#endif
