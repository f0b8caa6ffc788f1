/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds that took turns within sessions: which launches did, and the test against its formulas
 * written out. */
#include "campaigns.h"
#include "sides.h"
#include "stats/comparison.h"
#include "stats/distribution.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within))
        fail_msg("%.17g is not %.17g", found, expected);
}

/* One session: "ABBA"; values are of no interest. */
static void put_session(struct sides *sides, const char *order, size_t session)
{
    for (size_t i = 0; order[i]; i++)
        sides_put(sides, order[i] == 'B', 100 + (double)(i * 7 % 11), session, i + 1);
}

static void assert_turns(const struct sides *sides, size_t of_a, size_t of_b, size_t blocks,
                         size_t sessions)
{
    struct ts_turns *turns = sides_turns(sides);
    assert_non_null(turns);
    assert_int_equal(turns->a.count, of_a);
    assert_int_equal(turns->b.count, of_b);
    assert_int_equal(turns->blocks, blocks);
    assert_int_equal(turns->sessions, sessions);
    ts_turns_free(turns);
}

static void assert_none(const struct sides *sides)
{
    struct ts_turns *turns = sides_turns(sides);
    assert_null(turns);
}

static void who_took_turns_is_seen(void **state)
{
    struct sides sides = {0};
    (void)state;
    put_session(&sides, "ABBAABBAABBAABBAABBA", 4);
    assert_turns(&sides, 10, 10, 11, 1);
    /* One side had enough: what the other did alone after that is in no turn. */
    sides_put(&sides, 1, 100, 4, 21);
    sides_put(&sides, 1, 100, 4, 22);
    assert_turns(&sides, 10, 12, 12, 1);
    sides_put(&sides, 1, 100, 4, 23);
    assert_turns(&sides, 10, 12, 12, 1);
    /* Another session adds to it; one of a single side, or of halves, does not. */
    put_session(&sides, "BAB", 7);
    put_session(&sides, "AAA", 8);
    put_session(&sides, "AABB", 9);
    assert_turns(&sides, 11, 14, 15, 2);
    /* Two launches of one number: it is not the same session after all. */
    sides_put(&sides, 1, 100, 4, 1);
    assert_none(&sides);
    /* Blocks of five stay whole. */
    sides = (struct sides){0};
    put_session(&sides, "BBBBBAAAAAAAAAABBBBBBBBBBAAAAAAAAAABBBBBBBBBBAAAAAAAAAABBBBB", 0);
    assert_turns(&sides, 30, 30, 7, 1);
    /* Too few launches, too few changes, no numbers, two sessions. */
    sides = (struct sides){0};
    put_session(&sides, "ABBAABBAABBAABBAAB", 0);
    assert_none(&sides);
    sides = (struct sides){0};
    put_session(&sides, "AAAAAAAAAABBBBBBBBBBBBBBBBBBBBAAAAAAAAAA", 0);
    assert_none(&sides);
    sides = (struct sides){0};
    for (size_t i = 0; i < 60; i++)
        sides_put(&sides, (int)(i % 2), 100, 0, 0);
    assert_none(&sides);
    sides = (struct sides){0};
    for (size_t i = 0; i < 60; i++)
        sides_put(&sides, (int)(i % 2), 100, i % 2, i + 1);
    assert_none(&sides);
    /* Most of the launches of either side were in no turn. */
    sides = (struct sides){0};
    put_session(&sides, "ABBAABBAABBAABBAABBA", 0);
    for (size_t i = 0; i < 22; i++)
        sides_put(&sides, (int)(i % 2), 100, 1 + i % 2, i + 1);
    assert_none(&sides);
}

/* The formulas of stats/turns.h as sums over pairs, of one session in which launch i is the i-th.
 */
struct written {
    double weights[2 * SIDE_MOST], less[2 * SIDE_MOST], squares, near[2], away, apart;
    size_t count;
};

static void write_out(const struct sides *sides, double shift, struct written *out)
{
    double values[2 * SIDE_MOST] = {0}, means[2] = {0, 0};
    *out = (struct written){.count = sides->count[0] + sides->count[1]};
    const double all = (double)out->count;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides->count[side]; i++) {
            const size_t at = sides->places[side][i].launch - 1;
            values[at] = sides->values[side][i] + (side ? shift : 0);
            out->weights[at] = (side ? 1.0 : -1.0) / (double)sides->count[side];
        }
    }
    for (size_t i = 0; i < out->count; i++) {
        double rank = 0.5;
        for (size_t j = 0; j < out->count; j++)
            rank += values[j] < values[i] ? 1 : values[j] <= values[i] ? 0.5 : 0;
        out->less[i] = rank / all;
        means[out->weights[i] > 0] += fabs(out->weights[i]) * rank / all;
        out->squares += out->weights[i] * out->weights[i];
        out->apart += out->weights[i] * (double)i;
        for (size_t k = 1; k <= 2 && k <= i; k++)
            out->near[k - 1] += out->weights[i] * out->weights[i - k];
    }
    for (size_t i = 0; i < out->count; i++)
        out->less[i] -= means[out->weights[i] > 0];
    out->near[0] /= out->squares;
    out->near[1] /= out->squares;
    out->away = means[1] - means[0];
}

static double factor_written(const struct written *of, const struct ts_lasting *lasting)
{
    double sum = 0;
    for (size_t i = 0; i < of->count; i++) {
        for (size_t j = 0; j < of->count; j++) {
            const double apart = fabs((double)i - (double)j);
            const double r = i == j ? 1 : lasting->share * pow(lasting->keep, apart);
            sum += of->weights[i] * of->weights[j] * r;
        }
    }
    return sum / of->squares;
}

