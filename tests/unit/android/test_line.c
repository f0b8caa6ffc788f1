/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a line: its head, its stamp, the names in it. */
#include "android/component.h"
#include "android/logcat.h"
#include "base/time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct ts_log_line line_of(const char *text, size_t size)
{
    struct ts_log_line line;
    assert_int_equal(ts_logcat_parse_line(text, size, &line), TS_OK);
    return line;
}

static void lines_without_an_event(void **state)
{
    (void)state;
    struct ts_log_line line;
    static const char *const none[] = {"", "\r\n", "--------- beginning of main",
                                       "--------- switch to events\r\n",
                                       "--------- beginning of /dev/log/main"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(ts_logcat_parse_line(none[i], strlen(none[i]), &line), TS_EPROTO);
    line = line_of("just words: here", 16);
    assert_string_equal(line.tag, "");
    assert_int_equal(line.priority, 0);
    assert_int_equal(line.message_size, 16);
    line = line_of("I( 1622: 1779) words", 20);
    assert_string_equal(line.tag, "");
    assert_int_equal(line.tid, 1779);
    assert_int_equal(line.message_size, 5);
    line = line_of("02-15 22:11:29.328  1622  1779 E a: b: c", 40);
    assert_string_equal(line.tag, "a");
    assert_string_equal(line.stamp, "02-15 22:11:29.328");
    assert_int_equal(line.priority, 'E');
    assert_memory_equal(line.message, "b: c", 4);
    line = line_of("E/Tag(x)( 12): m\0n", 18);
    assert_string_equal(line.tag, "Tag(x)");
    assert_int_equal(line.pid, 12);
    assert_memory_equal(line.message, "m\0n", 3);
    line = line_of("[ 02-15 22:11:29.328  1000: 1622: 1779 I/Act:x ]", 48);
    assert_true(line.message_follows);
    assert_int_equal(line.uid, 1000);
    assert_string_equal(line.tag, "Act:x");
    ts_logcat_set_message(&line, "hello\033[0m\r\n", 11);
    assert_int_equal(line.message_size, 5);
    assert_false(line.message_follows);
}

static void calendars(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum ts_stamp_kind kind;
        int64_t seconds;
    } cases[] = {
        {"01-01 00:00:00.000", TS_STAMP_CALENDAR, 0},
        {"03-01 00:00:00.000", TS_STAMP_CALENDAR, 60 * 86400},
        {"2023-03-01 00:00:00.000", TS_STAMP_CALENDAR, 59 * 86400},
        {"2024-03-01 00:00:00.000", TS_STAMP_CALENDAR, 60 * 86400},
        {"1970-01-01 00:00:00.000 +0000", TS_STAMP_EPOCH, 0},
        {"2000-03-01 00:00:00.000 +0000", TS_STAMP_EPOCH, 951868800},
        {"2026-07-05 08:21:54.320 +0200", TS_STAMP_EPOCH, 1783232514},
        {"02-29 00:00:00.000", TS_STAMP_CALENDAR, 59 * 86400},
        {"2023-02-29 00:00:00.000", TS_STAMP_NONE, 0},
        {"02-30 00:00:00.000", TS_STAMP_NONE, 0},
        {"00-10 00:00:00.000", TS_STAMP_NONE, 0},
        {"01-01 24:00:00.000", TS_STAMP_NONE, 0},
        {"9999999999.000", TS_STAMP_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[80];
        snprintf(text, sizeof text, "%s  1  2 I a: b", cases[i].text);
        const struct ts_log_line line = line_of(text, strlen(text));
        if (line.stamp_kind != cases[i].kind || line.stamp_ns / TS_NS_PER_S != cases[i].seconds)
            fail_msg("%s: kind %d, %lld s", cases[i].text, (int)line.stamp_kind,
                     (long long)(line.stamp_ns / TS_NS_PER_S));
    }
}

static void components(void **state)
{
    (void)state;
    assert_true(ts_component_equal("a.b/.C", "a.b/a.b.C"));
    assert_true(ts_component_equal("a.b/a.b.C", "a.b/.C"));
    assert_true(ts_component_equal("a.b/.C", "a.b/.C"));
    assert_true(ts_component_equal("a.b/x.C", "a.b/x.C"));
    assert_false(ts_component_equal("a.b/.C", "a.b/.CD"));
    assert_false(ts_component_equal("a.b/.C", "a.bb/.C"));
    assert_false(ts_component_equal("a.b/.C", "a.b/b.C"));
    assert_false(ts_component_equal("a.b", "a.b"));
    assert_true(ts_component_has_class("a.b/.C", "a.b.C"));
    assert_true(ts_component_has_class("a.b/x.C", "x.C"));
    assert_false(ts_component_has_class("a.b/.C", "x.b.C"));
    assert_true(ts_component_same_package("a.b:push", "a.b/.C"));
    assert_false(ts_component_same_package("a.b.c", "a.b/.C"));
    assert_false(ts_component_same_package("", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_without_an_event),
        cmocka_unit_test(calendars),
        cmocka_unit_test(components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
