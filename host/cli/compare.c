/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "report/text.h"
#include "store/files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 1e-6

enum {
    KEY_METRIC = 512,
    KEY_COLUMN,
    KEY_BY,
    KEY_SESSION,
    KEY_RIGS,
    KEY_COMMON,
    KEY_ANYWAY,
    KEY_SEED,
    KEY_DB = 256,
    KEY_MARGIN,
    KEY_LEVEL,
    KEY_CSV,
    KEY_HISTORY,
    KEY_DETECTOR
};

static const struct argp_option shared_options[] = {
    {"metric", KEY_METRIC, "NAME", 0, "Sessions, databases: which number (settled)", 2},
    {"column", KEY_COLUMN, "NAME", 0, "CSV: which column, by heading or number", 2},
    {"by", KEY_BY, "NAME", 0,
     "CSV: the column that names the app; --db, or one session alone: device, build, rig", 2},
    {"session", KEY_SESSION, "NAME", 0, "CSV: the column that names the session", 2},
    {"rigs", KEY_RIGS, "one|several", 0,
     "Whether what a rig's launches share cancels (by the rigs' own calibration)", 2},
    {"u-common", KEY_COMMON, "MS", 0, "Standard uncertainty that a side's launches share", 2},
    {"anyway", KEY_ANYWAY, 0, 0, "Also with other detectors, end rules, start types, times zero",
     2},
    {"seed", KEY_SEED, "N", 0, "Of permutations (1)", 2},
    {0},
};

double ts_share_take(const char *value, const char *name, double least, struct argp_state *state)
{
    char *end;
    double share = strtod(value, &end);
    const bool number = end != value;
    if (*end == '%') {
        share /= 100;
        end++;
    }
    if (!number || *end || !(share >= least && share < 1))
        argp_error(state, "--%s: '%s' is no share, as 5%%", name, value);
    return share;
}

