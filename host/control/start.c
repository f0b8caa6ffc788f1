/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch that nobody taps: Android is told to start the app, with the very intent that a home
 * screen (and the helper's button) would send. */
#include "control/internal.h"

/* FLAG_ACTIVITY_NEW_TASK and FLAG_ACTIVITY_RESET_TASK_IF_NEEDED. */
#define LIKE_A_HOME_SCREEN                                                                         \
    "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000"

bool ts_start_by_am(const struct ts_control *control)
{
    return control->plan->care.launch_from == TS_FROM_AM && control->part > control->plan->scenes;
}

/* -W: the answer comes once the app has drawn, and says so when Android would not start it. Nobody
 * waits for it while the screen is watched. */
void ts_start_issue(struct ts_control *control)
{
    control->am_command = ts_issue_shell(control, "am start -W " LIKE_A_HOME_SCREEN " -n %s",
                                         control->intent.component);
}

void ts_start_item(struct ts_control *control, const struct ts_item *item)
{
    if (item->kind != TS_ITEM_DONE || !control->am_command ||
        item->u.done.command != control->am_command)
        return;
    control->am_command = 0;
    ts_guard_launched(control, item);
}

bool ts_start_refused(const struct ts_control *control)
{
    return ts_start_by_am(control) && control->guard.start_refused;
}
