/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include "stats/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR 24

struct ts_progress {
    const struct ts_plan *plan;
    bool terminal, quiet;
    int done, total, flagged;
    struct timespec began;
    double *settled; /* owned; usable launches of all apps */
    int *app;        /* owned; which app each of them was */
    int usable;
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
    clock_gettime(CLOCK_MONOTONIC, &progress->began);
    *out = progress;
    if (!progress->settled || !progress->app)
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

/* Of this app's usable launches so far. */
static double running_median(const struct ts_progress *progress, int app)
{
    double *values = malloc(((size_t)progress->usable + 1) * sizeof *values);
    size_t count = 0;
    if (!values)
        return NAN;
    for (int i = 0; i < progress->usable; i++) {
        if (progress->app[i] == app)
            values[count++] = progress->settled[i];
    }
    ts_sort(values, count);
    const double median = count ? ts_median(values, count) : NAN;
    free(values);
    return median;
}

static void print_bar(const struct ts_progress *progress, const struct ts_result *result,
                      double median)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double spent = (double)(now.tv_sec - progress->began.tv_sec) +
                         (double)(now.tv_nsec - progress->began.tv_nsec) / 1e9;
    const int left = (int)(spent / progress->done * (progress->total - progress->done));
    const int filled = BAR * progress->done / progress->total;
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    fprintf(stderr, "\r\033[K[%s] %d/%d  %.16s  ", bar, progress->done, progress->total,
            result->app);
    if (ts_result_usable(result) && !isnan(result->settled.value))
        fprintf(stderr, "%.0f ms, median %.0f  ", result->settled.value, median);
    else
        fprintf(stderr, "%s  ", ts_result_verdict(result));
    fprintf(stderr, "%d:%02d left", left / 60, left % 60);
}

static void print_line(const struct ts_progress *progress, const struct ts_result *result,
                       double median)
{
    fprintf(stderr, "launch %d/%d  %s  ", progress->done, progress->total, result->app);
    if (ts_result_usable(result) && !isnan(result->settled.value))
        fprintf(stderr, "settled %.1f ms +-%.1f, median %.1f\n", result->settled.value,
                result->settled.u, median);
    else
        fprintf(stderr, "%s\n", ts_result_verdict(result));
}

void ts_progress_launched(struct ts_progress *progress, const struct ts_result *result)
{
    const int app = app_index(progress->plan, result->app);
    progress->done++;
    if (ts_result_usable(result) && !isnan(result->settled.value)) {
        progress->settled[progress->usable] = result->settled.value;
        progress->app[progress->usable++] = app;
    } else {
        progress->flagged++;
    }
    if (progress->quiet)
        return;
    const double median = running_median(progress, app);
    if (progress->terminal)
        print_bar(progress, result, median);
    else
        print_line(progress, result, median);
}
