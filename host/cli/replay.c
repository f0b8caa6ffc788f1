/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone replay: results again from recorded evidence. */
#include "bench/bench.h"
#include "cli/campaign.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "measure/measure.h"
#include "replay/replay.h"
#include "store/analysis.h"
#include "store/result_file.h"
#include "store/session.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *session;
    bool strict, json;
};

static const struct argp_option options[] = {
    {"strict", 's', 0, 0,
     "Also let control decide again, item by item, and stop at the first command that differs from "
     "the journal",
     0},
    {"json", 'j', 0, 0, "Print the outcome as JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 's':
        arguments->strict = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    default:
        return ts_cli_take_session(key, value, state, &arguments->session);
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR",
    "Compute every result of the session DIR again from its recorded evidence and compare it, byte "
    "for byte, with the one that was kept.\v"
    "Videos are not needed: block sums are always kept. A launch whose result differs (because "
    "this program's detector is another one, or the evidence was damaged) is written to "
    "DIR/analysis/DETECTOR/NNNN.json, never over the kept result.\n\n"
    "Examples:\n"
    "  touchstone replay out/first\n"
    "  touchstone replay out/first --strict\n\n"
    "Exit codes: 0 every result is identical, 1 something differs or cannot be read, "
    "2 wrong usage.",
    0,
    0,
    0};

struct comparison {
    const struct arguments *arguments;
    const struct ts_session *session;
    int compared, different;
};

static int compare(struct comparison *comparison, const struct ts_result *result,
                   struct ts_why *why)
{
    struct ts_buf now = {0}, kept = {0};
    const char *dir = comparison->arguments->session;
    int err = ts_result_print(result, ts_session_get_info(comparison->session), &now);
    if (err) {
        ts_fail(why, err, "out of memory");
        goto end;
    }
    err = ts_analysis_read_kept(dir, result->launch, &kept, why);
    if (err)
        goto end;
    comparison->compared++;
    if (now.size == kept.size && memcmp(now.data, kept.data, now.size) == 0)
        goto end;
    comparison->different++;
    err = ts_analysis_write(dir, result->detector_version, result->launch, &now, why);
    if (!err && !comparison->arguments->json)
        printf("launch %04d differs; now in %s/analysis/%s/%04d.json\n", result->launch, dir,
               result->detector_version, result->launch);
end:
    ts_buf_free(&now);
    ts_buf_free(&kept);
    return err;
}

static int measure_again(const struct ts_session *session, int launch,
                         const struct ts_calibration *calibration, struct ts_result *result,
                         struct ts_why *why)
{
    struct ts_evidence evidence;
    int err = ts_session_load_evidence(session, launch, &evidence, why);
    if (err)
        return err;
    err = ts_measure_launch(&evidence, calibration, ts_session_get_plan(session), result);
    ts_evidence_free(&evidence);
    return err ? ts_fail(why, err, "cannot measure launch %d: %s", launch, ts_err_text(err))
               : TS_OK;
}

static int replay_results(struct comparison *comparison, struct ts_why *why)
{
    struct ts_evidence evidence;
    struct ts_calibration calibration, given;
    const int none = ts_session_load_given(comparison->session, &given, why);
    if (none && none != TS_EOF)
        return none;
    int err = ts_session_load_evidence(comparison->session, 0, &evidence, why);
    if (err)
        return err;
    err = ts_measure_calibration(&evidence, none ? NULL : &given, &calibration, NULL);
    ts_evidence_free(&evidence);
    const int count = ts_session_launch_count(comparison->session);
    for (int launch = 1; launch <= count && !err; launch++) {
        struct ts_result result;
        err = measure_again(comparison->session, launch, &calibration, &result, why);
        if (!err)
            err = compare(comparison, &result, why);
    }
    return err;
}

static int on_launched(void *context, const struct ts_result *result, struct ts_why *why)
{
    return compare(context, result, why);
}

static int replay_strictly(struct comparison *comparison, struct ts_why *why)
{
    struct ts_bench *bench = NULL;
    const struct ts_bench_config config = {.session_path = comparison->arguments->session};
    struct ts_calibration given;
    const int none = ts_session_load_given(comparison->session, &given, why);
    if (none && none != TS_EOF)
        return none;
    int err = ts_bench_replay.open(&config, &bench, why);
    if (err)
        return err;
    struct ts_campaign campaign = {.bench = bench,
                                   .plan = ts_session_get_plan(comparison->session),
                                   .seed = ts_session_get_info(comparison->session)->seed,
                                   .given = none ? NULL : &given,
                                   .replayed = comparison->session,
                                   .context = comparison,
                                   .launched = on_launched};
    err = ts_campaign_run(&campaign, why);
    const char *difference = ts_bench_replay_difference(bench);
    if (err && difference && *difference)
        ts_fail(why, err, "%s", difference);
    /* A campaign that was stopped ends where its journal ends. */
    if (err == TS_EOF && comparison->compared == ts_session_launch_count(comparison->session))
        err = TS_OK;
    ts_bench_close(bench);
    return err;
}

int ts_cli_replay(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_why why = {"out of memory"};
    struct ts_session *session = NULL;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone replay";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    int err = ts_session_open(arguments.session, &session, &why);
    struct comparison comparison = {.arguments = &arguments, .session = session};
    if (!err)
        err = arguments.strict ? replay_strictly(&comparison, &why)
                               : replay_results(&comparison, &why);
    ts_session_free(session);
    if (err) {
        fprintf(stderr, "touchstone: %s\n", why.text);
        return TS_EXIT_FAILED;
    }
    const int identical = comparison.compared - comparison.different;
    if (arguments.json)
        printf("{\"compared\": %d, \"identical\": %d, \"different\": %d, \"strict\": %s}\n",
               comparison.compared, identical, comparison.different,
               arguments.strict ? "true" : "false");
    else
        printf("%d of %d results are identical%s\n", identical, comparison.compared,
               arguments.strict ? ", and control gave the same commands" : "");
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "touchstone: the outcome cannot be written: %s\n", strerror(errno));
        return TS_EXIT_FAILED;
    }
    return comparison.different ? TS_EXIT_FAILED : TS_EXIT_OK;
}
