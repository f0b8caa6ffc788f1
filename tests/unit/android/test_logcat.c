/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/logcat.h"
#include "base/rng.h"
#include "logs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NO NAN

/* What one line of a file says; lines that say nothing are in no table. */
struct expected {
    enum ts_log_event_kind kind;
    const char *component;
    double duration_ms, total_ms;
    int user, pid;
};

static const struct expected android_4[] = {
    {TS_LOG_LAUNCH_TIME, "com.packag/.MyActivity", 309, 309, 0, -1},
    {TS_LOG_PROC_START, "com.packag/.MyActivity", NO, NO, 0, 17762},
    {TS_LOG_KILL, "com.packag", NO, NO, 0, 17762},
    {TS_LOG_RESUME, "com.packag.MyActivity", NO, NO, 0, -1},
    {TS_LOG_START, "com.packag/.MyActivity", NO, NO, 0, -1},
    {TS_LOG_PROC_START, "com.packag/.MyActivity", NO, NO, -1, 17762},
    {TS_LOG_DISPLAYED, "com.packag/.MyActivity", 309, NO, -1, -1},
    {TS_LOG_TIMEOUT, "", NO, NO, -1, -1},
};

static const struct expected samsung_5[] = {
    {TS_LOG_DISPLAYED, "", 678, 105048, -1, -1},
    {TS_LOG_LAUNCH_TIME, "com.tencent.ttpic.dev/com.tencent.ttpic.module.MainActivity", 625,
     6001520, 0, -1},
};

static const struct expected android_7[] = {
    {TS_LOG_START, "com.test.thalitest/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_CREATE, "com.test.thalitest/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_PAUSE, "com.android.launcher3/.Launcher", NO, NO, 0, -1},
    {TS_LOG_PAUSE, "com.android.launcher3.Launcher", NO, NO, 0, -1},
    {TS_LOG_PROC_START, "com.test.thalitest/.MainActivity", NO, NO, 0, 9120},
    {TS_LOG_PROC_START, "com.test.thalitest/.MainActivity", NO, NO, 0, 9120},
    {TS_LOG_PROC_BOUND, "com.test.thalitest", NO, NO, 0, 9120},
    {TS_LOG_RESTART, "com.test.thalitest/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_FOCUS, "com.test.thalitest/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_RESUME, "com.test.thalitest.MainActivity", NO, NO, 0, -1},
    {TS_LOG_LAUNCH_TIME, "com.test.thalitest/.MainActivity", 728, 812, 0, -1},
    {TS_LOG_DISPLAYED, "com.test.thalitest/.MainActivity", 728, 812, -1, -1},
    {TS_LOG_FULLY_DRAWN, "com.test.thalitest/.MainActivity", 1894, 1978, 0, -1},
    {TS_LOG_FULLY_DRAWN, "com.test.thalitest/.MainActivity", 1894, 1978, -1, -1},
    {TS_LOG_CRASH, "com.test.thalitest", NO, NO, 0, 9120},
    {TS_LOG_PROC_DIED, "com.test.thalitest", NO, NO, 0, 9120},
    {TS_LOG_PROC_DIED, "com.test.thalitest", NO, NO, -1, 9120},
};

static const struct expected android_9[] = {
    {TS_LOG_DISPLAYED, "com.maezia.sevco.syshmicommgr.demo/.MainActivity", 1801, 144378, -1, -1},
    {TS_LOG_DISPLAYED,
     "Xamarin.Forms_Performance_Integration/"
     "xamarin.forms.performance.integration.MainActivity",
     1255, NO, -1, -1},
    {TS_LOG_LAUNCH_TIME, "com.bbk.appstore/.ui.AppStore", 437, 437, 0, -1},
    {TS_LOG_FULLY_DRAWN, "com.meizu.flyme.applaunch/.MainActivity", 2319, NO, -1, -1},
    {TS_LOG_LAUNCH_TIME, "cn.nubia.launcher/com.android.launcher3.Launcher", 257, 257, 0, -1},
    {TS_LOG_LOST, "", NO, NO, -1, -1},
    {TS_LOG_LOST, "", NO, NO, -1, -1},
    {TS_LOG_ANR, "com.bbk.appstore", NO, NO, 0, 18230},
    {TS_LOG_ANR, "com.bbk.appstore/.ui.AppStore", NO, NO, -1, -1},
};

