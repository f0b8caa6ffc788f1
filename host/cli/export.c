/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/export.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "export/tables.h"
#include "export/trace.h"
#include "store/files.h"
#include "store/ingest.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_DICTIONARY = 256, KEY_LAUNCH };

struct format {
    const char *name;
    void (*put)(const struct ts_report_data *data, struct ts_out *out); /* NULL: traces */
};
static const struct format formats[] = {
    {"csv", ts_export_csv},     {"jsonl", ts_export_jsonl},
    {"junit", ts_export_junit}, {"benchmark-data", ts_export_benchmark_data},
    {"perfetto", NULL},
};

struct arguments {
    const char *dir, *file;
    const struct format *format; /* NULL: not said */
    int launch;                  /* of perfetto; 0: all */
    bool dictionary;
};

static const struct argp_option options[] = {
    {"format", 'f', "NAME", 0, "csv, jsonl, junit, benchmark-data or perfetto", 0},
    {"output", 'o', "FILE", 0,
     "Where it goes (default: standard output); of perfetto a folder, unless --launch is given", 0},
    {"launch", KEY_LAUNCH, "N", 0, "perfetto: the trace of this launch alone", 0},
    {"dictionary", KEY_DICTIONARY, 0, 0, "Print what the columns of csv and jsonl mean, as CSV", 0},
    {0},
};

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    }
    return NULL;
}

static void check(const struct arguments *arguments, struct argp_state *state)
{
    if (arguments->dictionary)
        return;
    if (!arguments->dir)
        argp_error(state, "name a session folder");
    if (!arguments->format) {
        argp_error(state, "--format: say csv, jsonl, junit, benchmark-data or perfetto");
        return; /* it does not come back */
    }
    if (arguments->launch && arguments->format->put)
        argp_error(state, "--launch is of --format perfetto");
    if (!arguments->format->put && !arguments->launch && !arguments->file)
        argp_error(state, "perfetto gives a trace per launch: say -o FOLDER, or --launch N");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *unused = value;
    switch (key) {
    case 'f':
        arguments->format = find_format(value);
        if (!arguments->format)
            argp_error(
                state,
                "--format: there is no \"%s\"; there are csv, jsonl, junit, benchmark-data and "
                "perfetto",
                value);
        break;
    case 'o':
        arguments->file = value;
        break;
    case KEY_LAUNCH:
        arguments->launch = (int)strtol(value, &unused, 10);
        if (*unused || arguments->launch < 1)
            argp_error(state, "\"%s\" is not the number of a launch", value);
        break;
    case KEY_DICTIONARY:
        arguments->dictionary = true;
        break;
    case ARGP_KEY_END:
        check(arguments, state);
        break;
    case ARGP_KEY_ARG:
        return ts_cli_take_session(key, value, state, &arguments->dir);
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR --format NAME\n--dictionary",
    "Give the results of the session in DIR to other programs.\v"
    "Formats:\n"
    "  csv             a row a launch, units in the headings; --dictionary tells\n"
    "                  what each column means\n"
    "  jsonl           the same, a JSON object a line\n"
    "  junit           JUnit XML: a suite an app, a case a launch\n"
    "  benchmark-data  benchmarkData.json, as Jetpack Macrobenchmark writes it.\n"
    "                  What the camera saw is rigSettledMs, rigFirstVisualChangeMs\n"
    "                  and so on; timeToInitialDisplayMs is Android's own number\n"
    "  perfetto        a trace a launch, for ui.perfetto.dev and trace_processor:\n"
    "                  stylus, camera, ActivityManager, accessibility, conditioning\n\n"
    "Every launch is in csv, jsonl and junit, with what is wrong with it; benchmark-data holds "
    "those that count. The same session gives the same bytes.\n\n"
    "Examples:\n"
    "  touchstone export out/first --format csv -o first.csv\n"
    "  touchstone export --dictionary\n"
    "  touchstone export out/first --format perfetto -o traces\n"
    "  touchstone export out/first --format perfetto --launch 7 -o 7.perfetto-trace\n\n"
    "Exit codes: 0 done, 1 session unreadable or file not writable, 2 wrong usage.",
    0,
    0,
    0};

static int put_trace(const struct ts_session *session, int launch, struct ts_buf *out,
                     struct ts_why *why)
{
    struct ts_story story;
    int err = ts_story_load(session, launch, true, &story, why);
    if (err)
        return err;
    err = ts_trace_print(&story, out);
    ts_story_free(&story);
    return err;
}

static int write_traces(const struct ts_session *session, const char *folder, struct ts_out *out,
                        struct ts_why *why)
{
    const int count = ts_session_launch_count(session);
    struct ts_buf trace = {0};
    struct ts_path path;
    int err = ts_folder_make(folder, why);
    for (int launch = 1; launch <= count && !err; launch++) {
        ts_buf_clear(&trace);
        err = ts_path_format(&path, why, "%s/launch-%04d.perfetto-trace", folder, launch);
        if (!err)
            err = put_trace(session, launch, &trace, why);
        if (!err)
            err = ts_file_write(path.text, &trace, why);
    }
    ts_buf_free(&trace);
    if (!err)
        ts_out_printf(out, "%d %s in %s\n", count, count == 1 ? "trace" : "traces", folder);
    return err;
}

static int export_traces(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_session *session;
    int err = ts_session_open(arguments->dir, &session, why);
    if (err)
        return err;
    if (arguments->launch > ts_session_launch_count(session))
        err = ts_fail(why, TS_EINVAL, "%.200s has launches 1 to %d, there is no launch %d",
                      arguments->dir, ts_session_launch_count(session), arguments->launch);
    else if (arguments->launch)
        err = put_trace(session, arguments->launch, &out->text, why);
    else
        err = write_traces(session, arguments->file, out, why);
    ts_session_free(session);
    return err;
}

static int export_table(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_report_data data;
    struct ts_ingest_identity identity;
    int err = ts_report_data_load(arguments->dir, &data, why);
    if (err)
        return err;
    if (data.count) /* without a calibration there is nothing to tell it by, nor a launch */
        err = ts_ingest_identify(data.session, &identity, why);
    data.identity = data.count ? &identity : NULL;
    if (!err)
        arguments->format->put(&data, out);
    ts_report_data_free(&data);
    return err;
}

int ts_cli_export(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_out out = {0};
    struct ts_why why = {""};
    int err = TS_OK;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone export";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    if (arguments.dictionary)
        ts_export_dictionary(&out);
    else if (arguments.format->put)
        err = export_table(&arguments, &out, &why);
    else
        err = export_traces(&arguments, &out, &why);
    const bool folder = !arguments.dictionary && !arguments.format->put && !arguments.launch;
    if (!err && !out.err && arguments.file && !folder) {
        err = ts_file_write(arguments.file, &out.text, &why);
        ts_buf_clear(&out.text);
    }
    return ts_cli_end(&out, err, &why);
}
