/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/comparison.h"

#include "stats/distribution.h"
#include "stats/equivalence.h"
#include "stats/order.h"
#include "stats/power.h"
#include "stats/serial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ts_compare_side {
    size_t count;
    struct ts_ranked times, logs;
    double *log_values;      /* owned; in time order */
    struct ts_place *places; /* owned, of the same; NULL: not known */
    double *session_medians; /* owned; of logarithms, sessions in the order of their numbers */
    double *session_times;   /* owned; medians of times, sorted */
    size_t *session_numbers; /* owned; ascending */
    size_t sessions;
};

struct of_session {
    size_t session;
    double value;
};

static int by_session(const void *a, const void *b)
{
    const size_t x = ((const struct of_session *)a)->session;
    const size_t y = ((const struct of_session *)b)->session;
    return (x > y) - (x < y);
}

/* The median of each session. */
static int find_sessions(struct ts_side given, struct ts_compare_side *side)
{
    struct of_session *all = calloc(side->count, sizeof *all);
    double *of_one = calloc(side->count, sizeof *of_one);
    side->session_medians = calloc(side->count, sizeof *side->session_medians);
    side->session_times = calloc(side->count, sizeof *side->session_times);
    side->session_numbers = calloc(side->count, sizeof *side->session_numbers);
    const bool enough =
        all && of_one && side->session_medians && side->session_times && side->session_numbers;
    const size_t count = enough ? side->count : 0;
    bool sorted = true;
    for (size_t i = 0; i < count; i++) {
        all[i] = (struct of_session){given.places ? given.places[i].session : 0, given.values[i]};
        sorted &= !i || all[i - 1].session <= all[i].session;
    }
    if (!sorted) /* launches of one session mostly follow each other */
        qsort(all, count, sizeof *all, by_session);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && all[next].session == all[first].session; next++)
            of_one[next - first] = all[next].value;
        ts_sort(of_one, next - first);
        side->session_times[side->sessions] = ts_median(of_one, next - first);
        side->session_numbers[side->sessions] = all[first].session;
        for (size_t i = 0; i < next - first; i++)
            of_one[i] = log(of_one[i]);
        side->session_medians[side->sessions++] = ts_median(of_one, next - first);
    }
    ts_sort(side->session_times, side->sessions);
    free(all);
    free(of_one);
    return count ? TS_OK : TS_ENOMEM;
}

static int copy_places(struct ts_side given, struct ts_compare_side *side)
{
    if (!given.places)
        return TS_OK;
    side->places = calloc(given.count, sizeof *side->places);
    if (!side->places)
        return TS_ENOMEM;
    memcpy(side->places, given.places, given.count * sizeof *side->places);
    return TS_OK;
}

int ts_compare_side_of(struct ts_side given, const char *name, struct ts_compare_side **out,
                       struct ts_why *why)
{
    *out = NULL;
    if (given.count < TS_COMPARE_LEAST)
        return ts_fail(why, TS_EINVAL, "%s has %zu launches that count; it takes %d", name,
                       given.count, TS_COMPARE_LEAST);
    for (size_t i = 0; i < given.count; i++) {
        if (!(given.values[i] > 0 && isfinite(given.values[i])))
            return ts_fail(why, TS_EINVAL, "%s has a time of %g; times are above 0", name,
                           given.values[i]);
    }
    struct ts_compare_side *side = calloc(1, sizeof *side);
    if (!side)
        return TS_ENOMEM;
    side->count = given.count;
    side->log_values = calloc(given.count, sizeof *side->log_values);
    for (size_t i = 0; side->log_values && i < given.count; i++)
        side->log_values[i] = log(given.values[i]);
    int err = side->log_values ? TS_OK : TS_ENOMEM;
    if (!err)
        err = copy_places(given, side);
    if (!err)
        err = ts_ranked_of((struct ts_sample){given.values, given.count}, false, &side->times);
    if (!err)
        err = ts_ranked_logs(&side->times, &side->logs);
    if (!err)
        err = find_sessions(given, side);
    if (err)
        ts_compare_side_free(side);
    else
        *out = side;
    return err;
}

