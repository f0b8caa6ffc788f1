/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/turns.h"

#include "stats/distribution.h"

#include <math.h>
#include <stdlib.h>

#define STEP  1e-4 /* of keep, for a derivative */
#define LEAST 0.02 /* of squares, that neighbours differ by */

/* ---- which launches took turns ---- */

struct launch {
    struct ts_place place;
    double value;
    bool from_b;
};

static int by_place(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    if (x->place.session != y->place.session)
        return x->place.session < y->place.session ? -1 : 1;
    return (x->place.launch > y->place.launch) - (x->place.launch < y->place.launch);
}

static struct launch *merge(const struct ts_placed *a, const struct ts_placed *b)
{
    struct launch *all = calloc(a->count + b->count, sizeof *all);
    for (size_t i = 0; all && i < a->count; i++)
        all[i] = (struct launch){a->places[i], a->values[i], false};
    for (size_t i = 0; all && i < b->count; i++)
        all[a->count + i] = (struct launch){b->places[i], b->values[i], true};
    if (all)
        qsort(all, a->count + b->count, sizeof *all, by_place);
    return all;
}

static size_t row_end(const struct launch *all, size_t from, size_t count)
{
    size_t next = from + 1;
    while (next < count && all[next].from_b == all[from].from_b)
        next++;
    return next;
}

/* The part of one session's launches in which both took turns; count 0: they did not. */
struct part {
    size_t first, count, blocks;
};

static struct part part_of(const struct launch *all, size_t count)
{
    struct part out = {0, 0, 0};
    size_t longest = 0, end = 0, last = 0, first_end = 0;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].place.launch || (i && all[i].place.launch == all[i - 1].place.launch))
            return out;
    }
    for (size_t from = 0; from < count; from = end) {
        end = row_end(all, from, count);
        first_end = from ? first_end : end;
        if (from && end < count && end - from > longest)
            longest = end - from;
        last = from;
        out.blocks++;
    }
    if (out.blocks <= TS_TURNS_SESSION)
        return (struct part){0, 0, 0};
    out.first = first_end > longest ? first_end - longest : 0;
    out.count = (count - last > longest ? last + longest : count) - out.first;
    return out;
}

/* Keeps what took turns; gives how many. */
static size_t keep_turns(struct launch *all, size_t count, struct ts_turns *turns)
{
    size_t kept = 0;
    for (size_t from = 0, end; from < count; from = end) {
        for (end = from; end < count && all[end].place.session == all[from].place.session;)
            end++;
        const struct part part = part_of(all + from, end - from);
        for (size_t i = 0; i < part.count; i++)
            all[kept++] = all[from + part.first + i];
        turns->sessions += part.count > 0;
        turns->blocks += part.blocks;
    }
    return kept;
}

static size_t count_b(const struct launch *all, size_t count)
{
    size_t of_b = 0;
    for (size_t i = 0; i < count; i++)
        of_b += all[i].from_b;
    return of_b;
}

/* One side's values in time order, ranked, and when each was measured. */
static int rank_side(const struct launch *all, size_t count, bool from_b, struct ts_ranked *out,
                     size_t **times)
{
    double *values = calloc(count, sizeof *values);
    size_t *when = calloc(count, sizeof *when), used = 0;
    *times = calloc(count, sizeof **times);
    int err = values && when && *times ? TS_OK : TS_ENOMEM;
    for (size_t i = 0; i < count && !err; i++) {
        if (all[i].from_b != from_b)
            continue;
        values[used] = all[i].value;
        when[used++] = i;
    }
    if (!err)
        err = ts_ranked_of((struct ts_sample){values, used}, false, out);
    for (size_t i = 0; i < used && !err; i++)
        (*times)[i] = when[(size_t)(out->places[i] + (double)used / 2)];
    free(values);
    free(when);
    return err;
}

