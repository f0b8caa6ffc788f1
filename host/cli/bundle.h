/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone bundle: see bundle --help. Returns an exit code of cli.h. */
#ifndef TS_CLI_BUNDLE_H
#define TS_CLI_BUNDLE_H

int ts_cli_bundle(int argc, char **argv);

#endif
