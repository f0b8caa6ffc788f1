/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rig.h"

#include "cli/calibrate_noise.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/output.h"
#include "instrument/records.h"
#include "report/table.h"
#include "report/text.h"
#include "store/json_out.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DAY_S 86400

enum action { NOTHING, NEW, SHOW };

struct arguments {
    enum action action;
    const char *dir, *name, *bench, *options;
    bool json;
};

static const struct argp_option options[] = {
    {"name", 'n', "NAME", 0, "new: what the rig is called (default: the folder's own name)", 0},
    {"bench", 'b', "sim|live", 0, "new: which bench it is (default: live)", 0},
    {"options", 'O', "KEY=VALUE,...", 0,
     "new: options of the bench. The simulated one has rig=N, so that it is the same rig in every "
     "session (default rig=1)",
     0},
    {"json", 'j', 0, 0, "show: print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'n':
        arguments->name = value;
        break;
    case 'b':
        ts_job_check_bench(value, state);
        arguments->bench = value;
        break;
    case 'O':
        arguments->options = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num == 1)
            arguments->dir = value;
        else if (state->arg_num > 1)
            argp_error(state, "one rig at a time");
        else if (strcmp(value, "new") == 0)
            arguments->action = NEW;
        else if (strcmp(value, "show") == 0)
            arguments->action = SHOW;
        else
            argp_error(state, "\"%s\" is neither new nor show", value);
        break;
    case ARGP_KEY_END:
        if (!arguments->dir)
            argp_error(state, "say new or show, and the rig's folder");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "new DIR\nshow DIR",
    "A rig's folder: which bench it is, what it was calibrated to, and how it was verified.\v"
    "`rig new` makes the folder with its rig.yaml; `touchstone calibrate` fills it; `run`, "
    "`verify` "
    "and `doctor` use it with --rig DIR. `rig show` prints every calibrated value with its "
    "standard "
    "uncertainty, and how old it is.\n\n"
    "Examples:\n"
    "  touchstone rig new rigs/bench2\n"
    "  touchstone rig new rigs/trial --bench sim --options rig=7\n"
    "  touchstone rig show rigs/trial\n\n"
    "Exit codes: 0 done, 1 the folder cannot be made or read, or a file in it is damaged, 2 wrong "
    "usage.",
    0,
    0,
    0};

int ts_rig_give(const struct ts_rig *rig, int64_t now_s, struct ts_buf *forced,
                struct ts_calibration *given, struct ts_why *why)
{
    struct ts_identity identity = {.rig = ""};
    snprintf(identity.rig, sizeof identity.rig, "%s", rig->name);
    ts_calibration_nominal(given);
    int err = ts_rig_meets(rig, &identity, now_s, forced, why);
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++) {
        if (rig->known[kind])
            err = ts_record_apply(&rig->records[kind], given, why);
    }
    return err;
}

int ts_rig_meets(const struct ts_rig *rig, const struct ts_identity *identity, int64_t now_s,
                 struct ts_buf *forced, struct ts_why *why)
{
    int err = TS_OK;
    struct ts_identity now_with = *identity;
    snprintf(now_with.rig, sizeof now_with.rig, "%s", rig->name);
    ts_noise_name_host(now_with.host, sizeof now_with.host);
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++) {
        struct ts_why reason = {""};
        if (!rig->known[kind] ||
            ts_record_check(&rig->records[kind], &now_with, now_s, &reason) == TS_OK)
            continue;
        if (!forced)
            return ts_fail(why, TS_EPROTO, "%s: %.300s, or use it all the same with --force",
                           rig->dir, reason.text);
        err = ts_buf_printf(forced, "%s\n", reason.text);
    }
    return err;
}

static void put_record_json(const struct ts_record *record, int64_t now_s, struct ts_json_out *json)
{
    ts_json_open(json, ts_record_names[record->kind], '{');
    const int64_t tenths = (now_s - record->date_s) * 10 / DAY_S;
    ts_json_number(json, "age_days", (double)tenths / 10);
    ts_json_integer(json, "valid_days", ts_record_days(record->kind));
    ts_json_integer(json, "n", record->n);
    ts_json_open(json, "values", '{');
    for (size_t i = 0; i < record->count; i++) {
        const struct ts_known *known = &record->values[i];
        ts_json_open(json, known->name, '{');
        ts_json_number(json, "value", known->value);
        ts_json_number(json, "u", known->u);
        ts_json_number(json, "dof", known->dof);
        ts_json_close(json, '}');
    }
    ts_json_close(json, '}');
    ts_json_close(json, '}');
}

