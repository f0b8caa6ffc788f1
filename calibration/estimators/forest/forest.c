/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forest/forest.h"

#include "estimators/trees.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xgboost/c_api.h>

#define PART 256 /* launches that are walked for at a time */
/* From so many on, reading the trees (seconds, for a large forest) pays: to walk them is five times
 * as fast as to ask XGBoost. */
#define MANY 40000

struct ts_forest {
    BoosterHandle booster;
    size_t width;
    double base;
    struct ts_trees *trees; /* owned; empty until there is much to estimate */
};

struct ts_forest_settings ts_forest_defaults(void)
{
    return (struct ts_forest_settings){100, 0.63, 0.33, 30, 1};
}

/* XGBoost's messages end in a stack trace: the first line is what matters. */
static int refuse(struct ts_why *why, int err, const char *doing)
{
    const char *text = XGBGetLastError();
    return ts_fail(why, err, "%s: XGBoost says: %.*s", doing, (int)strcspn(text, "\n"), text);
}

static bool varies(const double *values, size_t count, size_t step)
{
    for (size_t i = 1; i < count; i++) {
        if (values[i * step] != values[0] && !(isnan(values[i * step]) && isnan(values[0])))
            return true;
    }
    return false;
}

static int check(const double *x, const double *y, size_t count, size_t width, struct ts_why *why)
{
    if (!count)
        return ts_fail(why, TS_EPROTO, "there are no launches to train on");
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(y[i]))
            return ts_fail(why, TS_EPROTO, "launch %zu has no target", i + 1);
    }
    if (!varies(y, count, 1))
        return ts_fail(why, TS_EPROTO,
                       "all %zu launches have the same target, %g: nothing to "
                       "learn from",
                       count, y[0]);
    for (size_t j = 0; j < width; j++) {
        if (varies(x + j, count, width))
            return TS_OK;
    }
    return ts_fail(why, TS_EPROTO, "no feature varies over the %zu launches", count);
}

static int make_matrix(const double *x, size_t count, size_t width, DMatrixHandle *out,
                       struct ts_why *why)
{
    float *values = calloc(count * width + 1, sizeof *values);
    if (!values)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < count * width; i++)
        values[i] = (float)x[i];
    const int err = XGDMatrixCreateFromMat(values, count, width, NAN, out);
    free(values);
    return err ? refuse(why, TS_EPROTO, "the features cannot be taken") : TS_OK;
}

static int set_parameters(BoosterHandle booster, const struct ts_forest_settings *settings,
                          double base, struct ts_why *why)
{
    char trees[16], rows[32], columns[32], depth[16], seed[16], base_text[40];
    snprintf(trees, sizeof trees, "%d", settings->trees);
    snprintf(rows, sizeof rows, "%.9g", settings->rows);
    snprintf(columns, sizeof columns, "%.9g", settings->columns);
    snprintf(depth, sizeof depth, "%d", settings->depth);
    snprintf(seed, sizeof seed, "%u", (unsigned)settings->seed & 0x7fffffffu);
    snprintf(base_text, sizeof base_text, "%.9g", base);
    const char *parameters[][2] = {{"booster", "gbtree"},
                                   {"objective", "reg:squarederror"},
                                   {"num_parallel_tree", trees},
                                   {"subsample", rows},
                                   {"colsample_bynode", columns},
                                   {"eta", "1"},
                                   {"lambda", "0"},
                                   {"alpha", "0"},
                                   {"gamma", "0"},
                                   {"min_child_weight", "0"},
                                   {"max_depth", depth},
                                   {"tree_method", "exact"},
                                   {"base_score", base_text},
                                   {"seed", seed},
                                   {"nthread", "1"},
                                   {"verbosity", "0"}};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        if (XGBoosterSetParam(booster, parameters[i][0], parameters[i][1]))
            return refuse(why, TS_EINVAL, parameters[i][0]);
    }
    return TS_OK;
}

static int grow(struct ts_forest *forest, DMatrixHandle matrix, const double *y, size_t count,
                const struct ts_forest_settings *settings, struct ts_why *why)
{
    float *targets = calloc(count, sizeof *targets);
    if (!targets)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    double mean = 0;
    for (size_t i = 0; i < count; i++) {
        mean += y[i] / (double)count;
        targets[i] = (float)y[i];
    }
    forest->base = (float)mean;
    int err = TS_OK;
    if (XGDMatrixSetFloatInfo(matrix, "label", targets, count) ||
        XGBoosterCreate(&matrix, 1, &forest->booster))
        err = refuse(why, TS_EPROTO, "the targets cannot be taken");
    if (!err)
        err = set_parameters(forest->booster, settings, forest->base, why);
    if (!err && XGBoosterUpdateOneIter(forest->booster, 0, matrix))
        err = refuse(why, TS_EPROTO, "the forest does not grow");
    free(targets);
    return err;
}

static struct ts_forest *new_forest(size_t width)
{
    struct ts_forest *forest = calloc(1, sizeof *forest);
    if (!forest)
        return NULL;
    forest->width = width;
    forest->trees = calloc(1, sizeof *forest->trees);
    if (forest->trees)
        return forest;
    free(forest);
    return NULL;
}

