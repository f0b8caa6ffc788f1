/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ingest.h"

#include "cli/cli.h"
#include "cli/ingest_crew.h"
#include "cli/output.h"
#include "store/files.h"
#include "store/json_out.h"

#include <argp.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_DATABASE 3
#define FOLDERS_OPEN  16

enum { KEY_DB = 256, KEY_RIG, KEY_DEVICE };

struct arguments {
    char **dirs; /* borrowed */
    int count;
    const char *db, *rig, *device;
    bool json;
};

static const struct argp_option options[] = {
    {"db", KEY_DB, "WHERE", 0, "postgres://USER@HOST/NAME, or the path of an SQLite file", 0},
    {"rig", KEY_RIG, "NAME", 0, "These sessions' rig (default: as their calibration files say)", 0},
    {"device", KEY_DEVICE, "NAME", 0, "These sessions' phone (default: the same)", 0},
    {"json", 'j', 0, 0, "Print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_DB:
        arguments->db = value;
        break;
    case KEY_RIG:
        arguments->rig = value;
        break;
    case KEY_DEVICE:
        arguments->device = value;
        break;
    case 'j':
        arguments->json = true;
        break;
    case ARGP_KEY_ARGS:
        arguments->dirs = state->argv + state->next;
        arguments->count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        if (!arguments->count)
            argp_error(state, "name a session folder, or one that holds sessions");
        if (!arguments->db || !*arguments->db)
            argp_error(state, "name the database: --db WHERE");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    options,
    parse_option,
    "DIR... --db WHERE",
    "Put sessions into a lab's database, or what they have gained since they were.\v"
    "DIR is a session or holds sessions, at any depth. A session's launches go in together or not "
    "at all, and never twice: after any error, or a crash, the same command goes on where it "
    "stopped. A result by another detector version (`touchstone replay` writes them) is a row of "
    "its own; nothing is overwritten but which launches are excluded, and why.\n\n"
    "The tables are made when there are none. Ask the view `launches`, one row a launch, or "
    "`touchstone compare --db`.\n\n"
    "Examples:\n"
    "  touchstone ingest out/first out/second --db lab.sqlite\n"
    "  touchstone ingest /srv/sessions --db postgres://bench2@lab/touchstone\n"
    "  touchstone ingest out/tuesday --db lab.sqlite --device 'Pixel 4a'\n\n"
    "Exit codes: 0 everything is in the database, 1 a session could not be read (all others are "
    "in), 2 wrong usage, 3 the database could not be used or went away: do the same again.",
    0,
    0,
    0};

/* nftw() hands nothing on to its function. */
static struct {
    char **paths; /* owned */
    size_t count, capacity;
    bool failed;
} found;

static int look(const char *path, const struct stat *stat_of, int type, struct FTW *place)
{
    struct ts_path file;
    void *paths = found.paths;
    (void)stat_of;
    (void)place;
    if (type != FTW_D && type != FTW_SL)
        return type == FTW_DNR ? FTW_STOP : FTW_CONTINUE;
    if (ts_path_format(&file, NULL, "%s/session.json", path) || !ts_file_exists(file.text))
        return FTW_CONTINUE;
    char **item = ts_grow(&paths, &found.count, &found.capacity, sizeof *item);
    found.paths = paths;
    if (!item || !(*item = strdup(path)))
        found.failed = true;
    return found.failed ? FTW_STOP : FTW_SKIP_SUBTREE;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the sessions in dir, in the order of their names. */
static int find_sessions(const char *dir, struct ts_why *why)
{
    const size_t before = found.count;
    if (nftw(dir, look, FOLDERS_OPEN, FTW_ACTIONRETVAL))
        return found.failed ? ts_fail(why, TS_ENOMEM, "out of memory")
                            : ts_fail(why, TS_EIO, "%s: cannot be read, or is not there", dir);
    if (found.count == before)
        return ts_fail(why, TS_EIO, "%s: is no session and holds none", dir);
    qsort(found.paths + before, found.count - before, sizeof *found.paths, by_path);
    return TS_OK;
}

static void say(const struct ts_ingest_crew *crew, bool json, struct ts_out *out)
{
    if (!json) {
        ts_out_printf(out, "%d session%s: %d result%s added, %d there already.\n", crew->sessions,
                      crew->sessions == 1 ? "" : "s", crew->added, crew->added == 1 ? "" : "s",
                      crew->there);
        return;
    }
    struct ts_json_out object = {.buf = &out->text, .broken_depth = 0};
    ts_json_open(&object, NULL, '{');
    ts_json_integer(&object, "sessions", crew->sessions);
    ts_json_integer(&object, "failed", crew->failed);
    ts_json_integer(&object, "added", crew->added);
    ts_json_integer(&object, "there", crew->there);
    ts_json_close(&object, '}');
    out->err = object.err;
    ts_out_put(out, "\n");
}

static void say_failure(const char *text)
{
    fprintf(stderr, "touchstone: %s\n", text);
}

/* Gives an exit code. */
static int finish(const struct ts_ingest_crew *crew, bool json)
{
    struct ts_out out = {0};
    struct ts_why why = {""};
    if (crew->lost) {
        fprintf(stderr, "touchstone: %d of %zu sessions are in the database\n", crew->sessions,
                found.count);
        return EXIT_DATABASE;
    }
    say(crew, json, &out);
    const int code = ts_cli_end(&out, TS_OK, &why);
    return crew->failed ? TS_EXIT_FAILED : code;
}

int ts_cli_ingest(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ts_why why = {""};
    int err = TS_OK, code = TS_EXIT_FAILED;
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone ingest";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct ts_ingest_crew crew = {.where = arguments.db,
                                  .rig = arguments.rig,
                                  .device = arguments.device,
                                  .say = say_failure};
    for (int i = 0; i < arguments.count && !err; i++)
        err = find_sessions(arguments.dirs[i], &why);
    if (!err && (err = ts_ingest_crew_run(&crew, found.paths, found.count, &why)))
        code = EXIT_DATABASE;
    if (err)
        fprintf(stderr, "touchstone: %s\n", why.text);
    else
        code = finish(&crew, arguments.json);
    for (size_t i = 0; i < found.count; i++)
        free(found.paths[i]);
    free(found.paths);
    return code;
}
