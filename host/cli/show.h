/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone show: see show --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_SHOW_H
#define TS_CLI_SHOW_H

int ts_cli_show(int argc, char **argv);

#endif
