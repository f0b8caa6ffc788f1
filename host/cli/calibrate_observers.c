/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate_observers.h"

#include "cli/job.h"
#include "cli/rig.h"
#include "instrument/observers.h"
#include "measure/measure.h"
#include "store/plan_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where nobody reads the log, only a screen that rests says that a launch is over; splash screens
 * rest too, but seldom for so long. */
#define QUIET_MS 3000

/* Launch times of one observer's pairs, all apps one after the other; NAN: not usable. */
struct pairs {
    double off_ms[TS_OBSERVER_PAIRS_MOST], on_ms[TS_OBSERVER_PAIRS_MOST];
    size_t count;
};

struct work {
    struct ts_plan plan;
    struct pairs *pairs; /* owned; [TS_OBSERVER_COUNT] */
    int *launched;       /* owned; per app */
    int total;
    struct ts_identity identity;
    struct ts_calibration given;
};

static int note_rig(void *context, const struct ts_evidence *evidence,
                    const struct ts_calibration *calibration, const char *note, struct ts_why *why)
{
    struct work *work = context;
    (void)calibration;
    (void)note;
    (void)why;
    ts_measure_identity(evidence, &work->identity);
    return TS_OK;
}

/* Pairs of one app lie `launches / 2 / observers` apart from those of the next. */
static void note_time(struct work *work, int app, int nth, double ms)
{
    const struct ts_observing observing = ts_plan_observing(&work->plan, nth);
    const int per_app = work->plan.launches / (2 * TS_OBSERVER_COUNT);
    const int of_observer = nth / (4 * TS_OBSERVER_COUNT) * 2 + observing.pair % 2;
    const int at = app * per_app + of_observer;
    for (int i = 0; i < TS_OBSERVER_COUNT; i++) {
        if ((unsigned)observing.under_test != 1u << i)
            continue;
        struct pairs *pairs = &work->pairs[i];
        *(observing.on ? &pairs->on_ms[at] : &pairs->off_ms[at]) = ms;
    }
}

/* A launch that some other thing went wrong with leaves its pair out. */
static int note_launch(void *context, const struct ts_result *result, struct ts_why *why)
{
    struct work *work = context;
    (void)why;
    for (int app = 0; app < (int)work->plan.app_count; app++) {
        if (strcmp(work->plan.apps[app].name, result->app) == 0)
            note_time(work, app, work->launched[app]++,
                      ts_result_usable(result) ? result->settled.value : NAN);
    }
    work->total++;
    if (isatty(STDERR_FILENO) == 1)
        fprintf(stderr, "\rlaunch %d/%d ", work->total, ts_plan_total(&work->plan));
    return TS_OK;
}

/* Each app has the same number of pairs, in whole rounds of off, on, on, off. */
static int make_plan(const struct ts_observer_session *session, struct work *work,
                     struct ts_why *why)
{
    char *text = NULL;
    int err = ts_plan_load(session->plan, &work->plan, &text, why);
    free(text);
    if (err)
        return err;
    struct ts_plan *plan = &work->plan;
    const int apps = (int)plan->app_count;
    const int rounds = apps ? (session->pairs + 2 * apps - 1) / (2 * apps) : 0;
    plan->launches = rounds * 4 * TS_OBSERVER_COUNT;
    plan->warm_up = plan->scenes = plan->clock_s = 0;
    plan->order = TS_ORDER_INTERLEAVED;
    plan->keep_video = TS_VIDEO_NONE;
    plan->observers = (1u << TS_OBSERVER_COUNT) - 1;
    plan->quiet_ms = fmax(plan->quiet_ms, QUIET_MS);
    plan->timeout_ms = fmax(plan->timeout_ms, plan->quiet_ms + 7000);
    if (session->rig->known[TS_RECORD_STYLUS])
        plan->plate_taps = 0;
    if (rounds * 2 * apps > TS_OBSERVER_PAIRS_MOST || !apps)
        return ts_fail(why, TS_EPROTO, "%s: takes %d pairs with its %d apps, more than %d",
                       session->plan, rounds * 2 * apps, apps, TS_OBSERVER_PAIRS_MOST);
    if (plan->phone && strcmp(plan->phone, "none") == 0)
        return ts_fail(why, TS_EPROTO, "%s: has no phone, and so nobody to observe it",
                       session->plan);
    err = ts_plan_check(plan, why);
    if (err)
        return err == TS_EINVAL ? TS_EPROTO : err;
    work->pairs = calloc(TS_OBSERVER_COUNT, sizeof *work->pairs);
    work->launched = calloc((size_t)apps, sizeof *work->launched);
    if (!work->pairs || !work->launched)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (int i = 0; i < TS_OBSERVER_COUNT; i++)
        work->pairs[i].count = (size_t)rounds * 2 * (size_t)apps;
    return TS_OK;
}