void ts_compare_side_free(struct ts_compare_side *side)
{
    if (!side)
        return;
    ts_ranked_free(&side->times);
    ts_ranked_free(&side->logs);
    free(side->log_values);
    free(side->places);
    free(side->session_medians);
    free(side->session_times);
    free(side->session_numbers);
    free(side);
}

static struct ts_side_summary summary_of(const struct ts_compare_side *side)
{
    const struct ts_ranked *times = &side->times;
    const struct ts_fences fences = ts_tukey_fences(times->sorted, times->count);
    struct ts_side_summary out = {times->count,
                                  side->sessions,
                                  0,
                                  ts_median(times->sorted, times->count),
                                  ts_iqr(times->sorted, times->count),
                                  ts_median_interval(times->sorted, times->count),
                                  times->correlation,
                                  times->effective};
    for (size_t i = 0; i < times->count; i++)
        out.outliers += ts_beyond(fences, times->sorted[i]);
    return out;
}

/* One-sided p of b's logarithms less `shift` against a's, by relabelling. */
static int permuted(const struct ts_compare_side *a, const struct ts_compare_side *b, double shift,
                    uint64_t seed, struct ts_permuted *out)
{
    const struct ts_sample of_a = {a->log_values, a->count};
    double *moved = calloc(b->count, sizeof *moved);
    if (!moved)
        return TS_ENOMEM;
    for (size_t i = 0; i < b->count; i++)
        moved[i] = b->log_values[i] - shift;
    const int err = ts_relative_permuted(of_a, (struct ts_sample){moved, b->count},
                                         TS_COMPARE_DRAWS, seed, out);
    free(moved);
    return err;
}

static int test_by_permutation(const struct ts_compare_side *a, const struct ts_compare_side *b,
                               double margin, uint64_t seed, struct ts_comparison *out)
{
    struct ts_permuted same, upper, lower;
    int err = permuted(a, b, 0, seed, &same);
    if (!err)
        err = permuted(a, b, margin, seed, &upper);
    if (!err)
        err = permuted(a, b, -margin, seed, &lower);
    if (err)
        return err;
    out->test = TS_COMPARE_PERMUTED;
    out->p = same.p_two_sided;
    out->p_not_slower = upper.p_below;
    out->p_slower = upper.p_above;
    out->p_equal = fmax(upper.p_below, lower.p_above);
    return TS_OK;
}

static void test_by_launches(const struct ts_compare_side *a, const struct ts_compare_side *b,
                             double margin, const struct ts_compare_rules *rules,
                             struct ts_comparison *out)
{
    const struct ts_hodges_lehmann shift = ts_hodges_lehmann_of(&a->logs, &b->logs, rules->level);
    out->unit = TS_COMPARE_LAUNCHES;
    out->test = TS_COMPARE_STUDENT;
    out->ratio = exp(shift.estimate);
    out->ratio_interval = (struct ts_interval){exp(shift.interval.low), exp(shift.interval.high),
                                               shift.interval.coverage};
    out->p = out->relative.p_two_sided;
    const struct ts_equivalence at = ts_equivalence_of(&a->logs, &b->logs, margin);
    out->p_not_slower = at.p_not_inferior;
    out->p_slower = at.p_inferior;
    out->p_equal = at.p_equivalent;
}

