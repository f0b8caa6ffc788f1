/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/spore_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_in(const struct ts_spore_term *terms, size_t count, const struct ts_spore_term *term)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&terms[i], term, sizeof *term) == 0)
            return true;
    }
    return false;
}

/* Adds the candidate with the least error, if that gains more than the least. */
static bool forward(const struct ts_spore_work *work, const struct ts_spore_candidates *candidates,
                    double least_gain, struct ts_spore_set *set)
{
    const double before = set->error;
    double *column = set->columns + set->count * work->data->count;
    double best = INFINITY;
    size_t chosen = 0;
    set->count++;
    for (size_t i = 0; i < candidates->count; i++) {
        if (is_in(set->terms, set->count - 1, &candidates->terms[i]))
            continue;
        ts_spore_fill(work, &candidates->terms[i], column);
        ts_spore_solve(work, set);
        if (set->error < best) {
            best = set->error;
            chosen = i;
        }
    }
    const bool gains = before - best > least_gain;
    if (gains) {
        set->terms[set->count - 1] = candidates->terms[chosen];
        ts_spore_fill(work, &candidates->terms[chosen], column);
    } else {
        set->count--;
    }
    ts_spore_solve(work, set);
    return gains;
}

static void leave_out(const struct ts_spore_work *work, const struct ts_spore_set *from,
                      size_t term, struct ts_spore_set *to)
{
    const size_t count = work->data->count;
    ts_spore_set_copy(work, to, from);
    const size_t behind = to->count - term - 1;
    memmove(&to->terms[term], &to->terms[term + 1], behind * sizeof *to->terms);
    memmove(to->columns + term * count, to->columns + (term + 1) * count,
            behind * count * sizeof *to->columns);
    to->count--;
    ts_spore_solve(work, to);
}

/* Takes terms away while that costs little of what the last one gained. The error after that gain
 * stays the measure through all removals, as in the authors' program. */
static void backward(const struct ts_spore_work *work, double gain, struct ts_spore_set *set,
                     struct ts_spore_set *spare)
{
    const double after_gain = set->error;
    while (set->count > 1) {
        double least = INFINITY;
        size_t cheapest = 0;
        for (size_t i = 1; i < set->count; i++) {
            leave_out(work, set, i, spare);
            if (spare->error < least) {
                least = spare->error;
                cheapest = i;
            }
        }
        if (least - after_gain > work->settings->nu * gain)
            return;
        leave_out(work, set, cheapest, spare);
        ts_spore_set_copy(work, set, spare);
    }
}

int ts_foba_linear(const struct ts_spore_work *work, const struct ts_spore_candidates *candidates,
                   struct ts_spore_set *set)
{
    const double least_gain = work->settings->f_scale * work->settings->threshold;
    struct ts_spore_set spare;
    if (ts_spore_set_start(work, &spare))
        return TS_ENOMEM;
    while (set->count < work->settings->max_terms) {
        const double before = set->error;
        if (!forward(work, candidates, least_gain, set))
            break;
        backward(work, before - set->error, set, &spare);
    }
    free(spare.columns);
    return TS_OK;
}

static int expand_all(const struct ts_spore_work *work, struct ts_spore_candidates *out,
                      struct ts_why *why)
{
    size_t *features = calloc(work->data->width + 1, sizeof *features), count = 0;
    double size = 1;
    if (!features)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < work->data->width; i++) {
        if (work->usable[i])
            features[count++] = i;
    }
    for (int k = 1; k <= work->settings->degree; k++)
        size *= (double)(count + (size_t)k) / k;
    int err = size > TS_EXPANSION_MOST + 1
                  ? ts_fail(why, TS_ENOTSUP,
                            "%zu features to degree %d make %.0f terms, more than "
                            "%d; take a lower degree or fewer features",
                            count, work->settings->degree, size, TS_EXPANSION_MOST)
                  : ts_spore_expand(work, features, count, -1, out);
    free(features);
    return err;
}

int ts_foba_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                struct ts_spore_model *out, struct ts_why *why)
{
    struct ts_spore_work work;
    struct ts_spore_set set = {0};
    struct ts_spore_candidates candidates = {0};
    int err = ts_spore_work_start(&work, data, settings, out, why);
    if (!err)
        err = expand_all(&work, &candidates, why);
    if (!err && (ts_spore_set_start(&work, &set) || ts_foba_linear(&work, &candidates, &set)))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        ts_spore_take(out, &set);
    else
        ts_spore_free(out);
    free(set.columns);
    free(candidates.terms);
    ts_spore_work_free(&work);
    return err;
}

/* ---- LASSO ---- */

