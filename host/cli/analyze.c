/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze.h"

#include "cli/analyze_video.h"
#include "vision/detector.h"

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_FRAMES = 256,
    KEY_TAP,
    KEY_LATENCY,
    KEY_EXPOSURE,
    KEY_READOUT,
    KEY_GAMMA,
    KEY_RULE,
    KEY_QUIET,
    KEY_JSON
};

#define EXIT_DATA  1
#define EXIT_USAGE 2
#define MS_MOST    60000.0

struct arguments {
    struct ts_analyze_options options;
    bool json;
};

static const struct argp_option option_list[] = {
    {"frames", KEY_FRAMES, "CSV", 0,
     "When the frames arrived at the host: a line frame,seq,arrival_ns for each frame of VIDEO (a "
     "gap "
     "in seq is a lost frame). Without it the container's time stamps are used, each as the "
     "instant "
     "at which its frame began to be exposed.",
     0},
    {"tap-ns", KEY_TAP, "T", 0,
     "The instant from which times count, nanoseconds: on the clock of arrival_ns with --frames, "
     "else "
     "on the container's time axis. Without it: the first frame.",
     0},
    {"camera-latency-ms", KEY_LATENCY, "L", 0,
     "From the end of a frame's exposure and readout to its arrival. Only with --frames.", 0},
    {"exposure-ms", KEY_EXPOSURE, "E", 0, "How long each row is exposed.", 0},
    {"readout-ms", KEY_READOUT, "R", 0,
     "From the start of the first row's exposure to that of the row after the last. 0: a global "
     "shutter or a screen recording.",
     0},
    {"gamma", KEY_GAMMA, "G", 0, "code = 255 light^(1/G); 2.2 when not given.", 0},
    {"rule", KEY_RULE, "literal|robust", 0,
     "How the end is found. literal: the last frame in which a 5x5 block differs by more than a "
     "tenth "
     "of full scale from the frame before. robust (the rule when not given): every block outside "
     "regions that go on changing stays within 2 % of full scale of its final value.",
     0},
    {"quiet-ms", KEY_QUIET, "Q", 0, "The end is believed after so much rest (1000).", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object instead of text.", 0},
    {0},
};

static const char description[] =
    "Find when a launch began to show and when it had settled in VIDEO, a film of a screen.\v"
    "Any video that libav opens is taken, 30 to 240 frames per second; the whole picture counts as "
    "screen. Times are milliseconds from the tap to when the light of a change appears, each with "
    "its "
    "standard uncertainty u. A frame that starts at s exposes its row r of H from s + r R / H for "
    "E, "
    "and arrives at s + R + E + L; for L, E and R that are not given, values usual for 120 fps "
    "cameras are assumed and the uncertainty grows accordingly.\n"
    "\n"
    "JSON keys: first_visual_change_ms, last_visual_change_ms, settled_ms (null: there is none; "
    "last "
    "is null when the screen never comes to rest), each with ..._u_ms; frames, dropped, "
    "frame_period_ms, rule, detector_version, verdict, flags, usable.\n"
    "\n"
    "Exit status: 0 analyzed (usable or not: see verdict), 1 the video or the CSV cannot be used, "
    "2 "
    "wrong usage.\n"
    "\n"
    "Examples:\n"
    "  touchstone analyze launch.mp4\n"
    "  touchstone analyze launch.mkv --frames frames.csv --tap-ns 81234567890 \\\n"
    "      --camera-latency-ms 2.9 --exposure-ms 5 --readout-ms 6.9 --json\n"
    "  touchstone analyze screen.nut --exposure-ms 0 --readout-ms 0 --rule literal";

static double parse_number(struct argp_state *state, const char *name, const char *text, double low)
{
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= low) || value > MS_MOST)
        argp_error(state, "%s: '%s' is not a number from %g to %g", name, text, low, MS_MOST);
    return value;
}

static int64_t parse_ns(struct argp_state *state, const char *text)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value > INT64_MAX / 4 || value < -(INT64_MAX / 4))
        argp_error(state, "--tap-ns: '%s' is not a whole number of nanoseconds", text);
    return value;
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
    case KEY_FRAMES:
        options->frames_csv = text;
        break;
    case KEY_TAP:
        options->tap_ns = parse_ns(state, text);
        options->tap_given = true;
        break;
    case KEY_LATENCY:
        options->latency_ms = parse_number(state, "--camera-latency-ms", text, -MS_MOST);
        break;
    case KEY_EXPOSURE:
        options->exposure_ms = parse_number(state, "--exposure-ms", text, 0);
        break;
    case KEY_READOUT:
        options->readout_ms = parse_number(state, "--readout-ms", text, 0);
        break;
    case KEY_GAMMA:
        options->gamma = parse_number(state, "--gamma", text, 0.1);
        break;
    case KEY_RULE:
        options->rule = parse_rule(state, text);
        break;
    case KEY_QUIET:
        options->quiet_ms = parse_number(state, "--quiet-ms", text, 1);
        break;
    case KEY_JSON:
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

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(round(value * 1000) / 1000) : json_null();
}

