/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost loop (paper M, section 2.3.3): a feature whose probe slows the launch down too much is
 * rejected, and the formula found again without it. */
#ifndef TS_ESTIMATORS_COST_H
#define TS_ESTIMATORS_COST_H

#include "estimators/spore.h"

#define TS_COST_LIMIT       0.05 /* of the launch, as in the paper */
#define TS_COST_ROUNDS_MOST 256

struct ts_cost_rules {
    const double *cost;  /* per feature: share of the launch that its probe adds; NAN: not known */
    const size_t *probe; /* per feature: features of one probe go together */
    double limit;
    double
        worst_error; /* the loop also ends, without success, when the formula is worse; INFINITY */
};

struct ts_cost_round {
    size_t rejected; /* probe that this round rejected; SIZE_MAX: none, it is the last */
    size_t terms;
    double error, cost; /* of the formula; cost: sum over the probes that it needs */
    bool unknown;       /* a probe that it needs has no measured cost */
};

struct ts_cost_log {
    struct ts_cost_round rounds[TS_COST_ROUNDS_MOST];
    size_t count;
    bool reached; /* the last formula needs no probe above the limit, and is good enough */
};

/* The model of the last round. A round rejects the dearest probe among the formula's. */
int ts_cost_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                const struct ts_cost_rules *rules, struct ts_spore_model *out,
                struct ts_cost_log *log, struct ts_why *why) TS_MUST_CHECK;

#endif
