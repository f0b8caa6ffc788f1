/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_times.h"

#include "base/time.h"
#include "stats/order.h"

#include <math.h>
#include <string.h>

#define USUAL_LEAST   0.6 /* periods between two frames with none missing */
#define USUAL_MOST    1.5
#define TRACK         0.25  /* share of a stamp's deviation that moves the expected next one */
#define REFINE_MOST   0.005 /* of the guess: more is no better knowledge but an uneven film */
#define GRAIN_LEAST   1.0   /* ms: what another container may have rounded to before */
#define ROUNDED_MOST  0.6   /* grains a rounded stamp may be off the line; 0.5 and its fit */
#define ROUNDED_RMS   0.35  /* grains; 1 / sqrt(12) and its spread */
#define JITTER_MOST   0.25  /* periods a camera's stamp may be off the line */
#define UNEVEN_U      0.1   /* periods: of stamps that follow no line */
#define AGREE_MS      0.1
#define AGREE_PERIODS 0.02

static bool is_usual(double gap_ms, double period_ms)
{
    return gap_ms > USUAL_LEAST * period_ms && gap_ms < USUAL_MOST * period_ms;
}

/* The mean of the usual gaps. Usual is what is near the lower quartile: up to three quarters of a
 * screen recording's gaps may be rests. */
static double guess_period(const int64_t *stamp_ns, size_t count)
{
    double gap[TS_TIMES_FIRST], sum = 0;
    size_t gaps = 0, usual = 0;
    for (size_t i = 1; i < count; i++) {
        const double ms = (double)ts_ns_between(stamp_ns[i], stamp_ns[i - 1]) / 1e6;
        if (ms > 0)
            gap[gaps++] = ms;
    }
    if (gaps == 0)
        return NAN;
    ts_sort(gap, gaps);
    const double quartile = gap[gaps / 4];
    for (size_t i = 0; i < gaps; i++) {
        if (is_usual(gap[i], quartile)) {
            sum += gap[i];
            usual++;
        }
    }
    return sum / (double)usual;
}

/* The more points, the longer the gaps that can be counted. */
static double best_period(const struct ts_times_learner *learner)
{
    const bool many = learner->points > TS_TIMES_FIRST;
    const double slope = many ? learner->sum_st / learner->sum_ss : 0;
    return learner->guess_ms + (fabs(slope) < REFINE_MOST * learner->guess_ms ? slope : 0);
}

/* Stamps jitter: the number of periods is counted from where the last one should have been, not
 * from where it was. */
static void count_periods(struct ts_times_learner *learner, double t)
{
    const double gap = t - learner->last_ms - learner->guess_ms;
    if (is_usual(t - learner->last_ms, learner->guess_ms)) {
        learner->gap_sum += gap;
        learner->gap_squares += gap * gap;
        learner->gaps++;
    }
    const double period = best_period(learner);
    const double due = learner->phase_ms + period;
    const double lost = fmax(0, round((t - due) / period));
    const double seen = due + lost * period;
    learner->phase_ms = seen + TRACK * (t - seen);
    learner->sequence += 1 + lost;
}

static void take_point(struct ts_times_learner *learner, int64_t pts_ns)
{
    const double t = (double)ts_ns_between(pts_ns, learner->origin_ns) / 1e6;
    if (learner->points++ > 0)
        count_periods(learner, t);
    learner->last_ms = t;
    /* What the guess leaves of t is small, so that nothing cancels in an hour's film. */
    const double rest = t - learner->sequence * learner->guess_ms;
    const double points = (double)learner->points;
    const double ds = learner->sequence - learner->mean_s, dt = rest - learner->mean_t;
    learner->mean_s += ds / points;
    learner->mean_t += dt / points;
    learner->sum_ss += ds * (learner->sequence - learner->mean_s);
    learner->sum_st += ds * (rest - learner->mean_t);
    learner->sum_tt += dt * (rest - learner->mean_t);
}

