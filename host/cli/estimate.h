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
    const char *apks[TS_ESTIMATE_PATHS_MOST];
    size_t apk_count;
    const char *output, *script, *device, *external, *model, *gate, *rig, *db; /* NULL: not said */
    double horizon_ms;
    int study;   /* enum ts_study; -1: not said */
    bool by_app; /* evaluate: leave out an app in place of a device */
    bool json;
    struct ts_estimator_settings settings;
};

/* The database's table, and those of all paths from `first` on, one below the other. */
int ts_estimate_load(const struct ts_estimate_request *request, size_t first,
                     struct ts_feature_table *out, struct ts_why *why) TS_MUST_CHECK;

/* The table of sessions and recordings; silent: launches without accessibility events. */
int ts_estimate_gather(const struct ts_estimate_request *request, struct ts_feature_table *out,
                       size_t *silent, struct ts_why *why) TS_MUST_CHECK;

bool ts_estimate_is_file(const char *path);

/* One function an action; text goes to *out. */
int ts_estimate_apk(const struct ts_estimate_request *request, struct ts_out *out,
                    struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_features(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why) TS_MUST_CHECK;
/* "threshold=0.02,error=rmse": what --spore says. False: there is no such setting or value. */
bool ts_estimate_take_spore(const char *text, struct ts_spore_settings *settings);
int ts_estimate_dictionary(const struct ts_estimate_request *request, struct ts_out *out,
                           struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_train(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_predict(const struct ts_estimate_request *request, struct ts_out *out,
                        struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_evaluate(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why) TS_MUST_CHECK;
/* The tables of paper E, beside its figures: see estimate_study.c. */
int ts_estimate_study(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why) TS_MUST_CHECK;
/* Writes a synthetic study's recordings into a folder. */
int ts_estimate_synthesize(const struct ts_estimate_request *request, struct ts_out *out,
                           struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_early(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_follow(const struct ts_estimate_request *request, struct ts_out *out,
                       struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_resources(const struct ts_estimate_request *request, struct ts_out *out,
                          struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_shift(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why) TS_MUST_CHECK;
int ts_estimate_emit(const struct ts_estimate_request *request, struct ts_out *out,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
