/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/internal.h"

#include "base/rng.h"
#include "model/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In what order the apps take their turns, each a row of launches. Interleaved spreads slow changes
 * of the phone (heat, memory) over all apps alike; paper R takes the repetitions of one benchmark
 * in a row. Pairs of rounds, drawn and then backwards (ABBA), keep what changes steadily out of the
 * difference of two apps' means; with a warm-up for the whole campaign they begin behind it. */
static void draw_rounds(const struct ts_plan *plan, uint64_t seed, int *turns, int rounds)
{
    const int apps = (int)plan->app_count;
    const bool balanced = plan->order == TS_ORDER_COUNTERBALANCED;
    const int before = ts_plan_installs(plan) ? 0 : plan->warm_up / ts_plan_row(plan);
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 0x6f72646572u);
    for (int round = 0; round < rounds; round++) {
        int *turn = turns + round * apps;
        const bool backwards = balanced && round > before && (round - before) % 2;
        for (int i = 0; i < apps; i++)
            turn[i] = backwards ? turn[-1 - i] : i;
        for (int i = apps - 1; i > 0 && !backwards; i--) {
            const int other = (int)ts_rng_below(&rng, (uint32_t)i + 1);
            const int swap = turn[i];
            turn[i] = turn[other];
            turn[other] = swap;
        }
    }
}

/* Which app is launched, launch by launch. */
static int *make_order(const struct ts_plan *plan, uint64_t seed)
{
    const int per_app = ts_plan_per_app(plan), apps = (int)plan->app_count;
    const int row = apps ? ts_plan_row(plan) : 1, rounds = (per_app + row - 1) / row;
    const int repeats = apps * plan->care.repeats; /* follow, when the guard wants them */
    int *order = malloc(((size_t)(apps * per_app + repeats) + 1) * sizeof *order);
    int *turns = calloc((size_t)(apps * rounds) + 1, sizeof *turns);
    if (!order || !turns) {
        free(order);
        free(turns);
        return NULL;
    }
    for (int i = 0; i < apps * rounds; i++)
        turns[i] = i % apps;
    if (plan->order == TS_ORDER_SHUFFLED || plan->order == TS_ORDER_COUNTERBALANCED)
        draw_rounds(plan, seed, turns, rounds);
    for (int turn = 0, at = 0; turn < apps * rounds; turn++) {
        const int left = per_app - turn / apps * row;
        for (int i = 0; i < row && i < left; i++)
            order[at++] = turns[turn];
    }
    free(turns);
    return order;
}

int ts_control_create(const struct ts_plan *plan, uint64_t seed,
                      const struct ts_camera_geometry *camera, struct ts_control **out)
{
    struct ts_control *control = calloc(1, sizeof *control);
    if (!control)
        return TS_ENOMEM;
    control->plan = plan;
    control->camera = *camera;
    control->launches = ts_plan_total(plan);
    control->part = -1;
    control->seed = seed;
    control->order = make_order(plan, seed);
    control->guard.apps = calloc(plan->app_count + 1, sizeof *control->guard.apps);
    control->guard.refresh_hz = NAN;
    control->actions.rooted = -1;
    ts_calibration_nominal(&control->calibration);
    const int err = control->order && control->guard.apps ? ts_stops_open(control) : TS_ENOMEM;
    if (err) {
        ts_control_destroy(control);
        return err;
    }
    *out = control;
    return TS_OK;
}

void ts_control_destroy(struct ts_control *control)
{
    if (!control)
        return;
    ts_look_stop(control);
    ts_stops_close(control);
    free(control->order);
    free(control->guard.apps);
    free(control);
}

bool ts_control_has_phone(const struct ts_control *control)
{
    return !control->plan->phone || strcmp(control->plan->phone, "none") != 0;
}

int ts_control_part(const struct ts_control *control)
{
    return control->part;
}

const struct ts_evidence_intent *ts_control_intent(const struct ts_control *control)
{
    return &control->intent;
}

void ts_control_calibrated(struct ts_control *control, const struct ts_calibration *calibration)
{
    control->calibration = *calibration;
}

static void enter_step(struct ts_control *control)
{
    control->step_began = control->now;
    control->waiting = 0;
    control->timer = 0;
    control->timer_expired = false;
    control->script = 0;
    control->steps[control->step].enter(control);
}

/* The helper app runs and is in front, as an app is before a hot start. */
static void begin_scene(struct ts_control *control)
{
    struct ts_evidence_intent *intent = &control->intent;
    intent->start = TS_START_HOT;
    snprintf(intent->app, sizeof intent->app, "scene %s",
             ts_scene_names[(control->part - 1) % TS_SCENE_COUNT]);
    snprintf(intent->component, sizeof intent->component, "%s", TS_SCENE_COMPONENT);
}

int ts_control_nth(const struct ts_control *control, int position)
{
    int nth = 0;
    for (int i = 0; i < position; i++)
        nth += control->order[i] == control->order[position];
    return nth;
}

static void note_observers(struct ts_control *control)
{
    const int position = control->part - 1 - control->plan->scenes;
    struct ts_conditions *conditions = &control->intent.conditions;
    if (!ts_control_has_phone(control))
        return;
    control->observers =
        position < 0 ? TS_OBSERVER_LOG
                     : ts_plan_observing(control->plan, ts_control_nth(control, position)).all;
    ts_observers_print(control->observers, conditions->observers, sizeof conditions->observers);
}

