/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ready.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/ready_launches.h"
#include "report/table.h"
#include "report/text.h"
#include "store/json_out.h"
#include "store/ready_file.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    bool learning;
    const char *app, *file;
    char **sources; /* borrowed from argv */
    int source_count;
    bool json;
};

static const struct argp_option learn_options[] = {
    {"app", 'a', "APP", 0, "The app whose launches these are, as the plan names it", 0},
    {"output", 'o', "FILE", 0, "Write the rule here", 0},
    {"json", 'j', 0, 0, "Print the outcome as JSON", 0},
    {0},
};
static const struct argp_option apply_options[] = {
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'a':
        arguments->app = value;
        break;
    case 'o':
        arguments->file = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARGS:
        arguments->sources = state->argv + state->next;
        arguments->source_count = state->argc - state->next;
        if (!arguments->learning) {
            arguments->file = *arguments->sources++;
            arguments->source_count--;
        }
        break;
    case ARGP_KEY_END:
        if (arguments->learning && (!arguments->app || !*arguments->app))
            argp_error(state, "say with --app whose launches these are");
        if (!arguments->file)
            argp_error(state, arguments->learning ? "say with -o where the rule shall go"
                                                  : "name the file of a rule");
        if (arguments->source_count < 1)
            argp_error(state, "name a session or a video");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp learn_parser = {
    learn_options,
    parse_option,
    "SESSION|VIDEO...",
    "Learn when an app is ready from a few launches that people annotated (`touchstone annotate`), "
    "and write the rule to FILE.\v"
    "Apps go on changing after a person would call them ready, or wait for something before it. A "
    "rule says which of the changes it is: the nth from the first or the last, the first after "
    "which visual progress stays above a share, the last that covers a share of the screen, or the "
    "last in a part of it. Each kind is tried on every launch with what the others teach; of those "
    "that do as well as the best the simplest is taken. It takes 3 annotated launches at least; "
    "10 are better. What people marked as settled counts as ready, their median where several "
    "did.\n\n"
    "Example:\n"
    "  touchstone ready learn --app Maps out/first -o maps.ready.json\n\n"
    "Exit codes: 0 learned, 1 too few annotations or something cannot be read, 2 wrong usage.",
    0,
    0,
    0};

static const struct argp apply_parser = {
    apply_options,
    parse_option,
    "FILE SESSION|VIDEO...",
    "Say when the app of the rule in FILE was ready, in milliseconds after the lift (in a video: "
    "after the tap, where its annotations know it, or else its first frame), with its standard "
    "uncertainty u.\v"
    "Example:\n"
    "  touchstone ready apply maps.ready.json out/second --json\n\n"
    "Exit codes: 0 done, 1 something cannot be read, 2 wrong usage.",
    0,
    0,
    0};

static int collect(const struct arguments *arguments, const char *app, struct ts_ready_items *items,
                   struct ts_why *why)
{
    int err = TS_OK;
    for (int i = 0; i < arguments->source_count && !err; i++)
        err = ts_ready_items_add(items, arguments->sources[i], app, arguments->learning, why);
    return err;
}

static void print_learned(const struct ts_ready_file *file, const struct ts_ready_report *report,
                          size_t unannotated, const char *path, struct ts_out *out)
{
    char words[TS_READY_WORDS];
    ts_ready_describe(&file->rule, words);
    const struct ts_text_style style = ts_text_style_for(stdout);
    if (report->beats_settled)
        ts_out_printf(out, "The app is ready with %s.\n", words);
    else
        ts_out_put(out, "No rule is better than settled: the app is ready when it has settled.\n");
    ts_out_printf(out, "Learned from %d launches", file->rule.launches);
    if (unannotated)
        ts_out_printf(out, " (%zu more are not annotated)", unannotated);
    ts_out_put(out, "; written to ");
    ts_out_text(out, path, 0, style);
    ts_out_put(out, ".\n\n");
    static const char *const names[] = {"settled",  "nth change", "nth change from the last",
                                        "progress", "cover",      "region"};
    struct ts_table table;
    ts_table_begin(&table, 2, 0x2);
    ts_table_put(&table, "Kind of rule");
    ts_table_put(&table, "mean error, ms");
    for (int kind = 0; kind < TS_READY_KINDS; kind++) {
        ts_table_put(&table, names[kind]);
        ts_table_number(&table, report->kind_ms[kind], 1);
    }
    ts_table_end(&table, style, out);
    ts_out_printf(out,
                  "Each launch was left out of what its rule was learned from. The simplest "
                  "kind\nwithin %.1f ms of the best is taken.\n",
                  report->noise_ms);
}

/* Thousandths, as in results. */
static double rounded(double value)
{
    return round(value * 1000) / 1000;
}

static void put_learned(const struct ts_ready_file *file, const struct ts_ready_report *report,
                        struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 1, .err = out->err};
    char words[TS_READY_WORDS];
    ts_ready_describe(&file->rule, words);
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "app", file->app);
    ts_json_text(&json, "ready", words);
    ts_json_boolean(&json, "beats_settled", report->beats_settled);
    ts_json_integer(&json, "learned_from", file->rule.launches);
    ts_json_open(&json, "leave_one_out_ms", '{');
    for (int kind = 0; kind < TS_READY_KINDS; kind++)
        ts_json_number(&json, ts_ready_kind_names[kind], rounded(report->kind_ms[kind]));
    ts_json_close(&json, '}');
    ts_json_number(&json, "noise_ms", rounded(report->noise_ms));
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}

