/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the analysis of a long film is, on standard error, when that is a terminal. */
#ifndef TS_CLI_ANALYZE_BAR_H
#define TS_CLI_ANALYZE_BAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_analyze_bar {
    bool shown, drawn;
    int64_t began_ns, drawn_ns;
};

/* From here on Ctrl-C wipes the line and leaves with TS_EXIT_STOPPED. */
void ts_analyze_bar_begin(struct ts_analyze_bar *bar);
/* user: the bar. expected 0: not known. */
void ts_analyze_bar_tell(void *user, size_t done, size_t expected);
void ts_analyze_bar_end(struct ts_analyze_bar *bar);

#endif
