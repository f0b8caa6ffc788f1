/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `touchstone calibrate` is asked for. */
#ifndef TS_CLI_CALIBRATE_ARGUMENTS_H
#define TS_CLI_CALIBRATE_ARGUMENTS_H

#include "model/record.h"

#include <stdbool.h>
#include <stdint.h>

/* Procedures that have a session of their own. */
#define TS_CALIBRATE_OBSERVERS (1u << TS_RECORD_OBSERVERS)
#define TS_CALIBRATE_POWER     (1u << TS_RECORD_POWER)

struct ts_calibrate_arguments {
    const char *rig, *plan; /* borrowed from argv */
    unsigned kinds;         /* bit per enum ts_record_kind */
    int edges, drops, seconds, pairs;
    double load_ma; /* 0: not said */
    double load_percent;
    uint64_t seed;
    bool force, json;
};

/* Wrong usage, and --help, end the program. */
struct ts_calibrate_arguments ts_calibrate_parse(int argc, char **argv);

#endif
