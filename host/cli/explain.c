/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain.h"

#include "cli/cli.h"
#include "cli/explain_parts.h"
#include "cli/output.h"
#include "report/text.h"
#include "store/files.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct ts_path dirs[2]; /* the second is empty for one launch */
    const char *first, *app;
    int launch;
    bool json;
};

enum { KEY_APP = 256 };

static const struct argp_option options[] = {
    {"app", KEY_APP, "NAME", 0, "A..B: of this app alone", 0},
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static bool is_session(const char *dir)
{
    struct ts_path path;
    return !ts_path_format(&path, NULL, "%s/session.json", dir) && ts_file_exists(path.text);
}

/* Paths may have ".." in them, so it is the one with a session on either side. */
static bool take_groups(const char *text, struct arguments *arguments)
{
    for (const char *at = strstr(text, ".."); at; at = strstr(at + 1, "..")) {
        if (ts_path_format(&arguments->dirs[0], NULL, "%.*s", (int)(at - text), text) ||
            ts_path_format(&arguments->dirs[1], NULL, "%s", at + 2))
            return false;
        if (is_session(arguments->dirs[0].text) && is_session(arguments->dirs[1].text))
            return true;
    }
    arguments->dirs[1].text[0] = '\0';
    return false;
}

/* "SESSION/launches/0007" */
static bool take_launch_folder(const char *text, struct arguments *arguments)
{
    static const char folder[] = "/launches/";
    const char *at = NULL;
    for (const char *next = strstr(text, folder); next; next = strstr(next + 1, folder))
        at = next;
    if (!at)
        return false;
    char *end;
    const long launch = strtol(at + sizeof folder - 1, &end, 10);
    while (*end == '/')
        end++;
    if (*end || launch < 1 || launch > 9999)
        return false;
    arguments->launch = (int)launch;
    return !ts_path_format(&arguments->dirs[0], NULL, "%.*s", (int)(at - text), text);
}

static void judge(struct arguments *arguments, struct argp_state *state)
{
    if (!arguments->first)
        argp_error(state, "name a launch (its folder, or a session and a number), or A..B");
    if (arguments->launch) {
        if (ts_path_format(&arguments->dirs[0], NULL, "%s", arguments->first))
            argp_error(state, "the path is too long");
    } else if (!take_groups(arguments->first, arguments) &&
               !take_launch_folder(arguments->first, arguments)) {
        argp_error(state,
                   "\"%s\" is neither a launch's folder nor two sessions A..B; of a session, name "
                   "the launch's number after it",
                   arguments->first);
    }
    if (arguments->app && !arguments->dirs[1].text[0])
        argp_error(state, "--app is of two sessions, A..B");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'j':
        arguments->json = true;
        break;
    case KEY_APP:
        arguments->app = value;
        break;
    case ARGP_KEY_ARG:
        ts_cli_take_launch(value, state, &arguments->first, &arguments->launch);
        break;
    case ARGP_KEY_END:
        judge(arguments, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "LAUNCH-DIR\nDIR N\nA..B",
    "Tell where the time of a launch went, or how two sessions differ in it.\v"
    "From the stylus leaving the glass to the finished screen: lift, the phone's own touch-up, the "
    "input that starts the app, process start, bind, splash, first app frame, main content, "
    "settled. The middle ones come from the phone's log, the last from the camera. What there is "
    "no "
    "evidence of is said, and the time goes to the stretch around it. Milestones stand in the "
    "order in which they came.\n\n"
    "A..B are two session folders: of every app that both have, each stretch's median on either "
    "side, the difference B - A by Hodges and Lehmann, and its 95 % interval (from 6 launches a "
    "side). An interval without 0 shows where the two differ.\n\n"
    "Examples:\n"
    "  touchstone explain out/first/launches/0007\n"
    "  touchstone explain out/first 7 --json\n"
    "  touchstone explain out/old..out/new --app Mail\n\n"
    "Exit codes: 0 told, 1 no such launch, app or session, or damaged, 2 wrong usage.",
    0,
    0,
    0};

int ts_cli_explain(int argc, char **argv)
{
    static struct arguments arguments; /* two long paths */
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone explain";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const struct ts_text_style style = ts_text_style_for(stdout);
    const char *const dirs[2] = {arguments.dirs[0].text, arguments.dirs[1].text};
    const int err =
        *dirs[1] ? ts_explain_groups(dirs, arguments.app, arguments.json, style, &out, &why)
                 : ts_explain_launch(dirs[0], arguments.launch, arguments.json, style, &out, &why);
    return ts_cli_end(&out, err, &why);
}
