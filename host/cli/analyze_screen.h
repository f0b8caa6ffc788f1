/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_CLI_ANALYZE_SCREEN_H
#define TS_CLI_ANALYZE_SCREEN_H

#include "cli/analyze_video.h"

/* Goes through the film once and fills options->screen_px, by where the picture changes. */
int ts_analyze_find_screen(const char *video, struct ts_analyze_options *options,
                           struct ts_why *why) TS_MUST_CHECK;

#endif
