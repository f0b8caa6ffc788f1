/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/campaign.h"

#include "control/control.h"
#include "measure/measure.h"
#include "store/part.h"
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

static int put_intent(struct run *run)
{
    int err = TS_OK;
    run->evidence.intent = *ts_control_intent(run->control);
    if (run->campaign->session)
        err = ts_session_intent(run->campaign->session, &run->evidence.intent);
    return err ? ts_fail(run->why, err, "cannot write the journal; is the disk full?") : TS_OK;
}

static int finish_launch(struct run *run)
{
    struct ts_campaign *campaign = run->campaign;
    struct ts_result result;
    int err = ts_measure_launch(&run->evidence, &run->calibration, campaign->plan, &result);
    if (err)
        return ts_fail(run->why, err, "cannot measure launch %d: %s", run->evidence.intent.launch,
                       ts_err_text(err));
    /* What was measured may tell control that the app has enough: then that is in the journal. */
    if (ts_control_measured(run->control, &result))
        return ts_fail(run->why, TS_ENOMEM, "out of memory");
    err = put_intent(run);
    if (!err && campaign->session)
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
    if (part == 0) {
        err = put_intent(run);
        return err ? err : finish_calibration(run);
    }
    run->evidence.intent = *ts_control_intent(run->control);
    return finish_launch(run);
}

/* A fresh control that knows what the finished parts taught, and so goes on after them. */
static int take_over(struct run *run, const struct ts_session *past, int finished)
{
    struct ts_campaign *campaign = run->campaign;
    struct ts_result result = {.launch = 0};
    ts_control_destroy(run->control);
    run->control = NULL;
    int err = ts_control_create(campaign->plan, campaign->seed, ts_bench_camera(campaign->bench),
                                &run->control);
    if (err)
        return ts_fail(run->why, err, "out of memory");
    ts_control_calibrated(run->control, &run->calibration);
    ts_control_take_over(run->control, &result);
    for (int launch = 1; launch <= finished && !err; launch++) {
        err = ts_session_load_result(past, launch, &result, run->why);
        if (!err)
            ts_control_take_over(run->control, &result);
    }
    return err;
}

/* A control that goes on must know when it does: a rig's clock does not begin at 0. */
static int ask_time(struct run *run)
{
    struct ts_bench *bench = run->campaign->bench;
    const struct ts_command command = {.id = UINT32_MAX, .kind = TS_COMMAND_DEADLINE};
    struct ts_item item;
    int err = ts_bench_submit(bench, &command);
    do {
        if (!err)
            err = ts_bench_next(bench, &item);
    } while (!err && (item.kind != TS_ITEM_DONE || item.u.done.command != command.id));
    if (err)
        return ts_fail(run->why, err, "the bench does not begin: %s", ts_err_text(err));
    run->now = item.arrival;
    return TS_OK;
}

/* What part 0 taught, from its evidence: the file of it is rounded. */
static int resume(struct run *run)
{
    const struct ts_campaign *campaign = run->campaign;
    struct ts_evidence evidence;
    struct ts_calibration kept;
    int err = ts_session_load_calibration(campaign->past, &kept, run->why);
    if (err)
        return TS_OK; /* it was stopped before the instrument was learnt: from the start */
    err = ts_session_load_evidence(campaign->past, 0, &evidence, run->why);
    if (err)
        return err;
    err = ts_measure_calibration(&evidence, campaign->given, &run->calibration, NULL);
    ts_evidence_free(&evidence);
    if (err)
        return ts_fail(run->why, err, "cannot measure the calibration: %s", ts_err_text(err));
    err = take_over(run, campaign->past, ts_session_launch_count(campaign->past));
    return err ? err : ask_time(run);
}

/* Commands are numbered from 1 by each control, whose first one is due as soon as it has begun. */
static bool began_anew(const struct ts_session *session, int number, struct ts_host_time *now)
{
    struct ts_part *part;
    struct ts_journal_entry entry;
    bool anew = false, found = false;
    if (ts_part_open(session, number, &part, NULL))
        return false; /* replay says what is wrong with it */
    while (!found && !ts_part_next(part, &entry, NULL)) {
        found = entry.kind == TS_JOURNAL_COMMAND;
        anew = found && entry.command.id == 1 && entry.command.kind == TS_COMMAND_DEADLINE;
        if (anew)
            now->ns = entry.command.u.at.ns - 1;
        ts_part_release(&entry);
    }
    ts_part_close(part);
    return anew;
}

static int play(struct run *run)
{
    const struct ts_session *replayed = run->campaign->replayed;
    struct ts_control_output output;
    int err = TS_OK;
    while (!err) {
        const int part = ts_control_part(run->control) + 1;
        if (replayed && part > 0 && part <= ts_session_launch_count(replayed) &&
            began_anew(replayed, part, &run->now))
            err = take_over(run, replayed, part - 1);
        if (err)
            return err;
        if (ts_control_next_part(run->control, run->now, &output))
            return TS_OK; /* the plan is done */
        err = run_part(run, &output);
    }
    return err;
}

/* Leaves the phone as it was found, however the campaign ended; a bench that plays no more, or a
 * phone that is gone, can be left to `touchstone phone restore`. */
static void close_down(struct run *run)
{
    struct ts_bench *bench = run->campaign->bench;
    struct ts_control_output output;
    struct ts_why unsaid;
    struct ts_item item;
    if (!run->campaign->session || ts_control_close_down(run->control, run->now, &output))
        return;
    for (;;) {
        for (size_t i = 0; i < output.count; i++) {
            if (ts_bench_submit(bench, &output.commands[i]))
                return;
        }
        if (output.part_ended || ts_bench_next(bench, &item) ||
            ts_control_item(run->control, &item, &output, &unsaid))
            return;
    }
}

int ts_campaign_run(struct ts_campaign *campaign, struct ts_why *why)
{
    struct run run = {.campaign = campaign, .why = why};
    int err = ts_control_create(campaign->plan, campaign->seed, ts_bench_camera(campaign->bench),
                                &run.control);
    if (err)
        return ts_fail(why, err, "out of memory");
    if (campaign->given)
        ts_control_calibrated(run.control, campaign->given);
    if (campaign->past)
        err = resume(&run);
    if (!err)
        err = play(&run);
    if (run.control)
        close_down(&run);
    ts_evidence_free(&run.evidence);
    ts_control_destroy(run.control);
    return err;
}
