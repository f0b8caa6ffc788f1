/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze.h"

#include "cli/analyze_bar.h"
#include "cli/analyze_print.h"
#include "cli/analyze_video.h"
#include "cli/cli.h"
#include "cli/film_options.h"
#include "cli/numbers.h"

#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_GAMMA = 256, KEY_RULE, KEY_QUIET, KEY_SCREEN, KEY_PROGRESS, KEY_JSON };

#define PX_MOST 1e5

struct arguments {
    struct ts_analyze_options options;
    bool json, progress;
};

static const struct argp_option option_list[] = {
    {"gamma", KEY_GAMMA, "G", 0, "code = 255 light^(1/G); 2.2 when not given", 0},
    {"rule", KEY_RULE, "literal|robust", 0,
     "How the end is found. literal: the last frame in which a 5x5 block differs by more than a "
     "tenth of full scale from the frame before. robust (the rule when not given): every block "
     "outside regions that go on changing stays within 2 % of full scale of its final value",
     0},
    {"quiet-ms", KEY_QUIET, "Q", 0, "The end is believed after so much rest (1000)", 0},
    {"screen", KEY_SCREEN, "auto|X0,Y0,X1,Y1,X2,Y2,X3,Y3", 0,
     "auto: the display is where the picture changes; the film is gone through twice for that, so "
     "VIDEO is not -. Or the corners of the display in pixels of the picture as it is stored, "
     "clockwise from the "
     "display's top left. What lies outside is ignored. Without it the whole picture counts as "
     "screen",
     0},
    {"progress", KEY_PROGRESS, NULL, 0, "Print the curve of visual progress, too", 0},
    {"json", 'j', NULL, 0, "Print one JSON object instead of text", 0},
    {0},
};

static const char description[] =
    "Find when a launch began to show and when it had settled in VIDEO, a film of a screen.\v"
    "Taken are mp4, mov, mkv, webm, avi, nut, y4m and gif films of 24 to 240 frames per second, "
    "of any length; VIDEO - is standard input (Y4M, or with --frames any that can be read from a "
    "pipe). Times are milliseconds from the tap to when the light of a change appears, each with "
    "its standard uncertainty u. A frame that starts at s exposes its row r of H from s + r R / H "
    "for E, and arrives at s + R + E + L; for L, E and R that are not given, values usual for 120 "
    "fps cameras are assumed and the uncertainty grows accordingly.\n"
    "\n"
    "JSON keys: first_visual_change_ms, splash_ms, first_app_frame_ms, main_content_ms, "
    "visually_complete_85_ms, speed_index_ms, last_visual_change_ms, settled_ms (null: there is "
    "none; last is null when the screen never comes to rest), each with ..._u_ms; endless_blocks "
    "(5x5 pixels that go on changing), episodes (stretches of change: begin_ms, end_ms, share of "
    "the screen, gain of visual progress, endless, box: left, top, right, bottom in pixels), "
    "progress ([ms, share] ..., with --progress); frames, dropped, frame_period_ms, rule, "
    "detector_version, verdict, flags, usable.\n"
    "\n"
    "Examples:\n"
    "  touchstone analyze launch.mp4\n"
    "  touchstone analyze launch.mkv --frames frames.csv --tap-ns 81234567890 \\\n"
    "      --camera-latency-ms 2.9 --exposure-ms 5 --readout-ms 6.9 --json\n"
    "  touchstone analyze screen.nut --exposure-ms 0 --readout-ms 0 --rule literal\n"
    "  ffmpeg -i launch.mp4 -f yuv4mpegpipe - | touchstone analyze -\n"
    "\n"
    "Exit codes: 0 analyzed (usable or not: see verdict), 1 the video or the CSV cannot be used, "
    "2 wrong usage, 130 stopped by Ctrl-C.";

static bool read_corners(const char *text, double corners[4][2])
{
    for (int i = 0; i < 8; i++) {
        char *end;
        const double value = strtod(text, &end);
        if (end == text || *end != (i < 7 ? ',' : '\0') || !(fabs(value) < PX_MOST))
            return false;
        corners[i / 2][i % 2] = value;
        text = end + 1;
    }
    return true;
}