/* Takes the stamps that were kept until the period could be guessed. */
static void start_counting(struct ts_times_learner *learner)
{
    learner->guess_ms = guess_period(learner->first, learner->count);
    for (size_t i = 0; learner->guess_ms > 0 && i < learner->count; i++)
        take_point(learner, learner->first[i]);
}

void ts_times_learn(struct ts_times_learner *learner, int64_t pts_ns)
{
    if (learner->count == 0)
        learner->origin_ns = pts_ns;
    else if (pts_ns <= learner->last_ns)
        learner->falls = true;
    learner->last_ns = pts_ns;
    learner->count++;
    if (learner->points)
        take_point(learner, pts_ns);
    else if (learner->count <= TS_TIMES_FIRST)
        learner->first[learner->count - 1] = pts_ns;
    if (learner->count == TS_TIMES_FIRST)
        start_counting(learner);
}

/* An even film's stamps lie about a line without wandering from it: their deviations then are no
 * larger than what jitter as seen from each frame to the next makes them. */
static void judge(const struct ts_times_learner *learner, double rms_ms, struct ts_times *out)
{
    const double grain = fmax(learner->grain_ms, GRAIN_LEAST);
    const double period = out->period_ms;
    const double gaps = (double)learner->gaps;
    const double gap_mean = learner->gaps ? learner->gap_sum / gaps : 0;
    const double jitter_ms =
        learner->gaps ? sqrt(fmax(0, learner->gap_squares / gaps - gap_mean * gap_mean)) : 0;
    const bool rounded = rms_ms <= ROUNDED_RMS * grain;
    const bool jittered =
        !learner->recording && rms_ms <= jitter_ms && rms_ms < 0.5 * JITTER_MOST * period;
    out->even = !learner->falls && (rounded || jittered);
    out->tolerance_ms = ROUNDED_MOST * grain;
    if (!learner->recording)
        out->tolerance_ms = fmax(out->tolerance_ms, JITTER_MOST * period);
    if (out->even || learner->recording)
        out->u_ms = fmax(out->even ? rms_ms : 0, fmin(learner->grain_ms, GRAIN_LEAST) / sqrt(12));
    else
        out->u_ms = UNEVEN_U * period;
}

int ts_times_learnt(const struct ts_times_learner *given, struct ts_times *out)
{
    struct ts_times_learner learner = *given;
    if (learner.count < 2)
        return TS_EPROTO;
    if (learner.count < TS_TIMES_FIRST)
        start_counting(&learner);
    if (!(learner.points > 1))
        return TS_EPROTO;
    const double slope = learner.sum_st / learner.sum_ss;
    const double rest = fmax(0, learner.sum_tt - slope * learner.sum_st);
    *out = (struct ts_times){.period_ms = learner.guess_ms + slope,
                             .start_ms = learner.mean_t - slope * learner.mean_s,
                             .origin_ns = learner.origin_ns,
                             .frames = learner.count};
    judge(&learner, sqrt(rest / (double)learner.points), out);
    if (!out->even)
        out->period_ms =
            learner.guess_ms + (learner.gaps ? learner.gap_sum / (double)learner.gaps : 0);
    return out->period_ms > 0 ? TS_OK : TS_EPROTO;
}

bool ts_times_agree(const struct ts_times *a, const struct ts_times *b)
{
    if (a->even != b->even)
        return false;
    if (!a->even)
        return fabs(a->period_ms - b->period_ms) < AGREE_PERIODS * a->period_ms;
    /* Where b begins, in periods of a; then where both end. */
    const double from = (double)ts_ns_between(b->origin_ns, a->origin_ns) / 1e6 + b->start_ms;
    const double number = round((from - a->start_ms) / a->period_ms);
    const double begin = from - a->start_ms - number * a->period_ms;
    const double end = begin + (double)b->frames * (b->period_ms - a->period_ms);
    return fabs(begin) < AGREE_MS && fabs(end) < AGREE_MS;
}
