/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone calibrate: procedures that find the rig's own values. clock, camera, stylus and screen
 * are learnt in part 0 of a session without launches, whose evidence is kept. */
#include "cli/calibrate.h"

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
#define SPREAD_MOST 0.4 /* ms, of one tap's lift delay: the acceptance test of a rig */
#define PROCEDURES  4   /* kinds that part 0 teaches: the first of the list */

struct arguments {
    const char *rig;
    unsigned kinds; /* bit per enum ts_record_kind */
    int edges, drops, seconds;
    uint64_t seed;
    bool force, json;
};

static const struct argp_option options[] = {
    {"rig", 'r', "DIR", 0, "The rig's folder, from `touchstone rig new` (required)", 0},
    {"edges", 'e', "N", 0, "camera: edges of the sync LEDs (default 300, 200 or more)", 0},
    {"drops", 'd', "N", 0, "stylus: drops on the contact plate (default 60, 50 or more)", 0},
    {"seconds", 't', "N", 0, "clock: how long the clocks are read (default 20)", 0},
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
        return (1u << PROCEDURES) - 1;
    for (unsigned kind = 0; kind < PROCEDURES; kind++) {
        if (strcmp(name, ts_record_names[kind]) == 0)
            return 1u << kind;
    }
    argp_error(state, "there is no procedure \"%s\"; there are clock, camera, stylus, screen, all",
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
            argp_error(state, "say what to calibrate: clock, camera, stylus, screen, or all");
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
    "all      these, one after the other\n\n"
    "Each writes DIR/calibration/WHAT.json: value, standard uncertainty, degrees of freedom, date, "
    "method, number of repetitions, board, firmware and camera mode. The evidence is kept in "
    "DIR/calibration/sessions. A campaign with --rig DIR copies the files in and refuses stale "
    "ones.\n\n"
    "Calibrate the stylus again after every change of tip, collar, height or speed; the camera "
    "whenever it was moved or its exposure changed. A rig whose lift delay spreads by more than "
    "0.4 ms from tap to tap is refused: its collar or its guide has play.\n\n"
    "Examples:\n"
    "  touchstone calibrate all --rig rigs/bench2\n"
    "  touchstone calibrate camera --rig rigs/bench2 --edges 1000\n\n"
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

/* The end of part 0: what it taught becomes files. */
static int keep(void *context, const struct ts_evidence *evidence,
                const struct ts_calibration *calibration, const char *note, struct ts_why *why)
{
    struct work *work = context;
    int err = TS_OK;
    for (int kind = 0; kind < PROCEDURES && !err; kind++) {
        struct ts_record record;
        struct ts_why reason = {""};
        if (!(work->arguments->kinds >> kind & 1))
            continue;
        err = ts_measure_record((enum ts_record_kind)kind, evidence, calibration, &record, &reason);
        if (!err && kind == TS_RECORD_STYLUS)
            err = accept_stylus(work, calibration, &reason);
        if (err)
            return ts_fail(why, err, "%s: %.200s%s%.200s", ts_record_names[kind], reason.text,
                           *note ? "; " : "", note);
        ts_measure_identity(evidence, &record.identity);
        snprintf(record.identity.rig, sizeof record.identity.rig, "%s", work->rig.name);
        record.date_s = work->now_s;
        err = ts_rig_put(&work->rig, &record, why);
        if (!err)
            show_record(work, &record);
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
    return plan;
}

/* The sessions' folder is made when it is first needed. */
static int name_session(const struct work *work, struct ts_path *path, struct ts_why *why)
{
    struct ts_path folder;
    char stamp[20];
    ts_job_stamp(work->now_s, stamp);
    int err = ts_path_format(&folder, why, "%s/calibration/sessions", work->rig.dir);
    if (!err)
        err = ts_folder_make(folder.text, why);
    for (int i = 1; i < 1000 && !err; i++) {
        err = i == 1 ? ts_path_format(path, why, "%s/%s", folder.text, stamp)
                     : ts_path_format(path, why, "%s/%s-%d", folder.text, stamp, i);
        if (!err && ts_folder_is_empty(path->text))
            break;
    }
    return err;
}

static int calibrate(struct work *work, struct ts_why *why)
{
    const struct arguments *arguments = work->arguments;
    struct ts_plan plan = make_plan(arguments);
    struct ts_bench *bench = NULL;
    struct ts_path session;
    const struct ts_bench_config config = {.seed = arguments->seed, .options = work->rig.options};
    int err = name_session(work, &session, why);
    if (!err)
        err = ts_job_open_bench(work->rig.bench, &config, &bench, why);
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
    struct arguments arguments = {.edges = EDGES, .drops = DROPS, .seconds = CLOCK_S, .seed = 1};
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
