/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone compare A B ...`: devices, builds or conditions against the first. */
#ifndef TS_CLI_COMPARE_H
#define TS_CLI_COMPARE_H

#include "cli/compare_run.h"

#include <argp.h>

int ts_cli_compare(int argc, char **argv);

/* ---- what compare and gate share ---- */
struct ts_compare_arguments {
    struct ts_compare_source source;
    struct ts_compare_options options;
};
#define TS_COMPARE_ARGUMENTS                                                                       \
    ((struct ts_compare_arguments){{"settled", NULL, NULL, NULL, NULL},                            \
                                   {{0.95, 0.05, 0, 1}, TS_RIGS_BY_THEMSELVES, NAN, false}})
/* Options --metric, --column, --by, --session, --rigs, --u-common, --anyway, --seed. */
extern const struct argp ts_compare_shared_argp;

/* "5%" or "0.05", from least to below 1; else it ends with argp_error(). name: without "--". */
double ts_share_take(const char *value, const char *name, double least, struct argp_state *state);

#endif