static void test_by_sessions(const struct ts_compare_side *a, const struct ts_compare_side *b,
                             double margin, const struct ts_compare_rules *rules,
                             struct ts_comparison *out)
{
    struct ts_session_effect at[3];
    const double margins[] = {0, margin, -margin};
    for (int i = 0; i < 3; i++)
        at[i] = ts_session_effect_of(a->session_medians, a->sessions, b->session_medians,
                                     b->sessions, margins[i], rules->level);
    out->session_spread = at[0].spread;
    if (isnan(at[0].p_two_sided))
        return;
    out->unit = TS_COMPARE_SESSIONS;
    out->test = TS_COMPARE_WELCH;
    out->ratio = exp(at[0].estimate);
    out->ratio_interval = (struct ts_interval){exp(at[0].interval.low), exp(at[0].interval.high),
                                               at[0].interval.coverage};
    out->p = at[0].p_two_sided;
    out->p_not_slower = at[1].p_below;
    out->p_slower = at[1].p_above;
    out->p_equal = fmax(at[1].p_below, at[2].p_above);
}

/* Standard error that an interval of a logarithm stands for. */
static double error_of(struct ts_interval interval, double level)
{
    return log(interval.high / interval.low) / 2 / ts_normal_at((1 + level) / 2);
}

static bool share_sessions(const struct ts_compare_side *a, const struct ts_compare_side *b)
{
    size_t i = 0, j = 0;
    while (i < a->sessions && j < b->sessions && a->session_numbers[i] != b->session_numbers[j]) {
        if (a->session_numbers[i] < b->session_numbers[j])
            i++;
        else
            j++;
    }
    return i < a->sessions && j < b->sessions;
}

/* Where they took turns, *out goes by that. */
static int test_by_turns(const struct ts_compare_side *a, const struct ts_compare_side *b,
                         double margin, const struct ts_compare_rules *rules,
                         struct ts_comparison *out)
{
    const struct ts_placed of_a = {a->log_values, a->places, a->count};
    const struct ts_placed of_b = {b->log_values, b->places, b->count};
    struct ts_turns *turns = NULL;
    if (!a->places || !b->places || !share_sessions(a, b))
        return TS_OK;
    const int err = ts_turns_of(&of_a, &of_b, &turns);
    if (!turns)
        return err;
    const struct ts_hodges_lehmann shift = ts_turns_shift(turns, rules->level);
    const struct ts_relative upper = ts_turns_test(turns, -margin);
    const struct ts_relative lower = ts_turns_test(turns, margin);
    out->unit = TS_COMPARE_TURNS;
    out->test = TS_COMPARE_RANKS_IN_TURNS;
    out->in_turns[0] = turns->a.count;
    out->in_turns[1] = turns->b.count;
    out->blocks = turns->blocks;
    out->shared_sessions = turns->sessions;
    out->ratio = exp(shift.estimate);
    out->ratio_interval = (struct ts_interval){exp(shift.interval.low), exp(shift.interval.high),
                                               shift.interval.coverage};
    out->p = ts_turns_test(turns, 0).p_two_sided;
    out->p_not_slower = upper.p_below;
    out->p_slower = upper.p_above;
    out->p_equal = fmax(upper.p_below, lower.p_above);
    const double shows = ts_power_deviates() * error_of(out->ratio_interval, rules->level);
    const double per_side = 2 / (1 / (double)turns->a.count + 1 / (double)turns->b.count);
    out->detectable = expm1(shows);
    out->needed = ceil(per_side * shows * shows / (margin * margin));
    ts_turns_free(turns);
    return TS_OK;
}

static void widen(struct ts_interval *interval, double estimate, double reach)
{
    interval->low = estimate - hypot(estimate - interval->low, reach);
    interval->high = estimate + hypot(interval->high - estimate, reach);
}

/* Adds what two rigs do not share. Tests then rest on the estimate and its standard error as on a
 * normal distribution: u_common has no sample whose ranks could be taken. */
