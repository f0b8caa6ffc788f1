/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every block of a build begins with its install, also where the phone has that build already: so
 * all blocks of all builds begin alike. */
#include "control/install.h"

#include "control/internal.h"

#include <stdio.h>
#include <string.h>

#define FOLDER      "/data/local/tmp/"
#define NAME        "touchstone-build"
#define TRIES       3
#define ANSWER_MOST 160

void ts_install_path(size_t app, char *text, size_t size)
{
    snprintf(text, size, FOLDER NAME "-%zu.apk", app);
}

/* Index of the open launch's app; -1: it has nothing to install. */
static int app_of(const struct ts_control *control, int launch)
{
    const int position = launch - 1 - control->plan->scenes;
    if (position < 0 || !ts_control_has_phone(control))
        return -1;
    return control->plan->apps[control->order[position]].apk ? control->order[position] : -1;
}

static size_t package_size(const char *component)
{
    return strcspn(component, "/");
}

/* A phone has one build of a package. */
static void note_installed(struct ts_control *control, int app)
{
    const char *component = control->plan->apps[app].component;
    const size_t size = package_size(component);
    for (size_t i = 0; i < control->plan->app_count; i++) {
        if (strncmp(control->plan->apps[i].component, component, size + 1) == 0)
            control->guard.apps[i].installed = (int)i == app;
    }
}

void ts_install_remember(struct ts_control *control, int launch)
{
    const int app = app_of(control, launch);
    if (app >= 0)
        note_installed(control, app);
}

/* The options: over one that is there, older ones too, and what was built for tests. A package that
 * comes without data is given what it would ask for at its first start. */
static bool issue(struct ts_control *control, int app)
{
    static const char *const compiled[] = {"", "--reset", "-f -m speed-profile", "-f -m speed"};
    const struct ts_plan *plan = control->plan;
    const bool clean = plan->reinstall == TS_REINSTALL_CLEAN;
    const char *component = plan->apps[app].component;
    const int size = (int)package_size(component);
    char path[80];
    switch (control->script++) {
    case 0:
        if (!clean)
            return issue(control, app);
        control->waiting = ts_issue_shell(control, "pm uninstall %.*s", size, component);
        return true;
    case 1:
        ts_install_path((size_t)app, path, sizeof path);
        control->waiting =
            ts_issue_shell(control, "pm install -r -t -d %s%s", clean ? "-g " : "", path);
        return true;
    case 2:
        if (plan->care.compile == TS_COMPILE_AS_IS)
            return false;
        control->waiting = ts_issue_shell(control, "cmd package compile %s %.*s",
                                          compiled[plan->care.compile], size, component);
        return true;
    default:
        return false;
    }
}

void ts_install_enter(struct ts_control *control)
{
    const int app = app_of(control, control->part);
    if (app < 0)
        return;
    const int nth = ts_control_nth(control, control->part - 1 - control->plan->scenes);
    if (control->install.part != control->part) {
        control->install.part = control->part;
        control->install.tries = 0;
        control->install.done =
            nth % ts_plan_row(control->plan) && control->guard.apps[app].installed;
    }
    if (control->install.done) /* also when the preparation begins anew */
        return;
    issue(control, app);
}

static int answer_size(const char *line)
{
    const size_t size = strcspn(line, "\r\n");
    return size < ANSWER_MOST ? (int)size : ANSWER_MOST;
}

static void give_up(struct ts_control *control, int app, const char *answer)
{
    const struct ts_plan_app *of = &control->plan->apps[app];
    const char *line = strstr(answer, "Failure");
    line = line ? line : *answer ? answer : "the phone does not say why";
    control->error =
        ts_fail(&control->why, TS_EIO,
                "%.100s: %.120s cannot be installed: %.*s; %s, then go on with `run --resume`",
                of->name, of->apk, answer_size(line), line,
                strstr(line, "VERSION_DOWNGRADE")
                    ? "the phone takes no older version over a newer one: say reinstall: clean in "
                      "the plan, which removes the app and its data first, and begin anew"
                    : "see to it");
}

/* The phone went away: it is awaited, and the package is installed again. */
static bool is_lost(struct ts_control *control, const struct ts_item *item)
{
    return item->u.done.status != TS_OK && ++control->install.tries < TRIES;
}

bool ts_install_over(struct ts_control *control, const struct ts_item *item)
{
    const int app = app_of(control, control->part);
    if (app < 0 || !control->waiting)
        return true;
    if (!ts_step_answered(control, item))
        return false;
    const char *answer = item->u.done.text ? item->u.done.text : "";
    ts_trouble_shell(control);
    if (control->script == 2) { /* the install itself */
        if (is_lost(control, item)) {
            ts_step_again(control);
            return true;
        }
        if (item->u.done.status != TS_OK || item->u.done.exit_code != 0 ||
            !strstr(answer, "Success")) {
            give_up(control, app, answer);
            return false;
        }
        note_installed(control, app);
        control->install.done = true;
    }
    return !issue(control, app);
}

/* ---- after the campaign ---- */

void ts_install_tidy(struct ts_control *control)
{
    if (ts_control_has_phone(control) && ts_plan_installs(control->plan))
        control->waiting = ts_issue_shell(control, "sh -c 'rm -f " FOLDER NAME "-*.apk'");
    ts_step_timer(control, 20000);
}

bool ts_install_tidy_over(struct ts_control *control, const struct ts_item *item)
{
    return !control->waiting || control->timer_expired || ts_step_answered(control, item);
}
