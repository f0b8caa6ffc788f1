/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/film_options.h"

#include "cli/analyze_video.h"
#include "cli/numbers.h"

#include <stdlib.h>

#define NS_MOST (INT64_MAX / 4)

enum { KEY_FRAMES = 512, KEY_TAP, KEY_LATENCY, KEY_EXPOSURE, KEY_READOUT }; /* beyond commands' */

static const struct argp_option options[] = {
    {"frames", KEY_FRAMES, "CSV", 0,
     "When the frames arrived at the host: a line frame,seq,arrival_ns for each frame of VIDEO (a "
     "gap in seq is a lost frame). Without it the container's time stamps are used, each as the "
     "instant at which its frame began to be exposed",
     0},
    {"tap-ns", KEY_TAP, "T", 0,
     "The instant from which times count, nanoseconds: on the clock of arrival_ns with --frames, "
     "else on the container's time axis. Without it: the first frame",
     0},
    {"camera-latency-ms", KEY_LATENCY, "L", 0,
     "From the end of a frame's exposure and readout to its arrival. Only with --frames", 0},
    {"exposure-ms", KEY_EXPOSURE, "E", 0,
     "How long each row is exposed. 0: VIDEO is a recording of a screen; a picture in it stands "
     "until the next one, and gaps between them are no lost frames",
     0},
    {"readout-ms", KEY_READOUT, "R", 0,
     "From the start of the first row's exposure to that of the row after the last. 0: a global "
     "shutter or a screen recording",
     0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct ts_film_given *given = state->input;
    switch (key) {
    case KEY_FRAMES:
        given->frames_csv = text;
        break;
    case KEY_TAP:
        given->tap_ns = ts_cli_whole_number(state, "--tap-ns", text, -NS_MOST, NS_MOST);
        given->tap_given = true;
        break;
    case KEY_LATENCY:
        given->latency_ms =
            ts_cli_number(state, "--camera-latency-ms", text, -TS_CLI_MS_MOST, TS_CLI_MS_MOST);
        break;
    case KEY_EXPOSURE:
        given->exposure_ms = ts_cli_number(state, "--exposure-ms", text, 0, TS_CLI_MS_MOST);
        break;
    case KEY_READOUT:
        given->readout_ms = ts_cli_number(state, "--readout-ms", text, 0, TS_CLI_MS_MOST);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp ts_film_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};
