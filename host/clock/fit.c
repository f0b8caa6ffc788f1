/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/fit.h"
#include "base/time.h"
#include "clock/envelope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The worst ceramic resonator is 0.5 % off; twice that leaves room for a tilted first guess. */
#define SLOPE_MOST     0.01
#define QUICK_MOST     96   /* slopes are taken over all pairs of these */
#define SIGMA_LEAST_NS 1000 /* of the first, rough line */
#define BEND_NS        3000 /* a launch long, from a straight line; direct links are that tight */
#define STAMP_U_NS     800  /* ticks of 500 ns, cut off, and interrupts that wait for one another */
#define STEP_WINDOW    12
#define FARTHEST_NS    (INT64_C(1) << 50) /* 13 days: nobody fits a line over that */
#define PI             3.14159265358979323846

struct work {
    size_t count;
    int64_t origin_ns, host_origin_ns;
    double *memory; /* owns the arrays below */
    double *out_x, *out_y, *back_x, *back_y, *scratch;
    double slope_most;
};

struct rough_line {
    double slope, height, sigma;
};

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ts_envelope_by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double middle_x(const struct work *work, size_t i)
{
    return (work->out_x[i] + work->back_x[i]) / 2;
}

static double middle_y(const struct work *work, size_t i)
{
    return (work->out_y[i] + work->back_y[i]) / 2;
}

static double round_trip(const struct work *work, size_t i)
{
    return work->back_y[i] - work->out_y[i];
}

static bool near(int64_t distance_ns)
{
    return distance_ns > -FARTHEST_NS && distance_ns < FARTHEST_NS;
}

/* A reading that takes less than no time on the way is no reading. */
static bool plausible(const struct ts_reading *reading, const struct ts_reading *origin)
{
    const int64_t here = ts_ns_between(reading->t4_ns, reading->t1_ns);
    const int64_t there = ts_ns_between(reading->t3_ns, reading->t2_ns);
    if (!near(here) || !near(there) || here < 0 || there < 0 ||
        !near(ts_ns_between(reading->t1_ns, origin->t1_ns)) ||
        !near(ts_ns_between(reading->t2_ns, origin->t2_ns)))
        return false;
    return (double)there * (1 - SLOPE_MOST) <= (double)here + SIGMA_LEAST_NS;
}

/* Plausible readings only, about origins in their middle; exact, since differences are taken in
 * integers and stay far below 2^53. */
static int load(struct work *work, const struct ts_reading *readings, size_t count)
{
    work->memory = malloc((5 * count + 1) * sizeof *work->memory);
    if (!work->memory)
        return TS_ENOMEM;
    work->out_x = work->memory;
    work->out_y = work->out_x + count;
    work->back_x = work->out_y + count;
    work->back_y = work->back_x + count;
    work->scratch = work->back_y + count;
    work->origin_ns = readings[count / 2].t2_ns;
    work->host_origin_ns = readings[count / 2].t1_ns;
    for (size_t i = 0; i < count; i++) {
        if (!plausible(&readings[i], &readings[count / 2]))
            continue;
        const size_t n = work->count++;
        const int64_t t2 = ts_ns_between(readings[i].t2_ns, work->origin_ns);
        const int64_t t3 = ts_ns_between(readings[i].t3_ns, work->origin_ns);
        work->out_x[n] = (double)t2;
        work->back_x[n] = (double)t3;
        work->out_y[n] = (double)(ts_ns_between(readings[i].t1_ns, work->host_origin_ns) - t2);
        work->back_y[n] = (double)(ts_ns_between(readings[i].t4_ns, work->host_origin_ns) - t3);
    }
    return TS_OK;
}

/* Theil and Sen's line (median of the slopes of all pairs) through the midpoints of the quickest
 * round trips. */
static int rough_fit(const struct work *work, struct rough_line *line)
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

static void drop(struct work *work, size_t at)
{
    double *arrays[] = {work->out_x, work->out_y, work->back_x, work->back_y};
    work->count--;
    for (int i = 0; i < 4; i++)
        memmove(arrays[i] + at, arrays[i] + at + 1, (work->count - at) * sizeof(double));
}