static void weigh(const struct launch *all, struct ts_turns *turns)
{
    const double *weights = turns->weights;
    double products[2] = {0, 0};
    size_t begun = 0, end = 0;
    for (size_t i = 0; i < turns->count; i++) {
        turns->begins[i] = !i || all[i].place.session != all[i - 1].place.session;
        turns->weights[i] =
            all[i].from_b ? 1 / (double)turns->b.count : -1 / (double)turns->a.count;
        begun = turns->begins[i] ? i : begun;
        turns->squares += weights[i] * weights[i];
        for (size_t k = 1; k <= 2 && i >= begun + k; k++)
            products[k - 1] += weights[i] * weights[i - k];
        for (end = turns->begins[i] ? i + 1 : end;
             end < turns->count && all[end].place.session == all[i].place.session;)
            end++;
        turns->apart += weights[i] * ((double)i - ((double)begun + (double)end - 1) / 2);
    }
    for (int k = 0; k < 2; k++)
        turns->near[k] = products[k] / turns->squares;
}

static int take(const struct launch *all, size_t count, struct ts_turns *turns)
{
    turns->count = count;
    turns->weights = calloc(count, sizeof *turns->weights);
    turns->shares = calloc(count, sizeof *turns->shares);
    turns->less = calloc(count, sizeof *turns->less);
    turns->begins = calloc(count, sizeof *turns->begins);
    int err = turns->weights && turns->shares && turns->less && turns->begins ? TS_OK : TS_ENOMEM;
    if (!err)
        err = rank_side(all, count, false, &turns->a, &turns->of_a);
    if (!err)
        err = rank_side(all, count, true, &turns->b, &turns->of_b);
    if (!err)
        weigh(all, turns);
    return err;
}

int ts_turns_of(const struct ts_placed *a, const struct ts_placed *b, struct ts_turns **out)
{
    const size_t both = a->count + b->count, fewer = a->count < b->count ? a->count : b->count;
    *out = NULL;
    if (!both)
        return TS_OK;
    struct launch *all = merge(a, b);
    struct ts_turns *turns = calloc(1, sizeof *turns);
    int err = all && turns ? TS_OK : TS_ENOMEM;
    const size_t kept = err ? 0 : keep_turns(all, both, turns);
    const size_t of_b = err ? 0 : count_b(all, kept), of_a = kept - of_b;
    const size_t side = of_a < of_b ? of_a : of_b;
    if (!err && kept && side >= TS_TURNS_SIDE && 2 * side >= fewer &&
        turns->blocks >= TS_TURNS_LEAST + turns->sessions) {
        err = take(all, kept, turns);
        if (!err)
            *out = turns;
    }
    free(all);
    if (!*out)
        ts_turns_free(turns);
    return err;
}

void ts_turns_free(struct ts_turns *turns)
{
    if (!turns)
        return;
    ts_ranked_free(&turns->a);
    ts_ranked_free(&turns->b);
    free(turns->weights);
    free(turns->begins);
    free(turns->shares);
    free(turns->less);
    free(turns->of_a);
    free(turns->of_b);
    free(turns);
}

/* ---- the test ---- */

static size_t run_of(const struct ts_ranked *side, size_t first, double shift, double value)
{
    size_t next = first;
    while (next < side->count && side->sorted[next] + shift <= value)
        next++;
    return next - first;
}

/* Shares of all ranks in time order; equal values share the mean of theirs. */
static void rank_all(const struct ts_turns *turns, double shift, double *shares)
{
    const struct ts_ranked *a = &turns->a, *b = &turns->b;
    const double all = (double)turns->count;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const double x = i < a->count ? a->sorted[i] : (double)INFINITY;
        const double y = j < b->count ? b->sorted[j] + shift : (double)INFINITY;
        const size_t of_a = run_of(a, i, 0, fmin(x, y)), of_b = run_of(b, j, shift, fmin(x, y));
        const double share = ((double)(i + j) + (double)(of_a + of_b + 1) / 2) / all;
        for (const size_t end = i + of_a; i < end; i++)
            shares[turns->of_a[i]] = share;
        for (const size_t end = j + of_b; j < end; j++)
            shares[turns->of_b[j]] = share;
    }
}

