/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan's stop rule, judged for each app after each of its launches. An app that has enough is
 * taken out of the row of launches that are to come; the others go on. */
#include "control/internal.h"

#include "base/buf.h"
#include "stats/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MINUTE 60e9

struct ts_stop_app {
    double *values; /* owned; ms, usable launches after the warm-up, in order */
    size_t count, capacity;
    int launches;  /* of all kinds */
    bool warms_up; /* the latest of them did */
    bool began;
    struct ts_host_time first; /* when its first launch by this control began */
};

struct ts_stops {
    struct ts_stop_rule rule;
    struct ts_stop_app *apps; /* owned */
};

static struct ts_stop_app *app_of(struct ts_control *control, int launch)
{
    const int position = launch - 1 - control->plan->scenes;
    return !control->stops || position < 0 ? NULL : &control->stops->apps[control->order[position]];
}

int ts_stops_open(struct ts_control *control)
{
    const char *text = control->plan->stop;
    struct ts_why why;
    if (!text || !*text)
        return TS_OK;
    struct ts_stops *stops = control->stops = calloc(1, sizeof *stops);
    if (!stops || !(stops->apps = calloc(control->plan->app_count + 1, sizeof *stops->apps)))
        return TS_ENOMEM;
    return ts_stop_parse(text, strlen(text), &stops->rule, &why);
}

void ts_stops_close(struct ts_control *control)
{
    struct ts_stops *stops = control->stops;
    for (size_t i = 0; stops && stops->apps && i < control->plan->app_count; i++)
        free(stops->apps[i].values);
    if (stops)
        free(stops->apps);
    free(stops);
}

void ts_stops_begin(struct ts_control *control)
{
    struct ts_stop_app *app = app_of(control, control->part);
    if (!app || app->began)
        return;
    app->began = true;
    app->first = control->now;
}

/* The launches that are to come without those of this app. */
static void take_out(struct ts_control *control, int launch)
{
    const int scenes = control->plan->scenes, app = control->order[launch - 1 - scenes];
    int kept = launch - scenes;
    for (int i = kept; i < control->launches - scenes; i++) {
        if (control->order[i] != app)
            control->order[kept++] = control->order[i];
    }
    control->launches = kept + scenes;
}

/* Files hold thousandths: a campaign that was cut off and taken up again decides as one that was
 * not. */
static int add(const struct ts_control *control, struct ts_stop_app *app,
               const struct ts_result *result)
{
    void *values = app->values;
    app->warms_up = ts_plan_warms_up(control->plan, app->launches++);
    if (app->warms_up || !ts_result_usable(result) || !isfinite(result->settled.value))
        return TS_OK;
    double *value = ts_grow(&values, &app->count, &app->capacity, sizeof *value);
    app->values = values;
    if (!value)
        return TS_ENOMEM;
    *value = round(result->settled.value * 1000) / 1000;
    return TS_OK;
}

int ts_control_measured(struct ts_control *control, struct ts_result *result)
{
    struct ts_stop_app *app = app_of(control, result->launch);
    struct ts_stop_reason reason;
    if (!app)
        return TS_OK;
    int err = add(control, app, result);
    if (err || app->warms_up)
        return err;
    const double minutes = (double)(control->now.ns - app->first.ns) / NS_PER_MINUTE;
    err = ts_stop_met(&control->stops->rule, app->values, app->count, minutes, &reason);
    if (err <= 0)
        return err;
    struct ts_conditions *conditions = &control->intent.conditions;
    snprintf(conditions->stop, sizeof conditions->stop, "%.*s", (int)sizeof conditions->stop - 1,
             reason.text);
    memcpy(result->conditions.stop, conditions->stop, sizeof result->conditions.stop);
    take_out(control, result->launch);
    return TS_OK;
}

int ts_stops_remember(struct ts_control *control, const struct ts_result *finished)
{
    struct ts_stop_app *app = app_of(control, finished->launch);
    if (!app)
        return TS_OK;
    if (*finished->conditions.stop)
        take_out(control, finished->launch);
    return add(control, app, finished);
}
