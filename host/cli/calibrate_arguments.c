/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate_arguments.h"

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/numbers.h"

#include <argp.h>
#include <string.h>

#define EDGES_LEAST 200
#define EDGES       300
#define DROPS_LEAST 50
#define DROPS       60
#define CLOCK_S     20
#define PAIRS       12  /* per observer */
#define LOAD_OFF    0.5 /* percent: what a good multimeter's ampere range may be off by */
#define ALONE       (TS_CALIBRATE_OBSERVERS | TS_CALIBRATE_POWER)
#define ALL         (((1u << TS_RECORD_COUNT) - 1) & ~ALONE)

static const struct argp_option options[] = {
    {"rig", 'r', "DIR", 0, "The rig's folder, from `touchstone rig new` (required)", 0},
    {"edges", 'e', "N", 0, "camera: edges of the sync LEDs (default 300, 200 or more)", 0},
    {"drops", 'd', "N", 0, "stylus: drops on the contact plate (default 60, 50 or more)", 0},
    {"seconds", 't', "N", 0, "clock: how long the clocks are read (default 20)", 0},
    {"plan", 'p', "PLAN.yaml", 0, "observers: the apps to launch (required for it)", 0},
    {"pairs", 'n', "N", 0, "observers: pairs of launches for each (default 12, 6 or more)", 0},
    {"load-ma", 'l', "MA", 0, "power: current of the load that you will connect (required for it)",
     0},
    {"load-percent", 'u', "P", 0, "power: by how much that may be off (default 0.5)", 0},
    {"seed", 's', "N", 0, "Seed of everything drawn (default 1)", 0},
    {"force", 'f', 0, 0, "Keep the values of a rig that fails its acceptance test", 0},
    {"json", 'j', 0, 0, "Print what was found as JSON", 0},
    {0},
};

static unsigned take_kind(const char *name, struct argp_state *state)
{
    if (strcmp(name, "all") == 0)
        return ALL;
    for (unsigned kind = 0; kind < TS_RECORD_COUNT; kind++) {
        if (strcmp(name, ts_record_names[kind]) == 0)
            return 1u << kind;
    }
    argp_error(state,
               "there is no procedure \"%s\"; there are clock, camera, stylus, screen, noise, "
               "observers, power, all",
               name);
    return 0;
}