static double error_written(const struct written *of)
{
    const double all = (double)of->count;
    const struct ts_serial serial = ts_serial_of(of->less, of->count);
    struct ts_lasting lasting = ts_serial_lasting(&serial);
    const double first = factor_written(of, &lasting);
    const double r[] = {lasting.share * lasting.keep, lasting.share * lasting.keep * lasting.keep};
    const double taken[] = {first * (of->near[0] - r[0]) / all, first * (of->near[1] - r[1]) / all};
    double near = 0;
    for (size_t i = 1; i < of->count; i++)
        near += pow(of->less[i] - of->less[i - 1], 2) / 2 / (all - 1);
    lasting = ts_serial_lasting_less(&serial, taken);
    const double means = first * (1 - of->near[0]) / all;
    const double square = near / (1 - lasting.share * lasting.keep - means);
    return sqrt(square * factor_written(of, &lasting) * of->squares +
                pow(lasting.slope * of->apart, 2));
}

static void draw_one(struct sides *sides, uint64_t seed)
{
    double values[80];
    struct ts_place places[80];
    const struct campaign campaign = {80, 1, 0.5, 1, 0.5, 0};
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 1);
    campaign_draw(&campaign, &rng, values, places);
    *sides = (struct sides){0};
    for (size_t i = 0; i < 80; i++)
        sides_put(sides, ((i ^ i >> 1) & 1) || i % 13 == 5, floor(values[i] / 10), 0, i + 1);
}

static void the_test_is_its_formulas(void **state)
{
    static const double shifts[] = {0, -20, 35, 500};
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct sides sides;
        struct written written;
        struct ts_ranked a, b;
        draw_one(&sides, seed);
        struct ts_turns *turns = sides_turns(&sides);
        assert_non_null(turns);
        const struct ts_sample of_a = {sides.values[0], sides.count[0]};
        const struct ts_sample of_b = {sides.values[1], sides.count[1]};
        assert_int_equal(ts_ranked_of(of_a, true, &a), TS_OK);
        assert_int_equal(ts_ranked_of(of_b, true, &b), TS_OK);
        for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
            const struct ts_relative found = ts_turns_test(turns, shifts[i]);
            write_out(&sides, shifts[i], &written);
            assert_near(found.p, ts_relative_of(&a, &b, shifts[i]).p, 1e-12);
            assert_near(found.p - 0.5, written.away, 1e-12);
            assert_near(found.u, error_written(&written), 1e-9);
            assert_near(found.p_above, 1 - ts_student_below(written.away / found.u, found.freedom),
                        1e-9);
        }
        ts_ranked_free(&a);
        ts_ranked_free(&b);
        ts_turns_free(turns);
    }
}

static void interval_and_test_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 11; seed <= 20; seed++) {
        struct sides sides;
        draw_one(&sides, seed);
        struct ts_turns *turns = sides_turns(&sides);
        const struct ts_hodges_lehmann shift = ts_turns_shift(turns, 0.95);
        const struct ts_interval in = shift.interval;
        const double step = 1e-6; /* values are whole numbers */
        assert_true(in.low <= shift.estimate && shift.estimate <= in.high);
        assert_true(ts_turns_test(turns, -in.low - step).p_two_sided >= 0.05);
        assert_true(ts_turns_test(turns, -in.low + step).p_two_sided < 0.05);
        assert_true(ts_turns_test(turns, -in.high + step).p_two_sided >= 0.05);
        assert_true(ts_turns_test(turns, -in.high - step).p_two_sided < 0.05);
        ts_turns_free(turns);
    }
}

static void compare(const struct sides *sides, bool placed_ones, struct ts_comparison *out)
{
    const struct ts_compare_rules rules = {0.95, 0.05, 0, 1};
    struct ts_why why;
    const struct ts_side a = {sides->values[0], placed_ones ? sides->places[0] : NULL,
                              sides->count[0]};
    const struct ts_side b = {sides->values[1], placed_ones ? sides->places[1] : NULL,
                              sides->count[1]};
    assert_int_equal(ts_compare(a, b, &rules, out, &why), TS_OK);
}

static void turns_go_before_all_else(void **state)
{
    struct sides sides;
    struct ts_comparison out;
    (void)state;
    draw_one(&sides, 3);
    compare(&sides, true, &out);
    assert_int_equal(out.unit, TS_COMPARE_TURNS);
    assert_int_equal(out.in_turns[0] + out.in_turns[1], 80);
    assert_int_equal(out.shared_sessions, 1);
    assert_true(out.ratio_interval.low < out.ratio && out.ratio < out.ratio_interval.high);
    assert_int_equal(out.p<0.05, out.ratio_interval.low> 1 || out.ratio_interval.high < 1);
    compare(&sides, false, &out);
    assert_int_equal(out.unit, TS_COMPARE_LAUNCHES);
    assert_int_equal(out.in_turns[0] + out.blocks + out.shared_sessions, 0);
    /* All alike, and all apart. */
    for (size_t i = 0; i < sides.count[0]; i++)
        sides.values[0][i] = 5;
    for (size_t i = 0; i < sides.count[1]; i++)
        sides.values[1][i] = 5;
    compare(&sides, true, &out);
    assert_true(out.unit == TS_COMPARE_TURNS && out.p > 0.99 && out.p_equal < 1e-6);
    for (size_t i = 0; i < sides.count[1]; i++)
        sides.values[1][i] = 8;
    compare(&sides, true, &out);
    assert_true(out.p < 1e-6 && out.p_slower < 1e-6);
    assert_near(out.ratio, 1.6, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_took_turns_is_seen),
        cmocka_unit_test(the_test_is_its_formulas),
        cmocka_unit_test(interval_and_test_agree),
        cmocka_unit_test(turns_go_before_all_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