static const struct expected android_10[] = {
    {TS_LOG_START, "com.demoapp.activitydemo/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_CREATE, "com.opera.browser/com.opera.Opera", NO, NO, 0, -1},
    {TS_LOG_CREATE, "com.opera.Opera", NO, NO, 0, -1},
    {TS_LOG_RESUME, "com.opera.Opera", NO, NO, 0, -1},
    {TS_LOG_LAUNCH_TIME, "com.opera.browser/com.opera.Opera", 1061, NO, 0, -1},
    {TS_LOG_DISPLAYED, "com.demoapp.activitydemo/.MainActivity", 362, NO, -1, -1},
    {TS_LOG_FULLY_DRAWN, "com.example.deutschplan/.MainActivity", 1634, NO, -1, -1},
};

static const struct expected android_13[] = {
    {TS_LOG_CREATE, "com.demoapp.activitydemo.MainActivity", NO, NO, -1, -1},
    {TS_LOG_PROC_START, "com.northwall.learningdemo/com.northwall.learningdemo.MainActivity", NO,
     NO, 0, 4660},
    {TS_LOG_PROC_START, "com.northwall.learningdemo/com.northwall.learningdemo.MainActivity", NO,
     NO, 0, 4660},
    {TS_LOG_PROC_BOUND, "com.northwall.learningdemo", NO, NO, 0, 4660},
    {TS_LOG_RESTART, "com.northwall.learningdemo/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_RESUME, "com.northwall.learningdemo/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_FOCUS, "com.northwall.learningdemo/com.northwall.learningdemo.MainActivity", NO, NO, -1,
     -1},
    {TS_LOG_CREATE, "com.maxim.wordcard.MainActivity", 12, NO, -1, -1},
    {TS_LOG_RESUME, "com.maxim.wordcard.MainActivity", 3, NO, -1, -1},
    {TS_LOG_CREATE, "com.maxim.wordcard.MainActivity", 62, NO, 0, -1},
    {TS_LOG_RESTART, "com.example.app.MainActivity", NO, NO, -1, -1},
    {TS_LOG_LAUNCH_TIME, "com.maxim.wordcard.free/com.maxim.wordcard.MainActivity", 661, NO, 0, -1},
    {TS_LOG_DISPLAYED, "com.maxim.wordcard.free/com.maxim.wordcard.MainActivity", 661, NO, 0, -1},
    {TS_LOG_DISPLAYED, "com.erbete.customer/.MainActivity", 5098, NO, 0, -1},
    {TS_LOG_PROC_START, "com.erbete.customer", NO, NO, -1, -1},
};

static const struct expected android_16[] = {
    {TS_LOG_START, "it.f0x.playground/.MainActivity", NO, NO, 0, -1},
    {TS_LOG_DISPLAYED, "it.f0x.playground/.MainActivity", 31584, NO, 10, -1},
    {TS_LOG_FULLY_DRAWN, "it.f0x.playground/.MainActivity", 31584, NO, -1, -1},
    {TS_LOG_LAUNCH_TIME, "com.seedengine.platformspike/.RingEntry", 518, NO, 0, -1},
    {TS_LOG_START, "com.seedengine.platformspike/.Gone", NO, NO, 0, -1},
    {TS_LOG_CRASH, "", NO, NO, -1, 9100},
    {TS_LOG_CRASH, "it.f0x.playground", NO, NO, -1, 9100},
};

#define TABLE(name) name, sizeof name / sizeof *name
static const struct {
    const char *file;
    const struct expected *expected;
    size_t count;
} files[] = {
    {"android-4.log", TABLE(android_4)},   {"samsung-5.log", TABLE(samsung_5)},
    {"android-7.log", TABLE(android_7)},   {"android-9.log", TABLE(android_9)},
    {"android-10.log", TABLE(android_10)}, {"android-13.log", TABLE(android_13)},
    {"android-16.log", TABLE(android_16)}, {"decoys.log", NULL, 0},
};

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || !(a < b || a > b || isnan(a) || isnan(b));
}

static void assert_event(const struct ts_log_event *event, const struct expected *wanted,
                         const char *where)
{
    if (event->kind != wanted->kind || strcmp(event->component, wanted->component) != 0 ||
        !same(event->duration_ms, wanted->duration_ms) ||
        !same(event->total_ms, wanted->total_ms) || event->user != wanted->user ||
        event->pid != wanted->pid)
        fail_msg("%s: %s \"%s\" %g %g user %d pid %d", where, ts_log_event_name(event->kind),
                 event->component, event->duration_ms, event->total_ms, event->user, event->pid);
}

