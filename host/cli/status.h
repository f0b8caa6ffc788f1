/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone status: see status --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_STATUS_H
#define TS_CLI_STATUS_H

#include "report/data.h"

int ts_cli_status(int argc, char **argv);

/* Launches of the whole campaign: those of the plan without those that its stop rule saved. */
int ts_status_planned(const struct ts_report_data *data);

#endif
