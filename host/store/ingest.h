/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions into a lab's database. To do it twice changes nothing; what a session has gained since
 * (launches, exclusions, results of another detector version) is added. */
#ifndef TS_STORE_INGEST_H
#define TS_STORE_INGEST_H

#include "store/db.h"
#include "store/digest.h"

struct ts_ingest {
    struct ts_db *db;         /* borrowed */
    const char *rig, *device; /* NULL: as the session's files say */
    int64_t place;            /* of the next session among all; 0: behind those that are there */
    /* What has been done so far. */
    int sessions; /* looked at */
    int added;    /* rows: launches, and analyses of launches */
    int there;    /* that were in the database already */
    bool lost;    /* it was the database that failed, not the session */
};

/* All of it in one transaction: after an error nothing of this session was added, those before it
 * stay. A session without finished launches adds nothing. */
int ts_ingest_session(struct ts_ingest *ingest, const char *dir, struct ts_why *why) TS_MUST_CHECK;

/* What tells a session from others, wherever its folder lies. */
struct ts_ingest_identity {
    char digest[TS_DIGEST_SIZE];
    char rig_values[160];     /* ts_ingest_rig_values() */
    char started[24];         /* store/campaign_file.h; "" not known, as are these: */
    char rig[64], device[96]; /* by campaign.json, else by the rig's calibration files */
};
int ts_ingest_identify(const struct ts_session *session, struct ts_ingest_identity *out,
                       struct ts_why *why) TS_MUST_CHECK;

/* Tells whether two sessions rest on one calibration of one rig, so that what u_common tells of is
 * shared; "" when the rig was not calibrated. */
void ts_ingest_rig_values(const struct ts_session *session, char *text, size_t size);

#endif