/* Line by line, without terminators, so that reading past an end shows. */
static bool next_event(char **text, char *end, struct ts_log_event *event)
{
    while (*text < end) {
        char *stop = memchr(*text, '\n', (size_t)(end - *text));
        const size_t size = (size_t)((stop ? stop : end) - *text);
        char *copy = malloc(size + !size);
        assert_non_null(copy);
        memcpy(copy, *text, size);
        *text += size + (stop != NULL);
        const int err = ts_logcat_parse_event(copy, size, event);
        free(copy);
        if (err == TS_OK && event->kind != TS_LOG_NOTHING)
            return true;
    }
    return false;
}

static void every_sample_line(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        size_t size, n = 0;
        char *text = logs_read(files[f].file, &size), *at = text;
        struct ts_log_event event;
        for (; next_event(&at, text + size, &event); n++) {
            if (n == files[f].count)
                fail_msg("%s: one too many: %s", files[f].file, ts_log_event_name(event.kind));
            assert_event(&event, &files[f].expected[n], files[f].file);
        }
        if (n < files[f].count)
            fail_msg("%s: %zu events of %zu", files[f].file, n, files[f].count);
        free(text);
    }
}

static struct ts_log_event parse(const char *text)
{
    struct ts_log_event event;
    assert_int_equal(ts_logcat_parse_event(text, strlen(text), &event), TS_OK);
    return event;
}

static void details(void **state)
{
    (void)state;
    struct ts_log_event e = parse(
        "1790449097.032118  1000  1409  1592 I ActivityTaskManager: START u0 {act=a.b cmp=c.d/.E} "
        "with LAUNCH_MULTIPLE from uid 10091 (x.y.z) (BAL_ALLOW_VISIBLE_WINDOW) result code=-92");
    assert_int_equal(e.uid, 10091);
    assert_string_equal(e.caller, "x.y.z");
    assert_int_equal(e.result, -92);
    assert_int_equal(e.line.uid, 1000);
    assert_int_equal(e.line.pid, 1409);
    assert_int_equal(e.line.tid, 1592);
    e = parse("I ActivityTaskManager: START u10 {dat=x://} cmp=a.a/.A cmp=b.b/.B (has extras)} "
              "from uid 10091 (BAL_ALLOW_VISIBLE_WINDOW) result code=2");
    assert_int_equal(e.user, 10);
    assert_string_equal(e.component, "a.a/.A");
    assert_string_equal(e.caller, "");
    assert_int_equal(e.result, 2);
    e = parse("I ActivityManager: Start proc 4660:pkg:ui/u10a7 for service pkg/.S");
    assert_string_equal(e.process, "pkg:ui");
    assert_int_equal(e.uid, 1010007);
    assert_int_equal(e.user, 10);
    assert_string_equal(e.reason, "service");
    e = parse("I am_proc_start: [0,4660,10000,com.n,next-top-activity,{com.n/com.n.Main}]");
    assert_string_equal(e.process, "com.n");
    assert_string_equal(e.reason, "next-top-activity");
    assert_int_equal(e.uid, 10000);
    e = parse("I am_crash: [12434,10,com.android.chrome,1,java.lang.Error,a,b,C,5]");
    assert_int_equal(e.pid, 12434);
    assert_int_equal(e.user, 10);
    assert_string_equal(e.process, "com.android.chrome");
    e = parse("I ActivityManager: Killing 4660:com.foo/u0a12 (adj 900): too many background");
    assert_int_equal(e.kind, TS_LOG_KILL);
    assert_string_equal(e.process, "com.foo");
    assert_string_equal(e.reason, "too many background");
    e = parse("I chatty  : uid=1000(system) ActivityManager expire 12 lines");
    assert_int_equal(e.lost, 12);
    assert_int_equal(e.uid, 1000);
    e = parse("I liblog  : 7");
    assert_int_equal(e.lost, 7);
    e = parse("I wm_on_create_called: [107658451,com.m.Main,performCreate,12]");
    assert_string_equal(e.reason, "performCreate");
}

struct format {
    double ms;
    enum ts_stamp_kind kind;
    int64_t stamp_ns, resolution_ns;
    int uid, pid, tid;
    const char *tag;
};

#define S(seconds) ((seconds)*INT64_C(1000000000))
#define DAY        (S((31 + 14) * 86400 + 22 * 3600 + 11 * 60 + 29))
#define YEAR_2024  S(INT64_C(1704067200))
#define AM         "ActivityTaskManager"

