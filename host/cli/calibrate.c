/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone calibrate: procedures that find the rig's own values. All but the observers' cost are
 * learnt in part 0 of a session without launches, whose evidence is kept. */
#include "cli/calibrate.h"

#include "cli/calibrate_noise.h"
#include "cli/calibrate_observers.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/rig.h"
#include "measure/measure.h"
#include "report/table.h"
#include "store/files.h"
#include "store/json_out.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EDGES_LEAST 200
#define EDGES       300
#define DROPS_LEAST 50
#define DROPS       60
#define CLOCK_S     20
#define SPREAD_MOST 0.4   /* ms, of one tap's lift delay: the acceptance test of a rig */
#define INTERVALS   20000 /* of the MCU's own loop: 0.1 s of it */
#define PROBE_RUNS  50    /* per core and variant of memory */
#define PAIRS       12    /* per observer */
#define OBSERVERS   (1u << TS_RECORD_OBSERVERS)
#define ALL         (((1u << TS_RECORD_COUNT) - 1) & ~OBSERVERS)

struct arguments {
    const char *rig, *plan;
    unsigned kinds; /* bit per enum ts_record_kind */
    int edges, drops, seconds, pairs;
    uint64_t seed;
    bool force, json;
};

static const struct argp_option options[] = {
    {"rig", 'r', "DIR", 0, "The rig's folder, from `touchstone rig new` (required)", 0},
    {"edges", 'e', "N", 0, "camera: edges of the sync LEDs (default 300, 200 or more)", 0},
    {"drops", 'd', "N", 0, "stylus: drops on the contact plate (default 60, 50 or more)", 0},
    {"seconds", 't', "N", 0, "clock: how long the clocks are read (default 20)", 0},
    {"plan", 'p', "PLAN.yaml", 0, "observers: the apps to launch (required for it)", 0},
    {"pairs", 'n', "N", 0, "observers: pairs of launches for each (default 12, 6 or more)", 0},
    {"seed", 's', "N", 0, "Seed of everything drawn (default 1)", 0},
    {"force", 'f', 0, 0, "Keep the values of a rig that fails its acceptance test", 0},
    {"json", 'j', 0, 0, "Print what was found as JSON", 0},
    {0},
};

static int take_count(const char *text, int low, int high, struct argp_state *state,
                      const char *what)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (!*text || *end || value < low || value > high)
        argp_error(state, "%s: \"%s\" is not a number from %d to %d", what, text, low, high);
    return (int)value;
}

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
               "observers, all",
               name);
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'r':
        arguments->rig = value;
        break;
    case 'e':
        arguments->edges = take_count(value, EDGES_LEAST, 4000, state, "--edges");
        break;
    case 'd':
        arguments->drops = take_count(value, DROPS_LEAST, 1000, state, "--drops");
        break;
    case 't':
        arguments->seconds = take_count(value, 2, 3600, state, "--seconds");
        break;
    case 'p':
        arguments->plan = value;
        break;
    case 'n':
        arguments->pairs = take_count(value, 6, 500, state, "--pairs");
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
        if (!arguments->kinds)
            argp_error(state, "say what to calibrate: clock, camera, stylus, screen, noise, "
                              "observers, or all");
        if (arguments->kinds & OBSERVERS && arguments->kinds != OBSERVERS)
            argp_error(state, "observers has a session of its own; give it alone");
        if (arguments->kinds == OBSERVERS && !arguments->plan)
            argp_error(state, "name the apps to launch: --plan PLAN.yaml; `touchstone plan new` "
                              "writes one");
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
    "clock    rate of the MCU's and the phone's clock, round trips, hard bounds\n"
    "camera   exposure, row time, latency, frame period, from two sync LEDs at random phase\n"
    "stylus   pick-up to lift, and contact, against the contact plate; the phone is not touched\n"
    "screen   where the display is in the picture, from a black and a white flash\n"
    "noise    how late this computer and the MCU are at their own clocks, on every core and with "
    "several states of memory\n"
    "all      these, one after the other\n"
    "observers  what it costs a launch that the log is read, that the accessibility service is on, "
    "that the phone is polled 25 times a second\n\n"
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
    "noise looks at the computer while it is as busy as it is now: run it as you run campaigns. "
    "Without a rig it still measures the computer.\n\n"
    "Examples:\n"
    "  touchstone calibrate all --rig rigs/bench2\n"
    "  touchstone calibrate camera --rig rigs/bench2 --edges 1000\n"
    "  touchstone calibrate observers --rig rigs/bench2 --plan plan.yaml --pairs 20\n\n"
    "Exit codes: 0 done, 1 something could not be found, 2 wrong usage, 130 stopped by Ctrl-C.",
    0,
    0,
    0};

