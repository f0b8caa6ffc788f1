/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/creep.h"

#include "vision/memory.h"

#include <stdlib.h>

#define LOOK_EVERY_MS 120.0
#define SETTLE_MS     1000.0 /* after a move the rests may still go on to their level */
#define LIGHT_PART    0.25   /* of the screen */
#define CREPT         1.5    /* codes, from rest to rest, ... */
#define CREPT_NOISE   0.8    /* ... and so much of a frame's noise, of which they are a mean */

int ts_creep_open(struct ts_creep *creep, size_t blocks)
{
    creep->seen = ts_memory_zeroed(blocks, sizeof *creep->seen);
    creep->ms = ts_memory_zeroed(blocks, sizeof *creep->ms);
    creep->looked_ms = -INFINITY;
    if (!creep->seen || !creep->ms)
        return TS_ENOMEM;
    for (size_t block = 0; block < blocks; block++)
        creep->ms[block] = INFINITY;
    return TS_OK;
}

void ts_creep_close(struct ts_creep *creep)
{
    free(creep->seen);
    free(creep->ms);
}

static void rest(struct ts_creep *creep, size_t block, float code)
{
    creep->seen[block] = code;
    creep->ms[block] = INFINITY;
}

static float code_of(const struct ts_track *track, size_t block)
{
    return track->rest[block] / (TS_BLOCK_PX * TS_BLOCK_PX * track->exposure);
}

/* Light that goes up and down by itself takes all the screen with it. */
static bool is_light(const struct ts_creep *creep, const struct ts_track *track)
{
    size_t crept = 0, screen = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        screen += !track->ignore[block];
        crept += !track->ignore[block] && isfinite(creep->ms[block]);
    }
    return (double)crept > LIGHT_PART * (double)screen;
}

bool ts_creep_look(struct ts_creep *creep, const struct ts_track *track, double now_ms)
{
    bool rested = false;
    if (now_ms - creep->looked_ms < LOOK_EVERY_MS)
        return false;
    const bool begins = isinf(creep->looked_ms);
    creep->looked_ms = now_ms;
    for (size_t block = 0; block < track->blocks; block++) {
        const float code = code_of(track, block);
        if (begins || now_ms - (double)track->last_ms[block] < SETTLE_MS)
            rest(creep, block, code);
        const double gone = fabs((double)code - (double)creep->seen[block]);
        if (gone > CREPT && gone > CREPT_NOISE * ts_track_noise_codes(track, block)) {
            creep->seen[block] = code;
            creep->ms[block] = (float)now_ms;
        }
        rested |= ts_creep_rested(creep, block, now_ms);
    }
    if (!rested || !is_light(creep, track))
        return rested;
    for (size_t block = 0; block < track->blocks; block++)
        rest(creep, block, code_of(track, block));
    return false;
}
