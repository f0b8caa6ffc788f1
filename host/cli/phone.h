/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_CLI_PHONE_H
#define TS_CLI_PHONE_H

int ts_cli_phone(int argc, char **argv);

#endif
