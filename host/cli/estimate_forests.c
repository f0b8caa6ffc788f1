/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_forests.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDS        3
#define STREAM_FOLDS 0x666f6c64

bool ts_estimator_is_forest(const struct ts_estimator *estimator)
{
    return estimator->settings.kind < TS_ESTIMATOR_SPORE;
}

size_t ts_estimator_classes(const struct ts_estimator *estimator)
{
    return estimator->settings.kind == TS_ESTIMATOR_TYPE ? TS_ESTIMATOR_CLASSES : 1;
}

/* What a forest of this kind is grown on, of a matrix' y. */
static double to_trees(const struct ts_estimator *estimator, size_t class, double y)
{
    switch (estimator->settings.kind) {
    case TS_ESTIMATOR_TYPE:
        return y == (double)class;
    case TS_ESTIMATOR_RATIO:
        return log(y);
    default:
        return y;
    }
}

static double from_trees(const struct ts_estimator *estimator, size_t class, double sum)
{
    switch (estimator->settings.kind) {
    case TS_ESTIMATOR_START:
    case TS_ESTIMATOR_TYPE:
        return ts_platt_probability(estimator->platts[class], sum);
    case TS_ESTIMATOR_RATIO:
        return estimator->factor * exp(sum);
    default:
        return sum;
    }
}

static int train(const struct ts_estimator_matrix *from,
                 const struct ts_estimator_settings *settings, struct ts_forest **out,
                 struct ts_why *why)
{
    struct ts_forest_settings forest = ts_forest_defaults();
    forest.trees = settings->trees;
    forest.seed = (uint32_t)settings->seed;
    /* sqrt(p) of p, as is usual for classes */
    if (settings->kind == TS_ESTIMATOR_START || settings->kind == TS_ESTIMATOR_TYPE)
        forest.columns = sqrt((double)from->width) / (double)from->width;
    return ts_forest_train(from->x, from->y, from->count, from->width, &forest, out, why);
}

/* The factor by which mean |factor * estimate - actual| / actual is least: the median of
 * actual / estimate, each weighed by its inverse. Logarithms come in. */
static double find_factor(const double *estimate, const double *actual, size_t count)
{
    double *ratio = calloc(count + 1, sizeof *ratio), all = 0, sum = 0, factor = 1;
    for (size_t i = 0; ratio && i < count; i++) {
        ratio[i] = exp(actual[i] - estimate[i]);
        all += 1 / ratio[i];
    }
    if (ratio)
        ts_sort(ratio, count);
    for (size_t i = 0; ratio && i < count && sum < all / 2; i++) {
        sum += 1 / ratio[i];
        factor = ratio[i];
    }
    free(ratio);
    return factor;
}

/* ---- launches that the trees have not seen ---- */

struct folds {
    struct ts_estimator_matrix part, rest; /* owned; of training; of the test */
    size_t *order;                         /* owned; of all rows */
    double *said, *votes;                  /* owned; of the rest; of all rows */
};

static void copy_row(const struct ts_estimator_matrix *from, size_t row,
                     struct ts_estimator_matrix *to)
{
    memcpy(to->x + to->count * to->width, from->x + row * from->width, from->width * sizeof *to->x);
    to->y[to->count++] = from->y[row];
}

/* Votes of one third by a forest of the other two. */
static int vote(const struct ts_estimator_matrix *all, size_t fold,
                const struct ts_estimator_settings *settings, struct folds *folds,
                struct ts_why *why)
{
    struct ts_forest *forest = NULL;
    folds->part.count = folds->rest.count = 0;
    for (size_t i = 0; i < all->count; i++)
        copy_row(all, folds->order[i], i % FOLDS == fold ? &folds->rest : &folds->part);
    int err = train(&folds->part, settings, &forest, why);
    if (!err)
        err = ts_forest_predict(forest, folds->rest.x, folds->rest.count, all->width, folds->said,
                                why);
    for (size_t i = 0; i < folds->rest.count && !err; i++)
        folds->votes[folds->order[i * FOLDS + fold]] = folds->said[i];
    ts_forest_free(forest);
    return err;
}

