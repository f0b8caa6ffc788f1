/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_forests.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDS         3
#define STACKED_DEPTH 6 /* a shallow tree is sure of nothing, and adds what counts do not tell */
#define STREAM_FOLDS  0x666f6c64

bool ts_estimator_is_forest(const struct ts_estimator *estimator)
{
    return estimator->settings.kind < TS_ESTIMATOR_SPORE;
}

size_t ts_estimator_classes(const struct ts_estimator *estimator)
{
    return estimator->settings.kind == TS_ESTIMATOR_TYPE ? TS_ESTIMATOR_CLASSES : 1;
}

size_t ts_estimator_voters(const struct ts_estimator *estimator)
{
    return estimator->settings.kind == TS_ESTIMATOR_TYPE ? TS_VOTERS_MOST : 1;
}

static size_t place_of(const struct ts_estimator *estimator, size_t class, size_t voter)
{
    return class * ts_estimator_voters(estimator) + voter;
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

/* sums: of each voter */
static double from_trees(const struct ts_estimator *estimator, size_t class, const double *sums)
{
    switch (estimator->settings.kind) {
    case TS_ESTIMATOR_START:
    case TS_ESTIMATOR_TYPE:
        return ts_platt_probability(&estimator->platts[class], sums,
                                    ts_estimator_voters(estimator));
    case TS_ESTIMATOR_RATIO:
        return estimator->factor * exp(*sums);
    default:
        return *sums;
    }
}

/* The first `width` of count rows of `all`, without the rest; owned; NULL: no memory. */
static double *narrow(const double *rows, size_t count, size_t all, size_t width)
{
    double *out = malloc((count * width + 1) * sizeof *out);
    for (size_t i = 0; out && i < count; i++)
        memcpy(out + i * width, rows + i * all, width * sizeof *out);
    return out;
}

static int train(const struct ts_estimator_matrix *from, const struct ts_estimator *estimator,
                 size_t voter, struct ts_forest **out, struct ts_why *why)
{
    const struct ts_estimator_settings *settings = &estimator->settings;
    struct ts_forest_settings forest = ts_forest_defaults();
    const size_t width = ts_estimator_width(estimator, voter);
    forest.trees = settings->trees;
    forest.seed = (uint32_t)settings->seed;
    /* sqrt(p) of p, as is usual for classes */
    if (settings->kind == TS_ESTIMATOR_START || settings->kind == TS_ESTIMATOR_TYPE)
        forest.columns = sqrt((double)width) / (double)width;
    if (voter)
        forest.depth = STACKED_DEPTH;
    double *x = narrow(from->x, from->count, from->width, width);
    const int err = x ? ts_forest_train(x, from->y, from->count, width, &forest, out, why)
                      : ts_fail(why, TS_ENOMEM, "out of memory");
    free(x);
    return err;
}

/* out[count * voters]; a voter that there is not says 0. */
static int vote(const struct ts_estimator *estimator, size_t class, const double *rows,
                size_t count, double *out, struct ts_why *why)
{
    const size_t voters = ts_estimator_voters(estimator);
    double *one = malloc((count + 1) * sizeof *one);
    int err = one ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t voter = 0; voter < voters && !err; voter++) {
        const struct ts_forest *forest = estimator->forests[place_of(estimator, class, voter)];
        const size_t width = ts_estimator_width(estimator, voter);
        double *x = narrow(rows, count, estimator->column_count, width);
        if (!x)
            err = ts_fail(why, TS_ENOMEM, "out of memory");
        else if (forest)
            err = ts_forest_predict(forest, x, count, width, one, why);
        for (size_t i = 0; i < count && !err; i++)
            out[i * voters + voter] = forest ? one[i] : 0;
        free(x);
    }
    free(one);
    return err;
}

/* Grows the voters of one class. The first of two is left out where counts and apps tell nothing.
 */
static int grow_voters(const struct ts_estimator_matrix *from, size_t class,
                       struct ts_estimator *out, struct ts_why *why)
{
    const size_t voters = ts_estimator_voters(out);
    int err = TS_OK;
    for (size_t voter = 0; voter < voters && !err; voter++) {
        err = train(from, out, voter, &out->forests[place_of(out, class, voter)], why);
        if (err == TS_EPROTO && voter + 1 < voters)
            err = TS_OK;
    }
    return err;
}

