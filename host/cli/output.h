/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands share: the arguments that name a session, and how a command ends: what it has to
 * say goes out whole, or the reason why it cannot. */
#ifndef TS_CLI_OUTPUT_H
#define TS_CLI_OUTPUT_H

#include "base/err.h"
#include "report/out.h"

#include <argp.h>

/* Prints `out` to standard output when err is TS_OK and what went into it was; else the reason to
 * standard error. Frees out; returns an exit code. */
int ts_cli_end(struct ts_out *out, int err, const struct ts_why *why);

/* For parsers of commands that take one session folder: takes it, and asks for it. */
error_t ts_cli_take_session(int key, char *value, struct argp_state *state, const char **dir);
/* For those that take a session folder and then the number of a launch: the next of the two. */
void ts_cli_take_launch(char *value, struct argp_state *state, const char **dir, int *launch);

#endif
