/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/fit.h"
#include "base/time.h"
#include "clock/limits.h"
#include "clock/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUICK_MOST     96   /* slopes are taken over all pairs of these */
#define SIGMA_LEAST_NS 1000 /* of the first, rough line */
#define STAMP_U_NS     800  /* ticks of 500 ns, cut off, and interrupts that wait for one another */

struct rough_line {
    double slope, height, sigma;
};

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ts_envelope_by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double middle_x(const struct ts_clock_points *work, size_t i)
{
    return (work->out_x[i] + work->back_x[i]) / 2;
}

static double middle_y(const struct ts_clock_points *work, size_t i)
{
    return (work->out_y[i] + work->back_y[i]) / 2;
}

static double round_trip(const struct ts_clock_points *work, size_t i)
{
    return work->back_y[i] - work->out_y[i];
}

/* Theil and Sen's line (median of the slopes of all pairs) through the midpoints of the quickest
 * round trips. */
static int rough_fit(const struct ts_clock_points *work, struct rough_line *line)
{
    for (size_t i = 0; i < work->count; i++)
        work->scratch[i] = round_trip(work, i);
    const double limit = median(work->scratch, work->count);
    /* Evenly among the quick ones: a step through all readings could keep pace with a bridge that
     * holds back every other one. */
    size_t quick[QUICK_MOST], count = 0, seen = 0;
    const size_t stride = work->count / (2 * QUICK_MOST) + 1;
    for (size_t i = 0; i < work->count && count < QUICK_MOST; i++)
        if (round_trip(work, i) <= limit && seen++ % stride == 0)
            quick[count++] = i;
    double *values = malloc(((count + 1) * (count + 1)) * sizeof *values);
    if (!values)
        return TS_ENOMEM;
    size_t slopes = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const double run = middle_x(work, quick[j]) - middle_x(work, quick[i]);
            if (run > 0)
                values[slopes++] = (middle_y(work, quick[j]) - middle_y(work, quick[i])) / run;
        }
    }
    line->slope = slopes ? median(values, slopes) : 0;
    for (size_t i = 0; i < count; i++)
        values[i] = middle_y(work, quick[i]) - line->slope * middle_x(work, quick[i]);
    line->height = median(values, count);
    for (size_t i = 0; i < count; i++)
        values[i] =
            fabs(middle_y(work, quick[i]) - line->slope * middle_x(work, quick[i]) - line->height);
    line->sigma = fmax(1.4826 * median(values, count), SIGMA_LEAST_NS);
    free(values);
    return TS_OK;
}

/* Late readings agree with every line; only those that would have to be early do not. */
static void drop_contradictions(struct ts_clock_points *work, const struct rough_line *line)
{
    const double tolerance = 5 * line->sigma;
    for (size_t i = work->count; i-- > 0;) {
        const double low = work->out_y[i] - line->slope * work->out_x[i] - line->height;
        const double high = work->back_y[i] - line->slope * work->back_x[i] - line->height;
        if (low > tolerance || high < -tolerance)
            ts_clock_points_drop(work, i);
    }
}

/* While no line passes between the edges, one of the two readings that close the channel is
 * wrong: the one farther from the rough line. */
static void open_channel(struct ts_clock_points *work, const struct rough_line *line)
{
    while (work->count >= TS_CLOCK_READINGS_MIN) {
        const struct ts_points points = ts_clock_points_view(work, 0, work->count);
        const double slope = ts_envelope_widest(&points, TS_CLOCK_SLOPE_MOST);
        const struct ts_edges edges = ts_edges_at(&points, slope);
        if (edges.high >= edges.low)
            return;
        const double low =
            work->out_y[edges.low_by] - line->slope * work->out_x[edges.low_by] - line->height;
        const double high =
            work->back_y[edges.high_by] - line->slope * work->back_x[edges.high_by] - line->height;
        ts_clock_points_drop(work, low > -high ? edges.low_by : edges.high_by);
    }
}

