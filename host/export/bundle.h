/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session to give away, from which others compute every number again.
 *
 *   session/           the session without what is private (export/share.h)
 *   dictionary.csv     what the columns of the tables mean
 *   CITATION.cff       how to name it
 *   README.txt         what this is
 *   manifest.json      SHA-256 of every file, and of every table and figure made from them
 *
 * The tables (launches.csv, launches.jsonl, junit.xml, benchmarkData.json, report.html and a
 * Perfetto trace a launch) are not in it: they are made again, and must come out the same. */
#ifndef TS_EXPORT_BUNDLE_H
#define TS_EXPORT_BUNDLE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct ts_bundle_sums {
    size_t launches, results_changed; /* measured otherwise than the session says */
    size_t results_same, results_different;
    size_t tables_same, tables_different;
    char first_different[120]; /* of results and tables; "" none */
};

/* Writes `file`; `file`.part/ is used meanwhile and removed. */
int ts_bundle_write(const char *dir, const char *file, bool videos, struct ts_bundle_sums *sums,
                    struct ts_why *why) TS_MUST_CHECK;
/* Unpacks into `folder` (empty, or not there), measures and draws everything again and compares.
 * TS_EPROTO: no bundle, or one whose files are not those that it names. */
int ts_bundle_reproduce(const char *file, const char *folder, struct ts_bundle_sums *sums,
                        struct ts_why *why) TS_MUST_CHECK;

#endif
