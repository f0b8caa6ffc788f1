/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/evaluation.h"

#include "agreement/concordance.h"
#include "base/rng.h"
#include "estimators/dictionary.h"
#include "stats/relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_SPLIT 0x73706c69 /* of the seed */

static double concordance_probability(const double *x, const double *y, size_t count)
{
    double sum = 0, pairs = 0;
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (y[i] == y[j])
                continue;
            pairs++;
            if (x[i] == x[j])
                sum += 0.5;
            else
                sum += (x[i] > x[j]) == (y[i] > y[j]);
        }
    }
    return pairs > 0 ? sum / pairs : NAN;
}

int ts_duration_scores_of(const double *estimate, const double *actual, size_t count,
                          struct ts_duration_scores *out)
{
    *out =
        (struct ts_duration_scores){.count = count, .relative_error = NAN, .mean_absolute_ms = NAN};
    double relative = 0, absolute = 0;
    for (size_t i = 0; i < count; i++) {
        relative += fabs(estimate[i] - actual[i]) / actual[i];
        absolute += fabs(estimate[i] - actual[i]);
    }
    if (count) {
        out->relative_error = relative / (double)count;
        out->mean_absolute_ms = absolute / (double)count;
    }
    out->pearson = ts_pearson(estimate, actual, count);
    out->lin = ts_concordance_of(estimate, actual, count).coefficient;
    out->concordance = concordance_probability(estimate, actual, count);
    return ts_spearman(estimate, actual, count, &out->spearman);
}

static void add_to_bin(struct ts_type_bin *bins, double p, double hit)
{
    const double scaled = p * TS_TYPE_BINS;
    struct ts_type_bin *bin =
        &bins[scaled < TS_TYPE_BINS ? (size_t)fmax(scaled, 0) : TS_TYPE_BINS - 1];
    bin->count++;
    bin->probability += p;
    bin->share += hit;
}

static void average_bins(struct ts_type_bin *bins)
{
    for (size_t bin = 0; bin < TS_TYPE_BINS; bin++) {
        const double n = (double)bins[bin].count;
        bins[bin].probability = n > 0 ? bins[bin].probability / n : NAN;
        bins[bin].share = n > 0 ? bins[bin].share / n : NAN;
    }
}

void ts_type_scores_of(const double *probability, const double *cold, size_t count,
                       struct ts_type_scores *out)
{
    *out = (struct ts_type_scores){.count = count, .error = NAN, .brier = NAN};
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        const int actual = cold[i] > 0.5, said = probability[i] > 0.5;
        out->counts[actual][said]++;
        squares += (probability[i] - cold[i]) * (probability[i] - cold[i]);
        add_to_bin(out->bins, probability[i], cold[i]);
    }
    average_bins(out->bins);
    if (!count)
        return;
    out->error = (double)(out->counts[0][1] + out->counts[1][0]) / (double)count;
    out->brier = squares / (double)count;
}

void ts_class_scores_of(const double *p, const double *actual, size_t count,
                        struct ts_class_scores *out)
{
    *out = (struct ts_class_scores){.count = count, .error = NAN, .brier = NAN};
    double squares = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++, p += TS_CLASSES) {
        const size_t is = (size_t)actual[i];
        size_t said = 0;
        for (size_t class = 0; class < TS_CLASSES; class ++) {
            said = p[class] > p[said] ? class : said;
            squares += (p[class] - (class == is)) * (p[class] - (class == is));
            add_to_bin(out->bins, p[class], class == is);
        }
        out->counts[is][said]++;
        wrong += said != is;
    }
    average_bins(out->bins);
    if (!count)
        return;
    out->error = (double)wrong / (double)count;
    out->brier = squares / (double)count;
}

double ts_platt_probability(const struct ts_platt *platt, const double *votes, size_t voters)
{
    double sum = platt->offset;
    for (size_t i = 0; i < voters; i++)
        sum += platt->slopes[i] * votes[i];
    return 1 / (1 + exp(-sum));
}

#define UNKNOWNS (TS_VOTERS_MOST + 1)

/* h x = g by elimination, in place; h is positive definite. */
static void solve(double h[UNKNOWNS][UNKNOWNS], double *g, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const double factor = h[j][i] / h[i][i];
            for (size_t k = i; k < count; k++)
                h[j][k] -= factor * h[i][k];
            g[j] -= factor * g[i];
        }
    }
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; k++)
            g[i] -= h[i][k] * g[k];
        g[i] /= h[i][i];
    }
}