static void add_common(struct ts_comparison *out, double margin,
                       const struct ts_compare_rules *rules)
{
    const double z = ts_normal_at((1 + rules->level) / 2), reach = z * rules->u_common;
    const double share = rules->u_common / fmin(out->a.median, out->b.median);
    const double error = hypot(error_of(out->ratio_interval, rules->level), share);
    const double middle = log(out->ratio);
    struct ts_interval logs = {log(out->ratio_interval.low), log(out->ratio_interval.high),
                               out->ratio_interval.coverage};
    widen(&logs, middle, z * share);
    out->ratio_interval = (struct ts_interval){exp(logs.low), exp(logs.high), logs.coverage};
    widen(&out->difference.interval, out->difference.estimate, reach);
    widen(&out->medians.difference_interval, out->medians.difference, reach);
    widen(&out->medians.ratio_interval, out->medians.ratio, z * share * out->medians.ratio);
    out->p = 2 * ts_normal_below(-fabs(middle) / error);
    out->p_not_slower = ts_normal_below((middle - margin) / error);
    out->p_slower = ts_normal_below((margin - middle) / error);
    out->p_equal = fmax(out->p_not_slower, ts_normal_below((-margin - middle) / error));
}

int ts_compare_sides(const struct ts_compare_side *a, const struct ts_compare_side *b,
                     const struct ts_compare_rules *rules, struct ts_comparison *out)
{
    const double margin = log1p(rules->margin);
    int err = TS_OK;
    *out = (struct ts_comparison){0};
    out->medians = ts_medians_of(a->times.sorted, a->times.count, b->times.sorted, b->times.count,
                                 rules->level);
    out->a = summary_of(a);
    out->b = summary_of(b);
    out->relative = ts_relative_of(&a->times, &b->times, 0);
    out->delta = ts_cliffs_delta(&a->times, &b->times, rules->level);
    out->difference = ts_hodges_lehmann_of(&a->times, &b->times, rules->level);
    out->session_spread = (double)NAN;
    const double per_side = 2 / (1 / (double)a->times.count + 1 / (double)b->times.count);
    out->detectable = expm1(ts_detectable(&a->logs, per_side));
    out->needed = ceil(ts_launches_needed(&a->logs, margin));
    test_by_launches(a, b, margin, rules, out);
    const bool few = a->count < TS_COMPARE_PERMUTE || b->count < TS_COMPARE_PERMUTE;
    if (few)
        err = test_by_permutation(a, b, margin, rules->seed, out);
    const bool several = a->sessions >= TS_SESSIONS_LEAST && b->sessions >= TS_SESSIONS_LEAST;
    if (several)
        test_by_sessions(a, b, margin, rules, out);
    if (!err)
        err = test_by_turns(a, b, margin, rules, out);
    if (rules->u_common > 0)
        add_common(out, margin, rules);
    out->improvement =
        several
            ? ts_improvement_of(a->session_times, a->sessions, b->session_times, b->sessions)
            : ts_improvement_of(a->times.sorted, a->times.count, b->times.sorted, b->times.count);
    return err;
}

int ts_compare(struct ts_side a, struct ts_side b, const struct ts_compare_rules *rules,
               struct ts_comparison *out, struct ts_why *why)
{
    struct ts_compare_side *of_a = NULL, *of_b = NULL;
    *out = (struct ts_comparison){0};
    int err = ts_compare_side_of(a, "the first", &of_a, why);
    if (!err)
        err = ts_compare_side_of(b, "the second", &of_b, why);
    if (!err)
        err = ts_compare_sides(of_a, of_b, rules, out);
    ts_compare_side_free(of_a);
    ts_compare_side_free(of_b);
    return err;
}

struct ts_overall ts_compare_overall(const struct ts_comparison *apps, size_t count,
                                     const struct ts_compare_rules *rules)
{
    const double z = ts_normal_at((1 + rules->level) / 2);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double error = error_of(apps[i].ratio_interval, rules->level);
        sum += log(apps[i].ratio);
        squares += error * error;
    }
    if (!count)
        return (struct ts_overall){0, NAN, {NAN, NAN, 0}, NAN};
    const double mean = sum / (double)count, error = sqrt(squares) / (double)count;
    return (struct ts_overall){count,
                               exp(mean),
                               {exp(mean - z * error), exp(mean + z * error), rules->level},
                               error > 0 ? 2 * ts_normal_below(-fabs(mean) / error) : 1};
}