struct work {
    const struct arguments *arguments;
    struct ts_rig rig;
    int64_t now_s;
    struct ts_out *out;
    struct ts_json_out json;
};

static int accept_stylus(const struct work *work, const struct ts_calibration *calibration,
                         struct ts_why *why)
{
    if (calibration->lift_delay_u_ms <= SPREAD_MOST || work->arguments->force)
        return TS_OK;
    return ts_fail(why, TS_EPROTO,
                   "the lift delay spreads by %.2f ms from tap to tap, more than %.1f: tighten the "
                   "collar, oil the guide, check the motor's supply; --force keeps it all the same",
                   calibration->lift_delay_u_ms, SPREAD_MOST);
}

static void show_record(struct work *work, const struct ts_record *record)
{
    if (work->arguments->json) {
        ts_json_open(&work->json, ts_record_names[record->kind], '{');
        for (size_t i = 0; i < record->count; i++) {
            const struct ts_known *known = &record->values[i];
            ts_json_open(&work->json, known->name, '{');
            ts_json_number(&work->json, "value", known->value);
            ts_json_number(&work->json, "u", known->u);
            ts_json_number(&work->json, "dof", known->dof);
            ts_json_close(&work->json, '}');
        }
        ts_json_close(&work->json, '}');
        return;
    }
    ts_out_printf(work->out, "%s (n = %d; %s)\n", ts_record_names[record->kind], record->n,
                  record->method);
    ts_rig_put_record(record, work->out);
    ts_out_put(work->out, "\n");
}

/* Identity: what the record says of it already, and the rig. */
static int put(struct work *work, struct ts_record *record, struct ts_why *why)
{
    snprintf(record->identity.rig, sizeof record->identity.rig, "%s", work->rig.name);
    record->date_s = work->now_s;
    const int err = ts_rig_put(&work->rig, record, why);
    if (!err)
        show_record(work, record);
    return err;
}

static int make_record(const struct work *work, enum ts_record_kind kind,
                       const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                       struct ts_record *record, struct ts_why *why)
{
    char host[sizeof record->identity.host] = "";
    int err;
    if (kind == TS_RECORD_NOISE) {
        err = ts_noise_record(evidence, PROBE_RUNS, record, why);
        memcpy(host, record->identity.host, sizeof host);
    } else {
        err = ts_measure_record(kind, evidence, calibration, record, why);
    }
    if (!err && kind == TS_RECORD_STYLUS)
        err = accept_stylus(work, calibration, why);
    ts_measure_identity(evidence, &record->identity);
    memcpy(record->identity.host, host, sizeof host);
    return err;
}

/* The end of part 0: what it taught becomes files. */
static int keep(void *context, const struct ts_evidence *evidence,
                const struct ts_calibration *calibration, const char *note, struct ts_why *why)
{
    struct work *work = context;
    int err = TS_OK;
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++) {
        struct ts_record record;
        struct ts_why reason = {""};
        if (!(work->arguments->kinds >> kind & 1))
            continue;
        err = make_record(work, (enum ts_record_kind)kind, evidence, calibration, &record, &reason);
        if (err)
            return ts_fail(why, err, "%s: %.200s%s%.200s", ts_record_names[kind], reason.text,
                           *note ? "; " : "", note);
        err = put(work, &record, why);
    }
    return err;
}