struct ts_platt ts_platt_fit(const double *votes, size_t voters, const double *cold, size_t count)
{
    double colds = 0;
    for (size_t i = 0; i < count; i++)
        colds += cold[i];
    const double others = (double)count - colds;
    const double high = (colds + 1) / (colds + 2), low = 1 / (others + 2);
    struct ts_platt platt = {{0}, log((colds + 1) / (others + 1))};
    for (int step = 0; step < 100; step++) {
        /* Gradient and Hessian of the cross entropy, of the slopes and then the offset; the ridge
         * keeps separable votes finite. */
        double g[UNKNOWNS] = {0}, h[UNKNOWNS][UNKNOWNS] = {{0}}, size = 0;
        for (size_t i = 0; i < count; i++) {
            const double *own = votes + i * voters;
            const double p = ts_platt_probability(&platt, own, voters);
            const double d = (cold[i] > 0.5 ? high : low) - p, w = p * (1 - p);
            for (size_t j = 0; j <= voters; j++) {
                g[j] += d * (j < voters ? own[j] : 1);
                for (size_t k = 0; k <= voters; k++)
                    h[j][k] += w * (j < voters ? own[j] : 1) * (k < voters ? own[k] : 1);
            }
        }
        for (size_t j = 0; j <= voters; j++)
            h[j][j] += 1e-6;
        solve(h, g, voters + 1);
        for (size_t j = 0; j <= voters; j++)
            size = fmax(size, fabs(g[j]));
        /* A full step from far away can overshoot for good. */
        const double scale = size > 4 ? 4 / size : 1;
        for (size_t j = 0; j < voters; j++)
            platt.slopes[j] += scale * g[j];
        platt.offset += scale * g[voters];
        if (size < 1e-9)
            break;
    }
    return platt;
}

void ts_shuffle(size_t *order, size_t count, uint64_t seed, uint64_t stream)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, stream);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        const size_t j = ts_rng_below(&rng, (uint32_t)i), kept = order[j];
        order[j] = order[i - 1];
        order[i - 1] = kept;
    }
}

/* The launches of one device in the order of `order`: a part of them, counted round, is the test.
 */
static void mark_part(const struct ts_feature_table *table, const size_t *order, const char *device,
                      double share, size_t part, bool *test)
{
    size_t count = 0, nth = 0;
    for (size_t i = 0; i < table->row_count; i++)
        count += strcmp(table->rows[i].device, device) == 0;
    if (count == 0)
        return;
    const size_t most = count - 1, wanted = (size_t)(share * (double)count + 0.5);
    const size_t size = count < 2 ? 0 : wanted < 1 ? 1 : wanted > most ? most : wanted;
    const size_t from = part * size % count;
    for (size_t i = 0; i < table->row_count; i++) {
        const size_t row = order[i];
        if (strcmp(table->rows[row].device, device) != 0)
            continue;
        test[row] = (nth++ + count - from) % count < size;
    }
}

int ts_split_internal(const struct ts_feature_table *table, double share, uint64_t seed,
                      size_t part, bool *test)
{
    size_t *order = calloc(table->row_count + 1, sizeof *order);
    if (!order)
        return TS_ENOMEM;
    ts_shuffle(order, table->row_count, seed, STREAM_SPLIT);
    for (size_t first = 0; first < table->row_count; first++) {
        const char *device = table->rows[first].device;
        bool done = false;
        for (size_t i = 0; i < first && !done; i++)
            done = strcmp(table->rows[i].device, device) == 0;
        if (!done)
            mark_part(table, order, device, share, part, test);
    }
    free(order);
    return TS_OK;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Two that nothing is known of but their events may well look alike. */
static bool same_launch(const struct ts_feature_table *table, size_t a, size_t b)
{
    const struct ts_feature_table_row *one = &table->rows[a], *other = &table->rows[b];
    if ((isnan(one->settled_ms) && isnan(one->time_to_initial_display_ms)) ||
        !same_number(one->settled_ms, other->settled_ms) ||
        !same_number(one->time_to_initial_display_ms, other->time_to_initial_display_ms) ||
        strcmp(one->app, other->app) != 0)
        return false;
    for (size_t i = 0; i < table->feature_count; i++) {
        if (!same_number(ts_feature_table_values(table, a)[i],
                         ts_feature_table_values(table, b)[i]) &&
            ts_feature_is_used(table->features[i].name))
            return false;
    }
    return true;
}

int ts_split_check(const struct ts_feature_table *table, const bool *test, struct ts_why *why)
{
    for (size_t i = 0; i < table->row_count; i++) {
        for (size_t j = 0; test[i] && j < table->row_count; j++) {
            if (!test[j] && same_launch(table, i, j))
                return ts_fail(why, TS_EPROTO,
                               "launch \"%.60s\" (line %zu) is \"%.60s\" (line %zu) "
                               "once more: it would be in the test and in the training",
                               table->rows[i].launch, table->rows[i].line, table->rows[j].launch,
                               table->rows[j].line);
        }
    }
    return TS_OK;
}
