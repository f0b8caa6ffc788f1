/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone report: see report --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_REPORT_H
#define TS_CLI_REPORT_H

int ts_cli_report(int argc, char **argv);

#endif