/* F: how many times the variance of d is that of independent launches. */
static double factor_of(const struct ts_turns *turns, double share, double keep)
{
    double products = 0, before = 0;
    for (size_t i = 0; i < turns->count; i++) {
        before = turns->begins[i] ? 0 : keep * (before + turns->weights[i - 1]);
        products += turns->weights[i] * before;
    }
    return 1 + 2 * share * products / turns->squares;
}

/* Of the logarithm of F / (1 - keep^2), by keep. */
static double slope_of(const struct ts_turns *turns, double share, double keep)
{
    double at[2];
    for (int i = 0; i < 2; i++) {
        const double beside = keep + (i ? STEP : -STEP);
        at[i] = log(fmax(factor_of(turns, share, beside), STEP) / (1 - beside * beside));
    }
    return (at[1] - at[0]) / (2 * STEP);
}

/* Sums over all sessions, and g. */
static struct ts_serial sums_of(const struct ts_turns *turns, const double *less, double *near)
{
    struct ts_serial out = {0};
    double squares = 0;
    for (size_t from = 0, end; from < turns->count; from = end) {
        for (end = from + 1; end < turns->count && !turns->begins[end]; end++)
            squares += (less[end] - less[end - 1]) * (less[end] - less[end - 1]);
        const struct ts_serial one = ts_serial_of(less + from, end - from);
        out = from ? ts_serial_both(&out, &one) : one;
    }
    *near = squares / 2 / (double)(turns->count - turns->sessions);
    return out;
}

/* The variance of d, and its degrees of freedom. */
static double variance_of(const struct ts_turns *turns, double *freedom)
{
    const double all = (double)turns->count;
    double near, taken[2];
    const struct ts_serial sums = sums_of(turns, turns->less, &near);
    struct ts_lasting lasting = ts_serial_lasting(&sums);
    double factor = factor_of(turns, lasting.share, lasting.keep);
    for (int k = 0; k < 2; k++)
        taken[k] = factor * (turns->near[k] - lasting.share * pow(lasting.keep, k + 1)) / all;
    const double of_means = factor * (1 - turns->near[0]) / all;
    lasting = ts_serial_lasting_less(&sums, taken);
    factor = factor_of(turns, lasting.share, lasting.keep);
    const double differ = 1 - lasting.share * lasting.keep - of_means;
    const double square = near / fmax(differ, LEAST);
    const double steep = slope_of(turns, lasting.share, lasting.keep);
    *freedom = fmax(1, 1 / (1 / (all - 2) + steep * steep * lasting.keep_variance / 2 / all));
    const double of_trend = lasting.slope * turns->apart;
    return square * fmax(factor, 0) * turns->squares + of_trend * of_trend;
}

struct ts_relative ts_turns_test(const struct ts_turns *turns, double shift)
{
    double means[2] = {0, 0};
    rank_all(turns, shift, turns->shares);
    for (size_t i = 0; i < turns->count; i++)
        means[turns->weights[i] > 0] += fabs(turns->weights[i]) * turns->shares[i];
    for (size_t i = 0; i < turns->count; i++)
        turns->less[i] = turns->shares[i] - means[turns->weights[i] > 0];
    const double away = means[1] - means[0];
    struct ts_relative out = {.p = 0.5 + away};
    const double variance = variance_of(turns, &out.freedom);
    out.u = sqrt(variance);
    if (variance > 1e-14 * turns->squares)
        out.statistic = away / out.u;
    else
        out.statistic = fabs(away) <= 1e-12 ? 0 : copysign(INFINITY, away);
    out.p_below = ts_student_below(out.statistic, out.freedom);
    out.p_above = ts_student_below(-out.statistic, out.freedom);
    out.p_two_sided = 2 * fmin(out.p_below, out.p_above);
    return out;
}

static struct ts_relative test_of(const void *context, double shift)
{
    return ts_turns_test(context, shift);
}

struct ts_hodges_lehmann ts_turns_shift(const struct ts_turns *turns, double level)
{
    return ts_hodges_lehmann_by(&turns->a, &turns->b, level, test_of, turns);
}
