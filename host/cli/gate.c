/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gate.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "report/text.h"
#include "store/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIALS 1000

enum {
    KEY_REGRESSION = 256,
    KEY_ALPHA,
    KEY_UNUSABLE,
    KEY_LOOKS,
    KEY_INFORMATION,
    KEY_JUNIT,
    KEY_CALIBRATE,
    KEY_TRIALS
};

struct arguments {
    struct ts_compare_arguments shared;
    struct ts_gate_rules rules;
    char **paths; /* borrowed */
    int count, trials;
    const char *junit;
    bool json, calibrate, said;
};

static const struct argp_option options[] = {
    {"max-regression", KEY_REGRESSION, "SHARE", 0, "How much slower is allowed: 5% (needed)", 0},
    {"alpha", KEY_ALPHA, "SHARE", 0, "How often each wrong verdict may come (5%)", 0},
    {"looks", KEY_LOOKS, "K", 0, "Look K times on the way through these launches", 0},
    {"information", KEY_INFORMATION, "F,...", 0,
     "Of the launches planned: shares at which was looked, the last one now", 0},
    {"max-unusable", KEY_UNUSABLE, "SHARE", 0, "More unusable launches: invalid (20%)", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "Also write a JUnit file", 0},
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {"calibrate", KEY_CALIBRATE, 0, 0, "How often this gate errs on launches like these", 1},
    {"trials", KEY_TRIALS, "N", 0, "Of --calibrate (1000)", 1},
    {0},
};

static const char description[] =
    "Judge whether NEW launches as fast as BASE, give or take what is allowed.\v"
    "BASE and NEW are session folders or CSV files, several of a side with commas between them, as "
    "for touchstone compare.\n\n"
    "It passes when every app is shown to be slower by less than --max-regression (or not at all), "
    "and it is slower when one app is shown to be slower by more. Otherwise it is inconclusive: "
    "measure more launches. It is invalid when the rig lost too many launches, detectors or start "
    "types differ, or a file cannot be read.\n\n"
    "To look while launches still come in, say so: alpha is then spent over the looks (Lan and "
    "DeMets, like O'Brien and Fleming), and more launches on an inconclusive gate do not make "
    "false alarms likelier. In a build pipeline: --information 0.5 at half of the launches, "
    "--information 0.5,1 at their end.\n\n"
    "--calibrate takes sessions of one and the same build, plays the gate on random parts of them "
    "and prints how often it cried slower although nothing had changed, and how often it let pass "
    "what was slower by just as much as is allowed. It exits with 0.\n\n"
    "Examples:\n"
    "  touchstone gate out/base out/new --max-regression 5%\n"
    "  touchstone gate b1,b2,b3 n1,n2,n3 --max-regression 3% --junit gate.xml\n"
    "  touchstone gate a.csv b.csv --column settled_ms --by app --max-regression 5%\n"
    "  touchstone gate --calibrate out/base out/again --max-regression 5%\n\n"
    "Exit codes: 0 pass, 1 slower, 2 inconclusive, 3 invalid, 64 wrong usage.";

static int take_count(char *value, const char *name, long most, struct argp_state *state)
{
    char *end;
    const long count = strtol(value, &end, 10);
    if (end == value || *end || count < 1 || count > most)
        argp_error(state, "--%s: '%s' is no whole number from 1 to %ld", name, value, most);
    return (int)count;
}

static void take_information(char *value, struct ts_gate_rules *rules, struct argp_state *state)
{
    rules->looks = 0;
    rules->again = false;
    for (char *at = value, *end; at; at = *end ? end + 1 : NULL) {
        const double share = strtod(at, &end);
        const double before = rules->looks ? rules->information[rules->looks - 1] : 0;
        if (end == at || (*end && *end != ',') || !(share > before && share <= 1) ||
            rules->looks >= TS_LOOKS_MAX)
            argp_error(state, "--information: '%s' are no rising shares up to 1, as 0.5,1", value);
        rules->information[rules->looks++] = share;
    }
}

