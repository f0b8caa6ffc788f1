/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stop.h"

#include "cli/cli.h"
#include "cli/column_file.h"
#include "cli/json_text.h"
#include "cli/output.h"
#include "stats/interval.h"
#include "stats/order.h"
#include "stats/stop.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_GO_ON 3

enum { KEY_RULE = 256, KEY_COLUMN, KEY_MINUTES, KEY_WARM_UP };

struct arguments {
    const char *path, *column, *minutes, *text;
    struct ts_stop_rule rule;
    size_t warm_up;
    bool json;
};

static const struct argp_option options[] = {
    {"rule", KEY_RULE, "RULE", 0, "When it is enough; see below", 0},
    {"column", KEY_COLUMN, "NAME", 0, "Which column: its heading, or its number from 1", 0},
    {"minutes", KEY_MINUTES, "NAME", 0, "The column with the minutes since the first launch", 0},
    {"warm-up", KEY_WARM_UP, "N", 0, "Pass over the first N rows (0)", 0},
    {"json", 'j', 0, 0, "Print one JSON object instead of text", 0},
    {0},
};

static const char description[] =
    "Say whether the values of a CSV column are enough, by a rule as in a plan's `stop:`."
    "\v" TS_COLUMN_HELP "\n\n"
    "The rule is judged after every value on those up to it, as a campaign does after every "
    "launch. Tests, which \"and\", \"or\", \"not\" and brackets join:\n"
    "  launches(N)        N values or more\n"
    "  minutes(X)         X minutes since the first; needs --minutes\n"
    "  variation < P      coefficient of variation, as 5% or 0.05\n"
    "  width(median) < P  the median's 95 % interval, end to end, over the median\n"
    "  stable(N, P)       over the last N values the running median moved by less\n"
    "                     than P of it, and so did the running quartile range\n"
    "  last(N, RULE)      RULE on the last N values alone\n"
    "\n"
    "With --json: stop, reason, rows (up to the one that met the rule; null: none), "
    "values (that were judged), median, interval (95 %), of those.\n\n"
    "Examples:\n"
    "  touchstone stop times.csv --column ms \\\n"
    "    --rule 'launches(20) and width(median) < 5% or launches(60)'\n"
    "  until measure >> times.txt; touchstone stop times.txt \\\n"
    "    --rule 'launches(10) and variation < 5%'; do :; done\n\n"
    "Exit codes: 0 it is enough, 1 the file cannot be used, 2 wrong usage, 3 go on.";

static bool has_minutes(const struct ts_stop_rule *rule)
{
    for (int i = 0; i < rule->count; i++) {
        if (rule->nodes[i].kind == TS_STOP_MINUTES)
            return true;
    }
    return false;
}

