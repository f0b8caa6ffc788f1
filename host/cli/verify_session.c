/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/verify_session.h"

#include "measure/budget.h"
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUIET_MS 2700 /* the carousel stands still for 2.2 s, other scenes for up to 1.5 s */

/* Learnt once more without the files: what could not be found now must not stand there as found
 * because the files had it. */
static int on_calibrated(void *context, const struct ts_evidence *evidence,
                         const struct ts_calibration *calibration, const char *note,
                         struct ts_why *why)
{
    struct ts_scene_findings *findings = context;
    (void)calibration;
    (void)note;
    ts_measure_identity(evidence, &findings->identity);
    const int err = ts_measure_calibration(evidence, NULL, &findings->found, &findings->note);
    return err ? ts_fail(why, err, "out of memory") : TS_OK;
}

/* The lift delay is in what the photodiodes say, too: it is in no difference. */
static void state(const struct ts_budget *stated, struct ts_scene_pair *pair,
                  enum ts_measurand measurand)
{
    struct ts_budget budget = *stated;
    struct ts_term *terms = budget.terms;
    terms[TS_TERM_LIFT_TAP].u = terms[TS_TERM_LIFT_DELAY].u = terms[TS_TERM_PLATE].u = 0;
    pair->u_ms[measurand] = ts_budget_u_ms(&budget);
    pair->half_95_ms[measurand] = ts_budget_half_ms(&budget, 0.95);
}

static int kind_of(const char *app)
{
    for (int kind = 0; kind < TS_SCENE_COUNT; kind++) {
        if (strncmp(app, "scene ", 6) == 0 && strcmp(app + 6, ts_scene_names[kind]) == 0)
            return kind;
    }
    return 0;
}

static int on_launched(void *context, const struct ts_result *result, struct ts_why *why)
{
    struct ts_scene_findings *findings = context;
    const struct ts_metric *metrics[] = {&result->first_visual_change, &result->settled};
    const struct ts_budget *budgets[] = {&result->budgets[TS_BUDGET_FIRST],
                                         &result->budgets[TS_BUDGET_SETTLED]};
    (void)why;
    if (findings->pair_count == TS_CERTIFICATE_SCENES_MOST)
        return TS_OK;
    const double refresh_hz = result->conditions.refresh_before_hz;
    if (refresh_hz > 0)
        findings->refresh_hz = refresh_hz;
    struct ts_scene_pair *pair = &findings->pairs[findings->pair_count++];
    *pair = (struct ts_scene_pair){.kind = kind_of(result->app),
                                   .usable = ts_result_usable(result),
                                   .refresh_ms = refresh_hz > 0 ? 1000 / refresh_hz : NAN};
    for (int i = 0; i < TS_MEASURAND_COUNT; i++) {
        pair->difference_ms[i] = metrics[i]->value - result->photodiode_ms[i];
        pair->u_ms[i] = pair->half_95_ms[i] = NAN;
        if (isfinite(pair->difference_ms[i]))
            state(budgets[i], pair, (enum ts_measurand)i);
    }
    return TS_OK;
}

int ts_scene_session_run(const struct ts_scene_session *session, const struct ts_calibration *given,
                         struct ts_scene_findings *findings, struct ts_why *why)
{
    struct ts_plan plan;
    struct ts_bench *bench = NULL;
    *findings = (struct ts_scene_findings){.refresh_hz = NAN};
    ts_plan_defaults(&plan);
    plan.launches = 0;
    plan.keep_video = TS_VIDEO_NONE;
    plan.scenes = session->scenes;
    plan.quiet_ms = QUIET_MS;
    plan.plate_taps = session->plate_taps;
    plan.camera_edges = session->camera_edges;
    const struct ts_bench_config config = {.seed = session->seed, .options = session->rig->options};
    int err = ts_job_open_rig(session->rig->bench, &config, session->options, &bench, why);
    const struct ts_job job = {.bench = bench,
                               .bench_name = session->rig->bench,
                               .plan = &plan,
                               .seed = session->seed,
                               .out = session->out,
                               .rig = session->rig,
                               .given = given,
                               .context = findings,
                               .calibrated = on_calibrated,
                               .launched = on_launched};
    if (!err)
        err = ts_job_run(&job, why);
    ts_bench_close(bench);
    return err;
}
