/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How one launch, or scene, goes from tap to rest: tables of steps, read from top to bottom. */
#include "control/internal.h"

#include "android/logcat.h"
#include "base/rng.h"
#include "model/scene.h"
#include "wire/wire.h"

#include <string.h>

#define MOTOR_DUTY 255
#define SYSTEM_UID 1000 /* of system_server, ActivityManager's process */
#define RAISE_MS                                                                                   \
    40 /* after the pick-up, so that the arm stops with the tip well above the glass               \
        */

/* ---- shell scripts: commands one after the other ---- */

/* Named, since Android 8 gives an order to nobody in particular only to apps that run; and heard by
 * an app that nobody has opened since it was installed. */
#define ORDER "am broadcast --include-stopped-packages -p " TS_HELPER " -a " TS_HELPER

/* What the app is to be before the tap: no process; a process without its activity; all of it,
 * behind. */
static uint32_t issue_end(struct ts_control *control)
{
    const struct ts_care *care = &control->plan->care;
    const enum ts_start_type start = control->intent.start;
    if (start == TS_START_COLD && care->cold_by == TS_COLD_FORCE_STOP)
        return ts_issue_shell(control, "am force-stop %s", control->package);
    if (start == TS_START_COLD && care->cold_by == TS_COLD_REBOOT &&
        care->compile != TS_COMPILE_AS_IS) /* a phone that starts again forgets that */
        return ts_issue_shell(control, "cmd package bg-dexopt-job --disable");
    if (start == TS_START_WARM && care->warm_by == TS_WARM_BACK)
        return ts_issue_shell(control, "input keyevent KEYCODE_BACK");
    return ts_issue_shell(control, "input keyevent KEYCODE_HOME");
}

/* 0: this start needs no more. */
static uint32_t issue_end_more(struct ts_control *control)
{
    const struct ts_care *care = &control->plan->care;
    const enum ts_start_type start = control->intent.start;
    if (start == TS_START_COLD && care->cold_by == TS_COLD_KILL)
        return ts_issue_shell(control, "am kill %s", control->package);
    if (start == TS_START_WARM && care->warm_by == TS_WARM_FINISH)
        return ts_issue_shell(control, ORDER ".FINISH --es component %s",
                              control->intent.component);
    return 0;
}

/* The next command of the script; false at its end. */
static bool issue_prepare(struct ts_control *control)
{
    const struct ts_evidence_intent *intent = &control->intent;
    switch (control->script++) {
    case 0:
        control->waiting = issue_end(control);
        return true;
    case 1:
        control->waiting = issue_end_more(control);
        return control->waiting || issue_prepare(control);
    case 2: /* with an icon too: the helper's records bear the launch's number */
        control->waiting = ts_issue_shell(control, ORDER ".NEXT --es component %s --ei launch %d",
                                          intent->component, intent->launch);
        return true;
    case 3:
        control->waiting = control->plan->care.launch_from == TS_FROM_ICON
                               ? ts_issue_shell(control, "input keyevent KEYCODE_HOME")
                               : ts_issue_shell(control, "am start -n " TS_HELPER "/.Button");
        return true;
    default:
        return false;
    }
}

static void enter_prepare(struct ts_control *control)
{
    if (ts_control_has_phone(control))
        issue_prepare(control);
}

static bool prepare_over(struct ts_control *control, const struct ts_item *item)
{
    if (!ts_control_has_phone(control))
        return true;
    if (!ts_step_answered(control, item))
        return false;
    ts_trouble_shell(control);
    if (issue_prepare(control))
        return false;
    if (control->plan->care.launch_from == TS_FROM_BUTTON)
        ts_guard_started(control, item);
    return !control->error;
}

static void issue_condition(struct ts_control *control, const struct ts_condition_command *list)
{
    const char *format = list[control->script].format;
    const char *place = strchr(format, '%');
    if (!place) {
        control->waiting = ts_issue_shell(control, "%s", format);
        return;
    }
    const char *value = place[1] == 'a' ? control->apk_path : control->package;
    control->waiting = ts_issue_shell(control, "%.*s%s%s", (int)(place - format), format,
                                      *value ? value : "/dev/null", place + 2);
}