static void begin_intent(struct ts_control *control)
{
    struct ts_evidence_intent *intent = &control->intent;
    *intent = (struct ts_evidence_intent){.launch = control->part, .start = control->plan->start};
    struct ts_conditions *conditions = &intent->conditions;
    *conditions = (struct ts_conditions){.battery_percent = NAN,
                                         .temperature_c = NAN,
                                         .brightness = NAN,
                                         .refresh_before_hz = NAN,
                                         .refresh_after_hz = NAN,
                                         .cpu_mhz = NAN,
                                         .cpu_most_mhz = NAN,
                                         .animation_scale = {NAN, NAN, NAN},
                                         .thermal_status = -1,
                                         .night_mode = -1,
                                         .rotation = -1};
    snprintf(conditions->profile, sizeof conditions->profile, "%s",
             ts_profile_names[control->plan->care.profile]);
    ts_readings_unknown(&intent->readings);
    ts_guard_begin(control);
    note_observers(control);
    if (control->part == 0 || control->part > control->plan->scenes)
        snprintf(conditions->launch_from, sizeof conditions->launch_from, "%s",
                 ts_launch_from_names[control->plan->care.launch_from]);
    if (control->part == 0)
        return;
    if (control->part <= control->plan->scenes) {
        begin_scene(control);
        return;
    }
    const int position = control->part - 1 - control->plan->scenes;
    const struct ts_plan_app *app = &control->plan->apps[control->order[position]];
    memcpy(intent->app, app->name, strnlen(app->name, sizeof intent->app - 1));
    if (app->build)
        snprintf(conditions->build, sizeof conditions->build, "%s", app->build);
    memcpy(intent->component, app->component,
           strnlen(app->component, sizeof intent->component - 1));
    const size_t package = strcspn(intent->component, "/");
    memcpy(control->package, intent->component, package);
    control->package[package] = '\0';
}

static void choose_steps(struct ts_control *control)
{
    if (control->part == 0) {
        control->steps = ts_calibration_steps;
        control->step_count = ts_calibration_step_count;
    } else if (control->part <= control->plan->scenes) {
        control->steps = ts_scene_steps;
        control->step_count = ts_scene_step_count;
    } else {
        control->steps = ts_launch_steps;
        control->step_count = ts_launch_step_count;
    }
}

static void begin_steps(struct ts_control *control, struct ts_host_time now,
                        struct ts_control_output *out)
{
    control->step = 0;
    control->now = now;
    *out = (struct ts_control_output){0};
    control->out = out;
    /* Steps are asked whether they are over when an item comes: one comes at once. */
    ts_issue_deadline(control, now.ns + 1);
    enter_step(control);
}

int ts_control_next_part(struct ts_control *control, struct ts_host_time now,
                         struct ts_control_output *out)
{
    if (control->part == control->launches)
        return TS_EOF;
    control->part++;
    begin_intent(control);
    choose_steps(control);
    begin_steps(control, now, out);
    ts_stops_begin(control);
    return TS_OK;
}

int ts_control_close_down(struct ts_control *control, struct ts_host_time now,
                          struct ts_control_output *out)
{
    if (!control->settings_owed)
        return TS_EOF;
    control->settings_owed = false;
    ts_look_stop(control);
    ts_clocks_stop(control);
    ts_polls_switch(control, false);
    control->error = TS_OK; /* what ended the campaign does not matter here */
    control->steps = ts_closing_steps;
    control->step_count = ts_closing_step_count;
    begin_steps(control, now, out);
    return TS_OK;
}

void ts_control_take_over(struct ts_control *control, const struct ts_result *finished)
{
    unsigned noted = 0;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (strstr(finished->conditions.guard, ts_flag_name((enum ts_flag)flag)))
            noted |= 1u << flag;
    }
    control->part = finished->launch;
    /* It may have been cut off with nothing left to do but this. */
    control->settings_owed = ts_control_has_phone(control) && control->plan->care.setup;
    ts_install_remember(control, finished->launch);
    ts_guard_remember(control, finished->launch, &finished->conditions);
    ts_guard_repeat(control, finished->launch, noted);
    if (ts_stops_remember(control, finished))
        control->error = ts_fail(&control->why, TS_ENOMEM, "out of memory");
}

/* The firmware latches a fault whenever it sees one, also long after the tap. */
static void note_rig(struct ts_control *control, const struct ts_item *item)
{
    const enum ts_device_fault fault = item->u.fault.fault;
    if (item->kind == TS_ITEM_FAULT &&
        (fault == TS_FAULT_MCU_LATCHED || fault == TS_FAULT_MCU_RESET))
        control->tap_failed = true;
    if (item->kind == TS_ITEM_DONE && control->tap_command &&
        item->u.done.command == control->tap_command && item->u.done.status != TS_OK)
        control->tap_failed = true;
}

int ts_control_item(struct ts_control *control, const struct ts_item *item,
                    struct ts_control_output *out, struct ts_why *why)
{
    *out = (struct ts_control_output){0};
    control->out = out;
    control->now = item->arrival;
    ts_trouble_item(control, item);
    if (control->error)
        return ts_fail(why, control->error, "%s", control->why.text);
    note_rig(control, item);
    ts_start_item(control, item);
    if (item->kind == TS_ITEM_FRAME)
        ts_look_frame(control, item->u.frame);
    if (item->kind == TS_ITEM_DONE && control->timer && item->u.done.command == control->timer)
        control->timer_expired = true;
    ts_clocks_item(control, item);
    ts_polls_item(control, item);
    while (control->steps[control->step].over(control, item)) {
        if (++control->step == control->step_count) {
            out->part_ended = true;
            break;
        }
        enter_step(control);
    }
    if (control->error)
        return ts_fail(why, control->error, "%s", control->why.text);
    return TS_OK;
}
