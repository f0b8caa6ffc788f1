/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a session's folder beside its launches may be given to others: how far its rig is to be
 * trusted, and what people marked. Names that people gave (of rigs, computers, phones, of
 * themselves) and words that they wrote have no way through. */
#ifndef TS_EXPORT_SHARE_RIG_H
#define TS_EXPORT_SHARE_RIG_H

#include "store/session.h"

/* campaign.json, rig/ but for given.json, and checks/, into `folder`. */
int ts_share_rig(const struct ts_session *session, const char *folder,
                 struct ts_why *why) TS_MUST_CHECK;
/* launches/NNNN/annotations.json of all launches. People become "person 1", "person 2", ... in the
 * order in which they are met. The folders are there. */
int ts_share_annotations(const struct ts_session *session, const char *folder,
                         struct ts_why *why) TS_MUST_CHECK;

#endif
