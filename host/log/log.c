/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "log/log.h"

#include <stdarg.h>
#include <stdio.h>

static enum ts_log_level threshold = TS_LOG_WARNING;

void ts_log_set_level(enum ts_log_level level)
{
    threshold = level;
}

void ts_log(enum ts_log_level level, const char *format, ...)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    if (level > threshold)
        return;
    flockfile(stderr);
    fprintf(stderr, "touchstone: %s: ", names[level]);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    funlockfile(stderr);
}
