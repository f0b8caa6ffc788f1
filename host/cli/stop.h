/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone stop FILE --rule RULE`: whether so many launches are enough. */
#ifndef TS_CLI_STOP_H
#define TS_CLI_STOP_H

int ts_cli_stop(int argc, char **argv);

#endif
