/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/exclude.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "store/session.h"

#include <argp.h>
#include <stdio.h>

struct arguments {
    const char *dir, *reason;
    int launch;
    bool undo;
};

static const struct argp_option options[] = {
    {"why", 'w', "TEXT", 0, "Why the launch shall not count; kept with the session", 0},
    {"undo", 'u', 0, 0, "Let the launch count again", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'w':
        arguments->reason = value;
        break;
    case 'u':
        arguments->undo = true;
        break;
    case ARGP_KEY_ARG:
        ts_cli_take_launch(value, state, &arguments->dir, &arguments->launch);
        break;
    case ARGP_KEY_END:
        if (!arguments->launch)
            argp_error(state, "name a session folder and a launch");
        if (arguments->undo == (arguments->reason != NULL))
            argp_error(state, "give either --why TEXT or --undo");
        if (arguments->reason && !*arguments->reason)
            argp_error(state, "--why: say why, for those who read the session later");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR LAUNCH --why TEXT\nDIR LAUNCH --undo",
    "Take a launch out of the statistics, or back in.\v"
    "The launch and its result stay as they are: the session only remembers that it was excluded "
    "and why, and the report lists it. Touchstone itself never leaves a usable launch out.\n\n"
    "Examples:\n"
    "  touchstone exclude out/first 7 --why 'somebody leaned on the table'\n"
    "  touchstone exclude out/first 7 --undo\n\n"
    "Exit codes: 0 recorded, 1 no such session or launch, 2 wrong usage.",
    0,
    0,
    0};

int ts_cli_exclude(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone exclude";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const int err = ts_session_exclude(arguments.dir, arguments.launch, arguments.reason, &why);
    if (!err)
        ts_out_printf(&out, "Launch %d %s. A report.html written before does not know it yet.\n",
                      arguments.launch, arguments.undo ? "counts again" : "is excluded");
    return ts_cli_end(&out, err, &why);
}
