/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The budget as people read it, and what is said of sessions that have none. */
#include "report/budget.h"
#include "report/html.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <cmocka.h>

static const struct ts_text_style ascii = {.width = 80};

static struct ts_result with_budget(int launch, double change_u_ms)
{
    struct ts_result result = sample_result("Maps", launch, 800, 600);
    result.budgets[TS_BUDGET_SETTLED].terms[TS_TERM_CHANGE] =
        (struct ts_term){change_u_ms, 1, INFINITY};
    result.budgets[TS_BUDGET_SETTLED].terms[TS_TERM_EXPOSURE] =
        (struct ts_term){0.8, -0.5, INFINITY};
    result.budgets[TS_BUDGET_SETTLED].terms[TS_TERM_LIFT_DELAY] = (struct ts_term){0.3, 1, 4};
    result.budgets[TS_BUDGET_SETTLED].terms[TS_TERM_CLOCK] = (struct ts_term){2e-6, 800, INFINITY};
    result.settled.u = ts_budget_u_ms(&result.budgets[TS_BUDGET_SETTLED]);
    result.settled.u_common = ts_budget_common_ms(&result.budgets[TS_BUDGET_SETTLED]);
    result.half_95_ms[TS_METRIC_settled] = 4.25;
    result.budgets[TS_BUDGET_LIFT].terms[TS_TERM_LIFT_TAP] = (struct ts_term){0.25, 1, 20};
    result.lift = (struct ts_instant){5000, 0.25e6, 0.52e6};
    return result;
}

static char *text_of(const struct ts_result *result)
{
    struct ts_out out = {0};
    ts_text_budget(result, ascii, &out);
    ts_out_bytes(&out, "", 1);
    assert_int_equal(out.err, TS_OK);
    return (char *)out.text.data;
}

static void rows_are_the_terms_by_size(void **state)
{
    (void)state;
    const struct ts_result result = with_budget(1, 2);
    struct ts_budget_row rows[TS_TERM_COUNT];
    double parts = 0;
    assert_int_equal(ts_budget_rows(&result.budgets[TS_BUDGET_SETTLED], rows), 4);
    static const char *const order[] = {"change", "exposure", "lift_delay", "clock"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(rows[i].kind->name, order[i]);
        parts += rows[i].part;
    }
    assert_true(fabs(parts - 1) < 1e-12);
    assert_true(fabs(rows[1].share_ms - 0.4) < 1e-12);
    assert_string_equal(rows[3].unit, "ppm");
    assert_true(fabs(rows[3].u - 2) < 1e-12 && fabs(rows[3].sensitivity - 8e-4) < 1e-12);
}

static void text_tells_all_of_it(void **state)
{
    (void)state;
    const struct ts_result result = with_budget(7, 2);
    char *text = text_of(&result);
    assert_non_null(strstr(text, "Launch 7  Maps"));
    assert_non_null(strstr(text, "95 % interval: +-4.25 ms"));
    assert_non_null(strstr(text, "Lift; u 0.25 ms, 95 % interval: +-0.52 ms"));
    assert_non_null(strstr(text, "stylus, from tap to tap"));
    const char *const order[] = {"\nContact", "\nLift", "\nFirst change", "\nSettled"};
    const char *at = text;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_non_null(at = strstr(at, order[i]));
    assert_null(strstr(text, "\nStart"));
    assert_non_null(strstr(text, "2 ppm"));
    assert_non_null(strstr(text, "stylus, its calibration *"));
    assert_non_null(strstr(text, "Shared part of u: 0.30 ms."));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    for (int i = 0; i < TS_TERM_COUNT; i++) /* none is cut short */
        assert_true(strlen(ts_term_kinds[i].words) <= 30);
    free(text);
}

/* Where nobody tapped there is a start, and no contact or lift. */
static void untapped_has_a_start(void **state)
{
    (void)state;
    struct ts_result result = with_budget(7, 2);
    snprintf(result.conditions.launch_from, sizeof result.conditions.launch_from, "am");
    result.start = (struct ts_instant){1000, 0.3e6, 0.5e6};
    result.budgets[TS_BUDGET_START].terms[TS_TERM_PHONE] = (struct ts_term){0.3, 1, INFINITY};
    char *text = text_of(&result);
    assert_non_null(strstr(text, "\nStart; u 0.30 ms, 95 % interval: +-0.50 ms"));
    assert_non_null(strstr(text, "phone's clock on the host's"));
    assert_non_null(strstr(text, "ms after Android's start"));
    assert_null(strstr(text, "\nContact"));
    assert_null(strstr(text, "\nLift"));
    free(text);
}

