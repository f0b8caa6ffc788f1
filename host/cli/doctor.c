/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone doctor: is the rig fit for a campaign, and if not, what is to be done? */
#include "cli/doctor.h"

#include "cli/cli.h"
#include "cli/doctor_findings.h"
#include "cli/job.h"
#include "cli/output.h"
#include "measure/measure.h"
#include "report/text.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOUCHES       5
#define INTERVALS     4000
#define GIGABYTES     2.0
#define EXIT_WARNINGS 3

struct arguments {
    const char *rig, *bench, *options, *keep, *sessions;
    double gigabytes;
    uint64_t seed;
    bool no_phone, json;
};

enum { NO_PHONE = 256, SESSIONS, SPACE };

static const struct argp_option options[] = {
    {"rig", 'r', "DIR", 0, "The rig's folder: its bench, its calibration files, its certificate",
     0},
    {"bench", 'b', "sim|live", 0, "Without a rig's folder: which bench (default: live)", 0},
    {"options", 'O', "KEY=VALUE,...", 0, "For the bench, after the rig's own", 0},
    {"no-phone", NO_PHONE, 0, 0, "Look at the rig alone; no phone is connected", 0},
    {"sessions", SESSIONS, "DIR", 0, "Where sessions go (default: here)", 0},
    {"space", SPACE, "GB", 0, "What shall be free there (default 2)", 0},
    {"keep", 'k', "DIR", 0, "Keep the short session in DIR; must not exist or be empty", 0},
    {"seed", 's', "N", 0, "Seed of the simulated bench (default 1)", 0},
    {"json", 'j', 0, 0, "Print the findings as JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case 'r':
        arguments->rig = value;
        break;
    case 'b':
        ts_job_check_bench(value, state);
        arguments->bench = value;
        break;
    case 'O':
        arguments->options = value;
        break;
    case NO_PHONE:
        arguments->no_phone = true;
        break;
    case SESSIONS:
        arguments->sessions = value;
        break;
    case SPACE:
        arguments->gigabytes = strtod(value, &end);
        if (!*value || *end || !(arguments->gigabytes >= 0 && arguments->gigabytes < 1e9))
            argp_error(state, "--space: \"%s\" is not a number of gigabytes", value);
        break;
    case 'k':
        arguments->keep = value;
        break;
    case 's':
        if (!ts_job_read_seed(value, &arguments->seed))
            argp_error(state, "--seed: \"%s\" is not a number of 0 or more", value);
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "\"%s\": name the rig with --rig", value);
        break;
    case ARGP_KEY_END:
        if (arguments->rig && arguments->bench)
            argp_error(state, "--rig says which bench it is; leave --bench out");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "[--rig DIR | --bench sim]",
    "Look at the whole rig, and say what to do about what is wrong.\v"
    "A session of some seconds blackens and whitens the display, lets the sync LEDs blink, taps a "
    "button of the helper app five times (it starts nothing) and reads every clock. From it: the "
    "board, its firmware and its own counts of errors, lost messages, round trips, how well the "
    "clocks are known and whether "
    "they wander, the camera's real rate, dropped frames, exposure, flicker (depth and frequency), "
    "how many taps the accelerometer and the phone noticed, the step of the phone's log clock. "
    "Beside it: how old the calibration files are and whose, the certificate, how much this "
    "computer is busy, and the space left on the disk.\n\n"
    "Each line is ok, note, warning or failure: what was measured, its limit, and below it what to "
    "do. Nothing of the session is kept unless --keep says where. What a rig does not have "
    "(--no-phone) is not judged.\n\n"
    "Examples:\n"
    "  touchstone doctor --rig rigs/bench2\n"
    "  touchstone doctor --bench sim --seed 3\n"
    "  touchstone doctor --bench sim --options bridge=ftdi16 --json\n\n"
    "Exit codes: 0 all well (notes included), 1 a failure, 2 wrong usage, 3 warnings only, 130 "
    "stopped by Ctrl-C.",
    0,
    0,
    0};

static int look(void *context, const struct ts_evidence *evidence,
                const struct ts_calibration *calibration, const char *note, struct ts_why *why)
{
    struct ts_doctor_session *session = context;
    double *deltas_ns = NULL;
    size_t count;
    session->found = *calibration;
    snprintf(session->note.text, sizeof session->note.text, "%s", note);
    ts_measure_identity(evidence, &session->identity);
    if (ts_health_mcu_noise(evidence, &deltas_ns, &count, NULL) == TS_OK)
        session->mcu_noise_known =
            ts_noise_of(deltas_ns, count, &session->mcu_noise, NULL) == TS_OK;
    free(deltas_ns);
    if (ts_health_of(evidence, calibration, &session->health))
        return ts_fail(why, TS_ENOMEM, "out of memory");
    return TS_OK;
}