static void add_metric(json_t *object, const char *name, const struct ts_metric *metric)
{
    char key[64];
    snprintf(key, sizeof key, "%s_ms", name);
    json_object_set_new(object, key, number_or_null(metric->value));
    snprintf(key, sizeof key, "%s_u_ms", name);
    json_object_set_new(object, key, number_or_null(isnan(metric->value) ? NAN : metric->u));
}

static const char *detector(enum ts_rule rule)
{
    return rule == TS_RULE_LITERAL ? TS_LITERAL_VERSION : TS_DETECTOR_VERSION;
}

static int print_json(const struct ts_analyze_options *options,
                      const struct ts_analyze_result *result)
{
    const struct ts_result verdict = {.flags = result->flags};
    json_t *object = json_object(), *flags = json_array();
    add_metric(object, "first_visual_change", &result->first);
    add_metric(object, "last_visual_change", &result->last);
    add_metric(object, "settled", &result->settled);
    json_object_set_new(object, "frames", json_integer(result->frames));
    json_object_set_new(object, "dropped", json_integer(result->dropped));
    json_object_set_new(object, "frame_period_ms", json_real(result->frame_period_ms));
    json_object_set_new(object, "rule", json_string(ts_rule_name(options->rule)));
    json_object_set_new(object, "detector_version", json_string(detector(options->rule)));
    json_object_set_new(object, "verdict", json_string(ts_result_verdict(&verdict)));
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (result->flags >> flag & 1u)
            json_array_append_new(flags, json_string(ts_flag_name((enum ts_flag)flag)));
    }
    json_object_set_new(object, "flags", flags);
    json_object_set_new(object, "usable", json_boolean(ts_result_usable(&verdict)));
    const int err = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
    putchar('\n');
    json_decref(object);
    return err;
}

static void print_metric(const char *name, const struct ts_metric *metric)
{
    if (isnan(metric->value))
        printf("%-20s none\n", name);
    else
        printf("%-20s %9.1f ms   u %.1f ms\n", name, metric->value, metric->u);
}

static void print_text(const struct ts_analyze_options *options,
                       const struct ts_analyze_result *result)
{
    const struct ts_result verdict = {.flags = result->flags};
    print_metric("first visual change", &result->first);
    print_metric("last visual change", &result->last);
    print_metric("settled", &result->settled);
    printf("%-20s %d, one every %.3f ms, %d lost\n", "frames", result->frames,
           result->frame_period_ms, result->dropped);
    printf("%-20s %s (%s)\n", "rule", ts_rule_name(options->rule), detector(options->rule));
    printf("%-20s %s\n", "verdict", ts_result_verdict(&verdict));
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (result->flags >> flag & 1u)
            printf("%-20s %s\n", "flag", ts_flag_name((enum ts_flag)flag));
    }
}

int ts_cli_analyze(int argc, char **argv)
{
    static const struct argp argp = {option_list, parse_option, "VIDEO", description,
                                     NULL,        NULL,         NULL};
    struct arguments arguments = {.options = {.latency_ms = NAN,
                                              .exposure_ms = NAN,
                                              .readout_ms = NAN,
                                              .gamma = NAN,
                                              .rule = TS_RULE_ROBUST,
                                              .quiet_ms = 1000}};
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return EXIT_USAGE;
    struct ts_analyze_result result;
    struct ts_why why = {""};
    const int err = ts_analyze_video(&arguments.options, &result, &why);
    if (err) {
        fprintf(stderr, "touchstone analyze: %s\n", why.text[0] ? why.text : ts_err_text(err));
        return EXIT_DATA;
    }
    if (!arguments.json)
        print_text(&arguments.options, &result);
    else if (print_json(&arguments.options, &result) != 0)
        return EXIT_DATA;
    if (fflush(stdout) == 0)
        return 0;
    perror("touchstone: the result cannot be written");
    return EXIT_DATA;
}