static bool conditions_over(struct ts_control *control, const struct ts_item *item,
                            const struct ts_condition_command *list, size_t count)
{
    if (!ts_control_has_phone(control))
        return true;
    if (!ts_step_answered(control, item))
        return false;
    ts_trouble_shell(control);
    if (item->u.done.status == TS_OK)
        list[control->script].read(control, item->u.done.text);
    if (++control->script == count)
        return true;
    issue_condition(control, list);
    return false;
}

static void enter_before(struct ts_control *control)
{
    if (ts_control_has_phone(control))
        issue_condition(control, ts_conditions_before);
}

static bool before_over(struct ts_control *control, const struct ts_item *item)
{
    return conditions_over(control, item, ts_conditions_before, ts_conditions_before_count);
}

static void enter_after(struct ts_control *control)
{
    if (ts_control_has_phone(control))
        issue_condition(control, ts_conditions_after);
}

static bool after_over(struct ts_control *control, const struct ts_item *item)
{
    if (!conditions_over(control, item, ts_conditions_after, ts_conditions_after_count))
        return false;
    if (ts_control_has_phone(control))
        ts_guard_after(control);
    return true;
}

void ts_step_again(struct ts_control *control)
{
    while (control->steps[control->step].enter != ts_trouble_await_phone)
        control->step--;
    control->step--; /* the next step is that one */
}

/* ---- the stylus ---- */

void ts_step_note_tap(struct ts_control *control, const struct ts_item *item)
{
    if (item->kind != TS_ITEM_MCU || item->u.mcu.type != WIRE_STATE || !item->u.mcu.size)
        return;
    control->stirred = true;
    if (item->u.mcu.body[0] == WIRE_LIFTING) /* sent at the pick-up */
        ts_look_lift(control, control->calibration.lift_delay_ms);
    if (item->u.mcu.body[0] == WIRE_HELD)
        control->tap_done = true;
}

void ts_step_home(struct ts_control *control)
{
    control->tap_done = control->stirred = control->homing = false;
    ts_issue_mcu(control, WIRE_CLEAR, NULL, 0);
    control->waiting = ts_issue_mcu(control, WIRE_HOME, NULL, 0);
    ts_step_timer(control, 5000);
}

bool ts_step_home_over(struct ts_control *control, const struct ts_item *item)
{
    ts_step_note_tap(control, item);
    if (ts_step_answered(control, item))
        control->homing = control->answer.status == TS_OK;
    /* Held all the while, as after a session that was cut off; or the message was lost with the
     * MCU. */
    if (control->timer_expired && (control->homing || control->mcu_returned) && !control->stirred)
        control->tap_done = true;
    if (control->tap_done) {
        control->mcu_returned = false;
        return true;
    }
    if (control->timer_expired)
        control->error =
            ts_fail(&control->why, TS_ETIMEOUT,
                    "the stylus was not picked up within 5 s; check motor, arm and accelerometer");
    return false;
}

/* Before a launch: only when the last tap did not end with the stylus held. Where nobody taps, it
 * stays where it is. */
static void enter_ready(struct ts_control *control)
{
    if (ts_start_by_am(control))
        control->tap_done = true;
    else if (control->tap_failed || !control->tap_done)
        ts_step_home(control);
}

/* Both tables begin by having the MCU back. */
void ts_step_first(struct ts_control *control)
{
    control->step = SIZE_MAX; /* the next step is the first one */
}

static bool ready_over(struct ts_control *control, const struct ts_item *item)
{
    if (control->mcu_lost) {
        ts_step_first(control);
        return true;
    }
    const bool ready = ts_start_by_am(control) || ts_step_home_over(control, item);
    if (ready)
        control->tap_failed = false;
    return ready;
}

void ts_step_tap(struct ts_control *control)
{
    control->tap_done = control->tap_failed = false;
    control->tap_command =
        ts_issue_mcu(control, WIRE_TAP, (const uint8_t[]){MOTOR_DUTY, RAISE_MS}, 2);
    ts_step_timer(control, 4000);
}

