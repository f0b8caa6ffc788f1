/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guard: before a tap, is the phone as a launch needs it, and if not, can it be mended? After
 * it, is it still? What it finds goes by the names of flags into the launch's conditions, from
 * which measure flags the launch; what it mended before the tap is recorded and flags nothing. */
#include "control/internal.h"

#include "android/am_start.h"
#include "android/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_MS       10000 /* of waiting for heat or charge */
#define HEAT_ROUNDS    60
#define CHARGE_ROUNDS  360
#define NOT_READY_MOST 10 /* launches in a row */
#define MODE_CHANGE_HZ 1.0
#define LAUNCHER_WORDS "auncher" /* of every maker's home screen but a few */

void ts_guard_read_policy(struct ts_control *control, const char *text)
{
    struct ts_focus *window = &control->guard.window;
    if (ts_focus_read_all(text, window))
        *window = (struct ts_focus){.user = -1, .keyguard = -1, .awake = -1};
}

static void add_word(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    if (!strstr(text, word))
        snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

static void note_flags(struct ts_control *control, unsigned flags)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (flags >> flag & 1u)
            add_word(conditions->guard, sizeof conditions->guard, ts_flag_name((enum ts_flag)flag));
    }
    control->guard.noted |= flags;
}

static void note_mended(struct ts_control *control, const char *word)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    add_word(conditions->mended, sizeof conditions->mended, word);
}

static unsigned bit(enum ts_flag flag)
{
    return 1u << flag;
}

