/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_data.h"

#include "report/data.h"
#include "store/ingest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct ts_metric metric_of(const struct ts_result *result, const char *name)
{
#define TAKE(metric)                                                                               \
    if (strcmp(name, #metric) == 0)                                                                \
        return result->metric;
    TS_METRIC_LIST(TAKE)
#undef TAKE
    return (struct ts_metric){result->time_to_initial_display_ms, NAN, 0};
}

static enum ts_left_out left_out(const struct ts_launch *launch, double ms)
{
    if (!ts_result_usable(&launch->result))
        return TS_UNUSABLE;
    if (launch->warm_up)
        return TS_WARM_UP;
    if (launch->excluded)
        return TS_EXCLUDED;
    return isnan(ms) ? TS_NO_VALUE : TS_TAKEN;
}

static void put_number(struct ts_group *group, enum ts_condition which, double value)
{
    char text[32] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.3g", value);
    ts_group_condition(group, which, text);
}

/* from: by the plan, which versions before the results told of too. */
static void put_conditions(struct ts_group *group, const struct ts_result *result,
                           enum ts_launch_from from)
{
    const struct ts_conditions *of = &result->conditions;
    ts_group_condition(group, TS_CONDITION_DETECTOR,
                       result->detector_version ? result->detector_version : "");
    ts_group_condition(group, TS_CONDITION_RULE, ts_rule_name(result->rule));
    ts_group_condition(group, TS_CONDITION_START, ts_start_type_name(result->start_type));
    ts_group_condition(group, TS_CONDITION_ZERO, ts_launch_zero_words(from));
    ts_group_condition(group, TS_CONDITION_LAUNCH_FROM, ts_launch_from_names[from]);
    put_number(group, TS_CONDITION_REFRESH, of->refresh_before_hz);
    ts_group_condition(group, TS_CONDITION_COMPILER, of->compiler_filter);
    ts_group_condition(group, TS_CONDITION_NETWORK, of->network);
    put_number(group, TS_CONDITION_NIGHT, of->night_mode < 0 ? (double)NAN : of->night_mode);
    put_number(group, TS_CONDITION_ROTATION, of->rotation < 0 ? (double)NAN : of->rotation);
    put_number(group, TS_CONDITION_ANIMATION, of->animation_scale[2]);
    ts_group_condition(group, TS_CONDITION_OBSERVERS, of->observers);
}

/* Sessions of one rig rest on the same calibration files; what those gave tells rigs apart. A rig
 * that was never calibrated has nothing that sessions share. */
static void put_rig(struct ts_group *group, const struct ts_report_data *session, const char *path)
{
    char rig[sizeof group->rig];
    ts_ingest_rig_values(session->session, rig, sizeof rig);
    if (!*rig)
        snprintf(rig, sizeof rig, "%.120s", path);
    ts_group_rig(group, rig);
}

int ts_compare_add_session(struct ts_compare_data *data, struct ts_group *group, const char *path,
                           const struct ts_compare_source *source, struct ts_why *why)
{
    struct ts_report_data session;
    int err = ts_report_data_load(path, &session, why);
    if (err)
        return err;
    put_rig(group, &session, path);
    const long number = ts_names_find(&data->sessions, path);
    err = number < 0 ? (int)number : TS_OK;
    for (size_t i = 0; i < session.count && !err; i++) {
        const struct ts_result *result = &session.launches[i].result;
        const struct ts_metric metric = metric_of(result, source->metric);
        const long app = ts_names_find(&data->apps, result->app);
        const struct ts_place place = {(size_t)number, (size_t)result->launch};
        const struct ts_row row = {(size_t)app, place, metric.value, metric.u_common,
                                   left_out(&session.launches[i], metric.value)};
        if (row.left_out == TS_TAKEN)
            put_conditions(group, result, session.plan->care.launch_from);
        err = app < 0 ? (int)app : ts_group_put(group, row);
    }
    group->sessions++;
    ts_report_data_free(&session);
    return err;
}