static struct ts_plan make_plan(const struct arguments *arguments)
{
    struct ts_plan plan;
    ts_plan_defaults(&plan);
    plan.launches = 0;
    plan.keep_video = TS_VIDEO_NONE;
    plan.plate_taps = arguments->kinds >> TS_RECORD_STYLUS & 1 ? arguments->drops : 0;
    plan.camera_edges = arguments->kinds >> TS_RECORD_CAMERA & 1 ? arguments->edges : 110;
    plan.clock_s = arguments->kinds >> TS_RECORD_CLOCK & 1 ? arguments->seconds : 0;
    plan.mcu_noise = arguments->kinds >> TS_RECORD_NOISE & 1 ? INTERVALS : 0;
    return plan;
}

static int name_session(const struct work *work, struct ts_path *path, struct ts_why *why)
{
    struct ts_path folder;
    const int err = ts_path_format(&folder, why, "%s/calibration/sessions", work->rig.dir);
    return err ? err : ts_job_name_session(folder.text, work->now_s, path, why);
}

/* The computer's own noise needs no rig. */
static int calibrate_host(struct work *work, struct ts_why *why)
{
    struct ts_record record;
    const int err = ts_noise_record(NULL, PROBE_RUNS, &record, why);
    fprintf(stderr, "touchstone: no rig answers, so the noise of its MCU is left out\n");
    return err ? err : put(work, &record, why);
}

static int calibrate_observers(struct work *work, const char *session, struct ts_why *why)
{
    const struct ts_observer_session observers = {.rig = &work->rig,
                                                  .plan = work->arguments->plan,
                                                  .out = session,
                                                  .seed = work->arguments->seed,
                                                  .pairs = work->arguments->pairs,
                                                  .now_s = work->now_s};
    struct ts_record record;
    const int err = ts_observers_record(&observers, &record, why);
    return err ? err : put(work, &record, why);
}

static int calibrate(struct work *work, struct ts_why *why)
{
    const struct arguments *arguments = work->arguments;
    struct ts_plan plan = make_plan(arguments);
    struct ts_bench *bench = NULL;
    struct ts_path session;
    const struct ts_bench_config config = {.seed = arguments->seed, .options = work->rig.options};
    int err = name_session(work, &session, why);
    if (!err && arguments->kinds == OBSERVERS)
        return calibrate_observers(work, session.text, why);
    if (!err)
        err = ts_job_open_bench(work->rig.bench, &config, &bench, why);
    if ((err == TS_ENOTSUP || err == TS_EIO) && arguments->kinds == 1u << TS_RECORD_NOISE)
        return calibrate_host(work, why);
    if (err)
        return err;
    if (isatty(STDERR_FILENO) == 1)
        fprintf(stderr, "Calibrating %s ...\n", work->rig.name);
    const struct ts_job job = {.bench = bench,
                               .bench_name = work->rig.bench,
                               .plan = &plan,
                               .seed = arguments->seed,
                               .out = session.text,
                               .context = work,
                               .calibrated = keep};
    err = ts_job_run(&job, why);
    ts_bench_close(bench);
    return err;
}

int ts_cli_calibrate(int argc, char **argv)
{
    struct arguments arguments = {
        .edges = EDGES, .drops = DROPS, .seconds = CLOCK_S, .pairs = PAIRS, .seed = 1};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone calibrate";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    ts_job_catch_signals();
    struct work work = {.arguments = &arguments,
                        .now_s = ts_job_now_s(),
                        .out = &out,
                        .json = {.buf = &out.text, .broken_depth = 2}};
    int err = ts_rig_open(arguments.rig, arguments.kinds, &work.rig, &why);
    if (!err && arguments.json)
        ts_json_open(&work.json, NULL, '{');
    if (!err)
        err = calibrate(&work, &why);
    if (!err && arguments.json) {
        ts_json_close(&work.json, '}');
        out.err = work.json.err;
        ts_out_put(&out, "\n");
    }
    ts_rig_free(&work.rig);
    if (err == TS_EOF && ts_job_is_stopped()) {
        fprintf(stderr, "touchstone: stopped; the rig's files are as they were\n");
        ts_buf_free(&out.text);
        return TS_EXIT_STOPPED;
    }
    return ts_cli_end(&out, err, &why);
}