#define PATH_STEPS  60
#define PATH_RATIO  0.88 /* of one penalty to the one before: down to 5e-4 of the first */
#define SWEEPS_MOST 200

struct lasso {
    size_t rows, terms;
    double *columns;     /* owned; standardised, term by term */
    double *residual;    /* owned */
    double *coefficient; /* owned */
};

static void standardise(double *column, size_t rows)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < rows; i++)
        mean += column[i] / (double)rows;
    for (size_t i = 0; i < rows; i++) {
        column[i] -= mean;
        squares += column[i] * column[i];
    }
    const double scale = squares > 1e-20 ? sqrt((double)rows / squares) : 0;
    for (size_t i = 0; i < rows; i++)
        column[i] *= scale;
}

static double correlation(const struct lasso *lasso, size_t term)
{
    const double *column = lasso->columns + term * lasso->rows;
    double sum = 0;
    for (size_t i = 0; i < lasso->rows; i++)
        sum += column[i] * lasso->residual[i];
    return sum / (double)lasso->rows;
}

/* One round of coordinate descent; the largest change. */
static double sweep(struct lasso *lasso, double penalty)
{
    double largest = 0;
    for (size_t j = 0; j < lasso->terms; j++) {
        const double *column = lasso->columns + j * lasso->rows;
        const double target = correlation(lasso, j) + lasso->coefficient[j];
        const double next = copysign(fmax(fabs(target) - penalty, 0), target);
        const double by = next - lasso->coefficient[j];
        if (by == 0)
            continue;
        for (size_t i = 0; i < lasso->rows; i++)
            lasso->residual[i] -= by * column[i];
        lasso->coefficient[j] = next;
        largest = fmax(largest, fabs(by));
    }
    return largest;
}

/* Down the path, keeping in `set` the last terms that are few enough. */
static void descend(struct lasso *lasso, const struct ts_spore_work *work,
                    const struct ts_spore_candidates *candidates, struct ts_spore_set *set)
{
    double penalty = 0;
    for (size_t j = 0; j < lasso->terms; j++)
        penalty = fmax(penalty, fabs(correlation(lasso, j)));
    const double close_enough = 1e-5 * penalty;
    for (int step = 0; step < PATH_STEPS; step++) {
        size_t active = 0;
        penalty *= PATH_RATIO;
        for (int i = 0; i < SWEEPS_MOST && sweep(lasso, penalty) > close_enough; i++)
            ;
        for (size_t j = 0; j < lasso->terms; j++)
            active += lasso->coefficient[j] != 0;
        if (active + 1 > work->settings->max_terms)
            return;
        set->count = 1;
        for (size_t j = 0; j < lasso->terms; j++) {
            if (lasso->coefficient[j] == 0)
                continue;
            set->terms[set->count] = candidates->terms[j];
            ts_spore_fill(work, &candidates->terms[j],
                          set->columns + set->count * work->data->count);
            set->count++;
        }
    }
}

int ts_lasso_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                 struct ts_spore_model *out, struct ts_why *why)
{
    struct ts_spore_work work;
    struct ts_spore_set set = {0};
    struct ts_spore_candidates candidates = {0};
    struct lasso lasso = {.rows = data->count};
    int err = ts_spore_work_start(&work, data, settings, out, why);
    if (!err)
        err = expand_all(&work, &candidates, why);
    if (err)
        goto end;
    lasso.terms = candidates.count;
    lasso.columns = calloc(lasso.rows * lasso.terms + 1, sizeof *lasso.columns);
    lasso.residual = calloc(lasso.rows, sizeof *lasso.residual);
    lasso.coefficient = calloc(lasso.terms + 1, sizeof *lasso.coefficient);
    if (!lasso.columns || !lasso.residual || !lasso.coefficient ||
        ts_spore_set_start(&work, &set)) {
        err = ts_fail(why, TS_ENOMEM, "out of memory");
        goto end;
    }
    for (size_t j = 0; j < lasso.terms; j++) {
        ts_spore_fill(&work, &candidates.terms[j], lasso.columns + j * lasso.rows);
        standardise(lasso.columns + j * lasso.rows, lasso.rows);
    }
    memcpy(lasso.residual, data->y, lasso.rows * sizeof *lasso.residual);
    descend(&lasso, &work, &candidates, &set);
    ts_spore_solve(&work, &set);
    ts_spore_take(out, &set);
end:
    free(lasso.columns);
    free(lasso.residual);
    free(lasso.coefficient);
    free(set.columns);
    free(candidates.terms);
    ts_spore_work_free(&work);
    if (err)
        ts_spore_free(out);
    return err;
}