static bool is_metric(const char *name)
{
#define IS(metric)                                                                                 \
    if (strcmp(name, #metric) == 0)                                                                \
        return true;
    TS_METRIC_LIST(IS)
#undef IS
    return strcmp(name, "time_to_initial_display") == 0;
}

static void take_metric(char *value, const char **metric, struct argp_state *state)
{
    if (!is_metric(value))
        argp_error(state,
                   "--metric: there is no '%s'; settled, first_visual_change, "
                   "time_to_initial_display, ...",
                   value);
    *metric = value;
}

static error_t parse_source(int key, char *value, struct argp_state *state,
                            struct ts_compare_source *source)
{
    switch (key) {
    case KEY_METRIC:
        take_metric(value, &source->metric, state);
        break;
    case KEY_COLUMN:
        source->column = value;
        break;
    case KEY_BY:
        source->app = value;
        break;
    case KEY_SESSION:
        source->session = value;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_shared(int key, char *value, struct argp_state *state)
{
    struct ts_compare_arguments *arguments = state->input;
    struct ts_compare_options *options = &arguments->options;
    char *end;
    switch (key) {
    case KEY_RIGS:
        if (strcmp(value, "one") != 0 && strcmp(value, "several") != 0)
            argp_error(state, "--rigs: '%s' is neither one nor several", value);
        options->rigs = strcmp(value, "one") == 0 ? TS_RIGS_ONE : TS_RIGS_SEVERAL;
        break;
    case KEY_COMMON:
        options->u_common_ms = strtod(value, &end);
        if (end == value || *end || !(options->u_common_ms >= 0))
            argp_error(state, "--u-common: '%s' is no number of milliseconds", value);
        break;
    case KEY_ANYWAY:
        options->anyway = true;
        break;
    case KEY_SEED:
        errno = 0;
        options->rules.seed = strtoull(value, &end, 10);
        if (end == value || *end || errno || *value == '-')
            argp_error(state, "--seed: '%s' is no whole number", value);
        break;
    default:
        return parse_source(key, value, state, &arguments->source);
    }
    return 0;
}

const struct argp ts_compare_shared_argp = {shared_options, parse_shared, 0, 0, 0, 0, 0};

struct arguments {
    struct ts_compare_arguments shared;
    char **paths; /* borrowed */
    int count;
    const char *database;
    char own[4096]; /* a session's own database */
    bool json, csv, history;
};

static const struct argp_option options[] = {
    {"db", KEY_DB, "WHERE", 0,
     "Take all launches of a results database, a file or postgres://..., grouped with --by", 0},
    {"detector", KEY_DETECTOR, "VERSION", 0,
     "--db: results by this detector version (default: those that each session kept)", 0},
    {"margin", KEY_MARGIN, "SHARE", 0, "What counts as the same: 5% or 0.05 (5%)", 0},
    {"level", KEY_LEVEL, "SHARE", 0, "Of intervals and tests (95%)", 0},
    {"history", KEY_HISTORY, 0, 0, "A B ... are builds in order: from which one on it changed", 0},
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {"csv", KEY_CSV, 0, 0, "Print one line an app instead of text", 0},
    {0},
};

static const char description[] =
    "Compare launch times: every app of B (and C ...) against A.\v"
    "Each of A, B ... is a session folder, a CSV with a heading, or several of these with commas "
    "between them: then the session is what is compared, and what differs from session to session "
    "is in the interval. With --db, A B ... name which groups (all of them without names).\n\n"
    "For every app: the medians, the change as Hodges and Lehmann estimate it with its interval, "
    "the p of Brunner and Munzel's test after Holm's correction over all apps (below 10 launches a "
    "side by permutation, with several sessions a side by Welch's test, where both sides took "
    "turns within a session by the ranks of their launches in order), and a verdict: slower, "
    "faster, same (shown to lie within --margin) or not shown. --json has more: the difference and "
    "ratio of medians, Cliff's delta, what became faster and steadier (the reduction of the median "
    "and of the standard deviation; of the sessions' medians, with several a side), whether it is "
    "slower by more or by less than the margin, which change would show, and how many launches one "
    "of --margin takes.\n\n"
    "Launches that are not usable are counted and left out; of a CSV those whose column counts is "
    "0, as `touchstone export` writes it. Outliers (Tukey) are counted and stay "
    "in. Launches that resemble their neighbours widen the intervals. Uncertainty that all "
    "launches of a rig share cancels on one rig and stays between two.\n\n"
    "Builds that one campaign took in turns (ABBA, ABAB, blocks of several) are compared as such: "
    "drift, steps and what else befell the session cancel. It takes 6 changes from one side to the "
    "other and 10 launches a side; else each side stands by itself. A session's folder and the "
    "database know the order; of CSVs it takes a column launch (the launch's number in its "
    "session) and --session: the same word is then the same session in all files.\n\n"
    "Examples:\n"
    "  touchstone compare out/base out/new\n"
    "  touchstone compare base1,base2,base3 new1,new2,new3 --json\n"
    "  touchstone compare old.csv new.csv --column settled_ms --by app\n"
    "  touchstone compare out/builds --by build\n"
    "  touchstone compare --db postgres://lab/touchstone --by device\n"
    "  touchstone compare --history b1 b2 b3 b4 b5 b6 b7 b8\n\n"
    "Exit codes: 0 compared, 1 a file cannot be used, or they cannot be compared, 2 wrong usage.";

static bool is_group(const char *by)
{
    return by && (strcmp(by, "device") == 0 || strcmp(by, "build") == 0 || strcmp(by, "rig") == 0);
}

/* `compare DIR --by build`: the builds that one campaign took in turns. */
static void take_own(struct arguments *arguments)
{
    const size_t size = sizeof arguments->own;
    if (arguments->database || arguments->count != 1 || !is_group(arguments->shared.source.app))
        return;
    if ((size_t)snprintf(arguments->own, size, "%s/results.sqlite", arguments->paths[0]) >= size ||
        !ts_file_exists(arguments->own))
        return;
    arguments->database = arguments->own;
    arguments->count = 0;
}

static void check(struct arguments *arguments, struct argp_state *state)
{
    take_own(arguments);
    if (arguments->json && arguments->csv)
        argp_error(state, "either --json or --csv");
    if (arguments->history && arguments->csv)
        argp_error(state, "--history has no --csv");
    if (!arguments->database && arguments->count < 2)
        argp_error(state, "name two or more: A B");
    if (arguments->database && !is_group(arguments->shared.source.app))
        argp_error(state, "--db takes --by device, build or rig");
    if (arguments->shared.source.detector && !arguments->database)
        argp_error(state, "--detector goes with --db");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->shared;
        break;
    case KEY_DB:
        arguments->database = value;
        break;
    case KEY_DETECTOR:
        arguments->shared.source.detector = value;
        break;
    case KEY_MARGIN:
        arguments->shared.options.rules.margin = ts_share_take(value, "margin", LEAST_SHARE, state);
        break;
    case KEY_LEVEL:
        arguments->shared.options.rules.level = ts_share_take(value, "level", LEAST_SHARE, state);
        break;
    case KEY_HISTORY:
        arguments->history = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case KEY_CSV:
        arguments->csv = true;
        break;
    case ARGP_KEY_ARGS:
        arguments->paths = state->argv + state->next;
        arguments->count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        check(arguments, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {{&ts_compare_shared_argp, 0, 0, 2}, {0}};
static const struct argp parser = {options, parse_option, "A B...", description, children, 0, 0};

/* Those groups that were named, in the order in which they were named. */
static int choose(struct ts_compare_data *data, char **names, int count, struct ts_why *why)
{
    for (int i = 0; i < count; i++) {
        size_t found = (size_t)i;
        while (found < data->count && strcmp(data->groups[found].name, names[i]) != 0)
            found++;
        if (found >= data->count)
            return ts_fail(why, TS_EINVAL, "there is no group %s", names[i]);
        const struct ts_group kept = data->groups[i];
        data->groups[i] = data->groups[found];
        data->groups[found] = kept;
    }
    for (size_t i = (size_t)count; count && i < data->count; i++) {
        free(data->groups[i].name);
        free(data->groups[i].rows);
    }
    data->count = count ? (size_t)count : data->count;
    return TS_OK;
}

static int load(const struct arguments *arguments, struct ts_compare_data *data, struct ts_why *why)
{
    const struct ts_compare_source *source = &arguments->shared.source;
    int err = TS_OK;
    if (arguments->database) {
        err = ts_compare_add_database(data, arguments->database, source->app, source, why);
        if (!err)
            err = choose(data, arguments->paths, arguments->count, why);
    }
    for (int i = 0; i < arguments->count && !err && !arguments->database; i++)
        err = ts_compare_add(data, arguments->paths[i], source, why);
    if (!err && data->count < 2)
        err = ts_fail(why, TS_EINVAL, "there is only one group; it takes two");
    return err;
}

int ts_cli_compare(int argc, char **argv)
{
    struct arguments arguments = {.shared = TS_COMPARE_ARGUMENTS};
    struct ts_compare_data data = {0};
    struct ts_compared *compared = NULL;
    struct ts_out out = {0};
    struct ts_why why = {""};
    const struct ts_compare_options *chosen = &arguments.shared.options;
    const struct ts_text_style style = ts_text_style_for(stdout);
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone compare";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    int err = load(&arguments, &data, &why);
    if (!err && arguments.history)
        err = ts_compare_history(&data, chosen, arguments.json, style, &out, &why);
    const size_t count = !err && !arguments.history ? data.count - 1 : 0;
    if (count && !(compared = calloc(count, sizeof *compared)))
        err = TS_ENOMEM;
    if (compared) {
        err = ts_compare_run(&data, chosen, compared, &why);
        if (!err && arguments.json)
            err = ts_compared_put_json(compared, count, chosen, &out);
        else if (!err && arguments.csv)
            ts_compared_put_csv(compared, count, chosen, &out);
        else if (!err)
            ts_compared_put_text(compared, count, chosen, style, &out);
        ts_compared_free(compared, count);
    }
    free(compared);
    ts_compare_data_free(&data);
    return ts_cli_end(&out, err, &why);
}
