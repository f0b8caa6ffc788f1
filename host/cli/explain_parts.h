/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What touchstone explain is made of. */
#ifndef TS_CLI_EXPLAIN_PARTS_H
#define TS_CLI_EXPLAIN_PARTS_H

#include "base/err.h"
#include "report/table.h"

/* Where the time of one launch went, in words or as JSON. */
int ts_explain_launch(const char *dir, int launch, bool json, struct ts_text_style style,
                      struct ts_out *out, struct ts_why *why) TS_MUST_CHECK;
/* The same of the launches that count of two sessions, app by app, with the differences. app NULL:
 * of every app that both have. */
int ts_explain_groups(const char *const dirs[2], const char *app, bool json,
                      struct ts_text_style style, struct ts_out *out,
                      struct ts_why *why) TS_MUST_CHECK;
/* Writes to `file` a film of a launch of each session, side by side; launches: their numbers, 0:
 * the one of the app (NULL: of the first that both have) nearest to its median whose video was
 * kept. */
int ts_explain_video(const char *const dirs[2], const int launches[2], const char *app,
                     const char *file, int slow, struct ts_out *out,
                     struct ts_why *why) TS_MUST_CHECK;
/* A milestone's name as people read it. */
const char *ts_explain_name(int milestone);

#endif
