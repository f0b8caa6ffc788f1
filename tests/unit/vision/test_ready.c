/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules are planted in launches drawn at random; people's annotations differ from them by some
 * frames. What is learned must hold in launches that were not annotated. */
#include "base/rng.h"
#include "vision/ready.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WIDE     64
#define HIGH     48
#define LAUNCHES 12

struct drawn {
    struct ts_vision_changes changes;
    double ready_ms;
};

static struct ts_ready_launch launch_of(const struct ts_vision_changes *changes)
{
    return (struct ts_ready_launch){"Maps", changes, {0, 0, WIDE - 1, HIGH - 1}};
}

static struct ts_vision_episode *add(struct ts_vision_changes *changes, double end_ms, double share,
                                     double gain)
{
    struct ts_vision_episode *e = &changes->episodes[changes->episode_count++];
    *e = (struct ts_vision_episode){.begin_ms = end_ms - 20,
                                    .end_ms = end_ms,
                                    .share = share,
                                    .gain = gain,
                                    .x1 = WIDE - 1,
                                    .y1 = HIGH - 1};
    changes->settled = (struct ts_metric){end_ms, 2, 1};
    return e;
}

/* A window, 0 to 3 parts that come one by one, the content that makes the app ready, and 1 to 3
 * small late things (at least two where they must not give the content away by their number). */
static void draw(struct ts_rng *rng, struct drawn *drawn, enum ts_ready_kind planted)
{
    *drawn = (struct drawn){0};
    struct ts_vision_changes *changes = &drawn->changes;
    double ms = ts_rng_range(rng, 150, 250);
    changes->first = (struct ts_metric){ms - 20, 2, 1};
    add(changes, ms, 0.9, 0.3);
    const bool from_last = planted == TS_READY_FROM_LAST;
    const uint32_t parts = planted == TS_READY_FROM_FIRST ? 1 : ts_rng_below(rng, 4);
    for (uint32_t i = 0; i < parts; i++)
        add(changes, ms += ts_rng_range(rng, 60, 300), ts_rng_range(rng, 0.01, 0.1),
            0.15 / (double)parts);
    const bool large = planted == TS_READY_COVER;
    const bool gains = planted == TS_READY_PROGRESS;
    const double share = large ? ts_rng_range(rng, 0.5, 0.7) : ts_rng_range(rng, 0.02, 0.2);
    struct ts_vision_episode *content = add(changes, ms += ts_rng_range(rng, 60, 400), share,
                                            gains ? 0.6 : ts_rng_range(rng, 0.02, 0.4));
    if (planted == TS_READY_REGION) /* the lower right; nothing else is there */
        content->x0 = WIDE * 7 / 10, content->y0 = HIGH * 7 / 10;
    drawn->ready_ms = ms;
    const uint32_t late = from_last ? 1 : 1 + ts_rng_below(rng, 3);
    for (uint32_t i = 0; i < late; i++) {
        struct ts_vision_episode *e =
            add(changes, ms += ts_rng_range(rng, 100, 500), ts_rng_range(rng, 0.02, 0.2),
                gains ? 0.02 : ts_rng_range(rng, 0.02, 0.3));
        e->y1 = HIGH / 4;
    }
    double sum = 0; /* progress ends at 1 */
    for (size_t i = 0; i < changes->episode_count; i++)
        sum += changes->episodes[i].gain;
    for (size_t i = 0; i < changes->episode_count; i++)
        changes->episodes[i].gain /= sum;
    if (ts_rng_below(rng, 3) == 0)
        add(changes, ms + 300, 0.3, NAN)->endless = true; /* a video: no change for any rule */
    changes->settled.value = ms;
}

static void learn(struct drawn *drawn, size_t count, struct ts_rng *rng, struct ts_ready_rule *rule,
                  struct ts_ready_report *report)
{
    struct ts_ready_example examples[LAUNCHES];
    for (size_t i = 0; i < count; i++)
        examples[i] = (struct ts_ready_example){launch_of(&drawn[i].changes),
                                                drawn[i].ready_ms + 4 * ts_rng_normal(rng)};
    struct ts_why why = {""};
    assert_int_equal(ts_ready_learn(examples, count, rule, report, &why), TS_OK);
    assert_int_equal(ts_ready_check(rule), TS_OK);
    assert_int_equal(rule->launches, count);
}

