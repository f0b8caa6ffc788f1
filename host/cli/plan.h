/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone plan: see plan --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_PLAN_H
#define TS_CLI_PLAN_H

int ts_cli_plan(int argc, char **argv);

#endif
