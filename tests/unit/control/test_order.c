/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which order the apps are launched. */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define APPS     5
#define LAUNCHES 4
#define WARM_UP  1
#define TOTAL    (APPS * (LAUNCHES + WARM_UP))

/* Letters of the apps in their order. */
static void letters(enum ts_order order, uint64_t seed, char *out)
{
    struct ts_plan_app apps[APPS];
    char names[APPS][2], components[APPS][16];
    for (int i = 0; i < APPS; i++) {
        names[i][0] = (char)('A' + i);
        names[i][1] = '\0';
        memcpy(components[i], "a.b/.C", 7);
        apps[i] = (struct ts_plan_app){.name = names[i], .component = components[i]};
    }
    struct ts_plan plan;
    ts_plan_defaults(&plan);
    plan.apps = apps;
    plan.app_count = APPS;
    plan.launches = LAUNCHES;
    plan.warm_up = WARM_UP;
    plan.order = order;
    const struct ts_camera_geometry camera = {50, 50, 10, 10, 8 * MS};
    struct ts_control *control;
    struct ts_control_output output;
    const struct ts_host_time now = {0};
    assert_int_equal(ts_control_create(&plan, seed, &camera, &control), TS_OK);
    assert_int_equal(ts_control_next_part(control, now, &output), TS_OK);
    for (int part = 1; part <= TOTAL; part++) {
        assert_int_equal(ts_control_next_part(control, now, &output), TS_OK);
        assert_int_equal(ts_control_part(control), part);
        const struct ts_evidence_intent *intent = ts_control_intent(control);
        assert_int_equal(intent->launch, part);
        out[part - 1] = intent->app[0];
    }
    out[TOTAL] = '\0';
    assert_int_equal(ts_control_next_part(control, now, &output), TS_EOF);
    ts_control_destroy(control);
}

static void test_sequential(void **state)
{
    (void)state;
    char order[TOTAL + 1];
    letters(TS_ORDER_SEQUENTIAL, 1, order);
    assert_string_equal(order, "AAAAABBBBBCCCCCDDDDDEEEEE");
}

static void test_interleaved(void **state)
{
    (void)state;
    char order[TOTAL + 1];
    letters(TS_ORDER_INTERLEAVED, 1, order);
    assert_string_equal(order, "ABCDEABCDEABCDEABCDEABCDE");
}

static void test_shuffled(void **state)
{
    (void)state;
    char before[TOTAL + 1] = "";
    int first[APPS] = {0}, same = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        char order[TOTAL + 1], again[TOTAL + 1];
        letters(TS_ORDER_SHUFFLED, seed, order);
        letters(TS_ORDER_SHUFFLED, seed, again);
        assert_string_equal(order, again);
        for (int round = 0; round < LAUNCHES + WARM_UP; round++) {
            unsigned seen = 0; /* each round has every app once */
            for (int i = 0; i < APPS; i++)
                seen |= 1u << (order[round * APPS + i] - 'A');
            assert_int_equal(seen, (1u << APPS) - 1);
            first[order[round * APPS] - 'A']++;
        }
        same += strcmp(order, before) == 0;
        memcpy(before, order, sizeof before);
    }
    assert_int_equal(same, 0);
    /* 200 expected of 1000 rounds, standard deviation 13. */
    for (int i = 0; i < APPS; i++)
        assert_in_range(first[i], 140, 260);
}

/* After the warm-up each round is the one before it backwards, in pairs; the pairs are drawn. */
static void test_counterbalanced(void **state)
{
    (void)state;
    int same = 0, drift[APPS] = {0};
    for (uint64_t seed = 1; seed <= 50; seed++) {
        char order[TOTAL + 1];
        letters(TS_ORDER_COUNTERBALANCED, seed, order);
        for (int pair = 0; pair < LAUNCHES / 2; pair++) {
            const char *first = order + (WARM_UP + 2 * pair) * APPS;
            for (int i = 0; i < APPS; i++) {
                assert_int_equal(first[i], first[2 * APPS - 1 - i]);
                drift[first[i] - 'A'] += i + 2 * APPS - 1 - i;
            }
        }
        same += memcmp(order + WARM_UP * APPS, order + (WARM_UP + 2) * APPS, APPS) == 0;
    }
    assert_in_range(same, 0, 5);
    for (int i = 1; i < APPS; i++)
        assert_int_equal(drift[i], drift[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequential),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_counterbalanced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
