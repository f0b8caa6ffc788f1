/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many sessions into a database, by as many connections as pay: while a server writes one session,
 * the next is read here. */
#ifndef TS_CLI_INGEST_CREW_H
#define TS_CLI_INGEST_CREW_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct ts_ingest_crew {
    const char *where, *rig, *device; /* rig, device: NULL as the sessions' files say */
    void (*say)(const char *text);    /* of each session that failed, one at a time */
    /* What has been done. */
    int sessions, added, there, failed; /* as in struct ts_ingest; failed: sessions */
    bool lost;                          /* the database went away; what was done stays */
};

/* Sessions get their places in the database in the order of `dirs`, whichever is ready first.
 * TS_OK also when sessions failed; else the database could not be opened, and *why says so. */
int ts_ingest_crew_run(struct ts_ingest_crew *crew, char *const *dirs, size_t count,
                       struct ts_why *why) TS_MUST_CHECK;

#endif
