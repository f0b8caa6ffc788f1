/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/outliers.h"

#include "cli/cli.h"
#include "cli/column_file.h"
#include "cli/output.h"
#include "stats/order.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 20

enum {
    KEY_COLUMN = 256,
    KEY_METHOD,
    KEY_TICK,
    KEY_FLOOR,
    KEY_NEIGHBOURS,
    KEY_ABOVE,
    KEY_CURVE,
    KEY_CENTRE,
    KEY_PERCENTILE,
    KEY_RATIO,
    KEY_FORCE,
    KEY_MARKS
};

struct arguments {
    const char *path, *column;
    const struct ts_outlier_method *method;
    struct ts_outlier_request request;
    bool json, marks;
};

static const struct argp_option options[] = {
    {"method", KEY_METHOD, "NAME", 0, "How outliers are told (tukey); see below", 0},
    {"column", KEY_COLUMN, "NAME", 0, "Which column: its heading, or its number from 1", 0},
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {"marks", KEY_MARKS, 0, 0, "Print every value as CSV: row,value,outlier (0 or 1)", 0},
    {"force", KEY_FORCE, 0, 0, "Also where the method does not apply", 0},
    {"tick", KEY_TICK, "STEP", 0, "full, simplified: step of the clock, in the values' unit", 1},
    {"neighbours", KEY_NEIGHBOURS, "K", 0, "full, lof: neighbours of a value (10)", 1},
    {"floor", KEY_FLOOR, "STEP", 0, "full, lof: least reach (a tick); 0 takes paper O literally",
     1},
    {"above", KEY_ABOVE, "LOF", 0, "lof: an outlier has a factor above this (1.5)", 1},
    {"curve", KEY_CURVE, "bell|polynomial", 0, "simplified: what ranks the cuts (bell)", 1},
    {"centre", KEY_CENTRE, "LEVEL", 0, "simplified: of the bell (0.45)", 1},
    {"percentile", KEY_PERCENTILE, "P", 0, "fence: from where it is measured (95)", 1},
    {"ratio", KEY_RATIO, "R", 0, "fence: how far beyond (3)", 1},
    {0},
};

static const char description[] =
    "Mark the values of a CSV column that do not belong. Nothing is deleted."
    "\v" TS_COLUMN_HELP "\n\n"
    "Methods:\n"
    "  tukey             beyond 1.5 quartile ranges from the quartiles, on either\n"
    "                    side; for tens of launches\n"
    "  adjusted-boxplot  the same for skewed values (Hubert and Vandervieren 2008);\n"
    "                    not beyond a medcouple of 0.6\n"
    "  fence             above P + R (P - smallest), P a percentile: for times with\n"
    "                    a lower bound and extreme outliers (Rehn, Hamilton,\n"
    "                    Holdsworth 2014); with --percentile 75 --ratio 1.5 their\n"
    "                    formula 3\n"
    "  search            the fence whose border lies in empty space, nearest to\n"
    "                    theirs\n"
    "  full              clusters of less than 1 % of the values, right of the\n"
    "                    median, at the cut that leaves the lowest mean LOF (Rehn,\n"
    "                    Holdsworth, Lee, algorithm 1); for 100 or more readings of\n"
    "                    a clock that counts in ticks\n"
    "  simplified        the same at a cut of middle level, without LOF\n"
    "  lof               right of the median with a local outlier factor above\n"
    "                    --above (Breunig and others 2000)\n\n"
    "full and simplified find the tick themselves if every value is a whole number of smallest "
    "steps; say --tick where the file holds rounded ones.\n\n"
    "With --json: n (values), outliers (how many), indices (their rows), method, parameters (what "
    "the method went by), column, missing.\n\n"
    "Examples:\n"
    "  touchstone outliers launches.csv --column settled_ms\n"
    "  touchstone outliers deltas.txt --method full --tick 41.667 --json\n"
    "  touchstone outliers deltas.txt --method fence --marks > marked.csv\n\n"
    "Exit codes: 0 done, 1 the file cannot be used, or the method does not apply to it, 2 wrong "
    "usage.";

static double take_number(char *value, const char *name, double least, double most,
                          struct argp_state *state)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end || !(number >= least && number <= most))
        argp_error(state, "--%s: '%s' is no number from %g to %g", name, value, least, most);
    return number;
}

static void take_method(const char *value, struct arguments *arguments, struct argp_state *state)
{
    arguments->method = NULL;
    for (size_t i = 0; i < ts_outlier_method_count; i++) {
        if (strcmp(value, ts_outlier_methods[i].name) == 0)
            arguments->method = &ts_outlier_methods[i];
    }
    if (!arguments->method)
        argp_error(state, "--method: there is no '%s'; --help lists them", value);
}

/* Of those that tune a method. */
static error_t take_tuning(int key, char *value, struct argp_state *state,
                           struct ts_outlier_request *request)
{
    switch (key) {
    case KEY_TICK:
        request->tick = take_number(value, "tick", 1e-300, 1e300, state);
        break;
    case KEY_FLOOR:
        request->floor = take_number(value, "floor", 0, 1e300, state);
        break;
    case KEY_NEIGHBOURS:
        request->neighbours = (size_t)take_number(value, "neighbours", 1, 1000, state);
        break;
    case KEY_ABOVE:
        request->above = take_number(value, "above", 0, 1e300, state);
        break;
    case KEY_CENTRE:
        request->centre = take_number(value, "centre", 0, 1, state);
        break;
    case KEY_PERCENTILE:
        request->percentile = take_number(value, "percentile", 0, 100, state);
        break;
    case KEY_RATIO:
        request->ratio = take_number(value, "ratio", 0, 1e6, state);
        break;
    case KEY_CURVE:
        request->polynomial = strcmp(value, "polynomial") == 0;
        if (!request->polynomial && strcmp(value, "bell") != 0)
            argp_error(state, "--curve: '%s' is neither bell nor polynomial", value);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_METHOD:
        take_method(value, arguments, state);
        break;
    case KEY_COLUMN:
        arguments->column = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case KEY_MARKS:
        arguments->marks = true;
        break;
    case KEY_FORCE:
        arguments->request.force = true;
        break;
    case ARGP_KEY_ARG:
        if (arguments->path)
            argp_error(state, "too many arguments: one file at a time");
        arguments->path = value;
        break;
    case ARGP_KEY_END:
        if (!arguments->path)
            argp_error(state, "say which FILE (-: standard input)");
        if (arguments->json && arguments->marks)
            argp_error(state, "either --json or --marks");
        break;
    default:
        return take_tuning(key, value, state, &arguments->request);
    }
    return 0;
}

