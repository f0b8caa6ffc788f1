/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.95

/* Two detectors see other things; two rigs have other errors, which do not cancel. */
static void compare(const struct ts_report_data *data, struct ts_base *base)
{
    const struct ts_session_info *one = data->info, *other = base->data.info;
    const struct ts_calibration *a = &data->calibration, *b = &base->data.calibration;
    if (strcmp(one->detector, other->detector) != 0)
        ts_fail(&base->unlike, TS_EINVAL, "it was measured by detector %.30s, this one by %.30s",
                other->detector, one->detector);
    else if (strcmp(one->bench, other->bench) != 0)
        ts_fail(&base->unlike, TS_EINVAL, "it was measured on bench %.30s, this one on %.30s",
                other->bench, one->bench);
    else if ((data->plan->care.launch_from == TS_FROM_AM) !=
             (base->data.plan->care.launch_from == TS_FROM_AM))
        ts_fail(&base->unlike, TS_EINVAL, "it counts from %s, this one from %s",
                ts_launch_zero_words(base->data.plan->care.launch_from),
                ts_launch_zero_words(data->plan->care.launch_from));
    else if (a->lift_delay_ms < b->lift_delay_ms || a->lift_delay_ms > b->lift_delay_ms ||
             a->camera_u_ms < b->camera_u_ms || a->camera_u_ms > b->camera_u_ms)
        ts_fail(&base->remark, TS_OK,
                "The two were calibrated apart, so what each instrument shifts together does not "
                "cancel between them.");
}

int ts_base_take(const char *name, struct ts_report_data *base, const struct ts_report_data *data,
                 struct ts_base *out)
{
    *out = (struct ts_base){.data = *base};
    snprintf(out->name, sizeof out->name, "%s", name);
    const int err = ts_summarize(&out->data, &out->summary);
    if (err)
        ts_base_close(out);
    else
        compare(data, out);
    return err;
}

int ts_base_open(const char *dir, const struct ts_report_data *data, struct ts_base *out,
                 struct ts_why *why)
{
    struct ts_report_data base;
    *out = (struct ts_base){.name = ""};
    int err = ts_report_data_load(dir, &base, why);
    if (err)
        return err;
    /* The folder's own name: plans of two builds are called alike. */
    const char *end = dir + strlen(dir);
    while (end > dir + 1 && end[-1] == '/')
        end--;
    const char *begin = end;
    while (begin > dir && begin[-1] != '/')
        begin--;
    char name[sizeof out->name];
    snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
    err = ts_base_take(name, &base, data, out);
    return err ? ts_fail(why, err, "out of memory") : TS_OK;
}

void ts_base_close(struct ts_base *base)
{
    ts_summary_free(&base->summary);
    ts_report_data_free(&base->data);
    *base = (struct ts_base){.name = ""};
}

static long find_row(const struct ts_summary *summary, const struct ts_app_summary *app)
{
    for (size_t i = 0; i < summary->app_count; i++) {
        if (strcmp(summary->apps[i].app, app->app) == 0 && summary->apps[i].start == app->start)
            return (long)i;
    }
    return -1;
}

/* TS_EOF: too few launches. */
static int rank(const struct ts_report_data *data, const struct ts_summary *summary, size_t row,
                struct ts_ranked *out)
{
    double *values = calloc(summary->apps[row].settled.count + 1, sizeof *values);
    if (!values)
        return TS_ENOMEM;
    const size_t count = ts_summary_settled(data, summary, row, values);
    const int err =
        count < 2 ? TS_EOF : ts_ranked_of((struct ts_sample){values, count}, false, out);
    free(values);
    return err;
}

int ts_base_change(const struct ts_base *base, const struct ts_report_data *data,
                   const struct ts_summary *summary, size_t row, struct ts_hodges_lehmann *out)
{
    const struct ts_interval none = {NAN, NAN, 0};
    const long other = find_row(&base->summary, &summary->apps[row]);
    struct ts_ranked a = {0}, b = {0};
    *out = (struct ts_hodges_lehmann){NAN, none};
    if (other < 0 || *base->unlike.text)
        return TS_OK;
    int err = rank(&base->data, &base->summary, (size_t)other, &a);
    if (!err)
        err = rank(data, summary, row, &b);
    if (!err)
        *out = ts_hodges_lehmann_of(&a, &b, LEVEL);
    if (!err && (a.count < TS_PAIRS_MIN || b.count < TS_PAIRS_MIN))
        out->interval = none;
    ts_ranked_free(&a);
    ts_ranked_free(&b);
    return err == TS_EOF ? TS_OK : err;
}
