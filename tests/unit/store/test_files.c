/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include "store/calibration_file.h"
#include "store/result_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void test_printing_a_result_again_gives_the_same_bytes(void **state)
{
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 21, 0);
    for (int i = 1; i <= 500; i++) {
        const struct ts_session_info info = example_info(i % 2 ? 42 : UINT64_MAX);
        struct ts_buf first = {0}, second = {0};
        struct ts_result result, read;
        struct ts_why why = {""};
        example_result(&rng, i, &result);
        assert_int_equal(ts_result_print(&result, &info, &first), 0);
        if (ts_result_parse((const char *)first.data, first.size, &read, &why))
            fail_msg("%s", why.text);
        assert_int_equal(ts_result_print(&read, &info, &second), 0);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        assert_int_equal(read.flags, result.flags);
        assert_string_equal(read.app, result.app);
        assert_string_equal(read.detector_version, "robust-1");
        if (isfinite(result.settled.value))
            assert_true(fabs(read.settled.value - result.settled.value) < 0.000501);
        else
            assert_true(isnan(read.settled.value));
        assert_int_equal(read.conditions.rotation, result.conditions.rotation);
        assert_int_equal(read.costs.asked, result.costs.asked);
        ts_buf_free(&first);
        ts_buf_free(&second);
    }
}

/* Other programs read these members; jansson stands for them. */
static void test_the_shape_of_a_result(void **state)
{
    static const char *const keys[] = {
        "launch",          "app",        "start_type", "verdict",
        "flags",           "usable",     "rule",       "detector_version",
        "contact",         "pickup",     "lift",       "metrics",
        "android",         "conditions", "frames",     "dropped",
        "frame_period_ms", "seed",       "versions",   "budgets",
        "progress"};
    const struct ts_session_info info = example_info(42);
    struct ts_result result = {
        .launch = 7, .app = "Mail", .start_type = TS_START_COLD, .photodiode_ms = {NAN, NAN}};
    struct ts_buf text = {0};
    (void)state;
    ts_result_flag(&result, TS_FLAG_LOG_LOST);
    ts_result_flag(&result, TS_FLAG_LONG_PRESS);
    result.lift = (struct ts_instant){123456789012345, 2500000.4, 4900000};
    result.contact.u_ns = (double)NAN;
    result.settled = (struct ts_metric){812.34567, 1.25, (double)NAN};
    result.conditions.rotation = -1;
    assert_int_equal(ts_result_print(&result, &info, &text), 0);
    assert_int_equal(text.data[text.size - 1], '\n');
    json_t *root = json_loadb((const char *)text.data, text.size, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_object_size(root), sizeof keys / sizeof *keys);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_non_null(json_object_get(root, keys[i]));
    const char *verdict;
    int usable, flags;
    json_int_t lift_ns, seed;
    double settled, lift_u;
    json_t *u_common, *contact, *component, *rotation, *list;
    assert_int_equal(
        json_unpack(root, "{s:s,s:b,s:o,s:{s:I,s:F},s:I,s:{s:{s:F,s:o}},s:{s:o},s:{s:o},s:{s:o}}",
                    "verdict", &verdict, "usable", &usable, "flags", &list, "lift", "host_ns",
                    &lift_ns, "u_ns", &lift_u, "seed", &seed, "metrics", "settled_ms", "value",
                    &settled, "u_common", &u_common, "contact", "host_ns", &contact, "android",
                    "component", &component, "conditions", "rotation", &rotation),
        0);
    flags = (int)json_array_size(list);
    assert_string_equal(verdict, "long_press");
    assert_false(usable);
    assert_int_equal(flags, 2);
    assert_true(lift_ns == 123456789012345);
    assert_true(lift_u == 2500000);
    assert_int_equal(seed, 42);
    assert_true(settled == 812.346);
    assert_true(json_is_null(u_common) && json_is_null(contact));
    assert_true(json_is_null(component) && json_is_null(rotation));
    json_decref(root);
    ts_buf_free(&text);
}

static bool same_terms(const struct ts_budget *one, const struct ts_budget *other)
{
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const struct ts_term *a = &one->terms[i], *b = &other->terms[i];
        if (fabs(a->u - b->u) > 1e-12 ||
            (a->u > 0 && fabs(a->sensitivity - b->sensitivity) > 1e-12))
            return false;
    }
    return true;
}

/* And of sessions of earlier versions the only one that they have. */
static void test_budgets_come_back(void **state)
{
    const struct ts_session_info info = example_info(42);
    struct ts_result result = {.launch = 7, .start_type = TS_START_COLD}, read;
    struct ts_buf text = {0};
    struct ts_why why = {""};
    (void)state;
    for (int of = 0; of < TS_BUDGET_COUNT; of++)
        result.budgets[of].terms[of] = (struct ts_term){0.25 + of, 1 - 0.5 * of, INFINITY};
    assert_int_equal(ts_result_print(&result, &info, &text), 0);
    json_t *root = json_loadb((const char *)text.data, text.size, 0, NULL);
    assert_int_equal(json_object_size(json_object_get(root, "budgets")), TS_BUDGET_COUNT);
    if (ts_result_parse((const char *)text.data, text.size, &read, &why))
        fail_msg("%s", why.text);
    for (int of = 0; of < TS_BUDGET_COUNT; of++)
        assert_true(same_terms(&read.budgets[of], &result.budgets[of]));
    json_object_set(root, "settled_budget",
                    json_object_get(json_object_get(root, "budgets"), "settled_ms"));
    json_object_del(root, "budgets");
    char *old = json_dumps(root, 0);
    if (ts_result_parse(old, strlen(old), &read, &why))
        fail_msg("%s", why.text);
    assert_true(same_terms(&read.budgets[TS_BUDGET_SETTLED], &result.budgets[TS_BUDGET_SETTLED]));
    assert_false(same_terms(&read.budgets[TS_BUDGET_LIFT], &result.budgets[TS_BUDGET_LIFT]));
    free(old);
    json_decref(root);
    ts_buf_free(&text);
}

