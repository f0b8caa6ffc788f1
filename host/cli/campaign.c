/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/campaign.h"

#include "control/control.h"
#include "measure/measure.h"
#include "vision/blocks.h"

#include <string.h>

struct run {
    struct ts_campaign *campaign;
    struct ts_control *control;
    struct ts_calibration calibration;
    struct ts_evidence evidence;
    struct ts_host_time now;
    struct ts_why *why;
};

static int submit(struct run *run, const struct ts_control_output *output)
{
    for (size_t i = 0; i < output->count; i++) {
        const struct ts_command *command = &output->commands[i];
        int err = TS_OK;
        if (run->campaign->session)
            err = ts_session_command(run->campaign->session, command);
        if (err)
            return ts_fail(run->why, err, "cannot write the journal; is the disk full?");
        err = ts_bench_submit(run->campaign->bench, command);
        if (err)
            return ts_fail(run->why, err, "the bench refused a command: %s", ts_err_text(err));
    }
    return TS_OK;
}

static int take_item(struct run *run, struct ts_control_output *output)
{
    struct ts_item item;
    const struct ts_campaign *campaign = run->campaign;
    int err = ts_bench_next(campaign->bench, &item);
    if (err)
        return ts_fail(run->why, err, "the bench gives no more items: %s", ts_err_text(err));
    run->now = item.arrival;
    if (item.kind == TS_ITEM_FRAME && item.u.frame->pixels)
        ts_blocks_sum(item.u.frame->pixels, (size_t)run->evidence.camera.width_px,
                      &run->evidence.camera, item.u.frame->blocks);
    if (campaign->session)
        err = ts_session_item(campaign->session, &item);
    if (err)
        return ts_fail(run->why, err, "cannot write the journal; is the disk full?");
    err = ts_evidence_add(&run->evidence, &item);
    if (err)
        return ts_fail(run->why, err, "out of memory while collecting a launch's evidence");
    err = ts_control_item(run->control, &item, output, run->why);
    return err ? err : submit(run, output);
}

static int finish_calibration(struct run *run)
{
    struct ts_campaign *campaign = run->campaign;
    struct ts_why note = {""};
    int err = ts_measure_calibration(&run->evidence, campaign->given, &run->calibration, &note);
    if (!err && campaign->session)
        err = ts_session_finish_calibration(campaign->session, &run->calibration, run->why);
    if (err)
        return err;
    ts_control_calibrated(run->control, &run->calibration);
    if (!campaign->calibrated)
        return TS_OK;
    return campaign->calibrated(campaign->context, &run->evidence, &run->calibration, note.text,
                                run->why);
}

static bool keeps_video(const struct ts_plan *plan, const struct ts_result *result)
{
    if (plan->keep_video != TS_VIDEO_FLAGGED_AND_SAMPLE)
        return plan->keep_video == TS_VIDEO_ALL;
    /* The sample: the first round of launches. */
    return !ts_result_usable(result) || result->launch <= (int)plan->app_count;
}

static int finish_launch(struct run *run)
{
    struct ts_campaign *campaign = run->campaign;
    struct ts_result result;
    int err = ts_measure_launch(&run->evidence, &run->calibration, campaign->plan, &result);
    if (err)
        return ts_fail(run->why, err, "cannot measure launch %d: %s", run->evidence.intent.launch,
                       ts_err_text(err));
    if (campaign->session)
        err = ts_session_finish_launch(campaign->session, &result,
                                       keeps_video(campaign->plan, &result), run->why);
    if (!err && campaign->launched)
        err = campaign->launched(campaign->context, &result, run->why);
    return err;
}

static int run_part(struct run *run, struct ts_control_output *output)
{
    struct ts_campaign *campaign = run->campaign;
    const int part = ts_control_part(run->control);
    ts_evidence_free(&run->evidence);
    run->evidence.camera = *ts_bench_camera(campaign->bench);
    int err = TS_OK;
    if (campaign->session)
        err = ts_session_begin(campaign->session, part,
                               part > 0 && campaign->plan->keep_video != TS_VIDEO_NONE, run->why);
    if (!err)
        err = submit(run, output);
    while (!err && !output->part_ended) {
        if (campaign->stop && *campaign->stop)
            return TS_EOF;
        err = take_item(run, output);
    }
    if (err)
        return err;
    run->evidence.intent = *ts_control_intent(run->control);
    if (campaign->session)
        err = ts_session_intent(campaign->session, &run->evidence.intent);
    if (err)
        return ts_fail(run->why, err, "cannot write the journal; is the disk full?");
    return part == 0 ? finish_calibration(run) : finish_launch(run);
}

int ts_campaign_run(struct ts_campaign *campaign, struct ts_why *why)
{
    struct run run = {.campaign = campaign, .why = why};
    struct ts_control_output output;
    int err = ts_control_create(campaign->plan, campaign->seed, ts_bench_camera(campaign->bench),
                                &run.control);
    if (err)
        return ts_fail(why, err, "out of memory");
    if (campaign->given)
        ts_control_calibrated(run.control, campaign->given);
    /* next_part fails when the plan is done; run_part with TS_EOF when the user stopped it. */
    while (!err && ts_control_next_part(run.control, run.now, &output) == TS_OK)
        err = run_part(&run, &output);
    ts_evidence_free(&run.evidence);
    ts_control_destroy(run.control);
    return err;
}