static int learn(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_ready_items items = {0};
    struct ts_ready_example *examples = NULL;
    struct ts_ready_file file = {.app = ""};
    struct ts_ready_report report;
    if (strlen(arguments->app) >= sizeof file.app)
        return ts_fail(why, TS_EINVAL, "an app's name is at most %zu bytes", sizeof file.app - 1);
    int err = collect(arguments, arguments->app, &items, why);
    if (err)
        goto end;
    examples = calloc(items.count + 1, sizeof *examples);
    if (!examples) {
        err = ts_fail(why, TS_ENOMEM, "out of memory");
        goto end;
    }
    for (size_t i = 0; i < items.count; i++)
        examples[i] =
            (struct ts_ready_example){items.items[i]->launch, items.items[i]->annotated_ms};
    err = ts_ready_learn(examples, items.count, &file.rule, &report, why);
    if (err)
        goto end;
    snprintf(file.app, sizeof file.app, "%s", arguments->app);
    snprintf(file.detector, sizeof file.detector, "%s", TS_DETECTOR_VERSION);
    err = ts_ready_save(arguments->file, &file, why);
    if (err)
        goto end;
    if (arguments->json)
        put_learned(&file, &report, out);
    else
        print_learned(&file, &report, items.unannotated, arguments->file, out);
end:
    free(examples);
    ts_ready_items_free(&items);
    return err;
}

static void put_ready(struct ts_json_out *json, const struct ts_ready_item *item,
                      const struct ts_metric *ready)
{
    ts_json_open(json, NULL, '{');
    ts_json_text(json, "source", item->source);
    if (item->number)
        ts_json_integer(json, "launch", item->number);
    else
        ts_json_null(json, "launch");
    ts_json_open(json, "ready_ms", '{');
    ts_json_number(json, "value", rounded(ready->value));
    ts_json_number(json, "u", rounded(ready->u));
    ts_json_number(json, "u_common", rounded(ready->u_common));
    ts_json_close(json, '}');
    ts_json_number(json, "settled_ms", rounded(item->changes.settled.value));
    ts_json_close(json, '}');
}

static void put_applied(const struct ts_ready_file *file, const struct ts_ready_items *items,
                        struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 1};
    ts_json_open(&json, NULL, '[');
    for (size_t i = 0; i < items->count; i++) {
        const struct ts_metric ready = ts_ready_apply(&file->rule, &items->items[i]->launch);
        put_ready(&json, items->items[i], &ready);
    }
    ts_json_close(&json, ']');
    out->err = json.err;
    ts_out_put(out, "\n");
}

static void print_applied(const struct ts_ready_file *file, const struct ts_ready_items *items,
                          struct ts_out *out)
{
    static const char *const headings[] = {"Session or video", "launch", "ready", "u", "settled"};
    struct ts_table table;
    char words[TS_READY_WORDS];
    ts_ready_describe(&file->rule, words);
    ts_out_printf(out, "Ready with %s.\n\n", words);
    ts_table_begin(&table, 5, 0x1e);
    for (int i = 0; i < 5; i++)
        ts_table_put(&table, headings[i]);
    for (size_t i = 0; i < items->count; i++) {
        const struct ts_ready_item *item = items->items[i];
        const struct ts_metric ready = ts_ready_apply(&file->rule, &item->launch);
        ts_table_put(&table, item->source);
        ts_table_number(&table, item->number ? (double)item->number : (double)NAN, 0);
        ts_table_number(&table, ready.value, 1);
        ts_table_number(&table, ready.u, 1);
        ts_table_number(&table, item->changes.settled.value, 1);
    }
    ts_table_end(&table, ts_text_style_for(stdout), out);
}

static int apply(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    struct ts_ready_items items = {0};
    struct ts_ready_file file;
    int err = ts_ready_load(arguments->file, &file, why);
    if (!err)
        err = collect(arguments, file.app, &items, why);
    if (!err && strcmp(file.detector, TS_DETECTOR_VERSION) != 0)
        fprintf(stderr,
                "touchstone: %s was learned with detector %s, this one is %s: learn it again\n",
                arguments->file, file.detector, TS_DETECTOR_VERSION);
    if (!err && arguments->json)
        put_applied(&file, &items, out);
    else if (!err)
        print_applied(&file, &items, out);
    ts_ready_items_free(&items);
    return err;
}

static void print_help(FILE *stream)
{
    fputs("Usage: touchstone ready learn --app APP SESSION|VIDEO... -o FILE\n"
          "  or:  touchstone ready apply FILE SESSION|VIDEO... [--json]\n\n"
          "Which of an app's late changes is \"the app is ready\": a rule learned from a few\n"
          "launches that people annotated, and applied to others.\n\n"
          "`touchstone ready learn --help` and `touchstone ready apply --help` explain\n"
          "each.\n\n"
          "Exit codes: 0 done, 1 too few annotations or something cannot be read, 2 wrong\n"
          "usage.\n",
          stream);
}

int ts_cli_ready(int argc, char **argv)
{
    struct ts_out out = {0};
    struct ts_why why = {""};
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "--help") || !strcmp(what, "-?") || !strcmp(what, "--usage")) {
        print_help(stdout);
        return TS_EXIT_OK;
    }
    struct arguments arguments = {.learning = strcmp(what, "learn") == 0};
    if (!arguments.learning && strcmp(what, "apply") != 0) {
        if (*what)
            fprintf(stderr, "touchstone ready: \"%s\" is neither learn nor apply\n", what);
        print_help(stderr);
        return TS_EXIT_USAGE;
    }
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[1] = arguments.learning ? "touchstone ready learn" : "touchstone ready apply";
    argp_parse(arguments.learning ? &learn_parser : &apply_parser, argc - 1, argv + 1, 0, NULL,
               &arguments);
    const int err =
        arguments.learning ? learn(&arguments, &out, &why) : apply(&arguments, &out, &why);
    return ts_cli_end(&out, err, &why);
}
