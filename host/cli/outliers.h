/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone outliers FILE`: marks what does not belong, by a method of one's choice. */
#ifndef TS_CLI_OUTLIERS_H
#define TS_CLI_OUTLIERS_H

#include "cli/table_csv.h"

#include <jansson.h>
#include <stdbool.h>

int ts_cli_outliers(int argc, char **argv);

/* ---- its parts ---- */

/* NAN and NULL: not said. */
struct ts_outlier_request {
    double tick, floor, percentile, ratio, above, centre;
    size_t neighbours; /* 0: not said */
    bool polynomial, force;
};

/* A row of the table of methods. run() marks, and says in `parameters` what it went by. `sorted`
 * holds the same values in ascending order. TS_ENOTSUP: it does not apply, *why says how. */
struct ts_outlier_method {
    const char *name;
    size_t least; /* values that it needs, unless forced */
    int (*run)(const struct ts_outlier_request *request, const struct ts_column *column,
               const double *sorted, bool *marked, json_t *parameters, struct ts_why *why);
};
extern const struct ts_outlier_method ts_outlier_methods[];
extern const size_t ts_outlier_method_count;

#endif
