/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone gate BASE NEW`: whether a build may pass, as an exit code. */
#ifndef TS_CLI_GATE_H
#define TS_CLI_GATE_H

#include "cli/compare.h"
#include "stats/spending.h"

/* Exit codes. Wrong usage cannot be 2 here. */
enum ts_gate_outcome {
    TS_GATE_PASS = 0,
    TS_GATE_SLOWER = 1,
    TS_GATE_INCONCLUSIVE = 2,
    TS_GATE_INVALID = 3,
    TS_GATE_USAGE = 64,
};
const char *ts_gate_outcome_name(enum ts_gate_outcome outcome);

int ts_cli_gate(int argc, char **argv);

struct ts_gate_rules {
    double max_regression; /* a share */
    double alpha;          /* of each one-sided question, over all looks and apps */
    double max_unusable;   /* share of an app's launches, on either side */
    /* When it is looked: shares of the planned launches, rising. again: all looks are made now, on
     * the first launches of each side; else the earlier ones were made before, and only the last is
     * made, on all launches. */
    double information[TS_LOOKS_MAX];
    size_t looks;
    bool again;
};

struct ts_gate_app {
    const char *app;            /* borrowed */
    double *values[2];          /* owned; those that count, in time order */
    struct ts_place *places[2]; /* owned */
    size_t count[2], left_out[2][TS_LEFT_OUT_COUNT];
    double u_common_ms;
    enum ts_gate_outcome outcome;
    size_t look;                     /* from 1: that decided it; the last one when none did */
    struct ts_comparison comparison; /* at that look; only when it was made */
    struct ts_why why;               /* of TS_GATE_INVALID */
};

struct ts_gate {
    struct ts_gate_app *apps; /* owned */
    size_t count;
    struct ts_why why; /* of all apps being TS_GATE_INVALID for one reason; "" */
    enum ts_gate_outcome outcome;
};

/* Passes: every app is shown to be slower by less than max_regression. Slower: at least one is
 * shown to be slower by more. An app's p is held against what alpha-spending allows at the look
 * (stats/spending.h), for slower a count-th of alpha (Bonferroni). options->rules.margin is
 * max_regression. TS_ENOMEM, TS_EINVAL: the looks. */
int ts_gate_decide(struct ts_gate *gate, const struct ts_gate_rules *rules,
                   const struct ts_compare_rules *compare) TS_MUST_CHECK;
int ts_gate_load(const struct ts_compare_data *data, const struct ts_gate_rules *rules,
                 const struct ts_compare_options *options, struct ts_gate *out) TS_MUST_CHECK;
void ts_gate_free(struct ts_gate *gate);

/* How often the gate errs on launches like these: each trial draws both sides anew from the same
 * launches: two random halves of an app's sessions where there are six or more, else blocks of
 * neighbouring launches (moving blocks of cbrt(n), H. Kuensch, "The jackknife and the bootstrap for
 * general stationary observations", Annals of Statistics 17 (1989) 1217-1241). */
struct ts_gate_rates {
    int trials;
    /* Both sides the same; and the second slower by exactly max_regression. Shares of trials. */
    double slower_same, inconclusive_same, pass_same;
    double slower_border, pass_border;
};
int ts_gate_calibrate(const struct ts_compare_data *data, const struct ts_gate_rules *rules,
                      const struct ts_compare_options *options, int trials,
                      struct ts_gate_rates *out, struct ts_why *why) TS_MUST_CHECK;

void ts_gate_put_text(const struct ts_gate *gate, const struct ts_gate_rules *rules,
                      struct ts_text_style style, struct ts_out *out);
int ts_gate_put_json(const struct ts_gate *gate, const struct ts_gate_rules *rules,
                     struct ts_out *out) TS_MUST_CHECK;
/* As continuous-integration servers read it: a test case an app; slower: failure, inconclusive:
 * skipped, invalid: error. */
void ts_gate_put_junit(const struct ts_gate *gate, const struct ts_gate_rules *rules,
                       struct ts_out *out);

#endif
