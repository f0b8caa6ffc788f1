/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the files of a session stand. launch 0 is the calibration. */
#ifndef TS_STORE_LAYOUT_H
#define TS_STORE_LAYOUT_H

#include "store/files.h"

/* "DIR/launches/0007" or "DIR/calibration". */
int ts_layout_part(const char *dir, int launch, struct ts_path *out,
                   struct ts_why *why) TS_MUST_CHECK;
/* A file of that part. */
int ts_layout_file(const char *dir, int launch, const char *name, struct ts_path *out,
                   struct ts_why *why) TS_MUST_CHECK;

#endif
