/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ls.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/status.h"
#include "report/data.h"
#include "report/table.h"
#include "report/text.h"
#include "store/files.h"
#include "store/json_out.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 8 /* folders below the one given */

struct arguments {
    const char *dir;
    bool json;
};

static const struct argp_option options[] = {
    {"json", 'j', 0, 0, "Print a JSON array", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one folder at a time");
        arguments->dir = value;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "[DIR]",
    "List the sessions in DIR and below (default: here).\v"
    "One line a session: its folder, its plan's name, how many apps, how many launches are "
    "finished of those planned, and how many of the finished ones are usable. A session that "
    "cannot be read is "
    "told on standard error and the others are listed all the same.\n\n"
    "Examples:\n"
    "  touchstone ls\n"
    "  touchstone ls /srv/touchstone --json\n\n"
    "Exit codes: 0 listed, 1 a folder or session could not be read, 2 wrong usage.",
    0,
    0,
    0};

struct listing {
    struct ts_table *table; /* one of the two */
    struct ts_json_out *json;
    int failed;
};

static void add_session(struct listing *listing, const char *dir)
{
    struct ts_report_data data;
    struct ts_why why = {""};
    if (ts_report_data_load(dir, &data, &why)) {
        fprintf(stderr, "touchstone: %s\n", why.text);
        listing->failed++;
        return;
    }
    int usable = 0;
    for (size_t i = 0; i < data.count; i++)
        usable += ts_result_usable(&data.launches[i].result);
    const char *name = data.plan->name ? data.plan->name : "";
    if (listing->json) {
        ts_json_open(listing->json, NULL, '{');
        ts_json_text(listing->json, "folder", dir);
        ts_json_text(listing->json, "name", name);
        ts_json_integer(listing->json, "apps", (int64_t)data.plan->app_count);
        ts_json_integer(listing->json, "planned", ts_status_planned(&data));
        ts_json_integer(listing->json, "finished", (int64_t)data.count);
        ts_json_integer(listing->json, "usable", usable);
        ts_json_close(listing->json, '}');
    } else {
        ts_table_put(listing->table, dir);
        ts_table_put(listing->table, name);
        ts_table_printf(listing->table, "%zu", data.plan->app_count);
        ts_table_printf(listing->table, "%zu/%d", data.count, ts_status_planned(&data));
        ts_table_printf(listing->table, "%d", usable);
    }
    ts_report_data_free(&data);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Symbolic links are not followed, so there are no circles. */
static void walk(struct listing *listing, const char *dir, int depth)
{
    struct ts_path path;
    if (!ts_path_format(&path, NULL, "%s/session.json", dir) && ts_file_exists(path.text)) {
        add_session(listing, dir);
        return;
    }
    struct dirent **entries;
    const int count = scandir(dir, &entries, visible, alphasort);
    if (count < 0) {
        fprintf(stderr, "touchstone: cannot list %s: %s\n", dir, strerror(errno));
        listing->failed++;
        return;
    }
    for (int i = 0; i < count; i++) {
        struct stat status;
        const bool here = strcmp(dir, ".") == 0;
        if (depth < DEPTH_MAX &&
            !ts_path_format(&path, NULL, "%s%s%s", here ? "" : dir, here ? "" : "/",
                            entries[i]->d_name) &&
            lstat(path.text, &status) == 0 && S_ISDIR(status.st_mode))
            walk(listing, path.text, depth + 1);
        free(entries[i]);
    }
    free(entries);
}

int ts_cli_ls(int argc, char **argv)
{
    struct arguments arguments = {.dir = "."};
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone ls";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct ts_table table;
    struct ts_json_out json = {.buf = &out.text, .broken_depth = 1};
    struct listing listing = {.table = &table, .json = arguments.json ? &json : NULL};
    ts_table_begin(&table, 5, 0x1c);
    static const char *const headings[] = {"Session", "Plan", "Apps", "Finished", "Usable"};
    for (int i = 0; i < 5; i++)
        ts_table_put(&table, headings[i]);
    if (arguments.json)
        ts_json_open(&json, NULL, '[');
    walk(&listing, arguments.dir, 0);
    if (arguments.json) {
        ts_json_close(&json, ']');
        out.err = json.err;
        ts_out_put(&out, "\n");
    }
    struct ts_out text = {0};
    const bool any = table.cell_count > 5;
    ts_table_end(&table, ts_text_style_for(stdout), &text);
    if (any)
        ts_out_bytes(&out, (const char *)text.text.data, text.text.size);
    out.err = out.err ? out.err : text.err;
    ts_buf_free(&text.text);
    const int code = ts_cli_end(&out, TS_OK, &why);
    return listing.failed ? TS_EXIT_FAILED : code;
}
