/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/stream/source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAITS   100 /* for a command to end before it is killed, ... */
#define WAIT_NS 10000000L

extern char **environ;

/* A process group of its own, since a shell's children outlive it otherwise. */
static int spawn(struct ts_source *source, const char *command, const int ends[2])
{
    char *arguments[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)(uintptr_t)command, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t group;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&group, 0);
    const int error = posix_spawn(&source->child, "/bin/sh", &files, &group, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&group);
    if (error)
        source->child = 0;
    return error;
}

static int run(struct ts_source *source, const char *command, struct ts_why *why)
{
    int ends[2];
    if (pipe(ends))
        return ts_fail(why, TS_EIO, "stream: no pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = spawn(source, command, ends);
    close(ends[1]);
    source->fd = ends[0];
    if (error)
        return ts_fail(why, TS_EIO, "stream: /bin/sh: %s", strerror(error));
    return TS_OK;
}

int ts_source_open(struct ts_source *source, const char *what, struct ts_why *why)
{
    *source = (struct ts_source){.fd = -1};
    int err = TS_OK;
    if (*what == '|')
        err = run(source, what + 1, why);
    else if (!strcmp(what, "-"))
        source->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    else if (*what)
        source->fd = open(what, O_RDONLY | O_CLOEXEC);
    else
        err = ts_fail(why, TS_EINVAL, "stream: which pipe, as stream:PIPE, or stream:|COMMAND?");
    if (!err && source->fd < 0)
        err = ts_fail(why, TS_EIO, "stream: %.200s: %s", what, strerror(errno));
    if (err)
        ts_source_close(source);
    return err;
}

void ts_source_close(struct ts_source *source)
{
    if (source->fd >= 0)
        close(source->fd);
    source->fd = -1;
    if (!source->child)
        return;
    kill(-source->child, SIGTERM);
    for (int i = 0; i < WAITS && waitpid(source->child, NULL, WNOHANG) == 0; i++) {
        nanosleep(&(struct timespec){0, WAIT_NS}, NULL);
        if (i + 1 == WAITS) {
            kill(-source->child, SIGKILL);
            waitpid(source->child, NULL, 0);
        }
    }
    source->child = 0;
}
