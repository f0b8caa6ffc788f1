/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log taken up again: nothing twice, and a word where something may be missing. */
#include "live_adb/resume.h"

#include "base/rng.h"
#include "base/time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int feed(struct ts_adb_resume *resume, int64_t us, const char *words)
{
    char line[160];
    snprintf(line, sizeof line, "%12lld.%06lld  1000  1622  1779 I Tag     : %s",
             (long long)(us / 1000000), (long long)(us % 1000000), words);
    return ts_adb_resume_line(resume, line, strlen(line));
}

#define START INT64_C(1700000000000000)

static void nothing_seen(void **state)
{
    (void)state;
    struct ts_adb_resume resume = {0};
    char from[48];
    ts_adb_resume_from(&resume, from, sizeof from);
    assert_string_equal(from, "");
    assert_int_equal(feed(&resume, START, "a"), TS_ADB_LINE_NEW);
    ts_adb_resume_free(&resume);
}

/* It broke off before its first line: it begins anew, from the instant at which it does. */
static void nothing_seen_before_the_break(void **state)
{
    (void)state;
    struct ts_adb_resume resume = {0};
    char from[48];
    ts_adb_resume_break(&resume);
    ts_adb_resume_from(&resume, from, sizeof from);
    assert_string_equal(from, "");
    assert_int_equal(ts_adb_resume_line(&resume, "--------- beginning of main", 27),
                     TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START, "a"), TS_ADB_LINE_LATER);
    assert_int_equal(feed(&resume, START + 1, "b"), TS_ADB_LINE_NEW);
    ts_adb_resume_free(&resume);
}

static void taken_up(void **state)
{
    (void)state;
    struct ts_adb_resume resume = {0};
    char from[48];
    assert_int_equal(feed(&resume, START, "a"), TS_ADB_LINE_NEW);
    assert_int_equal(feed(&resume, START + 500, "same"), TS_ADB_LINE_NEW);
    assert_int_equal(feed(&resume, START + 500, "same"), TS_ADB_LINE_NEW);
    ts_adb_resume_from(&resume, from, sizeof from);
    assert_string_equal(from, "1699999999.000500000");
    ts_adb_resume_break(&resume);
    assert_int_equal(ts_adb_resume_line(&resume, "--------- beginning of main", 27),
                     TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START, "a"), TS_ADB_LINE_SEEN);
    /* It had been written, but was on its way when the link broke. */
    assert_int_equal(feed(&resume, START + 100, "late"), TS_ADB_LINE_NEW);
    assert_int_equal(feed(&resume, START + 500, "same"), TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START + 500, "same"), TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START + 500, "same"), TS_ADB_LINE_NEW);
    assert_int_equal(feed(&resume, START + 600, "b"), TS_ADB_LINE_NEW);
    /* And once more, with what came in the meantime. */
    ts_adb_resume_break(&resume);
    assert_int_equal(feed(&resume, START + 100, "late"), TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START + 600, "b"), TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START + 700, "c"), TS_ADB_LINE_NEW);
    ts_adb_resume_free(&resume);
}

static void run_over(void **state)
{
    (void)state;
    struct ts_adb_resume resume = {0};
    assert_int_equal(feed(&resume, START, "a"), TS_ADB_LINE_NEW);
    assert_int_equal(feed(&resume, START + 1, "b"), TS_ADB_LINE_NEW);
    ts_adb_resume_break(&resume);
    assert_int_equal(feed(&resume, START + 900, "c"), TS_ADB_LINE_LATER);
    assert_int_equal(feed(&resume, START + 901, "d"), TS_ADB_LINE_NEW);
    /* The last line alone is the proof, and a second break asks for it anew. */
    ts_adb_resume_break(&resume);
    assert_int_equal(feed(&resume, START + 901, "d"), TS_ADB_LINE_SEEN);
    ts_adb_resume_break(&resume);
    assert_int_equal(feed(&resume, START + 900, "c"), TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START + 902, "e"), TS_ADB_LINE_LATER);
    ts_adb_resume_free(&resume);
}

/* Set back by a minute: asked for from there, not from a minute ahead, where nothing is. */
static void clock_set_back(void **state)
{
    (void)state;
    struct ts_adb_resume resume = {0};
    char from[48];
    assert_int_equal(feed(&resume, START, "a"), TS_ADB_LINE_NEW);
    assert_int_equal(feed(&resume, START - 60000000, "b"), TS_ADB_LINE_NEW);
    ts_adb_resume_from(&resume, from, sizeof from);
    assert_string_equal(from, "1699999939.000000000");
    ts_adb_resume_break(&resume);
    assert_int_equal(feed(&resume, START - 60000000, "b"), TS_ADB_LINE_SEEN);
    assert_int_equal(feed(&resume, START - 59000000, "c"), TS_ADB_LINE_NEW);
    ts_adb_resume_free(&resume);
}

static void dates(void **state)
{
    (void)state;
    static const char line[] = "02-15 22:11:29.328  1622  1779 I Tag: a";
    struct ts_adb_resume resume = {0};
    char from[48];
    assert_int_equal(ts_adb_resume_line(&resume, line, strlen(line)), TS_ADB_LINE_NEW);
    ts_adb_resume_from(&resume, from, sizeof from);
    assert_string_equal(from, "02-15 22:11:29.328");
    ts_adb_resume_free(&resume);
}

/* Ten thousand lines on a clock of 10 ms steps, out of order by some, broken off a hundred times at
 * any place: what is handed on is the log. */
static void any_breaks(void **state)
{
    (void)state;
    enum { LINES = 10000 };
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct ts_rng rng;
        struct ts_adb_resume resume = {0};
        static int64_t stamps[LINES];
        char words[24];
        int next = 0, handed = 0;
        ts_rng_seed(&rng, seed, 1);
        for (int i = 0; i < LINES; i++)
            stamps[i] = START + (i * 300 + (int)ts_rng_below(&rng, 3000)) / 10000 * 10000;
        for (int part = 0; next < LINES; part++) {
            char from[48];
            ts_adb_resume_from(&resume, from, sizeof from);
            const int64_t from_us = (int64_t)(strtod(from, NULL) * 1e6 + 0.5);
            int i = 0;
            while (part && i < LINES && stamps[i] < from_us)
                i++;
            const int end = next + 1 + (int)ts_rng_below(&rng, 200);
            for (; i < end && i < LINES; i++) {
                snprintf(words, sizeof words, "%d", i / 2); /* pairs that look alike */
                const int result = feed(&resume, stamps[i], words);
                assert_int_not_equal(result, TS_ADB_LINE_LATER);
                handed += result == TS_ADB_LINE_NEW;
            }
            next = i > next ? i : next;
            assert_int_equal(handed, next);
            ts_adb_resume_break(&resume);
        }
        ts_adb_resume_free(&resume);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_seen),   cmocka_unit_test(nothing_seen_before_the_break),
        cmocka_unit_test(taken_up),       cmocka_unit_test(run_over),
        cmocka_unit_test(clock_set_back), cmocka_unit_test(dates),
        cmocka_unit_test(any_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
