/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone parse logcat FILE`: what a log says about launches. */
#ifndef TS_CLI_PARSE_H
#define TS_CLI_PARSE_H

/* argv[0] is the command's name. Returns the exit code: 0 read to its end, 1 the file could not be
 * read or the output not written, 2 wrong usage (--help and usage errors end the program). */
int ts_cli_parse(int argc, char **argv);

#endif
