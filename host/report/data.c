/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/data.h"

#include <stdlib.h>
#include <string.h>

bool ts_launch_counts(const struct ts_launch *launch)
{
    return ts_result_usable(&launch->result) && !launch->warm_up && !launch->excluded;
}

bool ts_launch_never_rests(const struct ts_launch *launch)
{
    return isfinite(launch->result.settled.value) &&
           !isfinite(launch->result.last_visual_change.value);
}

void ts_report_data_mark_warm_up(struct ts_report_data *data)
{
    for (size_t i = 0; i < data->count && data->plan->warm_up > 0; i++) {
        int earlier = 0;
        for (size_t j = 0; j < i; j++)
            earlier += strcmp(data->launches[j].result.app, data->launches[i].result.app) == 0;
        data->launches[i].warm_up = ts_plan_warms_up(data->plan, earlier);
    }
}

static int load_launches(struct ts_report_data *data, struct ts_why *why)
{
    const int count = ts_session_launch_count(data->session);
    if (count <= 0)
        return TS_OK;
    data->launches = calloc((size_t)count, sizeof *data->launches);
    if (!data->launches)
        return ts_fail(why, TS_ENOMEM, "no memory for %d launches", count);
    for (int number = 1; number <= count; number++) {
        struct ts_launch *launch = &data->launches[data->count];
        const int err = ts_session_load_result(data->session, number, &launch->result, why);
        if (err)
            return err;
        launch->excluded = ts_session_exclusion(data->session, number);
        data->count++;
    }
    return TS_OK;
}

int ts_report_data_load(const char *dir, struct ts_report_data *out, struct ts_why *why)
{
    *out = (struct ts_report_data){0};
    int err = ts_session_open(dir, &out->session, why);
    if (err)
        return err;
    out->info = ts_session_get_info(out->session);
    out->plan = ts_session_get_plan(out->session);
    struct ts_why ignored; /* a session that ended before its calibration did has none */
    out->calibrated =
        ts_session_load_calibration(out->session, &out->calibration, &ignored) == TS_OK;
    err = ts_standing_load(dir, &out->standing, why);
    if (!err)
        err = ts_campaign_file_read(dir, &out->campaign, why);
    if (!err)
        err = load_launches(out, why);
    if (err) {
        ts_report_data_free(out);
        return err;
    }
    ts_report_data_mark_warm_up(out);
    return TS_OK;
}

void ts_report_data_free(struct ts_report_data *data)
{
    free(data->launches);
    ts_standing_free(&data->standing);
    if (data->session)
        ts_session_free(data->session);
    *data = (struct ts_report_data){0};
}
