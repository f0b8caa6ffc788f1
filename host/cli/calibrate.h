/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_CLI_CALIBRATE_H
#define TS_CLI_CALIBRATE_H

int ts_cli_calibrate(int argc, char **argv);

#endif
