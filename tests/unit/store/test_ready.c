/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/ready_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct ts_ready_rule rules[] = {
    {.kind = TS_READY_SETTLED, .launches = 3, .error_ms = 0.25},
    {.kind = TS_READY_FROM_FIRST, .nth = 3, .launches = 12, .error_ms = 4.125},
    {.kind = TS_READY_FROM_LAST, .nth = 1},
    {.kind = TS_READY_PROGRESS, .share = 0.85, .launches = 5},
    {.kind = TS_READY_COVER, .share = 0.3, .launches = 5},
    {.kind = TS_READY_REGION, .region = {1.0 / 3, 0, 1, 2.0 / 3}, .launches = 9},
};

static void comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct ts_ready_file file = {"M\xc3\xbcsik \"1\"", "robust-2", rules[i]}, read;
        struct ts_buf first = {0}, second = {0};
        struct ts_why why = {""};
        assert_int_equal(ts_ready_print(&file, &first), TS_OK);
        if (ts_ready_parse((const char *)first.data, first.size, &read, &why))
            fail_msg("%s", why.text);
        assert_string_equal(read.app, file.app);
        assert_string_equal(read.detector, file.detector);
        assert_int_equal(read.rule.kind, rules[i].kind);
        assert_int_equal(read.rule.nth, rules[i].nth);
        assert_int_equal(read.rule.launches, rules[i].launches);
        assert_float_equal(read.rule.error_ms, rules[i].error_ms, 0);
        if (rules[i].kind == TS_READY_REGION)
            assert_memory_equal(&read.rule.region, &rules[i].region, sizeof read.rule.region);
        assert_int_equal(ts_ready_print(&read, &second), TS_OK);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        ts_buf_free(&first);
        ts_buf_free(&second);
    }
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"\"cover\"", "\"taste\""}, {"0.3", "1.3"},
        {"0.3", "\"much\""},        {"\"share\"", "\"sharp\""},
        {"\"app\"", "\"ape\""},     {"\"learned_from\": 5", "\"learned_from\": -1"},
        {"\"rule\"", "\"role\""},   {"}", "]"},
    };
    struct ts_ready_file file = {"Mail", "robust-2", rules[4]};
    struct ts_buf text = {0};
    assert_int_equal(ts_ready_print(&file, &text), TS_OK);
    assert_int_equal(ts_buf_append(&text, "", 1), TS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *whole = (const char *)text.data, *at = strstr(whole, cases[i].from);
        char wrong[1000];
        struct ts_why why = {""};
        assert_non_null(at);
        const int size = snprintf(wrong, sizeof wrong, "%.*s%s%s", (int)(at - whole), whole,
                                  cases[i].to, at + strlen(cases[i].from));
        assert_int_equal(ts_ready_parse(wrong, (size_t)size, &file, &why), TS_EPROTO);
        assert_true(why.text[0] != '\0');
    }
    ts_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
