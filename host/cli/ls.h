/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone ls: see ls --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_LS_H
#define TS_CLI_LS_H

int ts_cli_ls(int argc, char **argv);

#endif
