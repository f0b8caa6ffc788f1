/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define QUIET_MS 1000.0

struct errors {
    size_t count, flagged, gross;
    double sum, most, within_2u;
};

static void add_error(struct errors *errors, double error, double u)
{
    errors->count++;
    errors->sum += fabs(error);
    errors->most = fmax(errors->most, fabs(error));
    errors->gross += fabs(error) > 30;
    errors->within_2u += fabs(error) <= 2 * u;
}

static void run_launch(uint64_t seed, int width, int height, struct errors *first,
                       struct errors *settled)
{
    struct picture picture;
    picture_launch(&picture, seed, width, height, QUIET_MS);
    picture_render(&picture);
    const struct picture_reference reference = picture_refer(&picture);
    const struct ts_vision_frames frames = picture_frames(&picture, QUIET_MS);
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
    const double first_error = changes.first.value - reference.first_ms;
    const double settled_error = changes.settled.value - reference.settled_ms;
    if (getenv("PICTURE_VERBOSE"))
        printf("%llu first %.1f %+.1f u %.1f  settled %.1f %+.1f u %.1f flags %x endless %zu/%d\n",
               (unsigned long long)seed, reference.first_ms, first_error, changes.first.u,
               reference.settled_ms, settled_error, changes.settled.u, changes.flags,
               changes.endless_blocks, reference.endless);
    if (changes.flags)
        first->flagged++;
    if (!isnan(first_error))
        add_error(first, first_error, changes.first.u);
    if (!isnan(settled_error))
        add_error(settled, settled_error, changes.settled.u);
    picture_free(&picture);
}

static void check_launches(uint64_t from, size_t count, int width, int height)
{
    struct errors first = {0}, settled = {0};
    for (uint64_t seed = from; seed < from + count; seed++)
        run_launch(seed, width, height, &first, &settled);
    const double first_mean = first.sum / (double)first.count;
    const double settled_mean = settled.sum / (double)settled.count;
    printf("%zu launches: first mean %.2f max %.1f within 2u %.0f %%; settled mean %.2f max %.1f "
           "within 2u %.0f %%; flagged %zu\n",
           count, first_mean, first.most, 100 * first.within_2u / (double)first.count, settled_mean,
           settled.most, 100 * settled.within_2u / (double)settled.count, first.flagged);
    assert_true(first.flagged * 100 <= count);
    assert_int_equal(first.count, count);
    assert_true(settled.count + first.flagged >= count);
    assert_true(first_mean <= 2);
    assert_true(settled_mean <= 4);
    assert_int_equal(first.gross, 0);
    assert_true(settled.gross * 100 <= count); /* may only be tightened */
}

static void finds_first_and_settled(void **state)
{
    (void)state;
    const char *from = getenv("PICTURE_FROM"), *count = getenv("PICTURE_COUNT");
    check_launches(from ? strtoull(from, NULL, 10) : 5000, count ? strtoull(count, NULL, 10) : 300,
                   160, 120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_first_and_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
