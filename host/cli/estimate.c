/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"

#include "cli/cli.h"
#include "cli/estimate_db.h"
#include "cli/json_text.h"
#include "cli/output.h"
#include "estimators/study.h"
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
    KEY_SCRIPT,
    KEY_STUDY,
    KEY_BY,
    KEY_RIG,
    KEY_APK,
    KEY_DB,
    KEY_SPORE
};

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {"output", 'o', "FILE", 0, "features, train, emit: what is written", 0},
    {"seed", KEY_SEED, "N", 0, "Of everything that is drawn (1)", 0},
    {"device", KEY_DEVICE, "NAME", 0, "features: the phone; else as the plan says", 1},
    {"horizon-ms", KEY_HORIZON, "MS", 0, "features: only events up to here after the click", 1},
    {"apk", KEY_APK, "FILE.apk", 0, "features: facts about this app too (more often: of more apps)",
     1},
    {"db", KEY_DB, "WHERE", 0,
     "features: put the table there too, or instead of -o; train, predict, evaluate, follow, "
     "shift: take it from there. postgres://USER@HOST/NAME, or the path of an SQLite file",
     1},
    {"kind", KEY_KIND, "KIND", 0, "forest, ratio, start, type, spore, foba or lasso (forest)", 2},
    {"target", KEY_TARGET, "NAME", 0,
     "settled_ms, time_to_initial_display_ms, or any column of numbers, such as energy_mj of "
     "sessions whose plan has meters (settled_ms)",
     2},
    {"trees", KEY_TREES, "N", 0, "forest, start: how many (100)", 2},
    {"degree", KEY_DEGREE, "N", 0, "formulas: of a term, 1 to 4 (3)", 2},
    {"max-terms", KEY_TERMS, "N", 0, "formulas: with the constant (5)", 2},
    {"resamples", KEY_RESAMPLES, "N", 0, "spore: noise-aware, by so many halves (0: not)", 2},
    {"spore", KEY_SPORE, "NAME=VALUE,...", 0,
     "formulas: threshold=0.01 f_scale=0.1 nu=0.5 ridge=0.001, error=relative or rmse (what "
     "decides), fit=absolute or relative (whose squares are least)",
     2},
    {"cost", KEY_COST, "[PROBE=]SHARE", 0,
     "spore: what this probe (accessibility or polling; accessibility) adds to a launch, 0.05 for "
     "5 %; features of a probe that costs more than 5 % are rejected. --rig has them measured",
     2},
    {"external", KEY_EXTERNAL, "DEVICE", 0, "evaluate: train on all devices but this one", 3},
    {"by", KEY_BY, "WHAT", 0, "evaluate: leave out each device, or each app, in turn (device)", 3},
    {"rig", KEY_RIG, "RIG", 0,
     "train: the probes' cost as calibrate observers found it; resources: that of polling", 3},
    {"study", KEY_STUDY, "STUDY", 0,
     "evaluate: lab or daily, in the shape of the paper's tables; without files a synthetic study",
     3},
    {"model", KEY_MODEL, "MODEL", 0, "shift: compare estimated times of cold starts", 3},
    {"gate", KEY_GATE, "MODEL", 0, "predict: only where this model of kind start says cold", 3},
    {"script", KEY_SCRIPT, "FILE", 0, "emit: also the probes that are needed", 3},
    {0},
};

static const char description[] =
    "Estimate launch times from what a phone without a rig can tell."
    "\v"
    "Actions:\n"
    "  features SOURCE... -o F.csv  feature table of sessions, or of recordings of\n"
    "                               daily use: events, state before the tap, times\n"
    "  train F.csv... -o MODEL      train an estimator; trees go to MODEL.ubj\n"
    "  predict MODEL F.csv...       its estimates, as CSV\n"
    "  evaluate F.csv...            how well a kind does: on a tenth of a device's\n"
    "                               launches, and on each device after the others\n"
    "  evaluate --study lab|daily   the original paper's tables beside ours, of\n"
    "                               feature tables or of a synthetic study\n"
    "  study lab|daily -o FOLDER    that study's recordings, to try things on\n"
    "  early SOURCE...              how early in a launch its time can be estimated\n"
    "  follow MODEL F.csv...        a formula learns on from launch to launch, and\n"
    "                               says when that no longer does; -o: what it has\n"
    "                               become\n"
    "  resources SESSION...         how far off the launch's end is by memory and\n"
    "                               by processor load alone, of launches that were\n"
    "                               polled (calibrate observers does): do not use\n"
    "                               them; or TRACE.csv F.csv\n"
    "  shift A.csv B.csv            whether launches became slower from one to the\n"
    "                               other: by the interval of events, or with\n"
    "                               --model by estimated times of cold starts\n"
    "  shift F.csv                  since when, by the dates of its launches\n"
    "  apk FILE.apk...              facts about apps, as features --apk adds them\n"
    "  dictionary                   every feature: its unit, what it needs of a phone\n"
    "  emit MODEL -o FILE.c         the estimator as C that needs nothing else\n\n"
    "A recording is what `adb logcat -v epoch -b main,system,events` writes while the helper "
    "app's recorder is on.\n\n"
    "A trace begins with launch,at_ms,available_kb,load: a reading of the phone a line, ms after "
    "the "
    "tap; load is the busy share of /proc/stat times frequency over the highest.\n\n"
    "A feature table begins with device,app,launch,start_type,settled_ms [ms],"
    "time_to_initial_display_ms [ms]; then features with their units. What is not known is NA. "
    "--db keeps the same in the tables feature_launch and feature_value, NULL for NA.\n\n"
    "Kinds: forest, a random forest of XGBoost; ratio, one of logarithms, whose relative error is "
    "the least; start, a forest that gives the probability of a cold start from the counts of "
    "events; type, those of cold, warm and hot starts, from when the first events came too; spore, "
    "a readable formula "
    "of few features; foba and lasso, its rivals.\n\n"
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