static int fill(const struct ts_clock_points *work, const struct ts_envelope *line,
                struct ts_clock_fit *fit)
{
    const struct ts_points points = ts_clock_points_view(work, 0, work->count);
    const double whole = round(line->height);
    fit->origin_ns = work->origin_ns;
    fit->host_at_origin_ns = work->host_origin_ns + (int64_t)whole;
    fit->host_fraction_ns = line->height - whole;
    fit->rate = 1 + line->slope;
    fit->rate_u = line->slope_u;
    fit->from_ns = work->origin_ns + (int64_t)work->out_x[0];
    fit->to_ns = work->origin_ns + (int64_t)work->back_x[work->count - 1];
    fit->rtt_min_ns = INFINITY;
    for (size_t i = 0; i < work->count; i++)
        fit->rtt_min_ns =
            fmin(fit->rtt_min_ns,
                 round_trip(work, i) - line->slope * (work->back_x[i] - work->out_x[i]));
    fit->drift_most =
        ts_envelope_slope_reach(&points, line->slope, TS_CLOCK_SLOPE_MOST) + TS_CLOCK_WANDER_MOST;
    return ts_clock_limits_fill(work, line->slope, line->height, fit);
}

/* Anywhere between the hard bounds in the middle of the span. */
static double u_of_bounds(const struct ts_clock_fit *fit, double half_span)
{
    double low, high;
    ts_clock_bounds_at(fit, ts_ns_after(fit->from_ns, (int64_t)half_span), &low, &high);
    return hypot((high - low) / sqrt(12), (high + low) / 2);
}

/* Directions that scatter alike are taken to be alike. Of others nothing is known: where a packet
 * waits for a timer, the quickest one may have done so too. */
static double fit_u(const struct ts_clock_points *work, const struct ts_envelope *line,
                    const struct ts_clock_fit *fit)
{
    const double half_span = (work->back_x[work->count - 1] - work->out_x[0]) / 2;
    const double bend = ts_clock_bend(work, line->slope);
    const bool alike = ts_clock_delays_alike(work, line->slope, bend);
    const double unlike = alike ? 0 : u_of_bounds(fit, half_span);
    const double wander = bend / sqrt(12);
    const double end = line->slope_u * half_span;
    return sqrt(line->height_u * line->height_u + unlike * unlike + wander * wander + end * end +
                STAMP_U_NS * STAMP_U_NS);
}

int ts_clock_fit(const struct ts_reading *readings, size_t count, struct ts_clock_fit *fit,
                 struct ts_why *why)
{
    memset(fit, 0, sizeof *fit);
    fit->offered = count;
    if (count < TS_CLOCK_READINGS_MIN)
        return ts_fail(why, TS_EPROTO, "only %zu clock readings; %d are needed", count,
                       TS_CLOCK_READINGS_MIN);
    struct ts_clock_points work;
    struct rough_line rough;
    struct ts_envelope line;
    struct ts_points points;
    size_t step_at;
    int err = ts_clock_points_load(&work, readings, count);
    if (err)
        goto end;
    if (work.count >= TS_CLOCK_READINGS_MIN && !ts_clock_points_agree(&work, 0, work.count)) {
        err = rough_fit(&work, &rough);
        if (err)
            goto end;
        drop_contradictions(&work, &rough);
        open_channel(&work, &rough);
    }
    if (work.count < TS_CLOCK_READINGS_MIN || work.count < count / 2 ||
        work.back_x[work.count - 1] <= work.out_x[0]) {
        err = ts_fail(why, TS_EPROTO,
                      "%zu of %zu clock readings agree with one straight line: the clock was "
                      "reset or stepped, or the readings are mixed up",
                      work.count, count);
        goto end;
    }
    points = ts_clock_points_view(&work, 0, work.count);
    ts_envelope_fit(&points, TS_CLOCK_SLOPE_MOST, &line);
    err = fill(&work, &line, fit);
    if (err)
        goto end;
    fit->u_ns = fit_u(&work, &line, fit);
    fit->used = work.count;
    fit->suspicious = work.count < count || ts_clock_find_step(&work, line.slope, &step_at);
end:
    ts_clock_points_free(&work);
    return err;
}