/* Sessions of earlier versions have four metrics; the others are then unknown, not 0. */
static void test_a_result_with_fewer_metrics(void **state)
{
    const struct ts_session_info info = example_info(42);
    struct ts_result result = {.launch = 7, .start_type = TS_START_COLD, .settled = {812, 1, 0.5}};
    struct ts_buf text = {0};
    struct ts_why why = {""};
    (void)state;
    assert_int_equal(ts_result_print(&result, &info, &text), 0);
    json_t *root = json_loadb((const char *)text.data, text.size, 0, NULL);
    json_t *metrics = json_object_get(root, "metrics");
    assert_int_equal(json_object_del(metrics, "visually_complete_85_ms"), 0);
    assert_int_equal(json_object_del(metrics, "main_content_ms"), 0);
    assert_int_equal(json_object_set_new(metrics, "splash_ms", json_null()), 0);
    char *old = json_dumps(root, 0);
    if (ts_result_parse(old, strlen(old), &result, &why))
        fail_msg("%s", why.text);
    assert_true(result.settled.value == 812 && result.speed_index.value == 0);
    assert_true(isnan(result.visually_complete_85.value) && isnan(result.visually_complete_85.u));
    assert_true(isnan(result.main_content.value) && isnan(result.main_content.u_common));
    assert_true(isnan(result.splash.value));
    assert_int_equal(json_object_set_new(metrics, "splash_ms", json_integer(3)), 0);
    free(old);
    old = json_dumps(root, 0);
    assert_int_equal(ts_result_parse(old, strlen(old), &result, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "splash_ms"));
    free(old);
    json_decref(root);
    ts_buf_free(&text);
}

static void test_wrong_results_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *word;
    } cases[] = {
        {"\"launch\": 7", "\"launch\": 0", "launch"},
        {"\"launch\": 7", "\"launch\": \"7\"", "launch"},
        {"\"robust\"", "\"clever\"", "rule"},
        {"\"start_type\": \"cold\"", "\"start_type\": \"icy\"", "start_type"},
        {"\"flags\": []", "\"flags\": [\"bored\"]", "flags"},
        {"\"frames\": 0", "\"frames\": -1", "frames"},
        {"\"metrics\"", "\"metrix\"", "metrics"},
    };
    const struct ts_session_info info = example_info(42);
    struct ts_result result = {.launch = 7, .start_type = TS_START_COLD, .rule = TS_RULE_ROBUST};
    struct ts_buf text = {0};
    (void)state;
    assert_int_equal(ts_result_print(&result, &info, &text), 0);
    assert_int_equal(ts_buf_append(&text, "", 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_buf wrong = {0};
        struct ts_why why = {""};
        const char *at = strstr((const char *)text.data, cases[i].from);
        assert_non_null(at);
        assert_int_equal(ts_buf_printf(&wrong, "%.*s%s%s", (int)(at - (const char *)text.data),
                                       (const char *)text.data, cases[i].to,
                                       at + strlen(cases[i].from)),
                         0);
        assert_int_equal(ts_result_parse((const char *)wrong.data, wrong.size, &result, &why),
                         TS_EPROTO);
        assert_non_null(strstr(why.text, cases[i].word));
        ts_buf_free(&wrong);
    }
    ts_buf_free(&text);
}

static void test_a_calibration_comes_back_exactly(void **state)
{
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 22, 0);
    for (int i = 0; i < 100; i++) {
        struct ts_calibration calibration, read;
        struct ts_buf text = {0};
        struct ts_why why = {""};
        memset(&calibration, 0, sizeof calibration);
        memset(&read, 0, sizeof read);
        example_calibration(&rng, &calibration);
        if (i % 2) {
            calibration.shunt_mohm = 9.9;
            calibration.shunt_zero_u_uv = 0.03;
        }
        assert_int_equal(ts_calibration_print(&calibration, &text), 0);
        if (ts_calibration_parse((const char *)text.data, text.size, &read, &why))
            fail_msg("%s", why.text);
        assert_true(read.lift_delay_ms == calibration.lift_delay_ms);
        assert_true(read.contact_common_u_ms == calibration.contact_common_u_ms);
        assert_true(read.gamma == calibration.gamma && read.period_ms == calibration.period_ms);
        assert_true(read.camera_known && read.screen_known);
        assert_true(read.shunt_mohm == calibration.shunt_mohm);
        assert_true(read.shunt_zero_u_uv == calibration.shunt_zero_u_uv);
        assert_int_equal(read.plate_taps, 12);
        assert_memory_equal(read.screen_px, calibration.screen_px, sizeof read.screen_px);
        for (int led = 0; led < TS_LED_COUNT; led++) {
            assert_memory_equal(read.led[led].blocks, calibration.led[led].blocks,
                                sizeof read.led[led].blocks);
            assert_true(read.led[led].on == calibration.led[led].on && read.led[led].seen);
        }
        ts_buf_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printing_a_result_again_gives_the_same_bytes),
        cmocka_unit_test(test_the_shape_of_a_result),
        cmocka_unit_test(test_budgets_come_back),
        cmocka_unit_test(test_a_result_with_fewer_metrics),
        cmocka_unit_test(test_wrong_results_are_refused),
        cmocka_unit_test(test_a_calibration_comes_back_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