static int calibrate(const struct ts_estimator_matrix *all, size_t class, struct ts_estimator *out,
                     struct ts_why *why)
{
    const size_t count = all->count + 1, numbers = all->count * all->width + 1;
    struct folds folds = {{.width = all->width}, {.width = all->width}, NULL, NULL, NULL};
    folds.part.x = calloc(numbers, sizeof *folds.part.x);
    folds.rest.x = calloc(numbers, sizeof *folds.rest.x);
    folds.part.y = calloc(count, sizeof *folds.part.y);
    folds.rest.y = calloc(count, sizeof *folds.rest.y);
    folds.order = calloc(count, sizeof *folds.order);
    folds.said = calloc(count, sizeof *folds.said);
    folds.votes = calloc(count, sizeof *folds.votes);
    int err = TS_OK;
    if (!folds.part.x || !folds.part.y || !folds.rest.x || !folds.rest.y || !folds.order ||
        !folds.said || !folds.votes)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    else
        ts_shuffle(folds.order, all->count, out->settings.seed, STREAM_FOLDS);
    for (size_t fold = 0; fold < FOLDS && !err; fold++)
        err = vote(all, fold, &out->settings, &folds, why);
    if (!err && out->settings.kind == TS_ESTIMATOR_RATIO)
        out->factor = find_factor(folds.votes, all->y, all->count);
    else if (!err)
        out->platts[class] = ts_platt_fit(folds.votes, all->y, all->count);
    free(folds.part.x);
    free(folds.part.y);
    free(folds.rest.x);
    free(folds.rest.y);
    free(folds.order);
    free(folds.said);
    free(folds.votes);
    return err;
}

/* ---- both ways ---- */

static bool is_absent(const struct ts_estimator_matrix *matrix)
{
    size_t i = 0;
    while (i < matrix->count && matrix->y[i] == 0)
        i++;
    return i == matrix->count;
}

/* A type that no launch has has no forest, and is never said; one type alone is an error. */
int ts_estimator_grow(const struct ts_estimator_matrix *from, struct ts_estimator *out,
                      struct ts_why *why)
{
    struct ts_estimator_matrix own = *from;
    int err = TS_OK;
    own.y = calloc(from->count + 1, sizeof *own.y);
    if (!own.y)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t class = 0; class < ts_estimator_classes(out) && !err; class ++) {
        for (size_t i = 0; i < from->count; i++)
            own.y[i] = to_trees(out, class, from->y[i]);
        if (out->settings.kind == TS_ESTIMATOR_TYPE && from->count && is_absent(&own))
            continue;
        err = train(&own, &out->settings, &out->forests[class], why);
        if (!err && out->settings.kind != TS_ESTIMATOR_FOREST)
            err = calibrate(&own, class, out, why);
    }
    free(own.y);
    return err;
}

int ts_estimator_ask(const struct ts_estimator *estimator, const double *rows, size_t count,
                     double *out, struct ts_why *why)
{
    const size_t classes = ts_estimator_classes(estimator);
    double *one = calloc(count + 1, sizeof *one);
    int err = one ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t class = 0; class < classes && !err; class ++) {
        if (estimator->forests[class])
            err = ts_forest_predict(estimator->forests[class], rows, count, estimator->column_count,
                                    one, why);
        for (size_t i = 0; i < count && !err; i++)
            out[i * classes + class] =
                estimator->forests[class] ? from_trees(estimator, class, one[i]) : 0;
    }
    for (size_t i = 0; i < count && !err && classes > 1; i++) {
        double sum = 0;
        for (size_t class = 0; class < classes; class ++)
            sum += out[i * classes + class];
        for (size_t class = 0; class < classes; class ++)
            out[i * classes + class] /= sum;
    }
    free(one);
    return err;
}