/* In the order of formats.log, by the number of milliseconds in each line. */
static const struct format formats[] = {
    {10, TS_STAMP_NONE, 0, 0, -1, 1622, -1, AM},
    {11, TS_STAMP_NONE, 0, 0, -1, 1622, -1, AM},
    {12, TS_STAMP_NONE, 0, 0, -1, -1, -1, AM},
    {14, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, -1, AM},
    {15, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {18, TS_STAMP_CALENDAR, DAY + 328117000, 1000, -1, 1622, 1779, AM},
    {19, TS_STAMP_CALENDAR, DAY + 328117904, 1, -1, 1622, 1779, AM},
    {20, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {21, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {22, TS_STAMP_EPOCH, YEAR_2024 + DAY + S(12600) + 328117904, 1, 1000, 1622, 1779, AM},
    {23, TS_STAMP_EPOCH, S(INT64_C(1708035089)) + 328000000, 1000000, -1, 1622, 1779, AM},
    {24, TS_STAMP_MONOTONIC, S(INT64_C(8123)) + 328000000, 1000000, -1, 1622, 1779, AM},
    {25, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, 1000, 1622, 1779, AM},
    {26, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, 10123, 9622, 9779, AM},
    {27, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -2, 9622, 9779, AM},
    {28, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {29, TS_STAMP_NONE, 0, 0, 1000, 1622, -1, AM},
    {30, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, 0, 1622, -1, AM},
    {33, TS_STAMP_NONE, 0, 0, 1000, 1622, -1, AM},
    {34, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {35, TS_STAMP_NONE, 0, 0, -1, 1622, -1, AM},
    {36, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {37, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
    {38, TS_STAMP_CALENDAR, DAY + 328000000, 1000000, -1, 1622, 1779, AM},
};

static void every_format(void **state)
{
    (void)state;
    size_t size, n = 0;
    char *text = logs_read("formats.log", &size), *at = text;
    struct ts_log_event e;
    for (; next_event(&at, text + size, &e); n++) {
        assert_true(n < sizeof formats / sizeof *formats);
        const struct format *f = &formats[n];
        if (!same(e.duration_ms, f->ms) || e.line.stamp_kind != f->kind ||
            e.line.stamp_ns != f->stamp_ns || e.line.resolution_ns != f->resolution_ns ||
            e.line.uid != f->uid || e.line.pid != f->pid || e.line.tid != f->tid ||
            strcmp(e.line.tag, f->tag) != 0)
            fail_msg("line %g, wanted %g: kind %d stamp %lld uid %d pid %d tid %d", e.duration_ms,
                     f->ms, (int)e.line.stamp_kind, (long long)e.line.stamp_ns, e.line.uid,
                     e.line.pid, e.line.tid);
    }
    assert_int_equal(n, sizeof formats / sizeof *formats);
    free(text);
}

/* Files joined at random, cut into lines of random foreign ends, give the events of each file in
 * its order, whatever stands around them. */
static void random_concatenations(void **state)
{
    (void)state;
    static const char *const between[] = {
        "",        "noise", "--------- beginning of main", "\r", "I/x( 1): Displayed a/.B: +5ms",
        "\033[0m", "[ ]"};
    struct ts_rng rng;
    ts_rng_seed(&rng, 77, 5);
    for (int round = 0; round < 200; round++) {
        const size_t f = ts_rng_below(&rng, sizeof files / sizeof *files);
        size_t size, n = 0;
        char *text = logs_read(files[f].file, &size);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            struct ts_log_event event;
            const char *noise = between[ts_rng_below(&rng, 7)];
            if (ts_logcat_parse_event(noise, strlen(noise), &event) == TS_OK)
                assert_int_equal(event.kind, TS_LOG_NOTHING);
            char ended[1024];
            strcpy(ended, line);
            strcat(ended, ((const char *[]){"", "\n", "\r\n", "\r\r\n"})[ts_rng_below(&rng, 4)]);
            if (ts_logcat_parse_event(ended, strlen(ended), &event) || !event.kind)
                continue;
            assert_true(n < files[f].count);
            assert_event(&event, &files[f].expected[n++], files[f].file);
        }
        assert_int_equal(n, files[f].count);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_line),
        cmocka_unit_test(details),
        cmocka_unit_test(every_format),
        cmocka_unit_test(random_concatenations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