/* Late readings agree with every line; only those that would have to be early do not. */
static void drop_contradictions(struct work *work, const struct rough_line *line)
{
    const double tolerance = 5 * line->sigma;
    for (size_t i = work->count; i-- > 0;) {
        const double low = work->out_y[i] - line->slope * work->out_x[i] - line->height;
        const double high = work->back_y[i] - line->slope * work->back_x[i] - line->height;
        if (low > tolerance || high < -tolerance)
            drop(work, i);
    }
}

static struct ts_points points_of(const struct work *work)
{
    return (struct ts_points){.count = work->count,
                              .out_x = work->out_x,
                              .out_y = work->out_y,
                              .back_x = work->back_x,
                              .back_y = work->back_y,
                              .scratch = work->scratch};
}

/* A straight line passes between what every reading allows, but for the clock's own wander:
 * nothing need be dropped, however crooked a bridge made the midpoints. */
static bool all_agree(const struct work *work)
{
    const struct ts_points points = points_of(work);
    const struct ts_edges edges =
        ts_edges_at(&points, ts_envelope_widest(&points, work->slope_most));
    return edges.high - edges.low >= -BEND_NS;
}

/* While no line passes between the edges, one of the two readings that close the channel is
 * wrong: the one farther from the rough line. */
static void open_channel(struct work *work, const struct rough_line *line)
{
    while (work->count >= TS_CLOCK_READINGS_MIN) {
        const struct ts_points points = points_of(work);
        const double slope = ts_envelope_widest(&points, work->slope_most);
        const struct ts_edges edges = ts_edges_at(&points, slope);
        if (edges.high >= edges.low)
            return;
        const double low =
            work->out_y[edges.low_by] - line->slope * work->out_x[edges.low_by] - line->height;
        const double high =
            work->back_y[edges.high_by] - line->slope * work->back_x[edges.high_by] - line->height;
        drop(work, low > -high ? edges.low_by : edges.high_by);
    }
}

static double window_median(const double *x, const double *y, double slope, size_t from,
                            size_t count)
{
    double values[STEP_WINDOW] = {0};
    for (size_t i = 0; i < count; i++)
        values[i] = y[from + i] - slope * x[from + i];
    return median(values, count);
}

/* Typical distance of one delay from the next, as a standard deviation. */
static double scatter(const struct work *work, const double *x, const double *y, double slope)
{
    for (size_t i = 0; i + 1 < work->count; i++)
        work->scratch[i] = fabs(y[i + 1] - y[i] - slope * (x[i + 1] - x[i]));
    return 1.4826 / sqrt(2) * median(work->scratch, work->count - 1);
}

/* A step smaller than the round trip contradicts nobody, but it moves both directions alike, which
 * a change of delay does not. */
static bool has_step(const struct work *work, double slope)
{
    const double out_noise = scatter(work, work->out_x, work->out_y, slope);
    const double back_noise = scatter(work, work->back_x, work->back_y, slope);
    for (size_t at = 5; at + 5 <= work->count; at++) {
        size_t window = at < STEP_WINDOW ? at : STEP_WINDOW;
        if (work->count - at < window)
            window = work->count - at;
        const double out = window_median(work->out_x, work->out_y, slope, at, window) -
                           window_median(work->out_x, work->out_y, slope, at - window, window);
        const double back = window_median(work->back_x, work->back_y, slope, at, window) -
                            window_median(work->back_x, work->back_y, slope, at - window, window);
        const double run = work->out_x[at + window - 1] - work->out_x[at - window];
        const double wander = 1000 + TS_CLOCK_WANDER_MOST * run;
        const double sigmas = 6 * sqrt(PI / (double)window); /* of a difference of medians */
        if (out * back > 0 && fabs(out) > wander + sigmas * out_noise &&
            fabs(back) > wander + sigmas * back_noise)
            return true;
    }
    return false;
}

/* Each reading bounds the error of the line at its own place, and less and less well away from it
 * because the rate is only known to +-reach. The bounds of the worst place hold everywhere. */
