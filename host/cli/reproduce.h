/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone reproduce: see reproduce --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_REPRODUCE_H
#define TS_CLI_REPRODUCE_H

int ts_cli_reproduce(int argc, char **argv);

#endif
