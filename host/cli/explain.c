/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain.h"

#include "cli/cli.h"
#include "cli/explain_parts.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "footage/pair.h"
#include "report/text.h"
#include "store/files.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW 4 /* at its own speed a launch is over before one has looked twice */

struct arguments {
    struct ts_path dirs[2]; /* sessions; the second is empty for one launch */
    int launches[2];        /* 0: the whole session */
    const char *first, *app, *video;
    int slow;
    bool json;
};

enum { KEY_APP = 256, KEY_VIDEO, KEY_SLOW };

static const struct argp_option options[] = {
    {"app", KEY_APP, "NAME", 0, "A..B: of this app alone", 0},
    {"video", KEY_VIDEO, "FILE", 0, "A..B: write a film of a launch of each, side by side", 0},
    {"slow", KEY_SLOW, "N", 0, "With --video: so many times slower than it was (default: 4)", 0},
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static bool is_session(const char *dir)
{
    struct ts_path path;
    return !ts_path_format(&path, NULL, "%s/session.json", dir) && ts_file_exists(path.text);
}

/* "SESSION" or "SESSION/launches/0007" */
static bool take_side(const char *text, size_t size, struct ts_path *dir, int *launch)
{
    static const char folder[] = "/launches/";
    char *at = NULL, *end;
    *launch = 0;
    if (ts_path_format(dir, NULL, "%.*s", (int)size, text))
        return false;
    if (is_session(dir->text))
        return true;
    for (char *next = strstr(dir->text, folder); next; next = strstr(next + 1, folder))
        at = next;
    if (!at)
        return false;
    const long number = strtol(at + sizeof folder - 1, &end, 10);
    while (*end == '/')
        end++;
    if (*end || number < 1 || number > 9999)
        return false;
    *launch = (int)number;
    *at = '\0';
    return true;
}

/* Paths may have ".." in them, so it is the one with a session on either side. */
static bool take_groups(const char *text, struct arguments *arguments)
{
    for (const char *at = strstr(text, ".."); at; at = strstr(at + 1, "..")) {
        if (take_side(text, (size_t)(at - text), &arguments->dirs[0], &arguments->launches[0]) &&
            take_side(at + 2, strlen(at + 2), &arguments->dirs[1], &arguments->launches[1]) &&
            is_session(arguments->dirs[0].text) && is_session(arguments->dirs[1].text))
            return true;
    }
    arguments->dirs[1].text[0] = '\0';
    return false;
}

static void judge(struct arguments *arguments, struct argp_state *state)
{
    const char *first = arguments->first;
    if (!first) {
        argp_error(state, "name a launch (its folder, or a session and a number), or A..B");
        return; /* it does not come back */
    }
    if (arguments->launches[0]) {
        if (ts_path_format(&arguments->dirs[0], NULL, "%s", first))
            argp_error(state, "the path is too long");
    } else if (!take_groups(first, arguments) &&
               (!take_side(first, strlen(first), &arguments->dirs[0], &arguments->launches[0]) ||
                !arguments->launches[0])) {
        argp_error(state,
                   "\"%s\" is neither a launch's folder nor two sessions A..B; of a session, name "
                   "the launch's "
                   "number after it",
                   first);
    }
    const bool two = arguments->dirs[1].text[0],
               launch = two && (arguments->launches[0] || arguments->launches[1]);
    if ((arguments->app || arguments->video) && !two)
        argp_error(state, "--app and --video are of A..B");
    if (launch && !arguments->video)
        argp_error(state, "two launches are shown by --video FILE; two sessions are compared");
    if (arguments->json && arguments->video)
        argp_error(state, "--video writes a film, --json prints a table");
    if (arguments->slow && !arguments->video)
        argp_error(state, "--slow is of --video");
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
    case KEY_VIDEO:
        arguments->video = value;
        break;
    case KEY_SLOW:
        arguments->slow = (int)ts_cli_whole_number(state, "--slow", value, 1, TS_PAIR_SLOW_MOST);
        break;
    case ARGP_KEY_ARG:
        ts_cli_take_launch(value, state, &arguments->first, &arguments->launches[0]);
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
    "--video shows a launch of A beside one of B, both from the stylus leaving the glass: the "
    "launches whose folders were named, or of an app (--app, or the first that both have) those "
    "nearest to its median whose video was kept. Matroska, lossless and grey; mpv and VLC play it."
    "\n\n"
    "Examples:\n"
    "  touchstone explain out/first/launches/0007\n"
    "  touchstone explain out/first 7 --json\n"
    "  touchstone explain out/old..out/new --app Mail\n"
    "  touchstone explain out/old..out/new --app Mail --video mail.mkv\n"
    "  touchstone explain out/a/launches/0004..out/a/launches/0010 --video two.mkv\n\n"
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
    int err;
    if (arguments.video)
        err = ts_explain_video(dirs, arguments.launches, arguments.app, arguments.video,
                               arguments.slow ? arguments.slow : SLOW, &out, &why);
    else if (*dirs[1])
        err = ts_explain_groups(dirs, arguments.app, arguments.json, style, &out, &why);
    else
        err = ts_explain_launch(dirs[0], arguments.launches[0], arguments.json, style, &out, &why);
    return ts_cli_end(&out, err, &why);
}