/* As read from a session of an earlier version; and a launch that did not settle. */
static void none_is_not_stated(void **state)
{
    (void)state;
    struct ts_result result = sample_result("Maps", 1, 800, 600);
    result.half_95_ms[TS_METRIC_settled] = NAN;
    for (int settled = 1; settled >= 0; settled--) {
        char *text = text_of(&result);
        const char *part = strstr(text, "\nSettled");
        assert_false(ts_budget_stated(&result, TS_BUDGET_SETTLED));
        assert_non_null(part);
        assert_int_equal(strstr(part, "95 % interval: not stated") != NULL, settled);
        assert_int_equal(strstr(part, "Where it comes from: not stated") != NULL, settled);
        assert_int_equal(strstr(part, "not seen") != NULL, !settled);
        free(text);
        result.settled = (struct ts_metric){NAN, NAN, NAN};
    }
}

static json_t *json_of(const struct ts_result *result)
{
    struct ts_out out = {0};
    ts_json_budget(result, &out);
    assert_int_equal(out.err, TS_OK);
    json_t *root = json_loadb((const char *)out.text.data, out.text.size, 0, NULL);
    assert_non_null(root);
    ts_buf_free(&out.text);
    return root;
}

static void json_holds_the_terms(void **state)
{
    (void)state;
    struct ts_result result = with_budget(1, 2);
    json_t *root = json_of(&result);
    const json_t *terms = json_object_get(json_object_get(root, "settled_ms"), "terms");
    const json_t *first = json_array_get(terms, 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "change");
    assert_true(json_is_null(json_object_get(first, "dof")));
    assert_int_equal(json_array_size(terms), 4);
    const json_t *lift = json_object_get(root, "lift");
    assert_int_equal(json_array_size(json_object_get(lift, "terms")), 1);
    assert_true(fabs(json_number_value(json_object_get(lift, "half_95_ms")) - 0.52) < 1e-12);
    assert_true(json_is_null(json_object_get(json_object_get(root, "contact"), "terms")));
    json_decref(root);
    result.budgets[TS_BUDGET_SETTLED] = (struct ts_budget){0};
    root = json_of(&result);
    assert_true(json_is_null(json_object_get(json_object_get(root, "settled_ms"), "terms")));
    json_decref(root);
}

static void the_typical_launch_has_the_median_u(void **state)
{
    (void)state;
    static const double change[] = {5, 1, 4, 2, 3};
    struct ts_launch launches[6] = {0};
    struct ts_report_data data = {.launches = launches, .count = 6};
    const struct ts_launch *typical;
    for (int i = 0; i < 5; i++)
        launches[i].result = with_budget(i + 1, change[i]);
    launches[5].result = with_budget(6, 0.1);
    ts_result_flag(&launches[5].result, TS_FLAG_FRAMES_DROPPED);
    assert_int_equal(ts_budget_typical(&data, NULL, &typical), TS_OK);
    assert_ptr_equal(typical, &launches[4]);
    assert_int_equal(ts_budget_typical(&data, "Maps", &typical), TS_OK);
    assert_ptr_equal(typical, &launches[4]);
    assert_int_equal(ts_budget_typical(&data, "Mail", &typical), TS_OK);
    assert_null(typical);
    data.count = 0;
    assert_int_equal(ts_budget_typical(&data, NULL, &typical), TS_OK);
    assert_null(typical);
}

static void the_page_has_it(void **state)
{
    (void)state;
    struct ts_report_data data;
    for (int stated = 0; stated < 2; stated++) {
        struct ts_out out = {0};
        sample_make(&data, 8, true);
        for (size_t i = 0; i < data.count && stated; i++) {
            const struct ts_result budget = with_budget(1, 2 + 0.1 * (double)i);
            memcpy(data.launches[i].result.budgets, budget.budgets, sizeof budget.budgets);
        }
        assert_int_equal(ts_report_page(&data, NULL, false, &out), TS_OK);
        ts_out_bytes(&out, "", 1);
        const char *page = (const char *)out.text.data;
        assert_non_null(strstr(page, "Where the uncertainty comes from"));
        assert_true(!stated == !strstr(page, "stylus, its calibration"));
        assert_true(stated == !strstr(page, "Not stated: no launch that counts has a budget"));
        sample_free(&data);
        ts_buf_free(&out.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_terms_by_size),
        cmocka_unit_test(text_tells_all_of_it),
        cmocka_unit_test(untapped_has_a_start),
        cmocka_unit_test(none_is_not_stated),
        cmocka_unit_test(json_holds_the_terms),
        cmocka_unit_test(the_typical_launch_has_the_median_u),
        cmocka_unit_test(the_page_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
