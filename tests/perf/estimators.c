/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A forest of 100 trees on 3,000 launches against XGBoost's own calls with the same settings; and
 * how many launches a second each kind of estimator estimates. */
#include "perf.h"

#include "base/rng.h"
#include "estimators/spore.h"
#include "forest/forest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xgboost/c_api.h>

#define ROWS       3000
#define WIDTH      60 /* event features and apps */
#define PREDICTED  50000
#define ROUNDS     3
#define FORMULAS   100 /* passes over PREDICTED rows */
#define TRAIN_MOST 2.0

struct work {
    double *x, *y, *out; /* PREDICTED rows, of which the first ROWS are of training */
    float *x_float, *y_float;
    struct ts_forest *forest;
    struct ts_spore_model model;
};

static void make_rows(struct work *work)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < PREDICTED; i++) {
        double *row = work->x + i * WIDTH;
        for (size_t j = 0; j < WIDTH; j++)
            row[j] = j < 37 ? floor(3000 * ts_rng_uniform(&rng)) : ts_rng_below(&rng, 24) == 0;
        work->y[i] = 200 + row[1] / 3 + row[2] * row[3] / 9000 + 100 * fabs(ts_rng_normal(&rng));
    }
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        work->x_float[i] = (float)work->x[i];
    for (size_t i = 0; i < ROWS; i++)
        work->y_float[i] = (float)work->y[i];
}

static void check(int err, const char *what)
{
    if (!err)
        return;
    fprintf(stderr, "perf: %s: %s\n", what, XGBGetLastError());
    exit(1);
}

static void train_own(void *context)
{
    struct work *work = context;
    struct ts_why why = {""};
    const struct ts_forest_settings settings = ts_forest_defaults();
    ts_forest_free(work->forest);
    check(ts_forest_train(work->x, work->y, ROWS, WIDTH, &settings, &work->forest, &why), why.text);
}

static void train_peer(void *context)
{
    static const char *const parameters[][2] = {{"objective", "reg:squarederror"},
                                                {"num_parallel_tree", "100"},
                                                {"subsample", "0.63"},
                                                {"colsample_bynode", "0.33"},
                                                {"eta", "1"},
                                                {"lambda", "0"},
                                                {"min_child_weight", "0"},
                                                {"max_depth", "30"},
                                                {"tree_method", "exact"},
                                                {"nthread", "1"},
                                                {"seed", "1"},
                                                {"verbosity", "0"}};
    struct work *work = context;
    DMatrixHandle matrix;
    BoosterHandle booster;
    check(XGDMatrixCreateFromMat(work->x_float, ROWS, WIDTH, NAN, &matrix), "matrix");
    check(XGDMatrixSetFloatInfo(matrix, "label", work->y_float, ROWS), "labels");
    check(XGBoosterCreate(&matrix, 1, &booster), "booster");
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        check(XGBoosterSetParam(booster, parameters[i][0], parameters[i][1]), parameters[i][0]);
    check(XGBoosterUpdateOneIter(booster, 0, matrix), "training");
    check(XGBoosterFree(booster), "booster");
    check(XGDMatrixFree(matrix), "matrix");
}

static void predict_forest(void *context)
{
    struct work *work = context;
    struct ts_why why = {""};
    check(ts_forest_predict(work->forest, work->x, PREDICTED, WIDTH, work->out, &why), why.text);
}

static void predict_formula(void *context)
{
    struct work *work = context;
    for (int pass = 0; pass < FORMULAS; pass++) {
        for (size_t i = 0; i < PREDICTED; i++)
            work->out[i] = ts_spore_predict(&work->model, work->x + i * WIDTH);
    }
}

int perf_estimators(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct work work = {
        .x = perf_alloc(PREDICTED * WIDTH * sizeof *work.x),
        .y = perf_alloc(PREDICTED * sizeof *work.y),
        .out = perf_alloc(PREDICTED * sizeof *work.out),
        .x_float = perf_alloc(ROWS * WIDTH * sizeof *work.x_float),
        .y_float = perf_alloc(ROWS * sizeof *work.y_float),
    };
    struct ts_why why = {""};
    make_rows(&work);
    struct ts_spore_settings settings = ts_spore_defaults();
    const struct ts_spore_data data = {.x = work.x, .y = work.y, .count = 200, .width = WIDTH};
    settings.degree = 2;
    check(ts_spore_fit(&data, &settings, &work.model, &why), why.text);
    struct perf_racer training[] = {{"own", train_own, 0}, {"XGBoost", train_peer, 0}};
    perf_race(training, 2, ROUNDS, &work);
    struct perf_racer predicting[] = {{"forest", predict_forest, 0},
                                      {"formula", predict_formula, 0}};
    perf_race(predicting, 2, ROUNDS, &work);
    printf("3,000 launches, 100 trees, 60 columns: %.2f s, XGBoost alone %.2f s\n",
           training[0].best_s, training[1].best_s);
    perf_say_ratio("training, against XGBoost's own", training[0].best_s / training[1].best_s,
                   PERF_AT_MOST, TRAIN_MOST);
    perf_say_rate("forest of 100 trees", PREDICTED / predicting[0].best_s, "launches", 50000);
    perf_say_rate("formula", (double)PREDICTED * FORMULAS / predicting[1].best_s, "launches", 1e6);
    ts_forest_free(work.forest);
    ts_spore_free(&work.model);
    free(work.x);
    free(work.y);
    free(work.out);
    free(work.x_float);
    free(work.y_float);
    return 0;
}