static void free_voters(struct ts_estimator *estimator, size_t class)
{
    for (size_t voter = 0; voter < ts_estimator_voters(estimator); voter++) {
        struct ts_forest **forest = &estimator->forests[place_of(estimator, class, voter)];
        ts_forest_free(*forest);
        *forest = NULL;
    }
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
    double *said, *votes;                  /* owned; of the rest; of all rows; a number a voter */
};

static void copy_row(const struct ts_estimator_matrix *from, size_t row,
                     struct ts_estimator_matrix *to)
{
    memcpy(to->x + to->count * to->width, from->x + row * from->width, from->width * sizeof *to->x);
    to->y[to->count++] = from->y[row];
}

/* Votes on one third by forests of the other two; *out lends its settings and columns. */
static int vote_on_fold(const struct ts_estimator_matrix *all, size_t fold,
                        const struct ts_estimator *out, struct folds *folds, struct ts_why *why)
{
    struct ts_estimator part = {
        .settings = out->settings, .columns = out->columns, .column_count = out->column_count};
    const size_t voters = ts_estimator_voters(out);
    folds->part.count = folds->rest.count = 0;
    for (size_t i = 0; i < all->count; i++)
        copy_row(all, folds->order[i], i % FOLDS == fold ? &folds->rest : &folds->part);
    int err = grow_voters(&folds->part, 0, &part, why);
    if (!err)
        err = vote(&part, 0, folds->rest.x, folds->rest.count, folds->said, why);
    for (size_t i = 0; i < folds->rest.count && !err; i++)
        memcpy(folds->votes + folds->order[i * FOLDS + fold] * voters, folds->said + i * voters,
               voters * sizeof *folds->votes);
    free_voters(&part, 0);
    return err;
}

static int calibrate(const struct ts_estimator_matrix *all, size_t class, struct ts_estimator *out,
                     struct ts_why *why)
{
    const size_t count = all->count + 1, numbers = all->count * all->width + 1;
    const size_t voters = ts_estimator_voters(out);
    struct folds folds = {{.width = all->width}, {.width = all->width}, NULL, NULL, NULL};
    folds.part.x = calloc(numbers, sizeof *folds.part.x);
    folds.rest.x = calloc(numbers, sizeof *folds.rest.x);
    folds.part.y = calloc(count, sizeof *folds.part.y);
    folds.rest.y = calloc(count, sizeof *folds.rest.y);
    folds.order = calloc(count, sizeof *folds.order);
    folds.said = calloc(count * voters, sizeof *folds.said);
    folds.votes = calloc(count * voters, sizeof *folds.votes);
    int err = TS_OK;
    if (!folds.part.x || !folds.part.y || !folds.rest.x || !folds.rest.y || !folds.order ||
        !folds.said || !folds.votes)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    else
        ts_shuffle(folds.order, all->count, out->settings.seed, STREAM_FOLDS);
    for (size_t fold = 0; fold < FOLDS && !err; fold++)
        err = vote_on_fold(all, fold, out, &folds, why);
    if (!err && out->settings.kind == TS_ESTIMATOR_RATIO)
        out->factor = find_factor(folds.votes, all->y, all->count);
    else if (!err)
        out->platts[class] = ts_platt_fit(folds.votes, voters, all->y, all->count);
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
        err = grow_voters(&own, class, out, why);
        if (!err && out->settings.kind != TS_ESTIMATOR_FOREST)
            err = calibrate(&own, class, out, why);
    }
    free(own.y);
    return err;
}

static bool has_voters(const struct ts_estimator *estimator, size_t class)
{
    const size_t voters = ts_estimator_voters(estimator);
    return estimator->forests[class * voters + voters - 1] != NULL;
}

int ts_estimator_ask(const struct ts_estimator *estimator, const double *rows, size_t count,
                     double *out, struct ts_why *why)
{
    const size_t classes = ts_estimator_classes(estimator), voters = ts_estimator_voters(estimator);
    double *votes = calloc(count * voters + 1, sizeof *votes);
    int err = votes ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t class = 0; class < classes && !err; class ++) {
        const bool has = has_voters(estimator, class);
        if (has)
            err = vote(estimator, class, rows, count, votes, why);
        for (size_t i = 0; i < count && !err; i++)
            out[i * classes + class] = has ? from_trees(estimator, class, votes + i * voters) : 0;
    }
    for (size_t i = 0; i < count && !err && classes > 1; i++) {
        double sum = 0;
        for (size_t class = 0; class < classes; class ++)
            sum += out[i * classes + class];
        for (size_t class = 0; class < classes; class ++)
            out[i * classes + class] /= sum;
    }
    free(votes);
    return err;
}
