/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone flash: see flash --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_FLASH_H
#define TS_CLI_FLASH_H

int ts_cli_flash(int argc, char **argv);

#endif