static void check_kinds(const struct ts_calibrate_arguments *arguments, struct argp_state *state)
{
    const unsigned kinds = arguments->kinds;
    if (!kinds)
        argp_error(state, "say what to calibrate: clock, camera, stylus, screen, noise, observers, "
                          "power, or all");
    if (kinds & ALONE && kinds != TS_CALIBRATE_OBSERVERS && kinds != TS_CALIBRATE_POWER)
        argp_error(
            state, "%s has a session of its own; give it alone",
            ts_record_names[kinds & TS_CALIBRATE_POWER ? TS_RECORD_POWER : TS_RECORD_OBSERVERS]);
    if (kinds == TS_CALIBRATE_OBSERVERS && !arguments->plan)
        argp_error(state, "name the apps to launch: --plan PLAN.yaml; `touchstone plan new` "
                          "writes one");
    if (kinds == TS_CALIBRATE_POWER && !(arguments->load_ma > 0))
        argp_error(state, "say what current the load takes, in milliampere: --load-ma 500");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct ts_calibrate_arguments *arguments = state->input;
    switch (key) {
    case 'r':
        arguments->rig = value;
        break;
    case 'e':
        arguments->edges = (int)ts_cli_whole_number(state, "--edges", value, EDGES_LEAST, 4000);
        break;
    case 'd':
        arguments->drops = (int)ts_cli_whole_number(state, "--drops", value, DROPS_LEAST, 1000);
        break;
    case 't':
        arguments->seconds = (int)ts_cli_whole_number(state, "--seconds", value, 2, 3600);
        break;
    case 'p':
        arguments->plan = value;
        break;
    case 'n':
        arguments->pairs = (int)ts_cli_whole_number(state, "--pairs", value, 6, 500);
        break;
    case 'l':
        arguments->load_ma = ts_cli_number(state, "--load-ma", value, 1, 80000);
        break;
    case 'u':
        arguments->load_percent = ts_cli_number(state, "--load-percent", value, 0, 20);
        break;
    case 's':
        if (!ts_job_read_seed(value, &arguments->seed))
            argp_error(state, "--seed: \"%s\" is not a number of 0 or more", value);
        break;
    case 'f':
        arguments->force = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        arguments->kinds |= take_kind(value, state);
        break;
    case ARGP_KEY_END:
        check_kinds(arguments, state);
        if (!arguments->rig)
            argp_error(state, "name the rig: --rig DIR; `touchstone rig new DIR` makes one");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "WHAT... --rig DIR",
    "Find the rig's own values, and keep them in its folder.\v"
    "  clock      rate of the MCU's and the phone's clock, round trips, hard bounds\n"
    "  camera     exposure, row time, latency, frame period, from two sync LEDs at\n"
    "             random phase\n"
    "  stylus     pick-up to lift, and contact, against the contact plate; the\n"
    "             phone is not touched\n"
    "  screen     where the display is in the picture, from a black and a white flash\n"
    "  noise      how late this computer and the MCU are at their own clocks, on\n"
    "             every core and with several states of memory\n"
    "  all        these, one after the other\n"
    "  observers  what it costs a launch that the log is read, that the\n"
    "             accessibility service is on, that the phone is polled 25 times a\n"
    "             second\n"
    "  power      the power meter: what it shows of no current, and of a load whose\n"
    "             current you know\n\n"
    "Each writes DIR/calibration/WHAT.json: value, standard uncertainty, degrees of freedom, date, "
    "method, number of repetitions, board, firmware and camera mode. The evidence is kept in "
    "DIR/calibration/sessions. A campaign with --rig DIR copies the files in and refuses stale "
    "ones.\n\n"
    "Calibrate the stylus again after every change of tip, collar, height or speed; the camera "
    "whenever it was moved or its exposure changed. A rig whose lift delay spreads by more than "
    "0.4 ms from tap to tap is refused: its collar or its guide has play.\n\n"
    "`all` leaves observers out: the others learn the instrument in a minute and start no app, "
    "while observers launches the apps of a plan, for each observer 12 times without it and 12 "
    "times with it, and its answer holds for that phone and those apps. The order is off, on, on, "
    "off, so that a phone that slowly gets warm does not count. Pairs in which a launch was "
    "flagged "
    "are left out.\n\n"
    "power takes the phone off the power meter, so `all` leaves it out too. Take a load that you "
    "have measured with an ammeter in series, some 0.5 to 2 A, at the voltage of the phone's "
    "supply, and say what it draws and by how much that may be off. From then on energies rest on "
    "this shunt as measured, and no longer on the tolerance that the plan states. The simulated "
    "bench has a load of 500 mA within 0.2 %.\n\n"
    "noise looks at the computer while it is as busy as it is now: run it as you run campaigns. "
    "Without a rig it still measures the computer.\n\n"
    "Examples:\n"
    "  touchstone calibrate all --rig rigs/bench2\n"
    "  touchstone calibrate camera --rig rigs/bench2 --edges 1000\n"
    "  touchstone calibrate observers --rig rigs/bench2 --plan plan.yaml --pairs 20\n"
    "  touchstone calibrate power --rig rigs/b2 --load-ma 512 --load-percent 0.3\n\n"
    "Exit codes: 0 done, 1 something could not be found, 2 wrong usage, 130 stopped by Ctrl-C.",
    0,
    0,
    0};

struct ts_calibrate_arguments ts_calibrate_parse(int argc, char **argv)
{
    struct ts_calibrate_arguments arguments = {.edges = EDGES,
                                               .drops = DROPS,
                                               .seconds = CLOCK_S,
                                               .pairs = PAIRS,
                                               .load_percent = LOAD_OFF,
                                               .seed = 1};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone calibrate";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    return arguments;
}
