/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipe is read from: standard input, a FIFO or device, or a command of the shell. */
#ifndef TS_LIVE_STREAM_SOURCE_H
#define TS_LIVE_STREAM_SOURCE_H

#include "base/err.h"

#include <sys/types.h>

struct ts_source {
    int fd;      /* -1: closed */
    pid_t child; /* of a command, and its process group; 0: none */
};

/* "-": standard input; "|COMMAND": what it writes; else a path. */
int ts_source_open(struct ts_source *source, const char *what, struct ts_why *why) TS_MUST_CHECK;
/* A command is told to end, and waited for. Closed already is fine. */
void ts_source_close(struct ts_source *source);

#endif
