/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include "report/text.h"
#include "stats/interval.h"
#include "stats/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COLUMNS 79 /* one less than a narrow terminal has: some wrap at the last */

struct ts_progress {
    const struct ts_plan *plan;
    bool terminal, quiet;
    int done, total;
    int done_before; /* when it was resumed */
    struct timespec began;
    double *settled; /* owned; launches of all apps that count */
    int *app;        /* owned; which app each of them was */
    int counted;
    int *launches; /* owned; of each app so far */
};

/* Of an app's launches that count so far. */
struct standing {
    double median;
    struct ts_interval interval;
};

int ts_progress_create(const struct ts_plan *plan, bool quiet, struct ts_progress **out)
{
    struct ts_progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return TS_ENOMEM;
    progress->plan = plan;
    progress->quiet = quiet;
    progress->terminal = isatty(STDERR_FILENO) == 1;
    progress->total = ts_plan_total(plan);
    progress->settled = calloc((size_t)progress->total, sizeof *progress->settled);
    progress->app = calloc((size_t)progress->total, sizeof *progress->app);
    progress->launches = calloc(plan->app_count + 1, sizeof *progress->launches);
    clock_gettime(CLOCK_MONOTONIC, &progress->began);
    *out = progress;
    if (!progress->settled || !progress->app || !progress->launches)
        return TS_ENOMEM;
    if (!quiet && progress->terminal)
        fprintf(stderr, "Learning the instrument ...");
    return TS_OK;
}

void ts_progress_destroy(struct ts_progress *progress)
{
    if (!progress)
        return;
    if (progress->terminal && !progress->quiet)
        fputs("\r\033[K", stderr);
    free(progress->settled);
    free(progress->app);
    free(progress->launches);
    free(progress);
}

void ts_progress_calibrated(struct ts_progress *progress, const struct ts_calibration *calibration,
                            const char *note)
{
    if (progress->quiet)
        return;
    if (progress->terminal)
        fputs("\r\033[K", stderr);
    if (calibration->camera_known)
        fprintf(stderr, "Camera: %.2f frames/s, exposure %.2f ms, rows read in %.2f ms\n",
                1000 / calibration->period_ms, calibration->exposure_ms, calibration->readout_ms);
    if (calibration->plate_taps)
        fprintf(stderr,
                "Stylus: the tip leaves the glass %.2f ms after pick-up (+-%.2f ms, %d taps)\n",
                calibration->lift_delay_ms, calibration->lift_delay_u_ms, calibration->plate_taps);
    if (*note)
        fprintf(stderr, "Not learnt: %s\n", note);
}

static int app_index(const struct ts_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->app_count; i++) {
        if (strcmp(plan->apps[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

static struct standing stand(const struct ts_progress *progress, int app)
{
    double *values = malloc(((size_t)progress->counted + 1) * sizeof *values);
    size_t count = 0;
    struct standing standing = {NAN, {NAN, NAN, 0}};
    if (!values)
        return standing;
    for (int i = 0; i < progress->counted; i++) {
        if (progress->app[i] == app)
            values[count++] = progress->settled[i];
    }
    ts_sort(values, count);
    standing = (struct standing){count ? ts_median(values, count) : NAN,
                                 ts_median_interval(values, count)};
    free(values);
    return standing;
}

/* As the campaign's end will count it, but for what people take out later. */
static void count(struct ts_progress *progress, const struct ts_result *result, int app)
{
    const bool warm_up = app >= 0 && ts_plan_warms_up(progress->plan, progress->launches[app]++);
    progress->done++;
    if (warm_up || !ts_result_usable(result) || isnan(result->settled.value) ||
        progress->counted >= progress->total)
        return;
    progress->settled[progress->counted] = result->settled.value;
    progress->app[progress->counted++] = app;
}

int ts_progress_resume(struct ts_progress *progress, const struct ts_session *past,
                       struct ts_why *why)
{
    const int finished = ts_session_launch_count(past);
    for (int launch = 1; launch <= finished; launch++) {
        struct ts_result result;
        const int err = ts_session_load_result(past, launch, &result, why);
        if (err)
            return err;
        count(progress, &result, app_index(progress->plan, result.app));
    }
    progress->done_before = progress->done;
    return TS_OK;
}

/* By what the launches took so far; an app with a stop rule may end sooner. */
static int left_s(const struct ts_progress *progress)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double spent = (double)(now.tv_sec - progress->began.tv_sec) +
                         (double)(now.tv_nsec - progress->began.tv_nsec) / 1e9;
    const int done = progress->done - progress->done_before;
    return (int)(spent / done * (progress->total - progress->done));
}

static void put_value(const struct ts_result *result, const struct standing *standing,
                      struct ts_out *out)
{
    if (!ts_result_usable(result) || isnan(result->settled.value))
        ts_out_put(out, ts_result_verdict(result));
    else
        ts_out_printf(out, "%.0f ms", result->settled.value);
    if (!isnan(standing->median))
        ts_out_printf(out, ", median %.0f", standing->median);
    if (ts_interval_reached(standing->interval))
        ts_out_printf(out, " (%.0f..%.0f)", standing->interval.low, standing->interval.high);
    if (isfinite(result->conditions.temperature_c))
        ts_out_printf(out, ", %.1f C", result->conditions.temperature_c);
}

static void print(const struct ts_progress *progress, const struct ts_result *result,
                  const struct standing *standing)
{
    const int left = left_s(progress);
    struct ts_out line = {0}, value = {0};
    put_value(result, standing, &value);
    ts_out_printf(&value, ", %d:%02d left", left / 60, left % 60);
    ts_out_printf(&line, "%s%d/%d  ", progress->terminal ? "" : "launch ", progress->done,
                  progress->total);
    /* The name gives way: everything else is short. */
    const int room = COLUMNS - (int)(line.text.size + value.text.size) - 2;
    const struct ts_text_style style = ts_text_style_for(stderr);
    ts_out_text(&line, result->app, !progress->terminal ? 0 : room > 4 ? room : 4, style);
    ts_out_put(&line, "  ");
    ts_out_bytes(&line, (const char *)value.text.data, value.text.size);
    if (!line.err && !value.err)
        fprintf(stderr, "%s%.*s%s", progress->terminal ? "\r\033[K" : "", (int)line.text.size,
                (const char *)line.text.data, progress->terminal ? "" : "\n");
    ts_buf_free(&line.text);
    ts_buf_free(&value.text);
}

void ts_progress_launched(struct ts_progress *progress, const struct ts_result *result)
{
    const int app = app_index(progress->plan, result->app);
    count(progress, result, app);
    if (progress->quiet)
        return;
    const struct standing standing = stand(progress, app);
    print(progress, result, &standing);
}
