/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"

#include "cli/cli.h"
#include "cli/json_text.h"
#include "cli/output.h"
#include "store/files.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)1 << 30)

enum {
    KEY_DEVICE = 256,
    KEY_HORIZON,
    KEY_KIND,
    KEY_TARGET,
    KEY_SEED,
    KEY_TREES,
    KEY_DEGREE,
    KEY_TERMS,
    KEY_RESAMPLES,
    KEY_COST,
    KEY_EXTERNAL,
    KEY_MODEL,
    KEY_GATE,
    KEY_SCRIPT
};

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {"output", 'o', "FILE", 0, "features, train, emit: what is written", 0},
    {"seed", KEY_SEED, "N", 0, "Of everything that is drawn (1)", 0},
    {"device", KEY_DEVICE, "NAME", 0, "features: the phone; else as the plan says", 1},
    {"horizon-ms", KEY_HORIZON, "MS", 0, "features: only events up to here after the click", 1},
    {"kind", KEY_KIND, "KIND", 0, "forest, start, spore, foba or lasso (forest)", 2},
    {"target", KEY_TARGET, "NAME", 0, "settled_ms or time_to_initial_display_ms (settled_ms)", 2},
    {"trees", KEY_TREES, "N", 0, "forest, start: how many (100)", 2},
    {"degree", KEY_DEGREE, "N", 0, "formulas: of a term, 1 to 4 (3)", 2},
    {"max-terms", KEY_TERMS, "N", 0, "formulas: with the constant (5)", 2},
    {"resamples", KEY_RESAMPLES, "N", 0, "spore: noise-aware, by so many halves (0: not)", 2},
    {"cost", KEY_COST, "SHARE", 0,
     "spore: what the accessibility probe adds to a launch, as "
     "measured by calibrate observers; 0.05 for 5 %",
     2},
    {"external", KEY_EXTERNAL, "DEVICE", 0, "evaluate: train on all devices but this one", 3},
    {"model", KEY_MODEL, "MODEL", 0, "shift: compare estimated times of cold starts", 3},
    {"gate", KEY_GATE, "MODEL", 0, "predict: only where this model of kind start says cold", 3},
    {"script", KEY_SCRIPT, "FILE", 0, "emit: also the probes that are needed", 3},
    {0},
};

static const char description[] =
    "Estimate launch times from what a phone without a rig can tell."
    "\v"
    "Actions:\n"
    "  features SESSION... -o F.csv   the feature table of sessions: accessibility\n"
    "                                 events, state before the tap, reference values\n"
    "  train F.csv... -o MODEL        train an estimator; a forest's trees go to\n"
    "                                 MODEL.ubj\n"
    "  predict MODEL F.csv...         its estimates, as CSV\n"
    "  evaluate F.csv...              how well a kind does: on a tenth of each device's\n"
    "                                 launches, and on each device after training on the\n"
    "                                 others\n"
    "  shift A.csv B.csv              whether launches became slower: by the mean interval\n"
    "                                 of events, or with --model by estimated times\n"
    "  emit MODEL -o FILE.c           the estimator as C that needs nothing else\n\n"
    "A feature table begins with device,app,launch,start_type,settled_ms [ms],"
    "time_to_initial_display_ms [ms]; then features with their units. What is not known is NA.\n\n"
    "Kinds: forest, a random forest of XGBoost; start, a forest that gives the probability of a "
    "cold start; spore, a readable formula of few features; foba and lasso, its rivals.\n\n"
    "Exit codes: 0 done, 1 the data cannot be used, 2 wrong usage.";

struct arguments {
    const char *action;
    struct ts_estimate_request request;
};

static double take_number(const char *value, double low, double high, struct argp_state *state)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end || !(number >= low && number <= high))
        argp_error(state, "\"%s\" is no number from %g to %g", value, low, high);
    return number;
}

static int take_name(const char *value, const char *const *names, struct argp_state *state)
{
    for (int i = 0; names[i]; i++) {
        if (strcmp(value, names[i]) == 0)
            return i;
    }
    argp_error(state, "there is no \"%s\"; --help lists what there is", value);
    return 0;
}

