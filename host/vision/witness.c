/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/witness.h"

#include "vision/belong.h"

#include <math.h>

#define COINCIDE_MS 150.0 /* of neighbours: something goes from one to the other ... */
#define SELDOM      0.5   /* who moves more often tells nothing */
#define LUCK        0.05
#define OFTEN_PART  3 /* of the moves of those next to it */

static bool moved_at(const struct ts_track *track, size_t block, double ms, double within_ms)
{
    const struct ts_moves *moves = &track->moves[block];
    if (fabs((double)track->last_ms[block] - ms) < within_ms)
        return true;
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        if (fabs(ts_moves_back(moves, i) - ms) < within_ms)
            return true;
    }
    return false;
}

/* What blocks that go on did when something happened to another. */
struct witnesses {
    size_t agree;  /* moved then */
    double chance; /* so many would have by chance */
    size_t most_moves;
};

static void hear(const struct ts_track *track, double end_ms, size_t block, double ms,
                 double within_ms, struct witnesses *heard)
{
    const struct ts_moves *moves = &track->moves[block];
    const size_t known = ts_moves_known(moves);
    if (known < TS_MOVES_RATE)
        return;
    const double span_ms = end_ms - ts_moves_back(moves, known - 1);
    const double chance = (double)known * 2 * within_ms / fmax(span_ms, within_ms);
    const bool tells = chance < SELDOM;
    heard->agree += tells && moved_at(track, block, ms, within_ms);
    heard->chance += tells ? chance : 0;
    heard->most_moves = known > heard->most_moves ? known : heard->most_moves;
}

/* Poisson's law: beyond the mean, so many are nearly as likely as at least so many. */
static bool is_no_chance(const struct witnesses *heard)
{
    double probability = exp(-heard->chance);
    for (size_t i = 1; i <= heard->agree; i++)
        probability *= heard->chance / (double)i;
    return (double)heard->agree > heard->chance && probability < LUCK;
}

bool ts_witness_explains(const struct ts_track *track, const uint8_t *endless, double end_ms,
                         size_t block)
{
    const size_t by = ts_track_scaled(track, TS_WITNESS_NEAR), x = block % track->across,
                 y = block / track->across;
    const struct ts_moves *own = &track->moves[block];
    struct witnesses heard = {0};
    for (size_t j = y > by ? y - by : 0; j <= y + by && j < track->down; j++) {
        for (size_t i = x > by ? x - by : 0; i <= x + by && i < track->across; i++) {
            const size_t other = j * track->across + i;
            if (endless[other])
                hear(track, end_ms, other, (double)track->last_ms[block], COINCIDE_MS, &heard);
        }
    }
    if (is_no_chance(&heard))
        return true;
    const size_t often = (heard.most_moves + OFTEN_PART - 1) / OFTEN_PART;
    return heard.most_moves > 0 && ts_moves_known(own) >= often && ts_belong_goes_on(own, end_ms);
}
