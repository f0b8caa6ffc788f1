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
            ranks[all[i].index] = (double)(first + next - 1) / 2 / (double)count;
    }
}

/* What the order of the values says; ranks: in time order, as shares. */
static void look_at_order(const struct indexed *all, const double *ranks, struct ts_ranked *out)
{
    out->serial = ts_serial_of(ranks, out->count);
    for (size_t i = 0; i < out->count; i++)
        out->places[i] = (double)all[i].index - ((double)out->count - 1) / 2;
    const struct ts_lasting lasting = ts_serial_lasting(&out->serial);
    out->correlation = lasting.first;
    out->effective = (double)out->count / fmax(1, ts_lasting_factor(&lasting, out->count));
}

int ts_ranked_of(struct ts_sample sample, bool independent, struct ts_ranked *out)
{
    *out = (struct ts_ranked){0};
    if (sample.count < 2)
        return TS_EINVAL;
    struct indexed *all = calloc(sample.count, sizeof *all);
    double *ranks = calloc(sample.count, sizeof *ranks);
    out->sorted = calloc(sample.count, sizeof *out->sorted);
    out->places = calloc(sample.count, sizeof *out->places);
    if (all && ranks && out->sorted && out->places) {
        for (size_t i = 0; i < sample.count; i++)
            all[i] = (struct indexed){sample.values[i], i};
        qsort(all, sample.count, sizeof *all, compare);
        for (size_t i = 0; i < sample.count; i++)
            out->sorted[i] = all[i].value;
        share_ranks(all, sample.count, ranks);
        out->count = sample.count;
        out->effective = (double)sample.count;
        if (!independent)
            look_at_order(all, ranks, out);
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
    out->places = calloc(of->count, sizeof *out->places);
    if (!out->sorted || !out->places) {
        ts_ranked_free(out);
        return TS_ENOMEM;
    }
    for (size_t i = 0; i < of->count; i++)
        out->sorted[i] = log(of->sorted[i]);
    memcpy(out->places, of->places, of->count * sizeof *out->places);
    return TS_OK;
}

void ts_ranked_free(struct ts_ranked *of)
{
    free(of->sorted);
    free(of->places);
    *of = (struct ts_ranked){0};
}

#define LOST_MOST 0.8 /* of a sample's squares, by its mean and slope */

/* Sums over the placements of one sample: how many of the other lie below each value, of equal ones
 * half; mixed: by their places in time. */
struct placements {
    double sum, squares, mixed;
};

/* What the order of both samples says. */
struct order {
    struct ts_serial both;
    struct ts_lasting lasting;
    double factor[2]; /* of each sample's variance of a mean */
};

static struct order order_of(const struct ts_ranked *a, const struct ts_ranked *b)
{
    struct order out = {.both = ts_serial_both(&a->serial, &b->serial)};
    out.lasting = ts_serial_lasting(&out.both);
    out.factor[0] = ts_lasting_factor(&out.lasting, a->count);
    out.factor[1] = ts_lasting_factor(&out.lasting, b->count);
    return out;
}

/* The variances of both means, and of what a trend makes of unequal lengths. */
struct variance {
    double of[2], trend;
};

static struct variance variance_of(const struct placements *placements, const double *count,
                                   const struct ts_ranked *const *samples,
                                   const struct order *order)
{
    const double all = count[0] + count[1];
    const bool drifts = fabs(order->lasting.slope) > 0;
    const double slope =
        drifts ? (placements[0].mixed + placements[1].mixed) / order->both.places[0] : 0;
    const double of_trend = slope * (count[1] - count[0]) / 2;
    struct variance out = {{0, 0}, of_trend * of_trend};
    for (int i = 0; i < 2; i++) {
        const struct placements *of = &placements[i];
        const double about = of->squares - of->sum * of->sum / count[i] - 2 * slope * of->mixed +
                             slope * slope * samples[i]->serial.places[0];
        const double taken =
            drifts ? (count[0] * order->factor[0] + count[1] * order->factor[1]) / (all * all) : 0;
        const double factor = order->factor[i] / count[i];
        out.of[i] = fmax(0, about) / count[i] / (1 - fmin(factor + taken, LOST_MOST)) * factor;
    }
    return out;
}

/* Satterthwaite's for as many values, less what the estimate of the factor costs. */
static double freedom_of(const double *of, const double *count, double doubt)
{
    const double sum = of[0] + of[1];
    const double both =
        (of[0] * of[0] / (count[0] - 1) + of[1] * of[1] / (count[1] - 1)) / (sum * sum);
    return fmax(1, 1 / (both + doubt / (count[0] + count[1])));
}

static struct ts_relative relative(const struct placements *placements,
                                   const struct ts_ranked *const *samples)
{
    const double count[] = {(double)samples[0]->count, (double)samples[1]->count};
    const struct order order = order_of(samples[0], samples[1]);
    const struct variance variance = variance_of(placements, count, samples, &order);
    const double of_both = variance.of[0] + variance.of[1];
    const double least = 1e-14 / (count[0] * count[1]); /* what rounding leaves of none */
    struct ts_relative out = {.p = placements[1].sum / count[1]};
    if (of_both <= least) {
        const double away = out.p - 0.5;
        out.statistic = fabs(away) <= 1e-12 ? 0 : copysign(INFINITY, away);
        out.freedom = INFINITY;
    } else {
        out.u = sqrt(of_both + variance.trend);
        out.statistic = (out.p - 0.5) / out.u;
        out.freedom = freedom_of(variance.of, count, order.lasting.doubt);
    }
    out.p_below = ts_student_below(out.statistic, out.freedom);
    out.p_above = ts_student_below(-out.statistic, out.freedom);
    out.p_two_sided = 2 * fmin(out.p_below, out.p_above);
    return out;
}

/* `times` equal values, whose places sum up to `placed`. */
static void place(struct placements *placements, double placement, double times, double placed)
{
    placements->sum += placement * times;
    placements->squares += placement * placement * times;
    placements->mixed += placement * placed;
}

static size_t run_of(const double *sorted, size_t first, size_t count)
{
    size_t next = first + 1;
    while (next < count && sorted[next] <= sorted[first])
        next++;
    return next - first;
}

static double places_of(const struct ts_ranked *of, size_t first, size_t run)
{
    double sum = 0;
    for (size_t i = first; i < first + run; i++)
        sum += of->places[i];
    return sum;
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
            place(of_a, (double)j + (double)run_b / 2, (double)run_a, places_of(a, i, run_a));
            place(of_b, (double)i + (double)run_a / 2, (double)run_b, places_of(b, j, run_b));
            i += run_a;
            j += run_b;
            continue;
        }
        place(of_a, (double)j, first, first * a->places[i]);
        place(of_b, (double)i, second, second * b->places[j]);
        i += first;
        j += second;
    }
    place(of_a, (double)b->count, (double)(a->count - i), places_of(a, i, a->count - i));
    place(of_b, (double)a->count, (double)(b->count - j), places_of(b, j, b->count - j));
}