static error_t take_setting(int key, char *value, struct argp_state *state,
                            struct ts_estimator_settings *settings)
{
    switch (key) {
    case KEY_KIND:
        settings->kind = (enum ts_estimator_kind)take_name(value, ts_estimator_names, state);
        break;
    case KEY_TARGET:
        settings->target = take_name(value, ts_estimator_targets, state);
        break;
    case KEY_SEED:
        settings->seed = (uint64_t)take_number(value, 0, 2147483647, state);
        settings->spore.seed = settings->seed;
        break;
    case KEY_TREES:
        settings->trees = (int)take_number(value, 1, 10000, state);
        break;
    case KEY_DEGREE:
        settings->spore.degree = (int)take_number(value, 1, TS_SPORE_DEGREE_MAX, state);
        break;
    case KEY_TERMS:
        settings->spore.max_terms = (size_t)take_number(value, 1, TS_SPORE_TERMS_MAX, state);
        break;
    case KEY_RESAMPLES:
        settings->spore.resamples = (size_t)take_number(value, 0, 1000, state);
        break;
    case KEY_COST:
        settings->cost[TS_PROBE_ACCESSIBILITY] = take_number(value, -1, 100, state);
        settings->costs = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t take_argument(struct arguments *arguments, const char *value,
                             struct argp_state *state)
{
    if (!arguments->action) {
        arguments->action = value;
        return 0;
    }
    if (arguments->request.path_count == TS_ESTIMATE_PATHS_MOST)
        argp_error(state, "more than %d files", TS_ESTIMATE_PATHS_MOST);
    arguments->request.paths[arguments->request.path_count++] = value;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct ts_estimate_request *request = &arguments->request;
    switch (key) {
    case 'j':
        request->json = true;
        break;
    case 'o':
        request->output = value;
        break;
    case KEY_DEVICE:
        request->device = value;
        break;
    case KEY_HORIZON:
        request->horizon_ms = take_number(value, 1, 1e6, state);
        break;
    case KEY_EXTERNAL:
        request->external = value;
        break;
    case KEY_MODEL:
        request->model = value;
        break;
    case KEY_GATE:
        request->gate = value;
        break;
    case KEY_SCRIPT:
        request->script = value;
        break;
    case ARGP_KEY_ARG:
        return take_argument(arguments, value, state);
    default:
        return take_setting(key, value, state, &request->settings);
    }
    return 0;
}

static const struct argp parser = {options, parse_option, "ACTION FILE...", description, 0, 0, 0};

int ts_estimate_load(const struct ts_estimate_request *request, size_t first,
                     struct ts_feature_table *out, struct ts_why *why)
{
    int err = TS_OK;
    *out = (struct ts_feature_table){0};
    for (size_t i = first; i < request->path_count && !err; i++) {
        struct ts_buf text = {0};
        struct ts_feature_table table = {0};
        struct ts_why inner = {""};
        err = ts_file_read(request->paths[i], FILE_MOST, &text, why);
        if (err)
            break;
        err = ts_feature_table_parse((char *)text.data, text.size - 1, &table, &inner);
        if (!err && i == first) {
            *out = table;
            table = (struct ts_feature_table){0};
        } else if (!err) {
            err = ts_feature_table_append(out, &table, &inner);
        }
        if (err)
            ts_fail(why, err, "%s: %s", request->paths[i], inner.text);
        ts_feature_table_free(&table);
        ts_buf_free(&text);
    }
    if (!err && !out->row_count)
        err = ts_fail(why, TS_EPROTO, "%s: there is no launch in it", request->paths[first]);
    if (err)
        ts_feature_table_free(out);
    return err;
}

static void put_formula(const struct ts_estimator *estimator, struct ts_out *out)
{
    const char **names = calloc(estimator->column_count + 1, sizeof *names);
    struct ts_buf text = {0};
    for (size_t i = 0; names && i < estimator->column_count; i++)
        names[i] = estimator->columns[i];
    if (!names || ts_spore_print(&estimator->spore, names, &text) || ts_buf_append(&text, "", 1))
        out->err = TS_ENOMEM;
    else
        ts_out_printf(out,
                      "%s\n(features as shares of their range in training; error there "
                      "%.1f %%)\n",
                      (char *)text.data, 100 * estimator->spore.error);
    for (size_t i = 0; i < estimator->log.count; i++) {
        const struct ts_cost_round *round = &estimator->log.rounds[i];
        ts_out_printf(out, "round %zu: error %.1f %%, probes cost %.1f %%%s%s\n", i + 1,
                      100 * round->error, 100 * round->cost,
                      round->rejected == SIZE_MAX ? "" : ", rejected: ",
                      round->rejected == SIZE_MAX ? "" : ts_probe_names[round->rejected]);
    }
    free(names);
    ts_buf_free(&text);
}

static int train(const struct ts_estimate_request *request, struct ts_out *out, struct ts_why *why)
{
    struct ts_feature_table table;
    struct ts_estimator estimator = {0};
    int err = ts_estimate_load(request, 0, &table, why);
    if (!err)
        err = ts_estimator_train(&table, NULL, &request->settings, &estimator, why);
    if (!err)
        err = ts_estimator_save(&estimator, request->output, why);
    if (!err && request->json)
        err = ts_json_put_line(json_pack("{s:s, s:I, s:I, s:I}", "estimator",
                                         ts_estimator_names[estimator.settings.kind], "launches",
                                         (json_int_t)estimator.rows, "left_out",
                                         (json_int_t)estimator.left_out, "columns",
                                         (json_int_t)estimator.column_count),
                               out);
    else if (!err)
        ts_out_printf(out, "%s: trained on %zu launches, %zu left out\n", request->output,
                      estimator.rows, estimator.left_out);
    if (!err && !request->json && !estimator.forest)
        put_formula(&estimator, out);
    ts_estimator_free(&estimator);
    ts_feature_table_free(&table);
    return err;
}

/* NAN where the gate says that the start was not cold. */
static int pass_gate(const struct ts_estimate_request *request,
                     const struct ts_feature_table *table, double *estimate, struct ts_why *why)
{
    struct ts_estimator gate = {0};
    double *cold = calloc(table->row_count + 1, sizeof *cold);
    int err = cold ? ts_estimator_load(request->gate, &gate, why)
                   : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err && gate.settings.kind != TS_ESTIMATOR_START)
        err = ts_fail(why, TS_EPROTO, "%s: it is not of kind start", request->gate);
    if (!err)
        err = ts_estimator_predict(&gate, table, cold, why);
    for (size_t i = 0; i < table->row_count && !err; i++)
        estimate[i] = cold[i] > 0.5 ? estimate[i] : NAN;
    ts_estimator_free(&gate);
    free(cold);
    return err;
}

static int put_estimates(const struct ts_estimate_request *request,
                         const struct ts_feature_table *table, const double *estimate,
                         bool probability, struct ts_out *out)
{
    const char *name = probability ? "cold_probability" : "estimate_ms";
    json_t *rows = request->json ? json_array() : NULL;
    if (!rows)
        ts_out_printf(out, "launch,%s\n", name);
    for (size_t i = 0; i < table->row_count; i++) {
        if (rows)
            json_array_append_new(rows, json_pack("{s:o, s:o}", "launch",
                                                  ts_json_name(table->rows[i].launch), name,
                                                  ts_json_figure(estimate[i])));
        else if (isnan(estimate[i]))
            ts_out_printf(out, "%s,NA\n", table->rows[i].launch);
        else
            ts_out_printf(out, "%s,%.9g\n", table->rows[i].launch, estimate[i]);
    }
    return rows ? ts_json_put_line(json_pack("{s:o}", "estimates", rows), out) : TS_OK;
}

static int predict(const struct ts_estimate_request *request, struct ts_out *out,
                   struct ts_why *why)
{
    struct ts_feature_table table = {0};
    struct ts_estimator estimator;
    double *estimate = NULL;
    int err = ts_estimator_load(request->paths[0], &estimator, why);
    if (err)
        return err;
    err = ts_estimate_load(request, 1, &table, why);
    if (!err) {
        estimate = calloc(table.row_count + 1, sizeof *estimate);
        err = estimate ? ts_estimator_predict(&estimator, &table, estimate, why)
                       : ts_fail(why, TS_ENOMEM, "out of memory");
    }
    if (!err && request->gate)
        err = pass_gate(request, &table, estimate, why);
    if (!err)
        err = put_estimates(request, &table, estimate,
                            estimator.settings.kind == TS_ESTIMATOR_START, out);
    free(estimate);
    ts_estimator_free(&estimator);
    ts_feature_table_free(&table);
    return err;
}

static const struct {
    const char *name;
    size_t least, most; /* files */
    bool writes;
    int (*run)(const struct ts_estimate_request *request, struct ts_out *out, struct ts_why *why);
} actions[] = {
    {"features", 1, TS_ESTIMATE_PATHS_MOST, true, ts_estimate_features},
    {"train", 1, TS_ESTIMATE_PATHS_MOST, true, train},
    {"predict", 2, TS_ESTIMATE_PATHS_MOST, false, predict},
    {"evaluate", 1, TS_ESTIMATE_PATHS_MOST, false, ts_estimate_evaluate},
    {"shift", 2, 2, false, ts_estimate_shift},
    {"emit", 1, 1, true, ts_estimate_emit},
};

static int refuse(const char *what, const char *which)
{
    fprintf(stderr, "touchstone estimate: %s%s; `touchstone estimate --help` explains\n", what,
            which);
    return TS_EXIT_USAGE;
}

int ts_cli_estimate(int argc, char **argv)
{
    static char name[] = "touchstone estimate"; /* for argp's messages */
    struct arguments arguments = {.request = {.horizon_ms = INFINITY,
                                              .settings = {.seed = 1,
                                                           .trees = 100,
                                                           .spore = ts_spore_defaults(),
                                                           .cost = {0, NAN, NAN}}}};
    const struct ts_estimate_request *request = &arguments.request;
    argv[0] = name;
    argp_err_exit_status = TS_EXIT_USAGE;
    if (argp_parse(&parser, argc, argv, 0, 0, &arguments))
        return TS_EXIT_USAGE;
    if (!arguments.action)
        return refuse("say what to do", "");
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(arguments.action, actions[i].name) != 0)
            continue;
        if (request->path_count < actions[i].least || request->path_count > actions[i].most)
            return refuse("not so many files for ", actions[i].name);
        if (actions[i].writes && !request->output)
            return refuse("-o FILE is missing for ", actions[i].name);
        struct ts_out out = {0};
        struct ts_why why = {""};
        const int err = actions[i].run(request, &out, &why);
        return ts_cli_end(&out, err, &why);
    }
    return refuse("there is no action ", arguments.action);
}
