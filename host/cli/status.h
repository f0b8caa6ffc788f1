/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone status: see status --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_STATUS_H
#define TS_CLI_STATUS_H

int ts_cli_status(int argc, char **argv);

#endif