/* At every corner the way turns right: convex, and clockwise in a picture whose y grows downwards.
 */
static bool turns_right(const double corners[4][2])
{
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4], *c = corners[(i + 2) % 4];
        if (!((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0))
            return false;
    }
    return true;
}

static void parse_screen(struct argp_state *state, const char *text,
                         struct ts_analyze_options *options)
{
    if (strcmp(text, "auto") == 0) {
        options->screen_sought = true;
        return;
    }
    if (!read_corners(text, options->screen_px))
        argp_error(state,
                   "--screen: '%s' is neither auto nor eight numbers X0,Y0,X1,Y1,X2,Y2,X3,Y3",
                   text);
    if (!turns_right((const double(*)[2])options->screen_px))
        argp_error(state, "--screen: the corners do not go once around clockwise from top left");
    options->screen_given = true;
}

static enum ts_rule parse_rule(struct argp_state *state, const char *text)
{
    if (strcmp(text, "literal") != 0 && strcmp(text, "robust") != 0)
        argp_error(state, "--rule: '%s' is neither literal nor robust", text);
    return strcmp(text, "literal") == 0 ? TS_RULE_LITERAL : TS_RULE_ROBUST;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct ts_analyze_options *options = &arguments->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->given;
        break;
    case KEY_GAMMA:
        options->gamma = ts_cli_number(state, "--gamma", text, 0.1, TS_CLI_MS_MOST);
        break;
    case KEY_RULE:
        options->rule = parse_rule(state, text);
        break;
    case KEY_QUIET:
        options->quiet_ms = ts_cli_number(state, "--quiet-ms", text, 1, TS_CLI_MS_MOST);
        break;
    case KEY_SCREEN:
        parse_screen(state, text, options);
        break;
    case KEY_PROGRESS:
        arguments->progress = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        if (options->video)
            argp_error(state, "only one VIDEO at a time");
        options->video = text;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "VIDEO is missing");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* A camera that loses one frame in twenty is broken; a screen recorder that skips as many rests. */
static void warn_of_gaps(const struct ts_analyze_options *options,
                         const struct ts_analyze_result *result)
{
    if (!options->given.frames_csv && result->dropped > result->frames / 20)
        fprintf(stderr,
                "touchstone analyze: %zu frames are missing between %zu; if this is a recording of "
                "a screen, say --exposure-ms 0 --readout-ms 0\n",
                result->dropped, result->frames);
}

static int print_result(const struct arguments *arguments, const struct ts_analyze_result *result)
{
    if (arguments->json) {
        json_t *object = ts_analyze_json(&arguments->options, result, arguments->progress);
        json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
        putchar('\n');
        json_decref(object);
    } else {
        ts_analyze_print(&arguments->options, result, arguments->progress);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return TS_EXIT_OK;
    perror("touchstone: the result cannot be written");
    return TS_EXIT_FAILED;
}

int ts_cli_analyze(int argc, char **argv)
{
    static const struct argp_child children[] = {{&ts_film_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {option_list, parse_option, "VIDEO", description,
                                     children,    NULL,         NULL};
    struct ts_analyze_bar bar;
    struct arguments arguments = {.options = ts_analyze_usual(NULL)};
    arguments.options.tell = ts_analyze_bar_tell;
    arguments.options.tell_user = &bar;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone analyze";
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return TS_EXIT_USAGE;
    struct ts_analyze_result result;
    struct ts_why why = {""};
    ts_analyze_bar_begin(&bar);
    const int err = ts_analyze_video(&arguments.options, &result, &why);
    ts_analyze_bar_end(&bar);
    if (err) {
        fprintf(stderr, "touchstone analyze: %s\n", why.text[0] ? why.text : ts_err_text(err));
        return TS_EXIT_FAILED;
    }
    warn_of_gaps(&arguments.options, &result);
    return print_result(&arguments, &result);
}
