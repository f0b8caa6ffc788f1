/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone verify: an independent check of the whole chain, its control chart, and repeatability
 * and reproducibility over several rigs. */
#ifndef TS_CLI_VERIFY_H
#define TS_CLI_VERIFY_H

#include "report/out.h"

#include <stdbool.h>

int ts_cli_verify(int argc, char **argv);

/* verify_print.c: what is printed of what is on file. TS_EPROTO: a file is missing or damaged. */
int ts_verify_chart(const char *rig_dir, bool json, struct ts_out *out,
                    struct ts_why *why) TS_MUST_CHECK;
int ts_verify_repeatability(char **rig_dirs, int count, bool json, struct ts_out *out,
                            struct ts_why *why) TS_MUST_CHECK;

#endif
