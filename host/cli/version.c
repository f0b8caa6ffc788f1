/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/version.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "store/json_out.h"
#include "vision/detector.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    (void)value;
    bool *json = state->input;
    switch (key) {
    case 'j':
        *json = true;
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "takes no arguments");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    NULL,
    "Print the versions of Touchstone and of its detector.\v"
    "Every result names both: results of different detectors are not mixed.\n\n"
    "Exit codes: 0 printed, 1 failed, 2 wrong usage.",
    0,
    0,
    0};

int ts_cli_version(int argc, char **argv)
{
    bool as_json = false;
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone version";
    argp_parse(&parser, argc, argv, 0, NULL, &as_json);
    if (as_json) {
        struct ts_json_out json = {.buf = &out.text, .broken_depth = 1};
        ts_json_open(&json, NULL, '{');
        ts_json_text(&json, "touchstone", TS_VERSION);
        ts_json_text(&json, "detector", TS_DETECTOR_VERSION);
        ts_json_close(&json, '}');
        out.err = json.err;
        ts_out_put(&out, "\n");
    } else {
        ts_out_put(&out, "touchstone " TS_VERSION ", detector " TS_DETECTOR_VERSION "\n");
    }
    return ts_cli_end(&out, TS_OK, &why);
}
