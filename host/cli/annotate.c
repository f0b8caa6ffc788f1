/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/annotate.h"

#include "cli/cli.h"
#include "cli/film_options.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "web/film.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    KEY_BY = 256,
    KEY_FIRST,
    KEY_SETTLED,
    KEY_CANNOT,
    KEY_NOTE,
    KEY_LIST,
    KEY_PORT,
    KEY_OPEN,
    KEY_AGAIN
};

struct arguments {
    struct ts_annotate annotate;
    struct ts_marks marks;
    char by[TS_MARKS_BY_MAX];
    bool store, list, json;
    char **paths; /* borrowed */
    int path_count;
};

static const struct argp_option options[] = {
    {"by", KEY_BY, "NAME", 0, "Who marks; the page asks when it is not given", 0},
    {"port", KEY_PORT, "PORT", 0, "Serve the page at this port (default: any free one)", 0},
    {"open", KEY_OPEN, 0, 0, "Open the page in a browser (xdg-open)", 0},
    {"again", KEY_AGAIN, 0, 0,
     "Show films that NAME has marked already too: marking twice tells how well a person repeats",
     0},
    {"first-change", KEY_FIRST, "FRAME", 0,
     "Without a page: the first frame that shows a change, counted from 0", 1},
    {"settled", KEY_SETTLED, "FRAME", 0,
     "Without a page: the first frame from which nothing changes any more", 1},
    {"cannot-tell", KEY_CANNOT, 0, 0, "Without a page: not sure, or there is no such frame", 1},
    {"note", KEY_NOTE, "TEXT", 0, "Kept with the marks", 1},
    {"list", KEY_LIST, 0, 0, "Print what people have marked", 2},
    {"json", 'j', 0, 0, "Print it as JSON", 2},
    {0},
};

static const char description[] =
    "Mark in films, by eye, when a launch began to show and when it had settled.\v"
    "A page opens in which one steps through the frames. It shows no name of a file, no result "
    "and nobody else's marks, and the films come in an order drawn for each NAME, so that work can "
    "be continued. Films are shown grey, as the detector sees them. At most 256 MiB of decoded "
    "frames are held in memory.\n\n"
    "A mark is the FIRST frame that shows the change, or from which nothing changes any more; its "
    "time is the middle between that frame and the one before. Times count from the lift (a "
    "session's launches), from --tap-ns, or from the film's first frame.\n\n"
    "Marks are kept in VIDEO.annotations.json, of a session in launches/NNNN/annotations.json: "
    "who, when, frames, milliseconds, note. Who marks a film again supersedes the marks before; "
    "they stay in the file.\n\n"
    "Examples:\n"
    "  touchstone annotate out/first --by Ada --open\n"
    "  touchstone annotate launch.mp4 --by Ada --first-change 31 --settled 96\n"
    "  touchstone annotate out/first --list\n"
    "  touchstone agreement --annotations out/first\n\n"
    "Exit codes: 0 done (also by Ctrl-C on the page), 1 a film or its annotations cannot be used, "
    "2 wrong usage.";

static void check(struct argp_state *state, const struct arguments *arguments)
{
    const struct ts_annotate *annotate = &arguments->annotate;
    if (!arguments->path_count)
        argp_error(state, "name films or a session folder");
    if (arguments->store && !*arguments->by)
        argp_error(state, "say who marks: --by NAME");
    if (arguments->store && arguments->path_count > 1)
        argp_error(state, "--first-change and --settled are of one VIDEO");
    if (*arguments->marks.note && !arguments->store)
        argp_error(state, "--note goes with --first-change, --settled or --cannot-tell");
    if (arguments->store && arguments->list)
        argp_error(state, "either mark or --list");
    if (arguments->json && !arguments->list)
        argp_error(state, "--json goes with --list");
    if ((annotate->given.frames_csv || annotate->given.tap_given) && arguments->path_count > 1)
        argp_error(state, "--frames and --tap-ns are of one VIDEO");
}

static void take_text(struct argp_state *state, int key, char *value, struct arguments *arguments)
{
    struct ts_why why = {""};
    if (key == KEY_BY && ts_site_name(value, arguments->by, &why))
        argp_error(state, "--by: %s", why.text);
    if (key == KEY_NOTE && strlen(value) >= sizeof arguments->marks.note)
        argp_error(state, "--note: too long");
    if (key == KEY_NOTE)
        snprintf(arguments->marks.note, sizeof arguments->marks.note, "%s", value);
}

