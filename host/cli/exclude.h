/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone exclude: see exclude --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_EXCLUDE_H
#define TS_CLI_EXCLUDE_H

int ts_cli_exclude(int argc, char **argv);

#endif
