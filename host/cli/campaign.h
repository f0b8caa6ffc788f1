/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop that joins the seam, the two machines and the store:
 *
 *     item from the bench -> journal -> control -> commands -> journal -> bench
 *     end of a part       -> measure -> result  -> store
 */
#ifndef TS_CLI_CAMPAIGN_H
#define TS_CLI_CAMPAIGN_H

#include "bench/bench.h"
#include "model/calibration.h"
#include "model/plan.h"
#include "model/result.h"
#include "store/session.h"

#include <signal.h>

struct ts_campaign {
    struct ts_bench *bench;
    const struct ts_plan *plan;
    uint64_t seed;
    struct ts_session_writer *session;  /* NULL: nothing is kept (strict replay) */
    const struct ts_calibration *given; /* by the rig's calibration files; NULL: none */
    const volatile sig_atomic_t *stop;  /* set by a signal; NULL: never */
    /* Goes on with a session: its finished parts are not done again. NULL: from the start. */
    const struct ts_session *past;
    /* Strict replay: whether another control, which had been told of the parts before it, began
     * this part. NULL: never. */
    const struct ts_session *replayed;
    /* Any may be NULL. What they return other than TS_OK ends the campaign. */
    void *context;
    /* The end of part 0. note: what it could not learn. */
    int (*calibrated)(void *context, const struct ts_evidence *evidence,
                      const struct ts_calibration *calibration, const char *note,
                      struct ts_why *why);
    int (*launched)(void *context, const struct ts_result *result, struct ts_why *why);
};

/* TS_OK when every launch of the plan is done, TS_EOF when it was stopped. What was finished by
 * then is in the session. */
int ts_campaign_run(struct ts_campaign *campaign, struct ts_why *why) TS_MUST_CHECK;

#endif