static bool differ(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

/* The app as the campaign first met it; nothing is known of it before that. */
static struct ts_guard_app *known_app(struct ts_control *control, int launch)
{
    const int position = launch - 1 - control->plan->scenes;
    return position < 0 ? NULL : &control->guard.apps[control->order[position]];
}

static bool alike(const char *a, const char *b)
{
    return *a && strcmp(a, b) == 0;
}

/* Two builds that are one and the same on the phone would be compared for nothing. */
static void check_builds(struct ts_control *control, const struct ts_guard_app *known)
{
    const struct ts_plan_app *apps = control->plan->apps, *of = &apps[known - control->guard.apps];
    for (size_t i = 0; i < control->plan->app_count && of->apk; i++) {
        const struct ts_guard_app *other = &control->guard.apps[i];
        const size_t package = strcspn(of->component, "/");
        if (other == known || strncmp(apps[i].component, of->component, package + 1) != 0)
            continue;
        if (alike(known->apk_hash, other->apk_hash) && strcmp(apps[i].apk, of->apk) != 0)
            control->error =
                ts_fail(&control->why, TS_EPROTO,
                        "%.100s and %.100s are the same on the phone once installed: is %.80s of "
                        "the package %.*s, and another build than %.80s?",
                        apps[i].name, of->name, of->apk, (int)package, of->component, apps[i].apk);
    }
}

static unsigned changed_app(struct ts_control *control)
{
    struct ts_guard_app *known = known_app(control, control->part);
    const struct ts_conditions *now = &control->intent.conditions;
    if (!known)
        return 0;
    if (differ(known->package_version, now->package_version) ||
        differ(known->apk_hash, now->apk_hash) ||
        differ(known->compiler_filter, now->compiler_filter))
        return bit(TS_FLAG_APP_CHANGED);
    ts_guard_remember(control, control->part, now);
    check_builds(control, known);
    return 0;
}

void ts_guard_remember(struct ts_control *control, int launch,
                       const struct ts_conditions *conditions)
{
    struct ts_guard_app *known = known_app(control, launch);
    if (!known)
        return;
#define KEEP(member)                                                                               \
    if (!known->member[0])                                                                         \
        memcpy(known->member, conditions->member, sizeof known->member);
    KEEP(package_version)
    KEEP(apk_hash)
    KEEP(compiler_filter)
#undef KEEP
    if (isnan(control->guard.refresh_hz))
        control->guard.refresh_hz = conditions->refresh_before_hz;
}

static unsigned foreign_window(const char *window, bool icon)
{
    if (!*window || strncmp(window, TS_HELPER "/", strlen(TS_HELPER "/")) == 0)
        return 0;
    if (icon && strstr(window, LAUNCHER_WORDS))
        return 0;
    return bit(ts_focus_is_dialog(window) ? TS_FLAG_DIALOG : TS_FLAG_WRONG_WINDOW);
}

static unsigned screen_flags(const struct ts_control *control)
{
    const struct ts_focus *window = &control->guard.window;
    unsigned flags = 0;
    if (window->awake == 0)
        flags |= bit(TS_FLAG_SCREEN_OFF);
    if (window->keyguard == 1)
        flags |= bit(TS_FLAG_KEYGUARD);
    return flags;
}

static bool is_hot(const struct ts_control *control)
{
    return control->intent.conditions.temperature_c >= control->plan->care.too_hot_c ||
           control->intent.conditions.thermal_status >= 3; /* THERMAL_STATUS_SEVERE */
}

static bool is_uncharged(const struct ts_control *control)
{
    const double percent = control->intent.conditions.battery_percent;
    const struct ts_care *care = &control->plan->care;
    return percent < care->charge_low || percent > care->charge_high;
}

static unsigned flags_before(struct ts_control *control)
{
    const struct ts_conditions *now = &control->intent.conditions;
    unsigned flags = screen_flags(control) | changed_app(control);
    flags |= foreign_window(control->intent.focus_before,
                            control->plan->care.launch_from == TS_FROM_ICON);
    if (control->guard.start_refused)
        flags |= bit(TS_FLAG_START_REFUSED);
    if (is_hot(control))
        flags |= bit(TS_FLAG_TOO_HOT);
    if (fabs(now->refresh_before_hz - control->guard.refresh_hz) > MODE_CHANGE_HZ)
        flags |= bit(TS_FLAG_DISPLAY_MODE_CHANGED);
    return flags;
}

/* ---- before the tap ---- */

/* An `am start` has been answered; by a phone that is away, with nothing. */
void ts_guard_started(struct ts_control *control, const struct ts_item *item)
{
    struct ts_guard *guard = &control->guard;
    const char *text = item->u.done.text ? item->u.done.text : "";
    if (item->u.done.status != TS_OK)
        return;
    guard->start_refused = ts_am_start_refused(text, item->u.done.exit_code, guard->refusal);
    if (guard->start_refused && strstr(text, "does not exist"))
        control->error =
            ts_fail(&control->why, TS_EIO,
                    "the helper app is not on the phone, or too old; `touchstone phone "
                    "setup` installs it");
}

void ts_guard_launched(struct ts_control *control, const struct ts_item *item)
{
    struct ts_guard *guard = &control->guard;
    const char *text = item->u.done.text ? item->u.done.text : "";
    if (item->u.done.status != TS_OK ||
        !ts_am_start_refused(text, item->u.done.exit_code, guard->refusal))
        return;
    guard->start_refused = true;
    note_flags(control, bit(TS_FLAG_START_REFUSED));
}

void ts_guard_shown(struct ts_control *control, const struct ts_item *item)
{
    ts_guard_started(control, item);
    if (control->guard.start_refused && !control->error)
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the phone refuses to show the helper app: %s; see to it, then "
                                 "start again",
                                 control->guard.refusal);
}

static const struct {
    enum ts_flag flag;
    const char *command, *word;
} remedies[] = {
    {TS_FLAG_SCREEN_OFF, "input keyevent KEYCODE_WAKEUP", "woken"},
    {TS_FLAG_KEYGUARD, "input keyevent KEYCODE_WAKEUP", "woken"},
    {TS_FLAG_KEYGUARD, "wm dismiss-keyguard", "unlocked"},
    {TS_FLAG_DIALOG, "am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS", "dialog closed"},
    {TS_FLAG_DIALOG, "input keyevent KEYCODE_HOME", "dialog closed"},
    {TS_FLAG_WRONG_WINDOW, "input keyevent KEYCODE_HOME", "window left"},
    {TS_FLAG_START_REFUSED, "input keyevent KEYCODE_HOME", "start repeated"},
};
#define REMEDIES (sizeof remedies / sizeof *remedies)

/* The next command that may help; false: there is none left. */
static bool remedy(struct ts_control *control)
{
    while (control->script < REMEDIES) {
        const size_t next = control->script++;
        if (!(control->guard.found & bit(remedies[next].flag)))
            continue;
        control->waiting = ts_issue_shell(control, "%s", remedies[next].command);
        note_mended(control, remedies[next].word);
        return true;
    }
    return false;
}