/* Mean |error| in launches that nobody annotated. */
static double unseen(const struct ts_ready_rule *rule, struct ts_rng *rng,
                     enum ts_ready_kind planted)
{
    double sum = 0;
    for (int i = 0; i < 50; i++) {
        struct drawn drawn;
        draw(rng, &drawn, planted);
        const struct ts_ready_launch launch = launch_of(&drawn.changes);
        const struct ts_metric ready = ts_ready_apply(rule, &launch);
        sum += fabs((isnan(ready.value) ? 0 : ready.value) - drawn.ready_ms) / 50;
    }
    return sum;
}

static void finds_what_was_planted(void **state)
{
    (void)state;
    for (int kind = TS_READY_FROM_FIRST; kind < TS_READY_KINDS; kind++) {
        int same = 0, exact = 0;
        double error = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct ts_rng rng;
            ts_rng_seed(&rng, 900 + seed, (uint64_t)kind);
            struct drawn drawn[LAUNCHES];
            for (size_t i = 0; i < LAUNCHES; i++)
                draw(&rng, &drawn[i], (enum ts_ready_kind)kind);
            struct ts_ready_rule rule;
            struct ts_ready_report report;
            learn(drawn, LAUNCHES, &rng, &rule, &report);
            assert_true(report.beats_settled);
            const double wrong = unseen(&rule, &rng, (enum ts_ready_kind)kind);
            same += (int)rule.kind == kind;
            exact += wrong < 1;
            error += wrong / 20;
        }
        print_message("%s: found in %d of 20, right in unseen launches in %d; mean error %.1f ms\n",
                      ts_ready_kind_names[kind], same, exact, error);
        assert_true(same >= 18);
        assert_true(exact >= 17);
    }
}

static void settled_where_that_is_it(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 77, 1);
    struct drawn drawn[LAUNCHES];
    struct ts_ready_rule rule;
    struct ts_ready_report report;
    for (size_t i = 0; i < LAUNCHES; i++) {
        draw(&rng, &drawn[i], TS_READY_FROM_LAST);
        drawn[i].ready_ms = drawn[i].changes.settled.value;
    }
    learn(drawn, LAUNCHES, &rng, &rule, &report);
    assert_int_equal(rule.kind, TS_READY_SETTLED);
    assert_false(report.beats_settled);
    assert_true(rule.error_ms < 10);
    const struct ts_ready_launch launch = launch_of(&drawn[0].changes);
    const struct ts_metric ready = ts_ready_apply(&rule, &launch);
    assert_float_equal(ready.value, drawn[0].changes.settled.value, 0);
    assert_float_equal(ready.u, 2, 0);
}

/* Where a launch looks like the next, many rules point at the same change: the simplest is taken,
 * three launches are enough, and its uncertainty holds the people's. */
static void simplest_of_equals(void **state)
{
    (void)state;
    struct ts_vision_changes changes = {.first = {100, 2, 1}};
    add(&changes, 200, 0.9, 0.4);
    add(&changes, 500, 0.6, 0.5);
    add(&changes, 900, 0.05, 0.1);
    const struct ts_ready_launch launch = launch_of(&changes);
    const struct ts_ready_example examples[3] = {{launch, 497}, {launch, 500}, {launch, 506}};
    struct ts_ready_rule rule;
    struct ts_ready_report report;
    assert_int_equal(ts_ready_learn(examples, 3, &rule, &report, NULL), TS_OK);
    assert_int_equal(rule.kind, TS_READY_FROM_FIRST);
    assert_int_equal(rule.nth, 2);
    assert_float_equal(rule.error_ms, 3, 1e-9);
    assert_float_equal(report.kind_ms[TS_READY_SETTLED], 399, 1e-9);
    const struct ts_metric ready = ts_ready_apply(&rule, &launch);
    assert_float_equal(ready.value, 500, 0);
    assert_float_equal(ready.u, hypot(2, 1.2533 * 3), 1e-9);
    assert_float_equal(ready.u_common, 1, 0);
}

