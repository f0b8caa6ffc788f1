/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Since when launches are slower: a change whose date is known here is found, with an interval that
 * holds it as often as it says; none is found where there is none. */
#include "base/rng.h"
#include "estimators/since.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT 240
#define BEGUN 1488326400.0

struct series {
    double values[COUNT], at_s[COUNT];
};

/* An hour between two launches; from number `change` on they take `more` longer. Late ones first,
 * some without a value. */
static void draw(struct series *to, uint64_t seed, size_t change, double more)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 5);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t place = COUNT - 1 - i;
        to->at_s[place] = BEGUN + 3600 * (double)i;
        to->values[place] = 300 + 20 * ts_rng_normal(&rng) + (i >= change ? more : 0);
        if (ts_rng_below(&rng, 20) == 0)
            to->values[place] = NAN;
    }
}

static long find(const struct series *series, struct ts_since **out)
{
    struct ts_why why = {""};
    return ts_since_find(series->values, series->at_s, COUNT, 1, out, &why);
}

static void dates_a_change(void **state)
{
    (void)state;
    size_t found = 0, held = 0, more = 0;
    double width_s = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct series series;
        struct ts_since *since;
        const double real_s = BEGUN + 3600.0 * 150;
        draw(&series, seed, 150, 16);
        const long count = find(&series, &since);
        assert_true(count >= 0);
        more += count > 1;
        for (long i = 0; i < count && i < 1; i++) {
            found++;
            held += since[i].low_s <= real_s && real_s <= since[i].high_s;
            width_s += since[i].high_s - since[i].low_s;
            assert_true(since[i].low_s <= since[i].at_s && since[i].at_s <= since[i].high_s);
            assert_true(fabs(since[i].after - since[i].before - 16) < 12);
            assert_true(since[i].p <= 0.025);
        }
        free(since);
    }
    assert_true(found >= 19);
    assert_true(held >= found - 2);
    assert_true(more <= 2);
    assert_true(width_s / (double)found < 3600 * 80);
}

static void finds_none_where_there_is_none(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 101; seed <= 120; seed++) {
        struct series series;
        struct ts_since *since;
        draw(&series, seed, COUNT, 0);
        found += find(&series, &since) > 0;
        free(since);
    }
    assert_true(found <= 3);
}

static void refuses_too_few(void **state)
{
    (void)state;
    struct series series;
    struct ts_since *since;
    struct ts_why why = {""};
    draw(&series, 1, COUNT, 0);
    assert_int_equal(ts_since_find(series.values, series.at_s, 5, 1, &since, &why), TS_EPROTO);
    for (size_t i = 0; i < COUNT; i++)
        series.at_s[i] = NAN; /* nobody knows when they were */
    assert_int_equal(ts_since_find(series.values, series.at_s, COUNT, 1, &since, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "0 dated"));
    assert_null(since);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dates_a_change),
                                       cmocka_unit_test(finds_none_where_there_is_none),
                                       cmocka_unit_test(refuses_too_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
