/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone explain: see explain --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_EXPLAIN_H
#define TS_CLI_EXPLAIN_H

int ts_cli_explain(int argc, char **argv);

#endif