static const struct argp parser = {options, parse_option, "FILE", description, 0, 0, 0};

static int find(const struct arguments *arguments, const struct ts_column *column, bool *marked,
                json_t *parameters, struct ts_why *why)
{
    const struct ts_outlier_method *method = arguments->method;
    struct ts_why inner = {""};
    double *sorted = ts_sorted_copy(column->values, column->count);
    if (!sorted)
        return TS_ENOMEM;
    int err;
    if (column->count < method->least && !arguments->request.force)
        err = ts_fail(&inner, TS_ENOTSUP, "%zu values are too few, it takes %zu%s", column->count,
                      method->least, column->count < 5 ? "" : "; tukey takes 5");
    else
        err = method->run(&arguments->request, column, sorted, marked, parameters, &inner);
    if (err == TS_ENOTSUP)
        ts_fail(why, err, "%s: %s does not apply: %s", arguments->path, method->name, inner.text);
    free(sorted);
    return err;
}

static int put_json(const struct arguments *arguments, const struct ts_column *column,
                    const bool *marked, json_t *parameters, struct ts_out *out)
{
    json_t *indices = json_array(), *object = json_object();
    for (size_t i = 0; i < column->count; i++) {
        if (marked[i])
            json_array_append_new(indices, json_integer((json_int_t)column->rows[i]));
    }
    json_object_set_new(object, "n", json_integer((json_int_t)column->count));
    json_object_set_new(object, "outliers", json_integer((json_int_t)json_array_size(indices)));
    json_object_set_new(object, "indices", indices);
    json_object_set_new(object, "method", json_string(arguments->method->name));
    json_object_set(object, "parameters", parameters);
    json_t *name = json_string(column->name); /* NULL when it is not UTF-8 */
    json_object_set_new(object, "column", *column->name && name ? name : json_null());
    if (!*column->name)
        json_decref(name);
    json_object_set_new(object, "missing", json_integer((json_int_t)column->missing));
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(object);
    if (!text)
        return TS_ENOMEM;
    ts_out_put(out, text); /* of any length */
    ts_out_put(out, "\n");
    free(text);
    return TS_OK;
}

static void put_marks(const struct ts_column *column, const bool *marked, struct ts_out *out)
{
    ts_out_put(out, "row,value,outlier\n");
    for (size_t i = 0; i < column->count; i++)
        ts_out_printf(out, "%zu,%.17g,%d\n", column->rows[i], column->values[i], marked[i]);
}

static void put_text(const struct arguments *arguments, const struct ts_column *column,
                     const bool *marked, json_t *parameters, struct ts_out *out)
{
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < column->count; i++)
        count += marked[i];
    ts_out_printf(out, "%zu of %zu values are outliers (%.2f %%) by %s", count, column->count,
                  100.0 * (double)count / (double)column->count, arguments->method->name);
    if (column->missing)
        ts_out_printf(out, "; %zu rows have no number", column->missing);
    ts_out_put(out, "\n");
    const char *key;
    json_t *value;
    json_object_foreach(parameters, key, value)
    {
        if (json_is_number(value))
            ts_out_printf(out, "  %-12s %.6g\n", key, json_number_value(value));
        else
            ts_out_printf(out, "  %-12s %s\n", key,
                          json_is_string(value) ? json_string_value(value) : "-");
    }
    if (count)
        ts_out_printf(out, "\n  %10s  %s\n", "ROW", "VALUE");
    for (size_t i = 0; i < column->count && shown < ROWS_SHOWN; i++) {
        if (marked[i])
            ts_out_printf(out, "  %10zu  %.10g\n", column->rows[i], column->values[i]);
        shown += marked[i];
    }
    if (count > shown)
        ts_out_printf(out, "  and %zu more: --marks or --json lists all\n", count - shown);
}

int ts_cli_outliers(int argc, char **argv)
{
    struct arguments arguments = {.request = {NAN, NAN, NAN, NAN, NAN, NAN, 0, false, false}};
    struct ts_column column = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone outliers";
    take_method("tukey", &arguments, NULL);
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    bool *marked = NULL;
    json_t *parameters = json_object();
    int err =
        parameters ? ts_column_load(arguments.path, arguments.column, &column, &why) : TS_ENOMEM;
    if (!err && !(marked = calloc(column.count, sizeof *marked)))
        err = TS_ENOMEM;
    if (!err)
        err = find(&arguments, &column, marked, parameters, &why);
    if (!err && arguments.json)
        err = put_json(&arguments, &column, marked, parameters, &out);
    else if (!err && arguments.marks)
        put_marks(&column, marked, &out);
    else if (!err)
        put_text(&arguments, &column, marked, parameters, &out);
    free(marked);
    json_decref(parameters);
    ts_column_free(&column);
    return ts_cli_end(&out, err, &why);
}
