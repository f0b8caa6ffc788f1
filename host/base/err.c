/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

const char *ts_err_text(int err)
{
    switch (err) {
    case TS_OK:
        return "success";
    case TS_EINVAL:
        return "invalid argument";
    case TS_EIO:
        return "input/output error";
    case TS_ETIMEOUT:
        return "timed out";
    case TS_EOF:
        return "end of data";
    case TS_EPROTO:
        return "malformed data";
    case TS_EOVERRUN:
        return "overrun";
    case TS_ENOTSUP:
        return "not supported";
    case TS_ENOMEM:
        return "out of memory";
    case TS_ELATCHED:
        return "latched fault";
    default:
        return err > 0 ? "success" : "unknown error";
    }
}

void ts_why_say(struct ts_why *why, const char *format, ...)
{
    if (!why)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
}