/* What Android says of the launch under way. */
static void note_launch(struct ts_control *control, const struct ts_item *item)
{
    struct ts_log_event event;
    if (item->kind != TS_ITEM_LINE || item->u.line.stream != TS_STREAM_LOG ||
        ts_logcat_parse_event(item->u.line.text, strlen(item->u.line.text), &event))
        return;
    const size_t size = strlen(control->package);
    if (strncmp(event.component, control->package, size) != 0 || event.component[size] != '/')
        return;
    if (event.line.uid != SYSTEM_UID && event.line.uid != -1)
        return; /* any app can write these words */
    const double since_ms = (double)(control->now.ns - control->intent.tap_sent.ns) / TS_NS_PER_MS;
    if (event.kind == TS_LOG_DISPLAYED && event.duration_ms < since_ms)
        control->launch_displayed = control->now;
}

static void enter_tap(struct ts_control *control)
{
    control->intent.tap_sent = control->now;
    control->launch_displayed.ns = 0;
    if (ts_start_by_am(control))
        ts_start_issue(control);
    else
        ts_step_tap(control);
}

static bool tap_over(struct ts_control *control, const struct ts_item *item)
{
    ts_step_note_tap(control, item);
    note_launch(control, item);
    return ts_start_by_am(control) || control->tap_done || control->tap_failed ||
           control->timer_expired;
}

/* ---- watching the screen ---- */

void ts_step_sync(struct ts_control *control, unsigned edges, unsigned min_ms, unsigned span_ms)
{
    const unsigned seed = (unsigned)control->part * 40503u + 12345u;
    const uint8_t body[] = {(uint8_t)edges,   (uint8_t)(edges >> 8), (uint8_t)min_ms,
                            (uint8_t)span_ms, (uint8_t)seed,         (uint8_t)(seed >> 8)};
    ts_issue_mcu(control, WIRE_SYNC, body, sizeof body);
}

static void switch_stream(struct ts_control *control, enum ts_observer observer,
                          enum ts_stream stream)
{
    const bool on = control->observers & observer;
    if (!(control->observing & observer) != !on)
        control->waiting = ts_issue_stream(control, stream, on);
}

/* Only where their cost is to be found does this change anything. */
static void enter_observe(struct ts_control *control)
{
    if (!ts_control_has_phone(control))
        return;
    switch_stream(control, TS_OBSERVER_LOG, TS_STREAM_LOG);
    switch_stream(control, TS_OBSERVER_ACCESSIBILITY, TS_STREAM_INPUT);
    switch_stream(control, TS_OBSERVER_ACCESSIBILITY, TS_STREAM_ACCESSIBILITY);
    ts_polls_switch(control, control->observers & TS_OBSERVER_POLLING);
    control->observing = control->observers;
}

/* The log has another turn than the accessibility service, but both may have changed with it. */
static bool observe_over(struct ts_control *control, const struct ts_item *item)
{
    if (control->waiting && !ts_step_answered(control, item))
        return false;
    control->intent.observed_from = control->now;
    return true;
}

/* The meter in the supply line streams while the screen is watched. */
static void switch_power(struct ts_control *control, bool on)
{
    if (control->plan->meters & TS_METER_ENERGY)
        ts_issue_mcu(control, WIRE_POWER, (const uint8_t[]){on}, 1);
}

static void enter_look(struct ts_control *control)
{
    ts_look_start(control);
    ts_clocks_start(control);
    ts_issue_camera(control, true);
    ts_step_sync(control, 4000, 40, 40);
    switch_power(control, true);
    ts_step_timer(control, 800);
}

bool ts_step_timer_over(struct ts_control *control, const struct ts_item *item)
{
    (void)item;
    return control->timer_expired;
}

static void enter_settle(struct ts_control *control)
{
    ts_look_lift(control, 0); /* the latest that it can be, if the MCU's word of it was lost */
    ts_step_timer(control, (int64_t)control->plan->timeout_ms);
}

/* A splash can rest for seconds: while Android is still launching, and for the quiet time after it
 * said that it has drawn, a screen at rest is not the end. Hot starts are never said to be
 * displayed; a line that is lost costs the time-out. */
static bool still_launching(const struct ts_control *control)
{
    if (control->intent.start == TS_START_HOT || !(control->observing & TS_OBSERVER_LOG))
        return false;
    const int64_t quiet_ns = (int64_t)(control->plan->quiet_ms * (double)TS_NS_PER_MS);
    return !control->launch_displayed.ns ||
           control->now.ns - control->launch_displayed.ns < quiet_ns;
}

