/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

void rare_start(struct picture *picture, double until_ms)
{
    picture_init(picture, 11, 160, 120);
    picture->until_ms = until_ms;
}

struct picture_element *rare_add(struct picture *picture, double from_ms, double x, double y,
                                 double w, double h, double level)
{
    struct picture_element *element = picture_add(picture, from_ms, 0);
    element->x = x;
    element->y = y;
    element->w = w;
    element->h = h;
    element->level = level;
    return element;
}

struct ts_vision_changes rare_find(struct picture *picture, struct picture_reference *reference)
{
    picture_render(picture);
    *reference = picture_refer(picture);
    const struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
    picture_free(picture);
    return changes;
}

static void assert_near(double found, double wanted, double within)
{
    if (!(fabs(found - wanted) <= within))
        fail_msg("%.2f is not %.2f", found, wanted);
}

void rare_settles(struct picture *picture, double within_ms)
{
    struct picture_reference reference;
    const struct ts_vision_changes changes = rare_find(picture, &reference);
    assert_int_equal(changes.flags, 0);
    assert_near(changes.settled.value, reference.settled_ms, within_ms);
}

void rare_settles_at(struct picture *picture, double ms, double within_ms)
{
    struct picture_reference reference;
    const struct ts_vision_changes changes = rare_find(picture, &reference);
    assert_int_equal(changes.flags, 0);
    assert_near(changes.settled.value, ms, within_ms);
}

void rare_begins(struct picture *picture, double within_ms)
{
    struct picture_reference reference;
    const struct ts_vision_changes changes = rare_find(picture, &reference);
    assert_int_equal(changes.flags, 0);
    assert_near(changes.first.value, reference.first_ms, within_ms);
}
