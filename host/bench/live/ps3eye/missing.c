/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/ps3eye/missing.h"

/* Two steps are the same within 1/16: a clock that is read at a frame's start. */
static bool is_like(uint32_t a, uint32_t b)
{
    const uint32_t apart = a > b ? a - b : b - a;
    return apart <= b / 16;
}

/* How many periods lie between two pictures, by PTS; 0: it does not tell. */
static uint32_t by_pts(const struct ts_missing *missing, uint32_t went)
{
    if (missing->same < TS_MISSING_STEPS || !missing->step)
        return 0;
    const uint32_t periods = (uint32_t)(((uint64_t)went + missing->step / 2) / missing->step);
    /* A clock that has started anew would say many thousands. */
    return periods && periods < 1u << 16 && is_like(went / periods, missing->step) ? periods : 0;
}

static uint32_t by_time(const struct ts_missing *missing, bool odd, int64_t went_ns)
{
    if (went_ns <= 0)
        return odd ? 1 : 2;
    /* The nearest number of periods of the right parity: of 1 3 5 ... or of 2 4 6 ... */
    const int64_t pairs = (went_ns - (odd ? 0 : missing->period_ns)) / (2 * missing->period_ns);
    return (uint32_t)(2 * (pairs < 0 ? 0 : pairs) + (odd ? 1 : 2));
}

/* Nothing is known but what the frame id tells, and what the last step of PTS turned out to be:
 * arrivals say more, except of the first pictures, which may come all at once. */
static uint32_t guess(const struct ts_missing *missing, uint32_t went, bool odd, int64_t went_ns)
{
    if (!missing->same)
        return odd ? 1 : 2;
    if (missing->learnt < TS_MISSING_STEPS && is_like(went, missing->step) &&
        (missing->periods & 1) == odd)
        return missing->periods;
    return by_time(missing, odd, went_ns);
}

static void learn(struct ts_missing *missing, uint32_t went, uint32_t periods)
{
    missing->learnt += missing->learnt < TS_MISSING_STEPS;
    if (missing->same && is_like(went, missing->step)) {
        missing->same += missing->same < TS_MISSING_STEPS;
        return;
    }
    /* A known clock is not forgotten for a gap. */
    if (missing->same == TS_MISSING_STEPS)
        return;
    missing->step = went;
    missing->periods = periods;
    missing->same = 1;
}

uint32_t ts_missing_count(struct ts_missing *missing, uint32_t pts, uint8_t fid,
                          struct ts_host_time arrival)
{
    uint32_t periods = 1;
    if (missing->started) {
        const uint32_t went = pts - missing->pts;
        const bool odd = fid != missing->fid;
        periods = by_pts(missing, went);
        if (!periods || (periods & 1) != odd)
            periods = guess(missing, went, odd, ts_ns_between(arrival.ns, missing->arrival.ns));
        learn(missing, went, periods);
    }
    missing->started = true;
    missing->pts = pts;
    missing->fid = fid;
    missing->arrival = arrival;
    return periods - 1;
}