int ts_forest_train(const double *x, const double *y, size_t count, size_t width,
                    const struct ts_forest_settings *settings, struct ts_forest **out,
                    struct ts_why *why)
{
    DMatrixHandle matrix = NULL;
    struct ts_forest *forest = NULL;
    *out = NULL;
    int err = check(x, y, count, width, why);
    if (err)
        return err;
    forest = new_forest(width);
    if (!forest)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    err = make_matrix(x, count, width, &matrix, why);
    if (!err)
        err = grow(forest, matrix, y, count, settings, why);
    if (matrix)
        XGDMatrixFree(matrix);
    if (err)
        ts_forest_free(forest);
    else
        *out = forest;
    return err;
}

static int ask_xgboost(const struct ts_forest *forest, const double *x, size_t count, double *out,
                       struct ts_why *why)
{
    static const char how[] = "{\"type\":0,\"training\":false,\"iteration_begin\":0,"
                              "\"iteration_end\":0,\"strict_shape\":false}";
    DMatrixHandle matrix = NULL;
    const bst_ulong *shape;
    bst_ulong dimensions;
    const float *values;
    int err = make_matrix(x, count, forest->width, &matrix, why);
    if (err)
        return err;
    if (XGBoosterPredictFromDMatrix(forest->booster, matrix, how, &shape, &dimensions, &values))
        err = refuse(why, TS_EPROTO, "the forest gives no estimate");
    for (size_t i = 0; i < count && !err; i++)
        out[i] = (double)values[i];
    XGDMatrixFree(matrix);
    return err;
}

static int read_trees(const struct ts_forest *forest, struct ts_why *why)
{
    struct ts_buf dump = {0};
    int err = ts_forest_dump(forest, &dump, why);
    if (!err)
        err = ts_trees_parse((char *)dump.data, dump.size, forest->width, forest->trees, why);
    ts_buf_free(&dump);
    return err;
}

/* The same sums, in the same order. */
static int walk(const struct ts_forest *forest, const double *x, size_t count, double *out,
                struct ts_why *why)
{
    const size_t width = forest->width;
    float *rows = calloc(PART * width + 1, sizeof *rows), sums[PART];
    int err = rows ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err && !forest->trees->root_count)
        err = read_trees(forest, why);
    for (size_t first = 0; first < count && !err; first += PART) {
        const size_t some = count - first < PART ? count - first : PART;
        for (size_t i = 0; i < some * width; i++)
            rows[i] = (float)x[first * width + i];
        ts_trees_sum(forest->trees, (float)forest->base, rows, some, sums);
        for (size_t i = 0; i < some; i++)
            out[first + i] = (double)sums[i];
    }
    free(rows);
    return err;
}

int ts_forest_predict(const struct ts_forest *forest, const double *x, size_t count, size_t width,
                      double *out, struct ts_why *why)
{
    if (width != forest->width)
        return ts_fail(why, TS_EINVAL, "the forest has %zu features, not %zu", forest->width,
                       width);
    if (!count)
        return TS_OK;
    return count < MANY ? ask_xgboost(forest, x, count, out, why)
                        : walk(forest, x, count, out, why);
}

int ts_forest_save(const struct ts_forest *forest, struct ts_buf *out, struct ts_why *why)
{
    bst_ulong size;
    const char *bytes;
    char base[40];
    snprintf(base, sizeof base, "%.9g", forest->base);
    if (XGBoosterSetAttr(forest->booster, "touchstone_base", base) ||
        XGBoosterSaveModelToBuffer(forest->booster, "{\"format\":\"ubj\"}", &size, &bytes))
        return refuse(why, TS_EIO, "the forest cannot be written");
    return ts_buf_append(out, bytes, size) ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
}

int ts_forest_load(const void *bytes, size_t size, size_t width, struct ts_forest **out,
                   struct ts_why *why)
{
    struct ts_forest *forest = new_forest(width);
    bst_ulong features = 0;
    const char *base = NULL;
    int found = 0, err = TS_OK;
    *out = NULL;
    if (!forest)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (XGBoosterCreate(NULL, 0, &forest->booster) ||
        XGBoosterLoadModelFromBuffer(forest->booster, bytes, size) ||
        XGBoosterSetParam(forest->booster, "nthread", "1") ||
        XGBoosterGetNumFeature(forest->booster, &features) ||
        XGBoosterGetAttr(forest->booster, "touchstone_base", &base, &found))
        err = refuse(why, TS_EPROTO, "this is no forest");
    else if (features != width || !found)
        err = ts_fail(why, TS_EPROTO, "this forest has %zu features, not %zu", (size_t)features,
                      width);
    else
        forest->base = (double)strtof(base, NULL);
    if (err)
        ts_forest_free(forest);
    else
        *out = forest;
    return err;
}

int ts_forest_dump(const struct ts_forest *forest, struct ts_buf *out, struct ts_why *why)
{
    bst_ulong count;
    const char **trees;
    if (XGBoosterDumpModelEx(forest->booster, "", 0, "json", &count, &trees))
        return refuse(why, TS_EIO, "the trees cannot be written");
    int err = ts_buf_append(out, "[", 1);
    for (bst_ulong i = 0; i < count && !err; i++) {
        err = i ? ts_buf_append(out, ",", 1) : TS_OK;
        if (!err)
            err = ts_buf_append(out, trees[i], strlen(trees[i]));
    }
    if (!err)
        err = ts_buf_append(out, "]", 1);
    return err ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
}

double ts_forest_base(const struct ts_forest *forest)
{
    return forest->base;
}

void ts_forest_free(struct ts_forest *forest)
{
    if (!forest)
        return;
    if (forest->booster)
        XGBoosterFree(forest->booster);
    if (forest->trees)
        ts_trees_free(forest->trees);
    free(forest->trees);
    free(forest);
}