static error_t parse_mark(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_FIRST:
        arguments->marks.first_change_frame =
            (int)ts_cli_whole_number(state, "--first-change", value, 0, TS_FILM_FRAMES_MAX);
        break;
    case KEY_SETTLED:
        arguments->marks.settled_frame =
            (int)ts_cli_whole_number(state, "--settled", value, 0, TS_FILM_FRAMES_MAX);
        break;
    default:
        arguments->marks.cannot_tell = true;
    }
    arguments->store = true;
    return 0;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct ts_annotate *annotate = &arguments->annotate;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &annotate->given;
        break;
    case KEY_BY:
    case KEY_NOTE:
        take_text(state, key, value, arguments);
        break;
    case KEY_FIRST:
    case KEY_SETTLED:
    case KEY_CANNOT:
        return parse_mark(key, value, state);
    case KEY_LIST:
        arguments->list = true;
        break;
    case 'j':
        arguments->json = true;
        break;
    case KEY_PORT:
        annotate->port = (int)ts_cli_whole_number(state, "--port", value, 1, UINT16_MAX);
        break;
    case KEY_OPEN:
        annotate->open = true;
        break;
    case KEY_AGAIN:
        annotate->again = true;
        break;
    case ARGP_KEY_ARGS:
        arguments->paths = state->argv + state->next;
        arguments->path_count = state->argc - state->next;
        break;
    case ARGP_KEY_END:
        check(state, arguments);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child children[] = {
    {&ts_film_argp, 0, "When the frames of the one VIDEO were taken:", 3}, {0}};
static const struct argp parser = {
    options, parse_option, "VIDEO...\nSESSION...", description, children, 0, 0};

int ts_annotate_keep(const struct ts_annotate *annotate, const struct ts_shown_film *film,
                     const char *by, const struct ts_marks *marks, const int64_t *stamps_ns,
                     int frames, struct ts_why *why)
{
    struct ts_annotation one = {.marks = *marks};
    const time_t now = time(NULL);
    struct tm utc;
    const int err = ts_annotation_time(film, &annotate->given, stamps_ns, frames, &one, why);
    if (err)
        return err;
    snprintf(one.by, sizeof one.by, "%s", by);
    if (!gmtime_r(&now, &utc) || !strftime(one.when, sizeof one.when, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return ts_fail(why, TS_EIO, "this computer's clock gives no date");
    return ts_annotations_add(film->annotations.text, film->video.text, &one, TS_VERSION, why);
}

static int store(const struct arguments *arguments, struct ts_out *out, struct ts_why *why)
{
    const struct ts_annotate *annotate = &arguments->annotate;
    struct ts_film *film;
    if (annotate->films.count != 1)
        return ts_fail(why, TS_EINVAL,
                       "a session has many launches; name one: SESSION/launches/0001/video.mkv");
    const struct ts_shown_film *shown = annotate->films.items[0];
    int err = ts_film_open(shown->video.text, 0, &film, why);
    if (err)
        return err;
    err = ts_site_check(&arguments->marks, ts_film_count(film), why);
    if (!err)
        err = ts_annotate_keep(annotate, shown, arguments->by, &arguments->marks,
                               ts_film_stamps_ns(film), ts_film_count(film), why);
    ts_film_close(film);
    if (!err)
        ts_out_printf(out, "Kept in %s\n", shown->annotations.text);
    return err;
}

int ts_cli_annotate(int argc, char **argv)
{
    struct arguments arguments = {.marks = {.first_change_frame = -1, .settled_frame = -1},
                                  .annotate.given = ts_analyze_usual(NULL).given};
    struct ts_annotate *annotate = &arguments.annotate;
    struct ts_out out = {0};
    struct ts_why why = {""};
    argp_err_exit_status = TS_EXIT_USAGE;
    argv[0] = "touchstone annotate";
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    annotate->by = arguments.by;
    int err = TS_OK;
    for (int i = 0; i < arguments.path_count && !err; i++)
        err = ts_shown_films_add(&annotate->films, arguments.paths[i], &why);
    ts_shown_films_sort(&annotate->films);
    if (!err && arguments.list)
        err = ts_annotate_list(&annotate->films, arguments.json, &out, &why);
    else if (!err && arguments.store)
        err = store(&arguments, &out, &why);
    else if (!err)
        err = ts_annotate_serve(annotate, &why);
    ts_shown_films_free(&annotate->films);
    return ts_cli_end(&out, err, &why);
}