/* Heat and charge need time and no commands. */
static bool wait_for_it(struct ts_control *control)
{
    struct ts_guard *guard = &control->guard;
    const bool hot = is_hot(control) && guard->rounds < HEAT_ROUNDS;
    if (is_uncharged(control) && guard->rounds >= CHARGE_ROUNDS)
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the phone's charge is %.0f %% and does not come into %d to %d %%;"
                                 " see to its charger, then go on with `run --resume`",
                                 control->intent.conditions.battery_percent,
                                 control->plan->care.charge_low, control->plan->care.charge_high);
    else if (hot || is_uncharged(control)) {
        guard->rounds++;
        note_mended(control, hot ? "cooled" : "charged");
        ts_step_timer(control, ROUND_MS);
        return true;
    }
    return false;
}

void ts_guard_enter(struct ts_control *control)
{
    struct ts_guard *guard = &control->guard;
    guard->mending = false;
    if (!ts_control_has_phone(control))
        return;
    guard->found = flags_before(control);
    if (wait_for_it(control) || control->error) {
        guard->mending = true;
        return;
    }
    if (guard->tries >= control->plan->care.guard_tries)
        return;
    guard->mending = control->phone_away || remedy(control);
    guard->tries += guard->mending;
}

/* What could not be mended is flagged, and filmed: the picture shows more than any words. */
static void give_in(struct ts_control *control)
{
    struct ts_guard *guard = &control->guard;
    const unsigned lasting = bit(TS_FLAG_APP_CHANGED) | bit(TS_FLAG_DISPLAY_MODE_CHANGED);
    note_flags(control, guard->found);
    guard->not_ready = guard->found & ~lasting ? guard->not_ready + 1 : 0;
    if (guard->not_ready < NOT_READY_MOST)
        return;
    control->error = ts_fail(&control->why, TS_EIO,
                             "%d launches in a row met: %s%s%s; look at the phone and `touchstone "
                             "phone check`, then go on with `run --resume`",
                             NOT_READY_MOST, control->intent.conditions.guard,
                             guard->start_refused ? ", the phone said: " : "",
                             guard->start_refused ? guard->refusal : "");
}

bool ts_guard_over(struct ts_control *control, const struct ts_item *item)
{
    struct ts_guard *guard = &control->guard;
    if (control->mcu_lost) { /* no tap without it */
        ts_step_first(control);
        return true;
    }
    if (!guard->mending) {
        if (ts_control_has_phone(control))
            give_in(control);
        return !control->error;
    }
    if (control->waiting && (!ts_step_answered(control, item) || remedy(control)))
        return false;
    if (control->timer && !control->timer_expired)
        return false;
    ts_step_again(control);
    return true;
}

/* ---- after the tap ---- */

void ts_guard_read_package_after(struct ts_control *control, const char *text)
{
    char version[sizeof control->intent.conditions.package_version];
    ts_device_read_package_version(text, version, sizeof version);
    if (differ(version, control->intent.conditions.package_version))
        note_flags(control, bit(TS_FLAG_APP_CHANGED));
}

void ts_guard_after(struct ts_control *control)
{
    const char *focus = control->intent.focus_after;
    unsigned flags = screen_flags(control);
    if (control->phone_away)
        flags |= bit(TS_FLAG_RIG_FAULT); /* nobody can say what was on top */
    if (ts_focus_is_dialog(focus))
        flags |= bit(TS_FLAG_DIALOG);
    note_flags(control, flags);
    ts_guard_repeat(control, control->part, control->guard.noted);
}

/* At the end of the row, so that the order of the plan's own launches stays what it was. */
void ts_guard_repeat(struct ts_control *control, int launch, unsigned flags)
{
    const int position = launch - 1 - control->plan->scenes;
    if (!flags || position < 0)
        return;
    const int app = control->order[position];
    if (control->guard.apps[app].repeats == control->plan->care.repeats ||
        control->launches == TS_PLAN_LAUNCHES_MAX)
        return;
    control->guard.apps[app].repeats++;
    control->order[control->launches++ - control->plan->scenes] = app;
}

void ts_guard_begin(struct ts_control *control)
{
    struct ts_guard *guard = &control->guard;
    guard->noted = guard->found = 0;
    guard->tries = guard->rounds = 0;
    guard->start_refused = false;
    guard->window = (struct ts_focus){.user = -1, .keyguard = -1, .awake = -1};
}
