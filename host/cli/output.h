/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a command ends: what it has to say goes out whole, or the reason why it cannot. */
#ifndef TS_CLI_OUTPUT_H
#define TS_CLI_OUTPUT_H

#include "base/err.h"
#include "report/out.h"

/* Prints `out` to standard output when err is TS_OK and what went into it was; else the reason to
 * standard error. Frees out; returns an exit code. */
int ts_cli_end(struct ts_out *out, int err, const struct ts_why *why);

/* A whole number of 1 or more, -1 when `text` is something else. */
int ts_cli_launch_number(const char *text);

#endif