/* "0.08" or "polling=0.24". */
static void take_cost(const char *value, struct argp_state *state,
                      struct ts_estimator_settings *settings)
{
    enum ts_probe probe = TS_PROBE_ACCESSIBILITY;
    const char *sign = strchr(value, '=');
    if (sign) {
        const size_t size = (size_t)(sign - value);
        while (probe <= TS_PROBE_POLLING &&
               (strncmp(ts_probe_names[probe], value, size) != 0 || ts_probe_names[probe][size]))
            probe++;
        if (probe > TS_PROBE_POLLING)
            argp_error(state, "\"%.*s\" is no probe: accessibility or polling", (int)size, value);
        value = sign + 1;
    }
    settings->cost[probe] = take_number(value, -1, 100, state);
    settings->costs = true;
}

static error_t take_setting(int key, char *value, struct argp_state *state,
                            struct ts_estimator_settings *settings)
{
    switch (key) {
    case KEY_KIND:
        settings->kind = (enum ts_estimator_kind)take_name(value, ts_estimator_names, state);
        break;
    case KEY_TARGET:
        if (!*value || strlen(value) >= sizeof settings->target)
            argp_error(state, "--target is the name of a column");
        snprintf(settings->target, sizeof settings->target, "%s", value);
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
    case KEY_SPORE:
        if (!ts_estimate_take_spore(value, &settings->spore))
            argp_error(state, "--spore does not take \"%s\"", value);
        break;
    case KEY_COST:
        take_cost(value, state, settings);
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

static const char *const sides[] = {"device", "app", NULL};

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
    case KEY_RIG:
        request->rig = value;
        break;
    case KEY_APK:
        if (request->apk_count == TS_ESTIMATE_PATHS_MOST)
            argp_error(state, "more than %d APKs", TS_ESTIMATE_PATHS_MOST);
        request->apks[request->apk_count++] = value;
        break;
    case KEY_DB:
        request->db = value;
        break;
    case KEY_BY:
        request->by_app = take_name(value, sides, state);
        break;
    case KEY_STUDY:
        request->study = take_name(value, ts_study_names, state);
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
    if (request->db)
        err = ts_feature_db_get(request->db, out, why);
    for (size_t i = first; i < request->path_count && !err; i++) {
        struct ts_buf text = {0};
        struct ts_feature_table table = {0};
        struct ts_why inner = {""};
        err = ts_file_read(request->paths[i], FILE_MOST, &text, why);
        if (err)
            break;
        err = ts_feature_table_parse((char *)text.data, text.size - 1, &table, &inner);
        if (!err && !out->features && !out->row_count) {
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

static const struct {
    const char *name;
    size_t least, most; /* files; with --db one fewer will do where it gives the table */
    bool takes_table, writes;
    int (*run)(const struct ts_estimate_request *request, struct ts_out *out, struct ts_why *why);
} actions[] = {
    {"features", 1, TS_ESTIMATE_PATHS_MOST, false, true, ts_estimate_features},
    {"apk", 1, TS_ESTIMATE_PATHS_MOST, false, false, ts_estimate_apk},
    {"dictionary", 0, 0, false, false, ts_estimate_dictionary},
    {"train", 1, TS_ESTIMATE_PATHS_MOST, true, true, ts_estimate_train},
    {"predict", 2, TS_ESTIMATE_PATHS_MOST, true, false, ts_estimate_predict},
    {"evaluate", 1, TS_ESTIMATE_PATHS_MOST, true, false, ts_estimate_evaluate},
    {"study", 1, 1, false, true, ts_estimate_synthesize},
    {"early", 1, TS_ESTIMATE_PATHS_MOST, false, false, ts_estimate_early},
    {"follow", 2, TS_ESTIMATE_PATHS_MOST, true, false, ts_estimate_follow},
    {"resources", 1, TS_ESTIMATE_PATHS_MOST, false, false, ts_estimate_resources},
    {"shift", 1, 2, true, false, ts_estimate_shift},
    {"emit", 1, 1, false, true, ts_estimate_emit},
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
    struct arguments arguments = {
        .request = {
            .horizon_ms = INFINITY,
            .study = -1,
            .settings = {.target = TS_TARGET_SETTLED,
                         .seed = 1,
                         .trees = 100,
                         .spore = ts_spore_defaults(),
                         .cost = {[TS_PROBE_ACCESSIBILITY] = NAN, [TS_PROBE_POLLING] = NAN}}}};
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
        const bool studies = request->study >= 0 && actions[i].run == ts_estimate_evaluate;
        const bool less = request->db && actions[i].takes_table;
        const bool kept = request->db && actions[i].run == ts_estimate_features;
        if (request->path_count < (studies ? 0 : actions[i].least - less) ||
            request->path_count > actions[i].most)
            return refuse("not so many files for ", actions[i].name);
        if (actions[i].writes && !request->output && !kept)
            return refuse("-o FILE is missing for ", actions[i].name);
        struct ts_out out = {0};
        struct ts_why why = {""};
        const int err = actions[i].run(request, &out, &why);
        return ts_cli_end(&out, err, &why);
    }
    return refuse("there is no action ", arguments.action);
}
