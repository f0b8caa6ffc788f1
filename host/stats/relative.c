/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/relative.h"

#include "stats/distribution.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct indexed {
    double value;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct indexed *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* ranks[index]: equal values share the mean of their ranks. */
static void share_ranks(const struct indexed *all, size_t count, double *ranks)
{
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && all[next].value <= all[first].value;)
            next++;
        for (size_t i = first; i < next; i++)
            ranks[all[i].index] = (double)(first + next - 1) / 2;
    }
}

int ts_ranked_of(struct ts_sample sample, bool independent, struct ts_ranked *out)
{
    *out = (struct ts_ranked){0};
    if (sample.count < 2)
        return TS_EINVAL;
    struct indexed *all = calloc(sample.count, sizeof *all);
    double *ranks = calloc(sample.count, sizeof *ranks);
    out->sorted = calloc(sample.count, sizeof *out->sorted);
    if (all && ranks && out->sorted) {
        for (size_t i = 0; i < sample.count; i++)
            all[i] = (struct indexed){sample.values[i], i};
        qsort(all, sample.count, sizeof *all, compare);
        for (size_t i = 0; i < sample.count; i++)
            out->sorted[i] = all[i].value;
        share_ranks(all, sample.count, ranks);
        out->count = sample.count;
        if (!independent)
            out->serial = ts_serial_of(ranks, sample.count);
        const double lasting = ts_serial_lasting(out->serial, sample.count);
        out->effective = ts_serial_effective(fmax(0, lasting), sample.count);
    } else {
        ts_ranked_free(out);
    }
    free(all);
    free(ranks);
    return out->sorted ? TS_OK : TS_ENOMEM;
}

int ts_ranked_logs(const struct ts_ranked *of, struct ts_ranked *out)
{
    *out = *of;
    out->sorted = calloc(of->count, sizeof *out->sorted);
    for (size_t i = 0; out->sorted && i < of->count; i++)
        out->sorted[i] = log(of->sorted[i]);
    return out->sorted ? TS_OK : TS_ENOMEM;
}

void ts_ranked_free(struct ts_ranked *of)
{
    free(of->sorted);
    *of = (struct ts_ranked){0};
}

/* Sums over the placements of one sample: how many of the other lie below each value, of equal ones
 * half. */
struct placements {
    double sum, squares;
};

/* Variance of the mean of n values that say as much as `effective` independent ones. Neighbours
 * that are alike also draw the values' own mean to them: divided by effective - 1, not n - 1, the
 * sum of squares about it is without bias. */
static double variance_of(struct placements placements, double n, double effective)
{
    const double about = placements.squares - placements.sum * placements.sum / n;
    return fmax(0, about) / n / fmax(1, effective - 1);
}

/* Satterthwaite's, less what the estimate of `held` from n values costs: its variance is
 * (1 - held^2) / n (Bartlett 1946), and the variance grows with it as (1 + held) / (1 - held).
 * Exactly 0 was not estimated. */
static double freedom_of(double of_a, double of_b, double effective_a, double effective_b,
                         double held, double n)
{
    const double sum = of_a + of_b;
    const double both =
        (of_a * of_a / fmax(1, effective_a - 1) + of_b * of_b / fmax(1, effective_b - 1)) /
        (sum * sum);
    return 1 / (both + (fabs(held) > 0 ? 2 / (n * (1 - held * held)) : 0));
}

static struct ts_relative relative(struct placements a, struct placements b, double count_a,
                                   double count_b, double held)
{
    const double share = (1 - held) / (1 + held);
    const double effective_a = count_a * share, effective_b = count_b * share;
    const double of_a = variance_of(a, count_a, effective_a);
    const double of_b = variance_of(b, count_b, effective_b);
    const double least = 1e-14 / (count_a * count_b); /* what rounding leaves of none */
    struct ts_relative out = {.p = b.sum / count_b};
    if (of_a + of_b <= least) {
        const double away = out.p - 0.5;
        out.statistic = fabs(away) <= 1e-12 ? 0 : copysign(INFINITY, away);
        out.freedom = INFINITY;
    } else {
        out.u = sqrt(of_a + of_b);
        out.statistic = (out.p - 0.5) / out.u;
        out.freedom = freedom_of(of_a, of_b, effective_a, effective_b, held, count_a + count_b);
    }
    out.p_below = ts_student_below(out.statistic, out.freedom);
    out.p_above = ts_student_below(-out.statistic, out.freedom);
    out.p_two_sided = 2 * fmin(out.p_below, out.p_above);
    return out;
}

