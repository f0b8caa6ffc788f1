/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/figure.h"

#include "report/table.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit codes of timeout(1). */
enum { EXIT_TIMED_OUT = 124, EXIT_NOT_FOUND = 127, EXIT_KILLED = 128 + SIGKILL };

/* Starts gnuplot with `script` as its standard input; *output is the end to read. timeout(1) ends
 * it however it hangs, so that reading its output to the end and waiting for it always end too: a
 * clock and signals of our own would do no more. */
static int start_gnuplot(FILE *script, int seconds, int *output, pid_t *child)
{
    int ends[2];
    if (pipe(ends))
        return TS_EIO;
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (!failed) {
        failed = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO) ||
                 posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) ||
                 posix_spawn_file_actions_addclose(&actions, ends[0]) ||
                 posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
        /* --default-settings: a person's own start-up file must not change the figures. */
        char guard[] = "timeout", grace[] = "--kill-after=1", limit[16];
        char name[] = "gnuplot", plain[] = "--default-settings", locale[] = "LC_ALL=C";
        char path[4096];
        snprintf(limit, sizeof limit, "%d", seconds);
        snprintf(path, sizeof path, "PATH=%s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
        char *arguments[] = {guard, grace, limit, name, plain, NULL};
        char *environment[] = {locale, path, NULL};
        if (!failed)
            failed = posix_spawnp(child, guard, &actions, NULL, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return failed == ENOENT ? TS_ENOTSUP : TS_EIO;
    }
    *output = ends[0];
    return TS_OK;
}

static int read_all(int fd, struct ts_buf *out)
{
    char chunk[16384];
    for (;;) {
        const ssize_t size = read(fd, chunk, sizeof chunk);
        if (size == 0)
            return TS_OK;
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return TS_EIO;
        const int err = ts_buf_append(out, chunk, (size_t)size);
        if (err)
            return err;
    }
}

static int outcome(int status)
{
    /* timeout(1) that had to kill dies of the same signal, or says so in its exit code. */
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL ? TS_ETIMEOUT : TS_EIO;
    switch (WEXITSTATUS(status)) {
    case 0:
        return TS_OK;
    case EXIT_TIMED_OUT:
    case EXIT_KILLED:
        return TS_ETIMEOUT;
    case EXIT_NOT_FOUND:
        return TS_ENOTSUP;
    default:
        return TS_EIO;
    }
}

static int run_gnuplot(const struct ts_figure *figure, const struct ts_buf *script,
                       struct ts_buf *svg)
{
    /* A file and not a pipe: gnuplot begins to answer before it has read everything. */
    FILE *input = tmpfile();
    if (!input)
        return TS_EIO;
    fprintf(input, "set terminal svg size %d,%d dynamic noenhanced font 'sans,15' name '%s'\n",
            figure->width, figure->height, figure->id);
    fwrite(script->data, 1, script->size, input);
    int err = fflush(input) || fseek(input, 0, SEEK_SET) ? TS_EIO : TS_OK;
    int output = -1;
    pid_t child = 0;
    if (!err)
        err = start_gnuplot(input, figure->seconds, &output, &child);
    if (!err) {
        err = read_all(output, svg);
        close(output);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (!err)
            err = outcome(status);
    }
    fclose(input);
    return err;
}

/* "rgb(  3,   3,   3)" or "rgb(3,3,3)" -> 3; 0 when it is none of ours. *size: its length. */
static int page_colour(const char *at, size_t *size)
{
    int red, green, blue, length = 0;
    if (sscanf(at, "rgb(%3d,%3d,%3d)%n", &red, &green, &blue, &length) != 3 || !length)
        return 0;
    *size = (size_t)length;
    return red == green && green == blue && red >= 1 && red <= 9 ? red : 0;
}

struct adoption {
    const struct ts_figure *figure;
    const char *const *names;
    size_t name_count;
};

/* A long name would run out of the picture. */
static void put_name(struct ts_out *out, const char *name, int columns)
{
    struct ts_out cut = {0};
    ts_out_text(&cut, name, columns, (struct ts_text_style){.utf8 = true});
    ts_out_bytes(&cut, "", 1);
    if (!cut.err)
        ts_out_html(out, (const char *)cut.text.data);
    out->err = out->err ? out->err : cut.err;
    ts_buf_free(&cut.text);
}

/* Handles what begins at `at`; returns how much of it is done with, 0 for nothing special. */
static size_t adopt_token(const struct adoption *how, const char *at, struct ts_out *out)
{
    size_t size;
    if (strncmp(at, "rgb(", 4) == 0) {
        const int colour = page_colour(at, &size);
        if (!colour)
            return 0;
        ts_out_printf(out, "var(--f%d)", colour);
        return size;
    }
    if (strncmp(at, TS_FIGURE_NAME, strlen(TS_FIGURE_NAME)) == 0) {
        char *end;
        const unsigned long name = strtoul(at + strlen(TS_FIGURE_NAME), &end, 10);
        if (name < how->name_count)
            put_name(out, how->names[name], how->figure->name_columns);
        return (size_t)(end - at);
    }
    /* gnuplot's own titles would show as tips over the figure. */
    if (strncmp(at, "<title>", 7) == 0 || strncmp(at, "<desc>", 6) == 0) {
        const char *end = strstr(at, at[1] == 't' ? "</title>" : "</desc>");
        return end ? (size_t)(strchr(end, '>') + 1 - at) : 0;
    }
    /* Its ids are the same in every figure. */
    static const char *const ids[] = {"gpDot", "gpPt", "gnuplot_canvas", "textbox", "greybox"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        if (strncmp(at, ids[i], strlen(ids[i])) == 0) {
            ts_out_printf(out, "%s-%s", how->figure->id, ids[i]);
            return strlen(ids[i]);
        }
    }
    return 0;
}

int ts_figure_adopt(const struct ts_figure *figure, const char *svg, size_t size,
                    const char *const *names, size_t name_count, struct ts_out *out)
{
    if (!size)
        return TS_EIO;
    char *text = malloc(size + 1);
    if (!text)
        return TS_ENOMEM;
    memcpy(text, svg, size);
    text[size] = '\0';
    const char *at = strstr(text, "<svg");
    at = at ? strchr(at, '>') : NULL;
    if (!at || !strstr(at, "</svg>")) {
        free(text);
        return TS_EIO;
    }
    ts_out_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", figure->width,
                  figure->height);
    ts_out_html(out, figure->label);
    ts_out_put(out, "\"");
    const struct adoption how = {figure, names, name_count};
    while (*at) {
        const size_t done = adopt_token(&how, at, out);
        if (!done)
            ts_out_bytes(out, at, 1);
        at += done ? done : 1;
    }
    free(text);
    return out->err;
}

int ts_figure_draw(const struct ts_figure *figure, const struct ts_buf *script,
                   const char *const *names, size_t name_count, struct ts_out *out)
{
    struct ts_buf svg = {0};
    int err = run_gnuplot(figure, script, &svg);
    if (!err)
        err = ts_figure_adopt(figure, (const char *)svg.data, svg.size, names, name_count, out);
    ts_buf_free(&svg);
    return err;
}