static int make_plan(const struct arguments *arguments, struct ts_plan *plan, struct ts_why *why)
{
    ts_plan_defaults(plan);
    plan->launches = plan->plate_taps = 0;
    plan->keep_video = TS_VIDEO_NONE;
    plan->touches = TOUCHES;
    plan->mcu_noise = INTERVALS;
    plan->phone = strdup(arguments->no_phone ? "none" : "auto");
    return plan->phone ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
}

/* Kept sessions are whole ones; else the evidence stays in memory and no file is touched. */
static int run(const struct arguments *arguments, const struct ts_rig *rig,
               struct ts_doctor_session *session, struct ts_why *why)
{
    struct ts_plan plan;
    struct ts_bench *bench = NULL;
    const char *name = rig ? rig->bench : arguments->bench ? arguments->bench : "live";
    int err = make_plan(arguments, &plan, why);
    const struct ts_bench_config config = {
        .seed = arguments->seed, .options = rig ? rig->options : "", .phone = plan.phone};
    if (!err)
        err = ts_job_open_rig(name, &config, arguments->options, &bench, why);
    const struct ts_job job = {.bench = bench,
                               .bench_name = name,
                               .plan = &plan,
                               .seed = arguments->seed,
                               .out = arguments->keep,
                               .context = session,
                               .calibrated = look};
    struct ts_campaign campaign = {.bench = bench,
                                   .plan = &plan,
                                   .seed = arguments->seed,
                                   .context = session,
                                   .calibrated = look};
    if (!err && arguments->keep)
        err = ts_job_run(&job, why);
    else if (!err)
        err = ts_campaign_run(&campaign, why);
    if (!err)
        session->status_known = ts_doctor_ask_status(bench, &session->status);
    ts_bench_close(bench);
    ts_plan_free(&plan);
    return err;
}

/* Damaged calibration files are findings; a folder that is none is the end. */
static int examine(const struct arguments *arguments, struct ts_findings *findings,
                   struct ts_why *why)
{
    struct ts_rig rig = {.dir = NULL};
    struct ts_doctor_session session = {.has_phone = !arguments->no_phone,
                                        .touches_asked = TOUCHES};
    struct ts_why reason = {""};
    if (arguments->rig) {
        const int err = ts_rig_open(arguments->rig, ~0u, &rig, why);
        if (err)
            return err;
    }
    if (isatty(STDERR_FILENO) == 1)
        fprintf(stderr, "Looking at the rig ...\n");
    const int failed = run(arguments, arguments->rig ? &rig : NULL, &session, &reason);
    if (failed == TS_EOF && ts_job_is_stopped()) {
        ts_rig_free(&rig);
        return ts_fail(why, failed, "stopped");
    }
    if (failed)
        ts_found_worse(ts_found(findings, "session", NAN, "comes to its end", "failed"),
                       TS_FOUND_FAILURE, "%c%.300s.", reason.text[0] == 't' ? 'T' : reason.text[0],
                       reason.text + 1);
    else
        ts_doctor_judge_session(&session, findings);
    if (arguments->rig)
        ts_doctor_judge_files(arguments->rig, &rig, failed ? NULL : &session, ts_job_now_s(),
                              findings);
    else
        ts_found_worse(ts_found(findings, "calibration", NAN, "", "not looked at"), TS_FOUND_NOTE,
                       "Name the rig's folder with --rig to have its calibration checked.");
    ts_doctor_judge_computer(arguments->sessions, arguments->gigabytes, findings);
    ts_rig_free(&rig);
    return TS_OK;
}

int ts_cli_doctor(int argc, char **argv)
{
    struct arguments arguments = {
        .options = "", .sessions = ".", .gigabytes = GIGABYTES, .seed = 1};
    struct ts_findings findings = {.count = 0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone doctor";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (arguments.keep)
        ts_job_catch_signals(); /* else there is nothing that a sudden end could leave behind */
    const int err = examine(&arguments, &findings, &why);
    if (!err && arguments.json)
        ts_findings_json(&findings, &out);
    else if (!err)
        ts_findings_print(&findings, ts_text_style_for(stdout), &out);
    const int code = ts_cli_end(&out, err, &why);
    if (err == TS_EOF)
        return TS_EXIT_STOPPED;
    if (code != TS_EXIT_OK)
        return code;
    const enum ts_found worst = ts_found_worst(&findings);
    return worst == TS_FOUND_FAILURE   ? TS_EXIT_FAILED
           : worst == TS_FOUND_WARNING ? EXIT_WARNINGS
                                       : TS_EXIT_OK;
}
