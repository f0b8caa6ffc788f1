/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone calibrate: procedures that find the rig's own values. All but the observers' cost are
 * learnt in part 0 of a session without launches, whose evidence is kept. */
#include "cli/calibrate.h"

#include "cli/calibrate_arguments.h"
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

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPREAD_MOST 0.4   /* ms, of one tap's lift delay: the acceptance test of a rig */
#define INTERVALS   20000 /* of the MCU's own loop: 0.1 s of it */
#define PROBE_RUNS  50    /* per core and variant of memory */

struct work {
    const struct ts_calibrate_arguments *arguments;
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
    } else if (kind == TS_RECORD_POWER) {
        const double ma = work->arguments->load_ma;
        err = ts_measure_meter(evidence, ma, ma * work->arguments->load_percent / 100 / sqrt(3),
                               record, why);
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
        const bool seen = kind != TS_RECORD_NOISE && kind != TS_RECORD_POWER; /* by the camera */
        if (!(work->arguments->kinds >> kind & 1))
            continue;
        err = make_record(work, (enum ts_record_kind)kind, evidence, calibration, &record, &reason);
        if (err)
            return ts_fail(why, err, "%s: %.200s%s%.200s", ts_record_names[kind], reason.text,
                           seen && *note ? "; " : "", seen ? note : "");
        err = put(work, &record, why);
    }
    return err;
}

static struct ts_plan make_plan(const struct ts_calibrate_arguments *arguments)
{
    struct ts_plan plan;
    ts_plan_defaults(&plan);
    plan.launches = 0;
    plan.keep_video = TS_VIDEO_NONE;
    plan.plate_taps = arguments->kinds >> TS_RECORD_STYLUS & 1 ? arguments->drops : 0;
    plan.camera_edges = arguments->kinds >> TS_RECORD_CAMERA & 1 ? arguments->edges : 110;
    plan.clock_s = arguments->kinds >> TS_RECORD_CLOCK & 1 ? arguments->seconds : 0;
    plan.mcu_noise = arguments->kinds >> TS_RECORD_NOISE & 1 ? INTERVALS : 0;
    if (arguments->kinds == TS_CALIBRATE_POWER) {
        static char none[] = "none"; /* without its supply it may well be off */
        plan.meter_load = true;
        plan.phone = none;
    }
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
    const struct ts_calibrate_arguments *arguments = work->arguments;
    struct ts_plan plan = make_plan(arguments);
    struct ts_bench *bench = NULL;
    struct ts_path session;
    const struct ts_bench_config config = {
        .seed = arguments->seed, .options = work->rig.options, .phone = plan.phone};
    int err = name_session(work, &session, why);
    if (!err && arguments->kinds == TS_CALIBRATE_OBSERVERS)
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
    const struct ts_calibrate_arguments arguments = ts_calibrate_parse(argc, argv);
    struct ts_out out = {0};
    struct ts_why why = {""};
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
