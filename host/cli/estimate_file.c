/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_forests.h"

#include "store/files.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)1 << 28)

static json_t *spore_json(const struct ts_spore_model *model)
{
    json_t *terms = json_array(), *low = json_array(), *high = json_array();
    for (size_t i = 0; i < model->count; i++) {
        json_t *factors = json_array();
        for (int k = 0; k < TS_SPORE_DEGREE_MAX && model->terms[i].factor[k] >= 0; k++)
            json_array_append_new(factors, json_integer(model->terms[i].factor[k]));
        json_array_append_new(terms, json_pack("{s:f, s:o}", "coefficient", model->coefficients[i],
                                               "factors", factors));
    }
    for (size_t i = 0; i < model->width; i++) {
        json_array_append_new(low, json_real(model->low[i]));
        json_array_append_new(high, json_real(model->high[i]));
    }
    return json_pack("{s:o, s:o, s:o, s:f}", "terms", terms, "low", low, "high", high, "error",
                     model->error);
}

/* FILE.ubj, or FILE.1.ubj for the second forest and so on. */
static int trees_path(const char *path, size_t number, struct ts_path *out, struct ts_why *why)
{
    return number ? ts_path_format(out, why, "%s.%zu.ubj", path, number)
                  : ts_path_format(out, why, "%s.ubj", path);
}

static int save_trees(const struct ts_estimator *estimator, const char *path, struct ts_why *why)
{
    int err = TS_OK;
    for (size_t i = 0; i < TS_ESTIMATOR_FORESTS && !err; i++) {
        struct ts_path trees;
        struct ts_buf bytes = {0};
        if (!estimator->forests[i])
            continue;
        err = trees_path(path, i, &trees, why);
        if (!err)
            err = ts_forest_save(estimator->forests[i], &bytes, why);
        if (!err)
            err = ts_file_write(trees.text, &bytes, why);
        ts_buf_free(&bytes);
    }
    return err;
}

/* One for each class, null where it has no trees: a slope for each voter, null where it has none.
 */
static json_t *platts_json(const struct ts_estimator *estimator)
{
    const size_t voters = ts_estimator_voters(estimator);
    json_t *platts = json_array();
    for (size_t i = 0; i < ts_estimator_classes(estimator); i++) {
        json_t *slopes = json_array();
        bool any = false;
        for (size_t k = 0; k < voters; k++) {
            const bool there = estimator->forests[i * voters + k] != NULL;
            any |= there;
            json_array_append_new(slopes,
                                  there ? json_real(estimator->platts[i].slopes[k]) : json_null());
        }
        json_array_append_new(platts, any ? json_pack("{s:O, s:f}", "slopes", slopes, "offset",
                                                      estimator->platts[i].offset)
                                          : json_null());
        json_decref(slopes);
    }
    return platts;
}

json_t *ts_estimator_rounds_json(const struct ts_estimator *estimator)
{
    json_t *rounds = json_array();
    for (size_t i = 0; i < estimator->log.count; i++) {
        const struct ts_cost_round *round = &estimator->log.rounds[i];
        json_array_append_new(
            rounds,
            json_pack("{s:f, s:f, s:b, s:s?}", "error", round->error, "cost", round->cost,
                      "unknown", round->unknown, "rejected",
                      round->rejected == SIZE_MAX ? NULL : ts_probe_names[round->rejected]));
    }
    return rounds;
}

