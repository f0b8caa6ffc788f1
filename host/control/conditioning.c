/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done to the phone before the campaign and before each launch: the plan's actions one
 * after the other (paper R, section IV), and the settings. All of it ends before the camera
 * runs, so that no meter is inside what is measured. */
#include "control/internal.h"

#include "android/device.h"
#include "android/thermal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COOL_ROUND_MS 5000
#define CPU           "/sys/devices/system/cpu/cpu*/cpufreq/"
/* A burst of load, then at once how fast the processors run and how fast they can. */
#define BURST                                                                                      \
    "sh -c 'timeout 0.5 sh -c \"while :; do :; done\"; cat " CPU "scaling_cur_freq; echo max; "    \
    "cat " CPU "cpuinfo_max_freq'"

/* Where a controlled campaign's plan says nothing itself. Background is killed once: again and
 * again makes launches slower and doubles their spread (paper R, section III). */
#define CONTROLLED_CAMPAIGN "kill_background"
#define CONTROLLED_LAUNCH   "cool_down 40 36 300\nif not rooted: warm_up 5"

static const struct ts_action *current(const struct ts_control *control)
{
    return &control->actions.list[control->actions.at];
}

static int64_t spent_ms(const struct ts_control *control)
{
    return ts_ns_between(control->now.ns, control->actions.began.ns) / TS_NS_PER_MS;
}

static bool needs_root_known(const struct ts_control *control)
{
    const enum ts_action_kind kind = current(control)->kind;
    return control->actions.rooted < 0 &&
           (kind == TS_ACTION_IF_ROOTED || kind == TS_ACTION_FILE_WRITE);
}

static void begin_action(struct ts_control *control)
{
    struct ts_actions *actions = &control->actions;
    const struct ts_action *action = current(control);
    actions->began = control->now;
    actions->waits = false;
    control->timer = 0;
    if (needs_root_known(control)) {
        control->waiting = ts_issue_shell(control, "su 0 id -u");
        return;
    }
    switch (action->kind) {
    case TS_ACTION_PRINT:
        control->waiting = ts_issue_shell(control, "log -t Touchstone '%s'", action->text);
        break;
    case TS_ACTION_SLEEP:
        ts_step_timer(control, (int64_t)(action->number[0] * 1000) + 1);
        break;
    case TS_ACTION_WARM_UP:
        control->waiting = ts_issue_shell(control, BURST);
        break;
    case TS_ACTION_COOL_DOWN:
        control->waiting = ts_issue_shell(control, "dumpsys thermalservice");
        break;
    case TS_ACTION_FILE_WRITE:
        control->waiting =
            ts_issue_shell(control, "%ssh -c 'echo %s > %s'", actions->rooted == 1 ? "su 0 " : "",
                           action->text, action->path);
        break;
    case TS_ACTION_KILL_BACKGROUND:
        control->waiting = ts_issue_shell(control, "am kill-all");
        break;
    case TS_ACTION_IF_ROOTED:
        ts_step_timer(control, 1); /* known already */
        break;
    case TS_ACTION_IF_CHARGING:
    case TS_ACTION_IF_HOTTER:
        control->waiting = ts_issue_shell(control, "dumpsys battery");
        break;
    }
}

/* Goes past the current action and, where a condition says so, past those it rules out. */
static void go_past(struct ts_control *control, bool holds)
{
    struct ts_actions *actions = &control->actions;
    const struct ts_action *action = current(control);
    const bool conditional = action->kind >= TS_ACTION_IF_ROOTED;
    if (conditional && holds == action->negated)
        actions->at += 1 + action->skip;
    else
        actions->at += 1 + (action->skips_else ? action->skip_after : 0);
}

/* As hot as the skin where Android tells, else as the battery: NAN until both were asked. */
static double read_heat(const char *text)
{
    const double skin_c = ts_thermal_read_skin_c(text);
    double percent, battery_c;
    if (!isnan(skin_c))
        return skin_c;
    return ts_device_read_battery(text, &percent, &battery_c) ? (double)NAN : battery_c;
}

/* True when the phone is cool enough, or was never hot, or nobody can tell, or it took too long. */
static bool is_cool(struct ts_control *control, const char *text)
{
    struct ts_actions *actions = &control->actions;
    const struct ts_action *action = current(control);
    const double heat_c = read_heat(text);
    if (isnan(heat_c)) {
        if (strstr(text, "Battery Service"))
            return true;
        control->waiting = ts_issue_shell(control, "dumpsys battery");
        return false;
    }
    const double enough_c = actions->waits ? action->number[1] : action->number[0];
    if (heat_c <= enough_c || (double)spent_ms(control) >= action->number[2] * 1000)
        return true;
    actions->waits = true;
    ts_step_timer(control, COOL_ROUND_MS);
    return false;
}

