/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone estimate: see estimate --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_ESTIMATE_H
#define TS_CLI_ESTIMATE_H

#include "cli/estimate_model.h"
#include "report/out.h"

int ts_cli_estimate(int argc, char **argv);

/* ---- its parts ---- */

#define TS_ESTIMATE_PATHS_MOST 256

struct ts_estimate_request {
    const char *paths[TS_ESTIMATE_PATHS_MOST];
    size_t path_count;
    const char *output, *script, *device, *external, *model, *gate; /* NULL: not said */
    double horizon_ms;
    bool json;
    struct ts_estimator_settings settings;
};

/* The tables of all paths from `first` on, one below the other. */
int ts_estimate_load(const struct ts_estimate_request *request, size_t first,
                     struct ts_feature_table *out, struct ts_why *why) TS_MUST_CHECK;

/* One function an action; text goes to *out. */
int ts_estimate_features(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_evaluate(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_shift(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_emit(const struct ts_estimate_request *request, struct ts_out *out,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