int ts_estimator_save(const struct ts_estimator *estimator, const char *path, struct ts_why *why)
{
    struct ts_buf text = {0};
    json_t *columns = json_array();
    for (size_t i = 0; i < estimator->column_count; i++)
        json_array_append_new(columns, json_string(estimator->columns[i]));
    json_t *root = json_pack("{s:s, s:s, s:s, s:I, s:o, s:{s:I, s:I, s:s}, s:f}", "estimator",
                             ts_estimator_names[estimator->settings.kind], "target",
                             estimator->settings.target, "touchstone", estimator->version, "seed",
                             (json_int_t)estimator->settings.seed, "columns", columns, "trained_on",
                             "launches", (json_int_t)estimator->rows, "left_out",
                             (json_int_t)estimator->left_out, "devices", estimator->devices,
                             "factor", estimator->factor);
    if (root && ts_estimator_is_forest(estimator))
        json_object_set_new(root, "forests", platts_json(estimator));
    else if (root)
        json_object_set_new(root, "formula", spore_json(&estimator->spore));
    if (root && estimator->log.count)
        json_object_set_new(root, "cost_rounds", ts_estimator_rounds_json(estimator));
    char *dump = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    int err = dump
                  ? TS_OK
                  : ts_fail(why, TS_EPROTO, "the estimator cannot be written: a name is not UTF-8");
    if (!err && ts_buf_printf(&text, "%s\n", dump))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    free(dump);
    if (!err)
        err = save_trees(estimator, path, why);
    if (!err)
        err = ts_file_write(path, &text, why);
    ts_buf_free(&text);
    return err;
}

static int bad(struct ts_why *why, const char *what)
{
    return ts_fail(why, TS_EPROTO, "this is no estimator: %s", what);
}

static int find_name(const json_t *root, const char *key, const char *const *names)
{
    const char *name = json_string_value(json_object_get(root, key));
    int i = 0;
    while (name && names[i] && strcmp(name, names[i]) != 0)
        i++;
    return name && names[i] ? i : -1;
}

static int read_columns(const json_t *root, struct ts_estimator *out, struct ts_why *why)
{
    const json_t *columns = json_object_get(root, "columns");
    const size_t count = json_array_size(columns);
    if (!count || count > 2 * TS_FEATURE_TABLE_FEATURES_MAX)
        return bad(why, "columns");
    out->columns = calloc(count, sizeof *out->columns);
    if (!out->columns)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    out->column_count = out->column_capacity = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        if (!name || strlen(name) >= sizeof *out->columns)
            return bad(why, "columns");
        memcpy(out->columns[i], name, strlen(name) + 1);
    }
    return TS_OK;
}

static int read_term(const json_t *term, size_t width, struct ts_spore_term *to,
                     double *coefficient)
{
    const json_t *factors = json_object_get(term, "factors");
    const json_t *number = json_object_get(term, "coefficient");
    memset(to->factor, -1, sizeof to->factor);
    if (!json_is_array(factors) || json_array_size(factors) > TS_SPORE_DEGREE_MAX ||
        !json_is_number(number))
        return TS_EPROTO;
    *coefficient = json_number_value(number);
    for (size_t k = 0; k < json_array_size(factors); k++) {
        const json_int_t at = json_integer_value(json_array_get(factors, k));
        if (at < 0 || (size_t)at >= width || at > INT16_MAX)
            return TS_EPROTO;
        to->factor[k] = (int16_t)at;
    }
    return TS_OK;
}

static int read_formula(const json_t *from, struct ts_estimator *out, struct ts_why *why)
{
    struct ts_spore_model *model = &out->spore;
    const json_t *terms = json_object_get(from, "terms"), *low = json_object_get(from, "low"),
                 *high = json_object_get(from, "high");
    const size_t width = out->column_count;
    if (!json_array_size(terms) || json_array_size(terms) > TS_SPORE_TERMS_MAX ||
        json_array_size(low) != width || json_array_size(high) != width)
        return bad(why, "formula");
    model->width = width;
    model->low = calloc(width, sizeof *model->low);
    model->high = calloc(width, sizeof *model->high);
    if (!model->low || !model->high)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < width; i++) {
        model->low[i] = json_number_value(json_array_get(low, i));
        model->high[i] = json_number_value(json_array_get(high, i));
    }
    for (size_t i = 0; i < json_array_size(terms); i++) {
        if (read_term(json_array_get(terms, i), width, &model->terms[i], &model->coefficients[i]))
            return bad(why, "a term");
    }
    model->count = json_array_size(terms);
    model->error = json_number_value(json_object_get(from, "error"));
    return TS_OK;
}