/* The answer to the current action's command; true when the action is over. */
static bool take_answer(struct ts_control *control, const struct ts_item *item)
{
    struct ts_actions *actions = &control->actions;
    const struct ts_action *action = current(control);
    const bool ran = item->u.done.status == TS_OK;
    const char *text = ran && item->u.done.text ? item->u.done.text : "";
    double percent, battery_c;
    if (needs_root_known(control)) {
        actions->rooted = ran && item->u.done.exit_code == 0 && text[0] == '0';
        begin_action(control);
        return false;
    }
    switch (action->kind) {
    case TS_ACTION_WARM_UP:
        if (!ran || ts_thermal_at_full_clock(text) != 0 ||
            (double)spent_ms(control) >= action->number[0] * 1000)
            break;
        control->waiting = ts_issue_shell(control, BURST);
        return false;
    case TS_ACTION_COOL_DOWN:
        if (ran && !is_cool(control, text))
            return false;
        break;
    case TS_ACTION_IF_CHARGING:
        go_past(control, ts_thermal_is_charging(text));
        return true;
    case TS_ACTION_IF_HOTTER:
        go_past(control, !ts_device_read_battery(text, &percent, &battery_c) &&
                             battery_c > action->number[0]);
        return true;
    default:
        break;
    }
    go_past(control, true);
    return true;
}

static void begin(struct ts_control *control, const char *text)
{
    struct ts_actions *actions = &control->actions;
    struct ts_why unused;
    actions->at = 0;
    actions->count = ts_actions_parse(text, actions->list, &unused); /* the plan was checked */
    if (actions->count > 0)
        begin_action(control);
}

static bool over(struct ts_control *control, const struct ts_item *item)
{
    struct ts_actions *actions = &control->actions;
    if (!ts_control_has_phone(control) || actions->at >= actions->count)
        return true;
    if (control->waiting) {
        if (!ts_step_answered(control, item) || !take_answer(control, item))
            return false;
    } else {
        if (!control->timer_expired)
            return false;
        if (current(control)->kind == TS_ACTION_COOL_DOWN) {
            control->timer = 0;
            control->waiting = ts_issue_shell(control, "dumpsys thermalservice");
            return false;
        }
        go_past(control, actions->rooted == 1);
    }
    control->timer_expired = false;
    if (actions->at >= actions->count)
        return true;
    begin_action(control);
    return false;
}

static const char *actions_of(const struct ts_control *control, const char *own,
                              const char *controlled)
{
    if (own && *own)
        return own;
    return control->plan->care.profile == TS_PROFILE_CONTROLLED ? controlled : "";
}

void ts_conditioning_campaign(struct ts_control *control)
{
    if (ts_control_has_phone(control))
        begin(control,
              actions_of(control, control->plan->care.before_campaign, CONTROLLED_CAMPAIGN));
}

void ts_conditioning_launch(struct ts_control *control)
{
    if (ts_control_has_phone(control))
        begin(control, actions_of(control, control->plan->care.before_launch, CONTROLLED_LAUNCH));
}

bool ts_conditioning_over(struct ts_control *control, const struct ts_item *item)
{
    return over(control, item);
}

/* ---- how the apps are compiled ---- */

static bool issue_compile(struct ts_control *control)
{
    const struct ts_plan *plan = control->plan;
    static const char *const options[] = {"", "--reset", "-f -m speed-profile", "-f -m speed"};
    while (control->script < plan->app_count && plan->apps[control->script].apk)
        control->script++; /* compiled when it is installed */
    if (control->script > plan->app_count)
        return false;
    const size_t step = control->script++;
    if (step == plan->app_count) { /* else it compiles anew when the phone idles and charges */
        control->waiting = ts_issue_shell(control, "cmd package bg-dexopt-job --disable");
        return true;
    }
    const char *component = plan->apps[step].component;
    control->waiting =
        ts_issue_shell(control, "cmd package compile %s %.*s", options[plan->care.compile],
                       (int)strcspn(component, "/"), component);
    return true;
}

void ts_compile_enter(struct ts_control *control)
{
    if (ts_control_has_phone(control) && control->plan->care.compile != TS_COMPILE_AS_IS)
        issue_compile(control);
}

bool ts_compile_over(struct ts_control *control, const struct ts_item *item)
{
    return !control->waiting || (ts_step_answered(control, item) && !issue_compile(control));
}

/* ---- settings ---- */

static bool issue_setting(struct ts_control *control)
{
    char command[1000];
    if (!ts_phone_next(&control->phone, command, sizeof command))
        return false;
    control->waiting = ts_issue_shell(control, "%s", command);
    return true;
}

void ts_settings_enter(struct ts_control *control)
{
    if (!ts_control_has_phone(control) || !control->plan->care.setup || control->settings_done)
        return;
    control->settings_done = control->settings_owed = true;
    ts_phone_begin(&control->phone, TS_PHONE_SETUP, &control->plan->care);
    issue_setting(control);
}

void ts_settings_restore(struct ts_control *control)
{
    ts_phone_begin(&control->phone, TS_PHONE_RESTORE, &control->plan->care);
    issue_setting(control);
    ts_step_timer(control, 20000);
}

bool ts_settings_over(struct ts_control *control, const struct ts_item *item)
{
    if (control->timer_expired || !control->waiting)
        return true;
    if (!ts_step_answered(control, item))
        return false;
    ts_phone_answer(&control->phone, item->u.done.status, item->u.done.exit_code,
                    item->u.done.text);
    return !issue_setting(control);
}