static struct placements as_shares(struct placements counts, double of)
{
    return (struct placements){counts.sum / of, counts.squares / of / of, counts.mixed / of};
}

struct ts_relative ts_relative_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                  double shift)
{
    const struct ts_ranked *const samples[] = {a, b};
    struct placements of[2] = {{0, 0, 0}, {0, 0, 0}};
    place_all(a, b, shift, &of[0], &of[1]);
    of[0] = as_shares(of[0], (double)b->count);
    of[1] = as_shares(of[1], (double)a->count);
    return relative(of, samples);
}

struct ts_delta ts_cliffs_delta(const struct ts_ranked *a, const struct ts_ranked *b, double level)
{
    const struct ts_relative found = ts_relative_of(a, b, 0);
    const double pairs = (double)a->count * (double)b->count;
    const double p = fmin(fmax(found.p, 0.5 / pairs), 1 - 0.5 / pairs);
    const struct order order = order_of(a, b);
    const double least =
        fmin((double)a->count / order.factor[0], (double)b->count / order.factor[1]);
    /* Without overlap the samples show no variance; one pair the other way would have shown this.
     */
    const double u = found.u > 0 ? found.u : sqrt(p * (1 - p) / least);
    const double freedom = isinf(found.freedom) ? least - 1 : found.freedom;
    const double middle = log(p / (1 - p));
    const double reach = ts_student_at((1 + level) / 2, fmax(1, freedom)) * u / (p * (1 - p));
    const double low = 1 / (1 + exp(reach - middle)), high = 1 / (1 + exp(-reach - middle));
    return (struct ts_delta){2 * found.p - 1, {2 * low - 1, 2 * high - 1, level}};
}
