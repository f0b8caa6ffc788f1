/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone version: see version --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_VERSION_H
#define TS_CLI_VERSION_H

int ts_cli_version(int argc, char **argv);

#endif
