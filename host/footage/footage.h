/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The video that a session kept of a launch, picture by picture, on the launch's own time axis. Not
 * thread-safe per footage. */
#ifndef TS_FOOTAGE_FOOTAGE_H
#define TS_FOOTAGE_FOOTAGE_H

#include "base/buf.h"
#include "model/result.h"
#include "store/session.h"

struct ts_picture; /* media/picture.h */
struct ts_footage;

/* Whether a video of that launch was kept. */
bool ts_footage_kept(const struct ts_session *session, int launch);
/* TS_EOF: no video was kept of that launch. TS_ENOTSUP: it has nothing to count from. TS_EPROTO:
 * the video is damaged, or not the one that events.jsonl speaks of. */
int ts_footage_open(const struct ts_session *session, int launch, struct ts_footage **out,
                    struct ts_why *why) TS_MUST_CHECK;
void ts_footage_close(struct ts_footage *footage); /* NULL is fine */

const struct ts_result *ts_footage_result(const struct ts_footage *footage); /* the footage's */
int ts_footage_count(const struct ts_footage *footage); /* pictures; at least 1 */
/* When the middle row of picture n (from 0) was in the middle of its exposure, ms after time zero.
 */
double ts_footage_ms(const struct ts_footage *footage, int n);
/* The first picture that is not from before `ms`, or the last of all. */
int ts_footage_at(const struct ts_footage *footage, double ms);
/* Picture n, the display upright where the rig knows where it is. n never falls from call to call.
 * *picture is the footage's until the next call. */
int ts_footage_picture(struct ts_footage *footage, int n, const struct ts_picture **picture,
                       struct ts_why *why) TS_MUST_CHECK;

#endif