static error_t parse_rules(int key, char *value, struct argp_state *state,
                           struct arguments *arguments)
{
    struct ts_gate_rules *rules = &arguments->rules;
    switch (key) {
    case KEY_REGRESSION:
        rules->max_regression = ts_share_take(value, "max-regression", 0, state);
        arguments->said = true;
        break;
    case KEY_ALPHA:
        rules->alpha = ts_share_take(value, "alpha", 1e-6, state);
        break;
    case KEY_UNUSABLE:
        rules->max_unusable = ts_share_take(value, "max-unusable", 0, state);
        break;
    case KEY_LOOKS:
        rules->looks = (size_t)take_count(value, "looks", TS_LOOKS_MAX, state);
        rules->again = true;
        for (size_t i = 0; i < rules->looks; i++)
            rules->information[i] = (double)(i + 1) / (double)rules->looks;
        break;
    case KEY_INFORMATION:
        take_information(value, rules, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void check(const struct arguments *arguments, struct argp_state *state)
{
    if (arguments->calibrate ? arguments->count < 1 : arguments->count != 2)
        argp_error(state, arguments->calibrate ? "name sessions of one build"
                                               : "name the two sides: BASE NEW");
    if (!arguments->said)
        argp_error(state, "say how much slower is allowed: --max-regression 5%%");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->shared;
        break;
    case KEY_JUNIT:
        arguments->junit = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case KEY_CALIBRATE:
        arguments->calibrate = true;
        break;
    case KEY_TRIALS:
        arguments->trials = take_count(value, "trials", 1000000, state);
        break;
    case ARGP_KEY_ARGS:
        arguments->paths = state->argv + state->next;
        arguments->count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        check(arguments, state);
        break;
    default:
        return parse_rules(key, value, state, arguments);
    }
    return 0;
}

static const struct argp_child children[] = {{&ts_compare_shared_argp, 0, 0, 2}, {0}};
static const struct argp parser = {options, parse_option, "BASE NEW", description, children, 0, 0};

static int calibrate(const struct arguments *arguments, const struct ts_compare_data *data,
                     struct ts_out *out, struct ts_why *why)
{
    struct ts_gate_rates rates;
    const int err = ts_gate_calibrate(data, &arguments->rules, &arguments->shared.options,
                                      arguments->trials, &rates, why);
    if (err)
        return err;
    if (arguments->json) {
        ts_out_printf(out,
                      "{\"trials\":%d,\"same\":{\"slower\":%.6g,\"inconclusive\":%.6g,\"pass\":"
                      "%.6g},\"border\":{\"slower\":%.6g,\"pass\":%.6g}}\n",
                      rates.trials, rates.slower_same, rates.inconclusive_same, rates.pass_same,
                      rates.slower_border, rates.pass_border);
        return TS_OK;
    }
    const double percent = 100;
    ts_out_printf(out,
                  "%d trials on random parts of these launches:\n"
                  "  nothing changed:         %5.1f %% slower (false alarms), %.1f %% "
                  "inconclusive, %.1f %% pass\n"
                  "  slower by all of %.3g %%:   %5.1f %% slower, %.1f %% pass (wrongly)\n",
                  rates.trials, percent * rates.slower_same, percent * rates.inconclusive_same,
                  percent * rates.pass_same, percent * arguments->rules.max_regression,
                  percent * rates.slower_border, percent * rates.pass_border);
    return TS_OK;
}

static int judge(const struct arguments *arguments, const struct ts_compare_data *data,
                 struct ts_gate *gate, struct ts_out *out, struct ts_why *why)
{
    const struct ts_gate_rules *rules = &arguments->rules;
    int err = ts_gate_load(data, rules, &arguments->shared.options, gate);
    if (!err)
        err = ts_gate_decide(gate, rules, &arguments->shared.options.rules);
    if (!err && arguments->json)
        err = ts_gate_put_json(gate, rules, out);
    else if (!err)
        ts_gate_put_text(gate, rules, ts_text_style_for(stdout), out);
    if (!err && arguments->junit) {
        struct ts_out junit = {0};
        ts_gate_put_junit(gate, rules, &junit);
        err = junit.err ? junit.err : ts_file_write(arguments->junit, &junit.text, why);
        ts_buf_free(&junit.text);
    }
    return err;
}

int ts_cli_gate(int argc, char **argv)
{
    struct arguments arguments = {
        .shared = TS_COMPARE_ARGUMENTS,
        .trials = TRIALS,
        .rules = {.alpha = 0.05, .max_unusable = 0.2, .information = {1}, .looks = 1}};
    struct ts_compare_data data = {0};
    struct ts_gate gate = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_GATE_USAGE;
    argv[0] = "touchstone gate";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    arguments.shared.options.rules.margin = arguments.rules.max_regression;
    int err = TS_OK;
    for (int i = 0; i < arguments.count && !err; i++)
        err = ts_compare_add(&data, arguments.paths[i], &arguments.shared.source, &why);
    if (!err && arguments.calibrate)
        err = calibrate(&arguments, &data, &out, &why);
    else if (!err)
        err = judge(&arguments, &data, &gate, &out, &why);
    const int outcome = arguments.calibrate ? TS_GATE_PASS : (int)gate.outcome;
    ts_gate_free(&gate);
    ts_compare_data_free(&data);
    /* A gate that could not look has not found anything slower. */
    return ts_cli_end(&out, err, &why) == TS_EXIT_OK ? outcome : (int)TS_GATE_INVALID;
}