static void place(struct placements *placements, double placement, double times)
{
    placements->sum += placement * times;
    placements->squares += placement * placement * times;
}

static size_t run_of(const double *sorted, size_t first, size_t count)
{
    size_t next = first + 1;
    while (next < count && sorted[next] <= sorted[first])
        next++;
    return next - first;
}

/* Both samples are merged once. Which of two values is next is up to chance, so nothing branches on
 * it: a processor that guesses would be wrong every other time. */
static void place_all(const struct ts_ranked *a, const struct ts_ranked *b, double shift,
                      struct placements *of_a, struct placements *of_b)
{
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        const double x = a->sorted[i], y = b->sorted[j] + shift;
        const bool first = x < y, second = y < x;
        if (!first && !second) {
            const size_t run_a = run_of(a->sorted, i, a->count);
            const size_t run_b = run_of(b->sorted, j, b->count);
            place(of_a, (double)j + (double)run_b / 2, (double)run_a);
            place(of_b, (double)i + (double)run_a / 2, (double)run_b);
            i += run_a;
            j += run_b;
            continue;
        }
        place(of_a, (double)j, first);
        place(of_b, (double)i, second);
        i += first;
        j += second;
    }
    place(of_a, (double)b->count, (double)(a->count - i));
    place(of_b, (double)a->count, (double)(b->count - j));
}

static struct placements as_shares(struct placements counts, double of)
{
    return (struct placements){counts.sum / of, counts.squares / of / of};
}

/* What both samples' neighbours have in common. */
static double held_by(const struct ts_ranked *a, const struct ts_ranked *b)
{
    const double count_a = (double)a->count, count_b = (double)b->count, all = count_a + count_b;
    const struct ts_serial both = {
        (count_a * a->serial.first + count_b * b->serial.first) / all,
        (count_a * a->serial.second + count_b * b->serial.second) / all,
    };
    return ts_serial_lasting(both, a->count + b->count);
}

struct ts_relative ts_relative_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                  double shift)
{
    const double count_a = (double)a->count, count_b = (double)b->count;
    struct placements of_a = {0}, of_b = {0};
    place_all(a, b, shift, &of_a, &of_b);
    return relative(as_shares(of_a, count_b), as_shares(of_b, count_a), count_a, count_b,
                    held_by(a, b));
}

struct ts_delta ts_cliffs_delta(const struct ts_ranked *a, const struct ts_ranked *b, double level)
{
    const struct ts_relative found = ts_relative_of(a, b, 0);
    const double pairs = (double)a->count * (double)b->count;
    const double p = fmin(fmax(found.p, 0.5 / pairs), 1 - 0.5 / pairs);
    const double least =
        ts_serial_effective(held_by(a, b), a->count < b->count ? a->count : b->count);
    /* Without overlap the samples show no variance; one pair the other way would have shown this.
     */
    const double u = found.u > 0 ? found.u : sqrt(p * (1 - p) / least);
    const double freedom = isinf(found.freedom) ? least - 1 : found.freedom;
    const double middle = log(p / (1 - p));
    const double reach = ts_student_at((1 + level) / 2, fmax(1, freedom)) * u / (p * (1 - p));
    const double low = 1 / (1 + exp(reach - middle)), high = 1 / (1 + exp(-reach - middle));
    return (struct ts_delta){2 * found.p - 1, {2 * low - 1, 2 * high - 1, level}};
}