static int read_forest(const char *path, size_t number, size_t width, struct ts_estimator *out,
                       struct ts_why *why)
{
    struct ts_path trees;
    struct ts_buf bytes = {0};
    int err = trees_path(path, number, &trees, why);
    if (!err)
        err = ts_file_read(trees.text, FILE_MOST, &bytes, why);
    if (!err)
        err = ts_forest_load(bytes.data, bytes.size - 1, width, &out->forests[number], why);
    ts_buf_free(&bytes);
    return err;
}

static int read_class(const json_t *from, const char *path, size_t class, struct ts_estimator *out,
                      struct ts_why *why)
{
    const json_t *slopes = json_object_get(from, "slopes");
    const size_t voters = ts_estimator_voters(out);
    int err = json_array_size(slopes) == voters ? TS_OK : bad(why, "slopes");
    out->platts[class].offset = json_number_value(json_object_get(from, "offset"));
    for (size_t i = 0; i < voters && !err; i++) {
        const json_t *slope = json_array_get(slopes, i);
        out->platts[class].slopes[i] = json_number_value(slope);
        if (json_is_number(slope))
            err = read_forest(path, class * voters + i, ts_estimator_width(out, i), out, why);
        else if (i + 1 == voters)
            err = bad(why, "slopes");
    }
    return err;
}

static int read_forests(const json_t *from, const char *path, struct ts_estimator *out,
                        struct ts_why *why)
{
    const size_t classes = ts_estimator_classes(out);
    int err = json_array_size(from) == classes ? TS_OK : bad(why, "forests");
    for (size_t i = 0; i < classes && !err; i++) {
        const json_t *one = json_array_get(from, i);
        if (json_is_object(one))
            err = read_class(one, path, i, out, why);
        else if (classes == 1)
            err = bad(why, "forests");
    }
    return err;
}

static int read_all(const json_t *root, const char *path, struct ts_estimator *out,
                    struct ts_why *why)
{
    const int kind = find_name(root, "estimator", ts_estimator_names);
    const char *target = json_string_value(json_object_get(root, "target"));
    const json_t *trained = json_object_get(root, "trained_on");
    const char *devices = json_string_value(json_object_get(trained, "devices"));
    if (kind < 0 || !target || strlen(target) >= sizeof out->settings.target)
        return bad(why, "estimator, target");
    out->settings.kind = (enum ts_estimator_kind)kind;
    memcpy(out->settings.target, target, strlen(target) + 1);
    out->settings.seed = (uint64_t)json_integer_value(json_object_get(root, "seed"));
    out->rows = (size_t)json_integer_value(json_object_get(trained, "launches"));
    snprintf(out->devices, sizeof out->devices, "%s", devices ? devices : "");
    out->factor = json_number_value(json_object_get(root, "factor"));
    const int err = read_columns(root, out, why);
    if (err)
        return err;
    return ts_estimator_is_forest(out)
               ? read_forests(json_object_get(root, "forests"), path, out, why)
               : read_formula(json_object_get(root, "formula"), out, why);
}

int ts_estimator_load(const char *path, struct ts_estimator *out, struct ts_why *why)
{
    struct ts_buf text = {0};
    struct ts_why inner = {""};
    json_error_t error;
    *out = (struct ts_estimator){0};
    int err = ts_file_read(path, FILE_MOST, &text, why);
    if (err)
        return err;
    json_t *root = json_loadb((char *)text.data, text.size - 1, 0, &error);
    err = root ? read_all(root, path, out, &inner) : bad(&inner, error.text);
    if (err)
        ts_fail(why, err, "%s: %s", path, inner.text);
    json_decref(root);
    ts_buf_free(&text);
    if (err)
        ts_estimator_free(out);
    return err;
}
