/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone ready: see ready --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_READY_H
#define TS_CLI_READY_H

int ts_cli_ready(int argc, char **argv);

#endif
