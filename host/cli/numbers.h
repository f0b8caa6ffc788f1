/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers on a command line. */
#ifndef TS_CLI_NUMBERS_H
#define TS_CLI_NUMBERS_H

#include <argp.h>

/* A number from `low` to `high`; anything else ends the program with what is wrong. name: the
 * option's, with its dashes. */
double ts_cli_number(struct argp_state *state, const char *name, const char *text, double low,
                     double high);
/* A whole number, likewise. */
long long ts_cli_whole_number(struct argp_state *state, const char *name, const char *text,
                              long long low, long long high);

#endif