static void hard_bounds(const struct work *work, const struct ts_envelope *line, double reach,
                        struct ts_clock_fit *fit)
{
    const int places = 64;
    const double from = work->out_x[0], to = work->back_x[work->count - 1];
    const double half_step = (to - from) / places / 2;
    fit->bound_low_ns = 0;
    fit->bound_high_ns = 0;
    for (int place = 0; place <= places; place++) {
        const double x = from + 2 * half_step * place;
        double low = -INFINITY, high = INFINITY;
        for (size_t i = 0; i < work->count; i++) {
            low = fmax(low, work->out_y[i] - line->slope * work->out_x[i] - line->height -
                                reach * fabs(x - work->out_x[i]));
            high = fmin(high, work->back_y[i] - line->slope * work->back_x[i] - line->height +
                                  reach * fabs(x - work->back_x[i]));
        }
        fit->bound_low_ns = fmin(fit->bound_low_ns, low - reach * half_step);
        fit->bound_high_ns = fmax(fit->bound_high_ns, high + reach * half_step);
    }
}

static void fill(const struct work *work, const struct ts_envelope *line, struct ts_clock_fit *fit)
{
    const struct ts_points points = points_of(work);
    const struct ts_edges edges = ts_edges_at(&points, line->slope);
    const double whole = round(line->height);
    fit->origin_ns = work->origin_ns;
    fit->host_at_origin_ns = work->host_origin_ns + (int64_t)whole;
    fit->host_fraction_ns = line->height - whole;
    fit->rate = 1 + line->slope;
    fit->from_ns = work->origin_ns + (int64_t)work->out_x[0];
    fit->to_ns = work->origin_ns + (int64_t)work->back_x[work->count - 1];
    fit->rtt_min_ns = INFINITY;
    for (size_t i = 0; i < work->count; i++)
        fit->rtt_min_ns =
            fmin(fit->rtt_min_ns,
                 round_trip(work, i) - line->slope * (work->back_x[i] - work->out_x[i]));
    const double half_span = (work->back_x[work->count - 1] - work->out_x[0]) / 2;
    const double width = fmax(0, edges.high - edges.low);
    /* Directions that scatter alike are taken to be alike; as far as they do not, nothing is known
     * about their difference but the hard bounds. */
    const double unlike = fmin(fabs(line->out_median - line->back_median), width / 2) / sqrt(3);
    /* A straight line through equal delays would leave a channel as wide as the quickest round
     * trip; what is missing is the clock's wander (or chance, which is no better known). */
    const double misfit = fmax(0, fit->rtt_min_ns - width) / 2 / sqrt(3);
    fit->rate_u = line->slope_u;
    fit->u_ns =
        sqrt(line->height_u * line->height_u + unlike * unlike + misfit * misfit +
             STAMP_U_NS * STAMP_U_NS + line->slope_u * line->slope_u * half_span * half_span);
}

int ts_clock_fit(const struct ts_reading *readings, size_t count, struct ts_clock_fit *fit,
                 struct ts_why *why)
{
    memset(fit, 0, sizeof *fit);
    fit->offered = count;
    if (count < TS_CLOCK_READINGS_MIN)
        return ts_fail(why, TS_EPROTO, "only %zu clock readings; %d are needed", count,
                       TS_CLOCK_READINGS_MIN);
    struct work work = {.slope_most = SLOPE_MOST};
    struct rough_line rough;
    struct ts_envelope line;
    struct ts_points points;
    int err = load(&work, readings, count);
    if (err)
        goto end;
    if (work.count >= TS_CLOCK_READINGS_MIN && !all_agree(&work)) {
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
    points = points_of(&work);
    ts_envelope_fit(&points, work.slope_most, &line);
    fill(&work, &line, fit);
    hard_bounds(
        &work, &line,
        ts_envelope_slope_reach(&points, line.slope, work.slope_most) + TS_CLOCK_WANDER_MOST, fit);
    fit->used = work.count;
    fit->suspicious = work.count < count || has_step(&work, line.slope);
end:
    free(work.memory);
    return err;
}
