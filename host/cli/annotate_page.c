/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/annotate.h"
#include "web/film.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

struct desk {
    const struct ts_annotate *annotate;
    char (*started)[TS_MARKS_BY_MAX]; /* [films] whose marks of this run stand; --again */
};

static bool is_done(void *context, size_t film, const char *by)
{
    const struct desk *desk = context;
    const struct ts_shown_film *shown = desk->annotate->films.items[film];
    struct ts_annotations annotations;
    if (desk->annotate->again)
        return strcmp(desk->started[film], by) == 0;
    /* A damaged file is told of when something shall be kept in it. */
    if (ts_annotations_load(shown->annotations.text, &annotations, NULL))
        return false;
    const bool done = ts_annotations_by(&annotations, by) != NULL;
    ts_annotations_free(&annotations);
    return done;
}

static int mark(void *context, size_t film, const char *by, const struct ts_marks *marks,
                const int64_t *stamps_ns, int frames, struct ts_why *why)
{
    struct desk *desk = context;
    const int err = ts_annotate_keep(desk->annotate, desk->annotate->films.items[film], by, marks,
                                     stamps_ns, frames, why);
    if (!err)
        snprintf(desk->started[film], sizeof desk->started[film], "%s", by);
    return err;
}

static void open_browser(const char *address)
{
    char program[] = "xdg-open", argument[128];
    snprintf(argument, sizeof argument, "%s", address);
    char *arguments[] = {program, argument, NULL};
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions))
        return;
    if (posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0) ||
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0) ||
        posix_spawnp(&child, program, &actions, NULL, arguments, environ))
        fputs("touchstone: xdg-open cannot be started; open the address yourself\n", stderr);
    posix_spawn_file_actions_destroy(&actions);
}

static int serve(struct ts_annotate *annotate, struct ts_site *site, struct ts_why *why)
{
    struct ts_web *web;
    char address[64];
    int err = ts_web_open(annotate->port, ts_site_answer, site, &web, why);
    if (err)
        return err;
    snprintf(address, sizeof address, "http://127.0.0.1:%d/", ts_web_port(web));
    printf("%s\n", address);
    fprintf(stderr,
            "%zu film%s, in random order. Open the address above in a browser of this\n"
            "computer; Ctrl-C here ends it.\n",
            annotate->films.count, annotate->films.count == 1 ? "" : "s");
    if (fflush(stdout))
        err = ts_fail(why, TS_EIO, "the address cannot be printed");
    if (!err && annotate->open)
        open_browser(address);
    if (!err)
        err = ts_web_serve(web, &stop_asked);
    ts_web_close(web);
    return err;
}

int ts_annotate_serve(struct ts_annotate *annotate, struct ts_why *why)
{
    const size_t count = annotate->films.count;
    struct ts_site_film *views = calloc(count + 1, sizeof *views);
    struct desk desk = {annotate, calloc(count + 1, sizeof *desk.started)};
    struct ts_site *site = NULL;
    int err = TS_ENOMEM;
    if (!views || !desk.started)
        goto end;
    for (size_t i = 0; i < count; i++)
        views[i] = annotate->films.items[i]->view;
    const struct ts_site_config config = {views, count,   annotate->by, TS_FILM_MEMORY,
                                          &desk, is_done, mark};
    struct sigaction action = {.sa_handler = on_signal}, gone = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigemptyset(&gone.sa_mask);
    sigaction(SIGPIPE, &gone, NULL); /* a browser that hangs up */
    err = ts_site_open(&config, &site, why);
    if (!err)
        err = serve(annotate, site, why);
    if (!err)
        fprintf(stderr, "%zu of %zu films marked.\n", ts_site_done(site), count);
end:
    ts_site_close(site);
    free(desk.started);
    free(views);
    return err;
}