static void put_json(const struct ts_rig *rig, int64_t now_s, struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 3};
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "rig", rig->name);
    ts_json_text(&json, "bench", rig->bench);
    ts_json_text(&json, "options", rig->options);
    ts_json_open(&json, "calibration", '{');
    for (int kind = 0; kind < TS_RECORD_COUNT; kind++) {
        if (rig->known[kind])
            put_record_json(&rig->records[kind], now_s, &json);
    }
    ts_json_close(&json, '}');
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}

void ts_rig_put_record(const struct ts_record *record, struct ts_out *out)
{
    struct ts_table table;
    ts_table_begin(&table, 4, 0xe);
    ts_table_put(&table, "value");
    ts_table_put(&table, "");
    ts_table_put(&table, "u");
    ts_table_put(&table, "dof");
    for (size_t i = 0; i < record->count; i++) {
        const struct ts_known *known = &record->values[i];
        ts_table_put(&table, known->name);
        ts_table_number(&table, known->value, 3);
        ts_table_number(&table, known->u, 3);
        ts_table_number(&table, known->dof, 0);
    }
    ts_table_end(&table, ts_text_style_for(stdout), out);
}

static void put_text(const struct ts_rig *rig, int64_t now_s, struct ts_out *out)
{
    ts_out_printf(out, "%s, %s bench%s%s\n", rig->name, rig->bench, *rig->options ? ", " : "",
                  rig->options);
    for (int kind = 0; kind < TS_RECORD_COUNT; kind++) {
        const struct ts_record *record = &rig->records[kind];
        if (!rig->known[kind]) {
            ts_out_printf(out, "\n%s: not calibrated\n", ts_record_names[kind]);
            continue;
        }
        const double days = (double)(now_s - record->date_s) / DAY_S;
        ts_out_printf(out, "\n%s: %.1f days old, good for %d; n = %d; %s\n", ts_record_names[kind],
                      days, ts_record_days(record->kind), record->n, record->method);
        ts_rig_put_record(record, out);
    }
}

/* "rigs/bench2/" -> "bench2" */
static void name_from(const char *dir, char *name, size_t size)
{
    size_t end = strlen(dir);
    while (end > 1 && dir[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && dir[start - 1] != '/')
        start--;
    snprintf(name, size, "%.*s", (int)(end - start), dir + start);
}

/* The simulated bench is there at once and says what it does not know; a live one may yet be
 * plugged in. */
static int try_options(const struct arguments *arguments, struct ts_why *why)
{
    const struct ts_bench_config config = {.seed = 1, .options = arguments->options};
    struct ts_bench *bench = NULL;
    if (!arguments->options || strcmp(arguments->bench, "sim") != 0)
        return TS_OK;
    const int err = ts_job_open_bench(arguments->bench, &config, &bench, why);
    ts_bench_close(bench);
    return err;
}

static int make(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    char name[128];
    if (arguments->name)
        snprintf(name, sizeof name, "%s", arguments->name);
    else
        name_from(arguments->dir, name, sizeof name);
    /* Without it the simulated bench would be another rig in every session. */
    const char *usual = strcmp(arguments->bench, "sim") == 0 ? "rig=1" : "";
    int err = try_options(arguments, why);
    if (!err)
        err = ts_rig_create(arguments->dir, name, arguments->bench,
                            arguments->options ? arguments->options : usual, why);
    if (!err)
        ts_out_printf(out, "%s: made. Next: touchstone calibrate all --rig %s\n", arguments->dir,
                      arguments->dir);
    return err;
}

static int show(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_rig rig;
    const int err = ts_rig_open(arguments->dir, 0, &rig, why);
    if (err)
        return err;
    if (arguments->json)
        put_json(&rig, ts_job_now_s(), out);
    else
        put_text(&rig, ts_job_now_s(), out);
    ts_rig_free(&rig);
    return TS_OK;
}

int ts_cli_rig(int argc, char **argv)
{
    struct arguments arguments = {.bench = "live"};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone rig";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    const int err =
        arguments.action == NEW ? make(&arguments, &out, &why) : show(&arguments, &out, &why);
    return ts_cli_end(&out, err, &why);
}
