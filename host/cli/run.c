/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone run: a whole campaign. */
#include "cli/check.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/progress.h"
#include "cli/rig.h"
#include "cli/show.h"
#include "control/install.h"
#include "instrument/records.h"
#include "measure/measure.h"
#include "report/html.h"
#include "store/campaign_file.h"
#include "store/files.h"
#include "store/plan_file.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct arguments {
    const char *plan, *bench, *out, *truth, *rig, *device;
    uint64_t seed;
    bool force, json, resume;
};

static const struct argp_option options[] = {
    {"bench", 'b', "sim|live", 0, "Which bench to use (default: live)", 0},
    {"rig", 'r', "DIR", 0,
     "The rig's folder: its bench is used, its calibration files are copied in", 0},
    {"force", 'f', 0, 0,
     "Use calibration files that are stale or of another rig; the results say so", 0},
    {"out", 'o', "DIR", 0, "Folder for the session; must not exist or be empty (required)", 0},
    {"resume", 'c', 0, 0,
     "Go on with the campaign in --out that was cut off: its plan, seed and bench are used, and "
     "what it has finished stays as it is",
     0},
    {"seed", 's', "N", 0,
     "Seed of everything drawn: order of drawn launches, and the whole simulated bench "
     "(default 1)",
     0},
    {"truth", 't', "FILE", 0,
     "Simulated bench: write its reference values to FILE, one JSON line a launch. Keep it out of "
     "DIR; results are the same with and without it",
     0},
    {"device", 'd', "NAME", 0, "What the phone is called where devices are compared", 0},
    {"json", 'j', 0, 0, "Print the summary as JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'b':
        if (strcmp(value, "live") != 0 && !ts_job_find_bench(value))
            argp_error(state, "--bench: there is no bench \"%s\"; there are sim and live", value);
        arguments->bench = value;
        break;
    case 'o':
        arguments->out = value;
        break;
    case 't':
        arguments->truth = value;
        break;
    case 'r':
        arguments->rig = value;
        break;
    case 'd':
        arguments->device = value;
        break;
    case 'f':
        arguments->force = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case 'c':
        arguments->resume = true;
        break;
    case 's':
        if (!ts_job_read_seed(value, &arguments->seed))
            argp_error(state, "--seed: \"%s\" is not a number of 0 or more", value);
        break;
    case ARGP_KEY_ARG:
        if (arguments->plan)
            argp_error(state, "one plan at a time");
        arguments->plan = value;
        break;
    case ARGP_KEY_END:
        if (arguments->resume && (arguments->plan || arguments->truth))
            argp_error(state, "--resume goes on with the plan that the session has: name none");
        if (!arguments->plan && !arguments->resume)
            argp_error(state, "name a plan; `touchstone plan new plan.yaml` writes one");
        if (!arguments->out)
            argp_error(state, "say where the session goes: --out DIR");
        if (arguments->rig && arguments->bench)
            argp_error(state, "--rig: a rig has its bench; leave --bench out");
        if (!arguments->bench)
            arguments->bench = "live";
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "PLAN.yaml --out DIR",
    "Run the campaign that PLAN.yaml describes and keep everything of it in DIR.\v"
    "For every launch the stylus taps the phone, the camera watches the screen until it rests, and "
    "the result is written to DIR/launches/NNNN/. At the start the run learns its instrument: "
    "where the screen and the sync LEDs are in the picture, the camera's exposure and row time, "
    "and, by taps on the contact plate, when the tip leaves the glass. At the end it prints the "
    "table and writes DIR/report.html.\n\n"
    "With --rig the campaign begins with what the rig's calibration files say: their stylus values "
    "save the taps on the contact plate, and the camera must be as it was calibrated. Stale "
    "files, and files of another board, firmware or camera mode, are refused; --force uses them "
    "all the same and notes why in DIR/rig/forced.txt.\n\n"
    "A rig with a certificate (`touchstone verify`) plays a few scenes before and after the "
    "campaign as its check standard. Out of control before, the campaign is not begun; after, its "
    "results are kept and marked in DIR/checks/verdict.json, and the exit code is 1.\n\n"
    "Ctrl-C ends the campaign after what is finished; that stays, and --resume goes on with it, "
    "also after a crash or a power cut. The phone's settings are restored at the end, however it "
    "ends; after a crash by the next campaign, or by `touchstone phone restore`.\n\n"
    "Examples:\n"
    "  touchstone run fixtures/plans/demo.yaml --bench sim --seed 1 --out out/first\n"
    "  touchstone run plan.yaml --bench sim --seed 7 -o out/seven -t seven.truth\n"
    "  touchstone run plan.yaml --rig rigs/bench2 --out out/tuesday\n"
    "  touchstone run --resume --out out/tuesday --rig rigs/bench2\n\n"
    "Exit codes: 0 campaign done (flagged launches included), 1 failed, 2 wrong usage, "
    "130 stopped by Ctrl-C.",
    0,
    0,
    0};

/* A campaign on its way. */
struct work {
    const struct arguments *arguments;
    struct ts_session *past; /* owned; to go on with; NULL: a new campaign */
    struct ts_plan plan;     /* past's own, if there is one */
    char *plan_text;         /* owned */
    struct ts_bench *bench;
    struct ts_progress *progress;
    bool has_rig;
    struct ts_rig rig;
    struct ts_calibration given; /* by the rig's files */
    struct ts_check check;       /* of a rig with a certificate */
    int64_t now_s;
};

/* The rig's options, then the plan's own, which may add to them. */
static int open_bench(struct work *work, struct ts_why *why)
{
    const struct arguments *arguments = work->arguments;
    const struct ts_bench_config config = {.seed = arguments->seed,
                                           .truth_path = arguments->truth,
                                           .options = work->has_rig ? work->rig.options : "",
                                           .phone = work->plan.phone};
    const char *more = work->plan.bench_options ? work->plan.bench_options : "";
    struct ts_why reason = {""};
    const int err = ts_job_open_rig(work->has_rig ? work->rig.bench : arguments->bench, &config,
                                    more, &work->bench, &reason);
    if (err == TS_EPROTO)
        return ts_fail(why, err, "%s: %.300s", arguments->plan, reason.text);
    return err ? ts_fail(why, err, "%s", reason.text) : TS_OK;
}

static int open_rig(struct work *work, struct ts_why *why)
{
    struct ts_buf forced = {0};
    if (!work->arguments->rig)
        return TS_OK;
    int err = ts_rig_open(work->arguments->rig, 0, &work->rig, why);
    if (err)
        return err;
    work->has_rig = true;
    err = ts_rig_give(&work->rig, work->now_s, work->arguments->force ? &forced : NULL,
                      &work->given, why);
    if (forced.size)
        fprintf(stderr, "touchstone: --force:\n%.*s", (int)forced.size, (const char *)forced.data);
    ts_buf_free(&forced);
    if (!err && work->rig.known[TS_RECORD_STYLUS])
        work->plan.plate_taps = 0; /* known already, and better */
    return err;
}

/* Notes in the session's folder why calibration files were not fit for use. */
static int note_forced(const struct work *work, const struct ts_buf *reasons, struct ts_why *why)
{
    struct ts_path path;
    const int err = ts_path_format(&path, why, "%s/rig/forced.txt", work->arguments->out);
    return err ? err : ts_file_write(path.text, reasons, why);
}

static int check_rig(const struct work *work, const struct ts_evidence *evidence,
                     const struct ts_calibration *calibration, struct ts_why *why)
{
    struct ts_identity identity;
    struct ts_buf forced = {0};
    struct ts_why moved = {""};
    const bool force = work->arguments->force;
    ts_measure_identity(evidence, &identity);
    int err = ts_rig_meets(&work->rig, &identity, work->now_s, force ? &forced : NULL, why);
    if (!err && ts_camera_agrees(&work->given, calibration, &moved))
        err = force ? ts_buf_printf(&forced, "%s\n", moved.text)
                    : ts_fail(why, TS_EPROTO, "%s", moved.text);
    if (!err && forced.size)
        err = note_forced(work, &forced, why);
    ts_buf_free(&forced);
    return err;
}

/* A simulated bench has no day. */
static int note_campaign(const struct work *work, const struct ts_evidence *evidence,
                         struct ts_why *why)
{
    const struct arguments *arguments = work->arguments;
    const char *bench = work->has_rig ? work->rig.bench : arguments->bench;
    const time_t seconds = (time_t)work->now_s;
    struct ts_campaign_file file = {{0}, {0}, {0}, {0}};
    struct tm parts;
    if (strcmp(bench, "sim") != 0 && gmtime_r(&seconds, &parts))
        strftime(file.started, sizeof file.started, "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (work->has_rig)
        snprintf(file.rig, sizeof file.rig, "%s", work->rig.name);
    if (arguments->device)
        snprintf(file.device, sizeof file.device, "%s", arguments->device);
    memcpy(file.phone, evidence->intent.phone, sizeof file.phone);
    return ts_campaign_file_write(arguments->out, &file, why);
}

static int on_calibrated(void *context, const struct ts_evidence *evidence,
                         const struct ts_calibration *calibration, const char *note,
                         struct ts_why *why)
{
    struct work *work = context;
    ts_progress_calibrated(work->progress, calibration, note);
    int err = note_campaign(work, evidence, why);
    if (err || !work->has_rig)
        return err;
    err = check_rig(work, evidence, calibration, why);
    return err ? err : ts_check_adopt(&work->check, why);
}

static int on_launched(void *context, const struct ts_result *result, struct ts_why *why)
{
    const struct work *work = context;
    (void)why;
    ts_progress_launched(work->progress, result);
    return TS_OK;
}

static int finish(const struct arguments *arguments, struct ts_why *why)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/report.html", arguments->out) >= (int)sizeof path)
        return ts_fail(why, TS_EINVAL, "--out: the path is too long");
    const int err = ts_report_write(arguments->out, NULL, path, why);
    if (err)
        return err;
    char *show[] = {"touchstone show", (char *)arguments->out, arguments->json ? "--json" : NULL,
                    NULL};
    if (ts_cli_show(arguments->json ? 3 : 2, show))
        return ts_fail(why, TS_EIO, "the results are kept, but could not be printed");
    if (!arguments->json)
        printf("\nReport: %s\n", path);
    return TS_OK;
}

/* Every build's package, once: installs are then commands of the phone like any other. */
static int put_packages(const struct work *work, struct ts_why *why)
{
    int err = TS_OK;
    for (size_t i = 0; i < work->plan.app_count && !err; i++) {
        char to[80];
        if (!work->plan.apps[i].apk)
            continue;
        ts_install_path(i, to, sizeof to);
        err = ts_bench_put_file(work->bench, work->plan.apps[i].apk, to, why);
    }
    return err;
}

static int check_before(struct work *work, struct ts_why *why)
{
    const struct arguments *arguments = work->arguments;
    if (!work->has_rig)
        return TS_OK;
    work->check =
        (struct ts_check){.rig = &work->rig,
                          .given = &work->given,
                          .options = work->plan.bench_options ? work->plan.bench_options : "",
                          .out = arguments->out,
                          .seed = arguments->seed,
                          .now_s = work->now_s,
                          .force = arguments->force};
    return ts_check_before(&work->check, why);
}

/* What the cut-off session says takes the place of the command line. */
static int open_past(struct work *work, struct arguments *arguments, struct ts_why *why)
{
    int err = ts_session_open(arguments->out, &work->past, why);
    if (err)
        return err;
    const struct ts_session_info *info = ts_session_get_info(work->past);
    work->plan = *ts_session_get_plan(work->past);
    arguments->seed = info->seed;
    if (!arguments->rig)
        arguments->bench = info->bench;
    struct ts_why unsaid;
    const bool had_rig = ts_session_load_given(work->past, &work->given, &unsaid) == TS_OK;
    if (had_rig && !arguments->rig)
        return ts_fail(why, TS_EINVAL, "%s was begun with a rig: give it again with --rig DIR",
                       arguments->out);
    if (arguments->rig)
        err = ts_rig_open(arguments->rig, 0, &work->rig, why);
    work->has_rig = arguments->rig && !err;
    return err;
}

static int open_new(struct work *work, struct ts_why *why)
{
    int err = ts_plan_load(work->arguments->plan, &work->plan, &work->plan_text, why);
    if (!err)
        err = open_rig(work, why);
    return err ? err : check_before(work, why);
}

/* *finding: why the results are marked; "" they are not. */
static int run(struct arguments *arguments, struct ts_why *finding, struct ts_why *why)
{
    struct work work = {.arguments = arguments, .now_s = ts_job_now_s()};
    int err = arguments->resume ? open_past(&work, arguments, why) : open_new(&work, why);
    if (!err)
        err = open_bench(&work, why);
    if (err == TS_EINVAL)
        err = TS_EPROTO; /* a wrong plan is wrong data, not wrong usage */
    if (!err)
        err = put_packages(&work, why);
    if (!err)
        err = ts_progress_create(&work.plan, arguments->json, &work.progress);
    if (!err && work.past)
        err = ts_progress_resume(work.progress, work.past, why);
    const struct ts_job job = {.bench = work.bench,
                               .bench_name = work.has_rig ? work.rig.bench : arguments->bench,
                               .plan = &work.plan,
                               .plan_text = work.plan_text,
                               .seed = arguments->seed,
                               .out = arguments->out,
                               .rig = work.has_rig ? &work.rig : NULL,
                               .given = work.has_rig ? &work.given : NULL,
                               .past = work.past,
                               .context = &work,
                               .calibrated = on_calibrated,
                               .launched = on_launched};
    if (!err)
        err = ts_job_run(&job, why);
    ts_progress_destroy(work.progress);
    ts_bench_close(work.bench); /* the check opens it anew */
    if (!err)
        err = ts_check_after(&work.check, why);
    *finding = work.check.finding;
    ts_check_free(&work.check);
    ts_rig_free(&work.rig);
    if (!work.past)
        ts_plan_free(&work.plan);
    ts_session_free(work.past);
    free(work.plan_text);
    return err;
}

int ts_cli_run(int argc, char **argv)
{
    struct arguments arguments = {.seed = 1};
    struct ts_why why = {"out of memory"}, finding = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone run";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    ts_job_catch_signals();
    int err = run(&arguments, &finding, &why);
    const bool stopped = ts_job_is_stopped();
    if (err == TS_EOF && stopped) {
        if (ts_file_exists(arguments.out))
            fprintf(stderr, "touchstone: stopped; what was finished is in %s\n", arguments.out);
        else
            fprintf(stderr, "touchstone: stopped before the campaign began\n");
        return TS_EXIT_STOPPED;
    }
    if (!err)
        err = finish(&arguments, &why);
    if (!err && !*finding.text)
        return TS_EXIT_OK;
    if (!err)
        fprintf(stderr, "touchstone: out of control, the results are kept but marked: %s\n",
                finding.text);
    else
        fprintf(stderr, "touchstone: %s\n", why.text);
    return err == TS_EINVAL ? TS_EXIT_USAGE : TS_EXIT_FAILED; /* the folder of --out */
}
