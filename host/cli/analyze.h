/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_CLI_ANALYZE_H
#define TS_CLI_ANALYZE_H

/* `touchstone analyze VIDEO ...`. Returns the exit code: 0 done, 1 the video or its times cannot be
 * used, 2 wrong usage. */
int ts_cli_analyze(int argc, char **argv);

#endif
