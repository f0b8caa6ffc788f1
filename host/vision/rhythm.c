/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/rhythm.h"

#include <math.h>

#define AT_ONCE_FRAMES 2.2
#define AT_ONCE_MS     40.0
#define RATE_MOST      0.2 /* of half a window: who moves more often keeps no time */
#define WINDOWS_LEAST  10
#define REMEMBERED_MS  5000.0
#define RESTS_MOST     0.3 /* of the time a region that rests in between moves */

double ts_rhythm_at_once_ms(const struct ts_track *track)
{
    return fmax(AT_ONCE_MS, AT_ONCE_FRAMES * track->period_ms);
}

static void keep_time(struct ts_rhythm *rhythm, double ms)
{
    const double half = (ms - rhythm->since_ms) / rhythm->half_ms;
    if (half >= 0 && half < (double)rhythm->halves)
        rhythm->moves[(size_t)half]++;
}

static void add(const struct ts_moves *moves, double at_ms, struct ts_rhythm *rhythm)
{
    const size_t known = ts_moves_known(moves);
    bool agrees = false;
    for (size_t i = 0; i < known; i++) {
        keep_time(rhythm, ts_moves_back(moves, i));
        agrees = agrees || fabs(ts_moves_back(moves, i) - at_ms) < rhythm->half_ms;
    }
    rhythm->agree += agrees;
}

/* And remembers what it did at at_ms. */
static bool keeps_time(const struct ts_rhythm_place *place, size_t block, double at_ms)
{
    const struct ts_moves *moves = &place->track->moves[block];
    const size_t known = ts_moves_known(moves);
    return place->region[block] == place->number && known > 0 &&
           (moves->count <= TS_MOVES_KEPT || ts_moves_back(moves, known - 1) <= at_ms) &&
           (double)known * ts_rhythm_at_once_ms(place->track) <
               RATE_MOST * (place->end_ms - ts_moves_back(moves, known - 1));
}

bool ts_rhythm_listen(const struct ts_rhythm_place *place, double at_ms, struct ts_rhythm *rhythm)
{
    const struct ts_track *track = place->track;
    double since_ms = fmax(at_ms - REMEMBERED_MS, place->end_ms - 2 * REMEMBERED_MS);
    *rhythm = (struct ts_rhythm){.half_ms = ts_rhythm_at_once_ms(track)};
    for (int round = 0; round < 2; round++) {
        for (size_t y = place->box.y0; y <= place->box.y1; y++) {
            for (size_t x = place->box.x0; x <= place->box.x1; x++) {
                const size_t block = y * track->across + x;
                const struct ts_moves *moves = &track->moves[block];
                if (!keeps_time(place, block, at_ms))
                    continue;
                if (round)
                    add(moves, at_ms, rhythm);
                else if (moves->count > TS_MOVES_KEPT) /* the earlier ones are forgotten */
                    since_ms = fmax(since_ms, ts_moves_back(moves, TS_MOVES_KEPT - 1));
            }
        }
        rhythm->since_ms = since_ms;
        const double halves = (place->end_ms - since_ms) / rhythm->half_ms;
        rhythm->halves = halves < 1                  ? 0
                         : halves < TS_RHYTHM_HALVES ? (size_t)halves
                                                     : TS_RHYTHM_HALVES;
    }
    return rhythm->agree > 0;
}

double ts_rhythm_common(const struct ts_rhythm *rhythm, double at_ms)
{
    size_t common = 0, windows = 0;
    for (size_t i = 0; i + 1 < rhythm->halves; i++) {
        const double middle_ms = rhythm->since_ms + (double)(i + 1) * rhythm->half_ms;
        if (fabs(middle_ms - at_ms) < 2 * rhythm->half_ms)
            continue;
        windows++;
        common += (size_t)(rhythm->moves[i] + rhythm->moves[i + 1]) >= rhythm->agree;
    }
    return windows < WINDOWS_LEAST ? 1 : (double)common / (double)windows;
}

double ts_rhythm_usual(const struct ts_rhythm *rhythm)
{
    double sum = 0, squares = 0, moved = 0, all = 0;
    for (size_t i = 0; i < rhythm->halves; i++) {
        const double moves = (double)rhythm->moves[i];
        sum += moves;
        squares += moves * moves;
        moved += moves > 0;
        all += sum > 0;
    }
    return sum > 0 && moved < RESTS_MOST * all ? squares / sum : 0;
}