static void check(const struct arguments *arguments, struct argp_state *state)
{
    if (!arguments->path)
        argp_error(state, "say which FILE (-: standard input)");
    else if (!arguments->text)
        argp_error(state, "say a --rule");
    else if (has_minutes(&arguments->rule) && !arguments->minutes)
        argp_error(state, "--rule: minutes() needs --minutes, the column with them");
    else if (arguments->minutes && strcmp(arguments->path, "-") == 0)
        argp_error(state, "--minutes takes a file: standard input is read only once");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct ts_why why;
    char *end;
    switch (key) {
    case KEY_RULE:
        arguments->text = value;
        if (ts_stop_parse(value, strlen(value), &arguments->rule, &why))
            argp_error(state, "--rule: %s", why.text);
        break;
    case KEY_COLUMN:
        arguments->column = value;
        break;
    case KEY_MINUTES:
        arguments->minutes = value;
        break;
    case KEY_WARM_UP:
        arguments->warm_up = strtoul(value, &end, 10);
        if (end == value || *end || *value == '-')
            argp_error(state, "--warm-up: '%s' is no number of rows", value);
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        if (arguments->path)
            argp_error(state, "too many arguments: one file at a time");
        arguments->path = value;
        break;
    case ARGP_KEY_END:
        check(arguments, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {options, parse_option, "FILE", description, 0, 0, 0};

struct judged {
    bool stop;
    size_t rows, count; /* up to where it was met, or all */
    struct ts_stop_reason reason;
    double median;
    struct ts_interval interval;
};

/* The minutes of a row; those of the row before where they are missing. */
static double minutes_at(const struct ts_column *minutes, size_t row, size_t *at)
{
    while (*at + 1 < minutes->count && minutes->rows[*at + 1] <= row)
        ++*at;
    return minutes->count && minutes->rows[*at] <= row ? minutes->values[*at] - minutes->values[0]
                                                       : 0;
}

static int judge(const struct arguments *arguments, const struct ts_column *column,
                 const struct ts_column *minutes, struct judged *out, struct ts_why *why)
{
    size_t first = 0, at = 0;
    while (first < column->count && column->rows[first] < arguments->warm_up)
        first++;
    const double *values = column->values + first;
    const size_t count = column->count - first;
    if (count > TS_STOP_LAUNCHES_MAX)
        return ts_fail(why, TS_ENOTSUP, "%s: rules are for up to %d values, these are %zu",
                       arguments->path, TS_STOP_LAUNCHES_MAX, count);
    *out = (struct judged){.rows = column->row_count, .count = count};
    for (size_t taken = 1; taken <= count; taken++) {
        const size_t row = column->rows[first + taken - 1];
        const int met = ts_stop_met(&arguments->rule, values, taken, minutes_at(minutes, row, &at),
                                    &out->reason);
        if (met < 0)
            return met;
        if (met) {
            out->stop = true;
            out->rows = row + 1;
            out->count = taken;
            break;
        }
    }
    double *sorted = ts_sorted_copy(values, out->count);
    if (!sorted)
        return TS_ENOMEM;
    out->median = ts_median(sorted, out->count);
    out->interval = ts_median_interval(sorted, out->count);
    free(sorted);
    return TS_OK;
}

static int put_json(const struct judged *judged, struct ts_out *out)
{
    json_t *rows = judged->stop ? json_integer((json_int_t)judged->rows) : json_null();
    json_t *reason = judged->stop ? json_string(judged->reason.text) : json_null();
    return ts_json_put_line(json_pack("{s:b, s:o, s:o, s:I, s:o, s:o}", "stop", judged->stop,
                                      "reason", reason, "rows", rows, "values",
                                      (json_int_t)judged->count, "median",
                                      ts_json_figure(judged->median), "interval",
                                      ts_json_figures(judged->interval.low, judged->interval.high)),
                            out);
}

static void put_text(const struct judged *judged, struct ts_out *out)
{
    if (judged->stop) {
        ts_out_printf(out, "Enough after %zu values (row %zu): ", judged->count, judged->rows - 1);
        ts_out_put(out, judged->reason.text);
        ts_out_put(out, ".\n");
    } else {
        ts_out_printf(out, "Not enough yet: %zu values do not meet the rule.\n", judged->count);
    }
    ts_out_printf(out, "Median %.6g (%.6g to %.6g%s)\n", judged->median, judged->interval.low,
                  judged->interval.high,
                  ts_interval_reached(judged->interval) ? "" : ", too few for 95 %");
}

int ts_cli_stop(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_column column = {0}, minutes = {0};
    struct judged judged = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone stop";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    int err = ts_column_load(arguments.path, arguments.column, &column, &why);
    if (!err && arguments.minutes)
        err = ts_column_load(arguments.path, arguments.minutes, &minutes, &why);
    if (!err)
        err = judge(&arguments, &column, &minutes, &judged, &why);
    if (!err && arguments.json)
        err = put_json(&judged, &out);
    else if (!err)
        put_text(&judged, &out);
    ts_column_free(&column);
    ts_column_free(&minutes);
    const int code = ts_cli_end(&out, err, &why);
    return code || judged.stop ? code : EXIT_GO_ON;
}
