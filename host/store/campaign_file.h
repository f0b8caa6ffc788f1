/* SPDX-License-Identifier: GPL-3.0-or-later */
/* campaign.json: when and where a session was measured. Not in session.json, which the same plan
 * and seed make anew on any day. */
#ifndef TS_STORE_CAMPAIGN_FILE_H
#define TS_STORE_CAMPAIGN_FILE_H

#include "base/err.h"

struct ts_campaign_file {
    char started[24];         /* UTC, "2026-02-28T09:30:00Z"; "": not known (simulated benches) */
    char rig[64], device[64]; /* what people call them; "": not known */
    char phone[96];           /* model and build, as it says itself; "": not known */
};

/* Into the session folder. */
int ts_campaign_file_write(const char *dir, const struct ts_campaign_file *file,
                           struct ts_why *why) TS_MUST_CHECK;
/* A session without one (of an earlier version, or simulated by hand) gives nothing known.
 * TS_EPROTO when it is damaged. */
int ts_campaign_file_read(const char *dir, struct ts_campaign_file *out,
                          struct ts_why *why) TS_MUST_CHECK;

#endif
