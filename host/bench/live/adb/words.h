/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may reach a device's shell. A command of the seam is a list of words and nothing more: names
 * from a plan or from the phone's own answers are in it, and the shell must not find anything to do
 * in them. A word with '$' is common: activities are named "pkg/.Outer$Inner". Pure. */
#ifndef TS_LIVE_ADB_WORDS_H
#define TS_LIVE_ADB_WORDS_H

#include "base/buf.h"

#include <stdbool.h>

#define TS_ADB_COMMAND_MAX 4000 /* what the oldest adbd takes in one packet */

/* Appends the command so that the shell sees its words and no meaning in them: words with anything
 * but letters, digits and _-./:=,@%+ go in single quotes, those that stand in quotes in `command`
 * lose them first. Whoever wants a shell's own means says so: sh -c '...'.
 * TS_EINVAL: no word, control characters (a line end would begin another command), an open quote,
 * too long. */
int ts_adb_quote(const char *command, struct ts_buf *out, struct ts_why *why) TS_MUST_CHECK;

/* The quoted command reads files of /proc or /sys, which the shell does at once. */
bool ts_adb_is_cheap(const char *quoted);

#endif
