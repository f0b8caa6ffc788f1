/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "report/html.h"

#include <argp.h>
#include <stdio.h>

struct arguments {
    const char *dir, *file, *base;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the page goes (default: DIR/report.html)", 0},
    {"base", 'b', "DIR", 0, "Set it against this session: an older build, another device", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'b':
        arguments->base = value;
        break;
    case 'o':
        arguments->file = value;
        break;
    default:
        return ts_cli_take_session(key, value, state, &arguments->dir);
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR",
    "Write the report of the session in DIR: one HTML file that opens offline.\v"
    "An existing report is replaced. gnuplot draws the figures; without it the page holds the "
    "tables alone and says so. The same session gives the same page. Kept videos give pictures of "
    "a typical and of the slowest launch of each app. With --base every app's change since then "
    "stands beside its time; touchstone compare says more.\n\n"
    "Examples:\n"
    "  touchstone report out/first\n"
    "  touchstone report out/first -o first.html\n"
    "  touchstone report out/new --base out/old\n\n"
    "Exit codes: 0 written, 1 session unreadable or file not writable, 2 wrong usage.",
    0,
    0,
    0};

int ts_cli_report(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    char path[4096];
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone report";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (!arguments.file) {
        if (snprintf(path, sizeof path, "%s/report.html", arguments.dir) >= (int)sizeof path)
            return ts_cli_end(&out, ts_fail(&why, TS_EINVAL, "the path is too long"), &why);
        arguments.file = path;
    }
    const int err = ts_report_write(arguments.dir, arguments.base, arguments.file, &why);
    if (!err) {
        ts_out_put(&out, arguments.file);
        ts_out_put(&out, "\n");
    }
    return ts_cli_end(&out, err, &why);
}