static void applies(void **state)
{
    (void)state;
    struct ts_vision_changes changes = {.first = {100, 2, 1}};
    add(&changes, 200, 0.9, 0.9)->y1 = 10;
    add(&changes, 500, 0.3, -0.4);
    add(&changes, 700, 0.2, 0.5)->x0 = 44;
    struct ts_ready_launch launch = launch_of(&changes);
    const struct {
        struct ts_ready_rule rule;
        double ms;
        const char *words;
    } cases[] = {
        {{.kind = TS_READY_SETTLED}, 700, "settled"},
        {{.kind = TS_READY_FROM_FIRST, .nth = 1}, 200, "the 1st change"},
        {{.kind = TS_READY_FROM_FIRST, .nth = 4}, NAN, "the 4th change"},
        {{.kind = TS_READY_FROM_LAST, .nth = 1}, 700, "the last change"},
        {{.kind = TS_READY_FROM_LAST, .nth = 2}, 500, "the 2nd change from the last"},
        {{.kind = TS_READY_FROM_LAST, .nth = 4}, NAN, "the 4th change from the last"},
        {{.kind = TS_READY_PROGRESS, .share = 0.5},
         200,
         "the first change after which visual progress stays at 50 % or more"},
        {{.kind = TS_READY_PROGRESS, .share = 0.85},
         700,
         "the first change after which visual progress stays at 85 % or more"},
        {{.kind = TS_READY_COVER, .share = 0.3},
         500,
         "the last change that covers at least 30 % of the screen"},
        {{.kind = TS_READY_COVER, .share = 0.95},
         NAN,
         "the last change that covers at least 95 % of the screen"},
        {{.kind = TS_READY_REGION, .region = {0, 0, 1, 1.0 / 3}},
         200,
         "the last change in 0 to 100 % of the screen's width and 0 to 33 % of its height"},
        {{.kind = TS_READY_REGION, .region = {2.0 / 3, 1.0 / 3, 1, 1}},
         700,
         "the last change in 67 to 100 % of the screen's width and 33 to 100 % of its height"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[TS_READY_WORDS];
        ts_ready_describe(&cases[i].rule, words);
        assert_string_equal(words, cases[i].words);
        assert_int_equal(ts_ready_check(&cases[i].rule), TS_OK);
        const struct ts_metric ready = ts_ready_apply(&cases[i].rule, &launch);
        if (isnan(cases[i].ms))
            assert_true(isnan(ready.value) && isnan(ready.u));
        else
            assert_float_equal(ready.value, cases[i].ms, 0);
    }
    launch.screen.y0 = 40; /* the same boxes lie above this screen */
    assert_true(isnan(ts_ready_apply(&cases[10].rule, &launch).value));
}

static void refuses(void **state)
{
    (void)state;
    struct ts_vision_changes changes = {.first = {100, 2, 1}};
    add(&changes, 200, 0.9, 0.4);
    const struct ts_ready_launch launch = launch_of(&changes);
    struct ts_ready_example examples[3] = {{launch, 200}, {launch, 200}, {launch, 200}};
    struct ts_ready_rule rule;
    struct ts_ready_report report;
    struct ts_why why = {""};
    assert_int_equal(ts_ready_learn(examples, 2, &rule, &report, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "too few"));
    examples[1].launch.app = NULL;
    examples[2].launch.app = "Mail";
    assert_int_equal(ts_ready_learn(examples, 3, &rule, &report, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "mixed"));
    examples[2] = (struct ts_ready_example){launch, NAN};
    assert_int_equal(ts_ready_learn(examples, 3, &rule, &report, &why), TS_EINVAL);
    const struct ts_ready_rule bad[] = {
        {.kind = TS_READY_KINDS},
        {.kind = TS_READY_FROM_FIRST, .nth = 0},
        {.kind = TS_READY_FROM_LAST, .nth = TS_EPISODES_MOST + 1},
        {.kind = TS_READY_COVER, .share = NAN},
        {.kind = TS_READY_PROGRESS, .share = 1.01},
        {.kind = TS_READY_REGION, .region = {0.5, 0, 0.5, 1}},
        {.kind = TS_READY_SETTLED, .error_ms = NAN},
        {.kind = TS_READY_SETTLED, .launches = -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ts_ready_check(&bad[i]), TS_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_planted),
        cmocka_unit_test(settled_where_that_is_it),
        cmocka_unit_test(simplest_of_equals),
        cmocka_unit_test(applies),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
