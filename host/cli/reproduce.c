/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reproduce.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "export/bundle.h"
#include "store/json_out.h"

#include <argp.h>

struct arguments {
    const char *file, *folder;
    bool json;
};

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0, "Where everything goes: an empty folder, or a new one; needed", 0},
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->folder = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        if (arguments->file)
            argp_error(state, "one bundle at a time");
        arguments->file = value;
        break;
    case ARGP_KEY_END:
        if (!arguments->file)
            argp_error(state, "name a bundle");
        if (!arguments->folder)
            argp_error(state, "say -o FOLDER");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "FILE -o FOLDER",
    "Measure a bundle's launches again, and make every table and figure from them.\v"
    "FOLDER gets session/ (which show, export and the other commands read), tables/ (launches.csv, "
    "launches.jsonl, junit.xml, benchmarkData.json, report.html, traces/), and the bundle's own "
    "texts. Each result and each table is compared, byte for byte, with what the bundle says. "
    "Another version of Touchstone may give other results, another gnuplot other figures.\n\n"
    "Example:\n"
    "  touchstone reproduce first.tar.zst -o again\n\n"
    "Exit codes: 0 all identical, 1 something differs, or the bundle is damaged or none, 2 wrong "
    "usage.",
    0,
    0,
    0};

static void put(const struct arguments *arguments, const struct ts_bundle_sums *sums,
                struct ts_out *out)
{
    const size_t different = sums->results_different + sums->tables_different;
    if (arguments->json) {
        struct ts_json_out json = {.buf = &out->text};
        ts_json_open(&json, NULL, '{');
        ts_json_integer(&json, "results_identical", (int64_t)sums->results_same);
        ts_json_integer(&json, "results_different", (int64_t)sums->results_different);
        ts_json_integer(&json, "tables_identical", (int64_t)sums->tables_same);
        ts_json_integer(&json, "tables_different", (int64_t)sums->tables_different);
        ts_json_text_or_null(&json, "first_different", sums->first_different);
        ts_json_close(&json, '}');
        out->err = json.err;
        ts_out_put(out, "\n");
        return;
    }
    ts_out_printf(out, "%zu of %zu results and %zu of %zu tables and figures are identical\n",
                  sums->results_same, sums->launches, sums->tables_same,
                  sums->tables_same + sums->tables_different);
    if (different)
        ts_out_printf(out, "first that differs: %s\n", sums->first_different);
    ts_out_printf(out, "%s/tables\n", arguments->folder);
}

int ts_cli_reproduce(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_bundle_sums sums;
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone reproduce";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const int err = ts_bundle_reproduce(arguments.file, arguments.folder, &sums, &why);
    if (!err)
        put(&arguments, &sums, &out);
    const int code = ts_cli_end(&out, err, &why);
    if (code)
        return code;
    return sums.results_different || sums.tables_different ? TS_EXIT_FAILED : TS_EXIT_OK;
}
