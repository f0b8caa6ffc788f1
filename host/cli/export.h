/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone export: see export --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_EXPORT_H
#define TS_CLI_EXPORT_H

int ts_cli_export(int argc, char **argv);

#endif
