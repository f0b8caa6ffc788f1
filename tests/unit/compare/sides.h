/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches of both sides, put down as sessions give them. */
#ifndef TESTS_SIDES_H
#define TESTS_SIDES_H

#include "stats/turns.h"

#define SIDE_MOST 240 /* launches */

struct sides {
    double values[2][SIDE_MOST];
    struct ts_place places[2][SIDE_MOST];
    size_t count[2];
};

void sides_put(struct sides *sides, int side, double value, size_t session, size_t launch);
/* To be freed; NULL: they took none. */
struct ts_turns *sides_turns(const struct sides *sides);

#endif
