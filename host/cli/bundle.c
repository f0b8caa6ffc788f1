/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bundle.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "export/bundle.h"

#include <argp.h>

enum { KEY_VIDEOS = 256 };

struct arguments {
    const char *dir, *file;
    bool videos;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the bundle goes, as first.tar.zst; needed", 0},
    {"with-videos", KEY_VIDEOS, 0, 0, "Also the films, which show all that was on the screen", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->file = value;
        return 0;
    case KEY_VIDEOS:
        arguments->videos = true;
        return 0;
    case ARGP_KEY_END:
        if (arguments->dir && !arguments->file)
            argp_error(state, "say -o FILE");
        break;
    default:
        break;
    }
    return ts_cli_take_session(key, value, state, &arguments->dir);
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR -o FILE",
    "Pack the session in DIR to give it away, without what is private.\v"
    "In it: block sums of the frames, stamps, what Android's log said of launches, calibration, "
    "plan, a dictionary, how to cite it, and the digests of every table and figure. Not in it: "
    "serial numbers (hashed), names of apps that are neither the plan's nor Android's (hashed), "
    "texts on screens and in logs, outputs and arguments of commands, networks, notes, reasons, "
    "names that people gave to rigs, phones, computers and themselves, and films unless "
    "--with-videos is given. host/export/FORMAT.md describes each file. Block sums are a coarse "
    "picture of "
    "the screen: 5 x 5 pixels of the camera each. Names of the plan and its apps stay.\n\n"
    "Results are measured again from what is left. FILE is a tar with Zstandard; equal sessions "
    "give equal files.\n\n"
    "Examples:\n"
    "  touchstone bundle out/first -o first.tar.zst\n"
    "  touchstone reproduce first.tar.zst -o again\n\n"
    "Exit codes: 0 written, 1 session unreadable or file not writable, 2 wrong usage.",
    0,
    0,
    0};

int ts_cli_bundle(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_bundle_sums sums;
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone bundle";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const int err = ts_bundle_write(arguments.dir, arguments.file, arguments.videos, &sums, &why);
    if (!err) {
        ts_out_printf(&out, "%s: %zu launches\n", arguments.file, sums.launches);
        if (sums.results_changed)
            ts_out_printf(&out,
                          "%zu results, measured again from what is shared, are not those of the "
                          "session:\nit was measured by another version, or they rest on what is "
                          "private.\n",
                          sums.results_changed);
    }
    return ts_cli_end(&out, err, &why);
}
