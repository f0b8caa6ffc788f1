/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/show.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "report/budget.h"
#include "report/text.h"
#include "store/result_file.h"

#include <argp.h>
#include <stdio.h>

struct arguments {
    const char *dir;
    int launch; /* 0: all of them */
    bool json, budget;
};

static const struct argp_option options[] = {
    {"budget", 'b', 0, 0, "With LAUNCH: where the uncertainty of its settled comes from", 0},
    {"json", 'j', 0, 0, "Print JSON: the session's summary, or the launch as in its result.json",
     0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'b':
        arguments->budget = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        ts_cli_take_launch(value, state, &arguments->dir, &arguments->launch);
        break;
    case ARGP_KEY_END:
        if (!arguments->dir)
            argp_error(state, "name a session folder");
        if (arguments->budget && !arguments->launch)
            argp_error(state, "--budget is of one launch: name its number after the folder");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR [LAUNCH]",
    "Show the results of the session in DIR, or everything about one launch.\v"
    "Without LAUNCH: one line an app with medians in milliseconds and the 95 % range of the "
    "median, then what did not count, why, and what to do; an app that started cold, warm and hot "
    "has a line for each. With LAUNCH (a number from 1): its "
    "instants and numbers in milliseconds after the stylus left the glass, with their standard "
    "uncertainties u, a timeline, Android's own numbers, and its flags in words. A dash means that "
    "there is no such number.\n\n"
    "Examples:\n"
    "  touchstone show out/first\n"
    "  touchstone show out/first 7\n"
    "  touchstone show out/first 7 --budget\n"
    "  touchstone show out/first --json | jq '.apps[].settled_ms.median'\n\n"
    "NO_COLOR turns colours off.\n"
    "Exit codes: 0 shown, 1 no such session or launch, or damaged, 2 wrong usage.",
    0,
    0,
    0};

static int put_launch(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_report_data data;
    int err = ts_report_data_load(arguments->dir, &data, why);
    if (err)
        return err;
    if ((size_t)arguments->launch > data.count) {
        err = ts_fail(why, TS_EINVAL, "%.200s has launches 1 to %zu, there is no launch %d",
                      arguments->dir, data.count, arguments->launch);
    } else {
        const struct ts_launch *launch = &data.launches[arguments->launch - 1];
        if (arguments->budget && arguments->json)
            ts_json_budget(&launch->result, out);
        else if (arguments->budget)
            ts_text_budget(&launch->result, ts_text_style_for(stdout), out);
        else if (arguments->json)
            err = ts_result_print(&launch->result, data.info, &out->text);
        else
            ts_text_launch(launch, ts_text_style_for(stdout), out);
    }
    ts_report_data_free(&data);
    return err;
}

int ts_cli_show(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone show";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const int err = arguments.launch
                        ? put_launch(&arguments, &out, &why)
                        : ts_report_print_session(arguments.dir, arguments.json, stdout, &why);
    return ts_cli_end(&out, err, &why);
}
