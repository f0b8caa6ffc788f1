/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone run: a whole campaign. */
#include "bench/benches.h"
#include "cli/campaign.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "report/html.h"
#include "store/plan_file.h"
#include "vision/detector.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *plan, *bench, *out, *truth;
    uint64_t seed;
    bool json;
};

static const struct argp_option options[] = {
    {"bench", 'b', "sim|live", 0, "Which bench to use (default: live)", 0},
    {"out", 'o', "DIR", 0, "Folder for the session; must not exist or be empty (required)", 0},
    {"seed", 's', "N", 0,
     "Seed of everything drawn: order of shuffled launches, and the whole simulated bench "
     "(default 1)",
     0},
    {"truth", 't', "FILE", 0,
     "Simulated bench: write its reference values to FILE, one JSON line a launch. Keep it out of "
     "DIR; results are the same with and without it",
     0},
    {"json", 'j', 0, 0, "Print the summary as JSON", 0},
    {0},
};

static const struct ts_bench_driver *find_bench(const char *name)
{
    static const struct ts_bench_driver *const drivers[] = {&ts_bench_sim, NULL};
    for (size_t i = 0; drivers[i]; i++) {
        if (strcmp(drivers[i]->name, name) == 0)
            return drivers[i];
    }
    return NULL;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case 'b':
        if (strcmp(value, "live") != 0 && !find_bench(value))
            argp_error(state, "--bench: there is no bench \"%s\"; there are sim and live", value);
        arguments->bench = value;
        break;
    case 'o':
        arguments->out = value;
        break;
    case 't':
        arguments->truth = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case 's':
        errno = 0;
        arguments->seed = strtoull(value, &end, 10);
        if (errno || !*value || *end || *value == '-')
            argp_error(state, "--seed: \"%s\" is not a number of 0 or more", value);
        break;
    case ARGP_KEY_ARG:
        if (arguments->plan)
            argp_error(state, "one plan at a time");
        arguments->plan = value;
        break;
    case ARGP_KEY_END:
        if (!arguments->plan)
            argp_error(state, "name a plan; `touchstone plan new plan.yaml` writes one");
        if (!arguments->out)
            argp_error(state, "say where the session goes: --out DIR");
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
    "Ctrl-C ends the campaign after what is finished; that stays.\n\n"
    "Examples:\n"
    "  touchstone run fixtures/plans/demo.yaml --bench sim --seed 1 --out out/first\n"
    "  touchstone run plan.yaml --bench sim --seed 7 -o out/seven -t seven.truth\n\n"
    "Exit codes: 0 campaign done (flagged launches included), 1 failed, 2 wrong usage, "
    "130 stopped by Ctrl-C.",
    0,
    0,
    0};

static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int open_bench(const struct arguments *arguments, const struct ts_plan *plan,
                      struct ts_bench **bench, struct ts_why *why)
{
    const struct ts_bench_driver *driver = find_bench(arguments->bench);
    if (!driver) {
        ts_fail(why, TS_ENOTSUP,
                "the live bench is not built yet; use --bench sim, the simulated bench");
        return TS_ENOTSUP;
    }
    const struct ts_bench_config config = {
        .seed = arguments->seed,
        .truth_path = arguments->truth,
        .options = plan->bench_options ? plan->bench_options : "",
    };
    const int err = driver->open(&config, bench, why);
    if (err == TS_EINVAL) {
        const struct ts_why reason = *why;
        ts_fail(why, err, "%s: %.300s", arguments->plan, reason.text);
    }
    return err;
}

static int create_session(const struct arguments *arguments, const struct ts_plan *plan,
                          const char *plan_text, struct ts_bench *bench,
                          struct ts_session_writer **session, struct ts_why *why)
{
    struct ts_session_info info = {.seed = arguments->seed, .camera = *ts_bench_camera(bench)};
    snprintf(info.bench, sizeof info.bench, "%s", arguments->bench);
    snprintf(info.touchstone, sizeof info.touchstone, "%s", TS_VERSION);
    snprintf(info.detector, sizeof info.detector, "%s", TS_DETECTOR_VERSION);
    return ts_session_create(arguments->out, &info, plan, plan_text, session, why);
}

static void on_calibrated(void *context, const struct ts_calibration *calibration, const char *note)
{
    ts_progress_calibrated(context, calibration, note);
}

static int on_launched(void *context, const struct ts_result *result, struct ts_why *why)
{
    (void)why;
    ts_progress_launched(context, result);
    return TS_OK;
}

static int finish(const struct arguments *arguments, struct ts_why *why)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/report.html", arguments->out) >= (int)sizeof path)
        return ts_fail(why, TS_EINVAL, "--out: the path is too long");
    const int err = ts_report_write(arguments->out, path, why);
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

static int run(const struct arguments *arguments, struct ts_why *why)
{
    struct ts_plan plan = {0};
    char *plan_text = NULL;
    struct ts_bench *bench = NULL;
    struct ts_session_writer *session = NULL;
    struct ts_progress *progress = NULL;
    int err = ts_plan_load(arguments->plan, &plan, &plan_text, why);
    if (!err)
        err = open_bench(arguments, &plan, &bench, why);
    if (err == TS_EINVAL)
        err = TS_EPROTO; /* a wrong plan is wrong data, not wrong usage */
    if (!err)
        err = create_session(arguments, &plan, plan_text, bench, &session, why);
    if (!err)
        err = ts_progress_create(&plan, arguments->json, &progress);
    if (err)
        goto end;
    struct ts_campaign campaign = {.bench = bench,
                                   .plan = &plan,
                                   .seed = arguments->seed,
                                   .session = session,
                                   .stop = &stop_asked,
                                   .context = progress,
                                   .calibrated = on_calibrated,
                                   .launched = on_launched};
    err = ts_campaign_run(&campaign, why);
end:
    ts_progress_destroy(progress);
    ts_session_close(session);
    ts_bench_close(bench);
    ts_plan_free(&plan);
    free(plan_text);
    return err;
}

int ts_cli_run(int argc, char **argv)
{
    struct arguments arguments = {.bench = "live", .seed = 1};
    struct ts_why why = {"out of memory"};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone run";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    catch_signals();
    int err = run(&arguments, &why);
    const bool stopped = stop_asked != 0;
    if (err == TS_EOF && stopped) {
        fprintf(stderr, "touchstone: stopped; what was finished is in %s\n", arguments.out);
        return TS_EXIT_STOPPED;
    }
    if (!err)
        err = finish(&arguments, &why);
    if (!err)
        return TS_EXIT_OK;
    fprintf(stderr, "touchstone: %s\n", why.text);
    return err == TS_EINVAL ? TS_EXIT_USAGE : TS_EXIT_FAILED; /* the folder of --out */
}
