/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_CLI_DOCTOR_H
#define TS_CLI_DOCTOR_H

int ts_cli_doctor(int argc, char **argv);

#endif
