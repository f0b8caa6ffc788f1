/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sides.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void sides_put(struct sides *sides, int side, double value, size_t session, size_t launch)
{
    const size_t at = sides->count[side]++;
    assert_true(at < SIDE_MOST);
    sides->values[side][at] = value;
    sides->places[side][at] = (struct ts_place){session, launch};
}

struct ts_turns *sides_turns(const struct sides *sides)
{
    const struct ts_placed a = {sides->values[0], sides->places[0], sides->count[0]};
    const struct ts_placed b = {sides->values[1], sides->places[1], sides->count[1]};
    struct ts_turns *out;
    assert_int_equal(ts_turns_of(&a, &b, &out), TS_OK);
    return out;
}
