/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/status.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "report/data.h"
#include "report/table.h"
#include "report/text.h"
#include "store/json_out.h"
#include "store/layout.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

#define EXIT_NOT_COMPLETE 3

struct arguments {
    const char *dir;
    bool json;
};

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'j':
        arguments->json = true;
        break;
    default:
        return ts_cli_take_session(key, value, state, &arguments->dir);
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR",
    "Say how far the campaign in DIR is.\v"
    "Prints how many of the planned launches are finished, the last of them, and what was "
    "begun and is not finished: a campaign is running there, or was cut off.\n\n"
    "Examples:\n"
    "  touchstone status out/first\n"
    "  until touchstone status out/first; do sleep 60; done\n\n"
    "Exit codes: 0 every planned launch is finished, 1 no such session or damaged, 2 wrong usage, "
    "3 not complete yet.",
    0,
    0,
    0};

struct status {
    int planned, finished, usable;
    int open;                     /* number of the open part, -1 when none is */
    const struct ts_result *last; /* NULL before the first */
};

int ts_status_planned(const struct ts_report_data *data)
{
    int planned = ts_plan_total(data->plan);
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *last = &data->launches[i].result;
        int saved = ts_plan_per_app(data->plan);
        if (!*last->conditions.stop)
            continue;
        for (size_t j = 0; j <= i; j++)
            saved -= strcmp(data->launches[j].result.app, last->app) == 0;
        planned -= saved > 0 ? saved : 0;
    }
    return planned;
}

/* The writer gives a part its final name last. */
static int find_open_part(const char *dir, int finished, int *open, struct ts_why *why)
{
    const int candidates[] = {0, finished + 1};
    *open = -1;
    for (int i = 0; i < 2 && *open < 0; i++) {
        struct ts_path path, part;
        int err = ts_layout_part(dir, candidates[i], &path, why);
        if (!err)
            err = ts_path_format(&part, why, "%s.part", path.text);
        if (err)
            return err;
        if (ts_file_exists(part.text))
            *open = candidates[i];
    }
    return TS_OK;
}

static void put_json(const struct status *status, struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 1};
    ts_json_open(&json, NULL, '{');
    ts_json_integer(&json, "planned", status->planned);
    ts_json_integer(&json, "finished", status->finished);
    ts_json_integer(&json, "usable", status->usable);
    ts_json_boolean(&json, "complete", status->finished >= status->planned);
    if (status->open >= 0)
        ts_json_integer(&json, "open_part", status->open);
    else
        ts_json_null(&json, "open_part");
    if (status->last) {
        ts_json_open(&json, "last", '{');
        ts_json_integer(&json, "launch", status->last->launch);
        ts_json_text(&json, "app", status->last->app);
        ts_json_text(&json, "verdict", ts_result_verdict(status->last));
        ts_json_number(&json, "settled_ms", status->last->settled.value);
        ts_json_close(&json, '}');
    } else {
        ts_json_null(&json, "last");
    }
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}

static void put_text(const struct status *status, struct ts_text_style style, struct ts_out *out)
{
    ts_out_printf(out, "%d of %d launches finished, %d usable.\n", status->finished,
                  status->planned, status->usable);
    if (status->last) {
        ts_out_printf(out, "Last: launch %d, ", status->last->launch);
        ts_out_text(out, status->last->app, 40, style);
        ts_out_printf(out, ", %s", ts_result_verdict(status->last));
        if (isfinite(status->last->settled.value))
            ts_out_printf(out, ", settled %.0f ms after %s", status->last->settled.value,
                          ts_result_zero_words(status->last));
        ts_out_put(out, ".\n");
    }
    if (status->open == 0)
        ts_out_put(out, "The calibration is under way, or was cut off in it.\n");
    else if (status->open > 0)
        ts_out_printf(out, "Launch %d is under way, or was cut off in it.\n", status->open);
}

static void put_stops(const struct ts_report_data *data, struct ts_text_style style,
                      struct ts_out *out)
{
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *last = &data->launches[i].result;
        if (!*last->conditions.stop)
            continue;
        ts_out_text(out, last->app, 40, style);
        ts_out_printf(out, " had enough at launch %d: %s.\n", last->launch, last->conditions.stop);
    }
}

int ts_cli_status(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    struct ts_report_data data;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone status";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    int err = ts_report_data_load(arguments.dir, &data, &why);
    if (err)
        return ts_cli_end(&out, err, &why);
    struct status status = {
        .planned = ts_status_planned(&data),
        .finished = (int)data.count,
        .last = data.count ? &data.launches[data.count - 1].result : NULL,
    };
    for (size_t i = 0; i < data.count; i++)
        status.usable += ts_result_usable(&data.launches[i].result);
    err = find_open_part(arguments.dir, status.finished, &status.open, &why);
    const struct ts_text_style style = ts_text_style_for(stdout);
    if (arguments.json)
        put_json(&status, &out);
    else
        put_text(&status, style, &out);
    if (!arguments.json)
        put_stops(&data, style, &out);
    const bool complete = status.finished >= status.planned;
    ts_report_data_free(&data);
    const int code = ts_cli_end(&out, err, &why);
    return code == TS_EXIT_OK && !complete ? EXIT_NOT_COMPLETE : code;
}