static bool settle_over(struct ts_control *control, const struct ts_item *item)
{
    note_launch(control, item);
    const bool settled = ts_look_rests(control) && !still_launching(control);
    const bool blind = control->camera_lost || control->mcu_lost;
    if (!settled && !blind && !ts_start_refused(control) && !control->timer_expired)
        return false;
    control->intent.watch_ended = control->now;
    control->intent.timed_out = !settled;
    return true;
}

static void enter_dim(struct ts_control *control)
{
    ts_look_stop(control);
    ts_step_sync(control, 0, 1, 0);
    switch_power(control, false);
    control->waiting = ts_issue_camera(control, false);
    ts_step_timer(control, 500); /* log lines come late */
}

static bool dim_over(struct ts_control *control, const struct ts_item *item)
{
    if (!ts_step_timer_over(control, item) || control->am_command)
        return false;
    ts_clocks_stop(control);
    return true;
}

/* ---- a scene of the helper app in an app's stead ---- */

/* Named from the seed, so that nobody knows beforehand what it will show. */
static void enter_scene(struct ts_control *control)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, control->seed, 0x7363656e65u + (uint64_t)control->part);
    control->waiting = ts_issue_shell(
        control, "am start -n " TS_SCENE_COMPONENT " --es kind %s --el seed %u",
        ts_scene_names[(control->part - 1) % TS_SCENE_COUNT], ts_rng_below(&rng, 1000000000u));
}

static bool scene_over(struct ts_control *control, const struct ts_item *item)
{
    if (!ts_step_answered(control, item))
        return false;
    ts_guard_shown(control, item);
    return !control->error;
}

const struct ts_step ts_scene_steps[] = {
    {"have the MCU back", ts_trouble_await_mcu, ts_trouble_mcu_over},
    {"have the stylus held", enter_ready, ready_over},
    {"show the scene's beginning", enter_scene, scene_over},
    {"have the camera back", ts_trouble_await_camera, ts_trouble_camera_over},
    {"look at the resting screen", enter_look, ts_step_timer_over},
    {"tap", enter_tap, tap_over},
    {"watch until the screen rests", enter_settle, settle_over},
    {"stop watching, await late log lines", enter_dim, dim_over},
};
const size_t ts_scene_step_count = sizeof ts_scene_steps / sizeof *ts_scene_steps;

const struct ts_step ts_launch_steps[] = {
    {"have the MCU back", ts_trouble_await_mcu, ts_trouble_mcu_over},
    {"have the stylus held", enter_ready, ready_over},
    {"start the phone again", ts_trouble_reboot, ts_trouble_reboot_over},
    {"have the phone back", ts_trouble_await_phone, ts_trouble_phone_over},
    {"set the phone's settings, if nobody has", ts_settings_enter, ts_settings_over},
    {"install the block's build", ts_install_enter, ts_install_over},
    {"condition the phone", ts_conditioning_launch, ts_conditioning_over},
    {"stop the app, show the button", enter_prepare, prepare_over},
    {"read the phone's conditions", enter_before, before_over},
    {"mend what the guard found, then again", ts_guard_enter, ts_guard_over},
    {"read the meters", ts_meters_enter, ts_meters_over},
    {"let those observe who shall", enter_observe, observe_over},
    {"have the camera back", ts_trouble_await_camera, ts_trouble_camera_over},
    {"look at the resting screen", enter_look, ts_step_timer_over},
    {"tap, or have Android start the app", enter_tap, tap_over},
    {"watch until the screen rests", enter_settle, settle_over},
    {"stop watching, await late log lines", enter_dim, dim_over},
    {"read the meters again", ts_meters_enter, ts_meters_over},
    {"read the phone's conditions again", enter_after, after_over},
};
const size_t ts_launch_step_count = sizeof ts_launch_steps / sizeof *ts_launch_steps;

const struct ts_step ts_closing_steps[] = {
    {"take the packages off the phone", ts_install_tidy, ts_install_tidy_over},
    {"restore the phone's settings", ts_settings_restore, ts_settings_over},
};
const size_t ts_closing_step_count = sizeof ts_closing_steps / sizeof *ts_closing_steps;