static void add(struct ts_record *record, const char *observer, const char *unit,
                const struct ts_shift *shift, double scale, double dof)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%s", observer, unit);
    ts_record_add(record, name, scale * shift->value, scale * shift->u, dof);
    snprintf(name, sizeof name, "%s_low_%s", observer, unit);
    ts_record_add(record, name, scale * shift->low, NAN, NAN);
    snprintf(name, sizeof name, "%s_high_%s", observer, unit);
    ts_record_add(record, name, scale * shift->high, NAN, NAN);
}

static int judge(const struct work *work, struct ts_record *record, struct ts_why *why)
{
    *record = (struct ts_record){.kind = TS_RECORD_OBSERVERS, .identity = work->identity};
    snprintf(record->method, sizeof record->method,
             "paired launches off, on, on, off; Hodges-Lehmann, 95 %% by signed ranks");
    for (int i = 0; i < TS_OBSERVER_COUNT; i++) {
        struct ts_observer_cost cost;
        struct ts_why reason = {""};
        const struct pairs *pairs = &work->pairs[i];
        const int err = ts_observer_cost(pairs->off_ms, pairs->on_ms, pairs->count, &cost, &reason);
        if (err)
            return ts_fail(why, err, "%s: %s; ask for more with --pairs", ts_observer_names[i],
                           reason.text);
        record->n += (int)cost.pairs;
        const double dof = (double)cost.pairs - 1;
        add(record, ts_observer_names[i], "ms", &cost.ms, 1, dof);
        add(record, ts_observer_names[i], "percent", &cost.share, 100, dof);
    }
    return TS_OK;
}

int ts_observers_record(const struct ts_observer_session *session, struct ts_record *record,
                        struct ts_why *why)
{
    struct work work = {.total = 0};
    struct ts_bench *bench = NULL;
    struct ts_buf forced = {0}; /* what is common to both launches of a pair cancels */
    int err = make_plan(session, &work, why);
    if (!err)
        err = ts_rig_give(session->rig, session->now_s, &forced, &work.given, why);
    const struct ts_bench_config config = {.seed = session->seed, .options = session->rig->options};
    if (!err)
        err = ts_job_open_bench(session->rig->bench, &config, &bench, why);
    const struct ts_job job = {.bench = bench,
                               .bench_name = session->rig->bench,
                               .plan = &work.plan,
                               .seed = session->seed,
                               .out = session->out,
                               .rig = session->rig,
                               .given = &work.given,
                               .context = &work,
                               .calibrated = note_rig,
                               .launched = note_launch};
    if (!err)
        err = ts_job_run(&job, why);
    if (isatty(STDERR_FILENO) == 1 && work.total)
        fprintf(stderr, "\n");
    if (!err)
        err = judge(&work, record, why);
    ts_bench_close(bench);
    ts_buf_free(&forced);
    free(work.pairs);
    free(work.launched);
    ts_plan_free(&work.plan);
    return err;
}
