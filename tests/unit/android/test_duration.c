/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/logcat.h"
#include "base/rng.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void samples(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double ms;
    } cases[] = {
        {"0", 0},
        {"+1ms", 1},
        {"+728ms", 728},
        {"+999ms", 999},
        {"+1s0ms", 1000},
        {"+1s801ms", 1801},
        {"+5s98ms", 5098},
        {"+60s0ms", 60000},
        {"+60s5ms", 60005},
        {"+1m1s0ms", 61000},
        {"+2m0s5ms", 120005},
        {"+1m45s48ms", 105048},
        {"+2m24s378ms", 144378},
        {"+60m0s0ms", 3600000},
        {"+1h0m1s0ms", 3601000},
        {"+1h0m60s0ms", 3660000},
        {"+24h0m0s0ms", 86400000},
        {"+1d0h0m1s0ms", 86401000},
        {"+3d4h5m6s7ms", 273906007},
        {"-31s584ms", -31584},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ms = NAN;
        const size_t size = strlen(cases[i].text);
        if (ts_duration_parse(cases[i].text, size, &ms) != size || ms < cases[i].ms ||
            ms > cases[i].ms)
            fail_msg("%s: %g", cases[i].text, ms);
    }
}

static void never_printed(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "+",
        "+ms",
        "728ms",
        "+728",
        "+728m",
        "+5s098ms",
        "+05s98ms",
        "+0ms",
        "-0ms",
        "+0s5ms",
        "+1000ms",
        "+61s0ms",
        "+1m0s0ms",
        "+2m60s0ms",
        "+2m5ms",
        "+1h0m0s0ms",
        "+5s",
        "+1s1s1ms",
        "+1ms5s",
        "00",
        "0ms",
        "+1.5s0ms",
        "+ 728ms",
        "+728msx",
        "+728ms1",
        "--1ms",
        "+1h5m0ms",
        "+25h0m0s0ms",
        "+99999999999999999999ms",
        "+1234567s0ms",
        "+5S98MS",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ms;
        if (ts_duration_parse(cases[i], strlen(cases[i]), &ms) != 0)
            fail_msg("taken: %s", cases[i]);
    }
}

static void what_follows_stays(void **state)
{
    (void)state;
    double ms;
    assert_int_equal(ts_duration_parse("+728ms (total +812ms)", 21, &ms), 6);
    assert_int_equal(ts_duration_parse("+728ms)", 7, &ms), 6);
    assert_int_equal(ts_duration_parse("0 (total 0)", 11, &ms), 1);
    assert_int_equal(ts_duration_parse("+728ms", 5, &ms), 0);
}

/* TimeUtils.formatDurationLocked, word for word as its field loop runs. */
static void format(int64_t ms, char *text, size_t size)
{
    if (ms == 0) {
        snprintf(text, size, "0");
        return;
    }
    const char sign = ms > 0 ? '+' : '-';
    ms = ms > 0 ? ms : -ms;
    int64_t seconds = ms / 1000, days = 0, hours = 0, minutes = 0;
    if (seconds > 86400) {
        days = seconds / 86400;
        seconds -= days * 86400;
    }
    if (seconds > 3600) {
        hours = seconds / 3600;
        seconds -= hours * 3600;
    }
    if (seconds > 60) {
        minutes = seconds / 60;
        seconds -= minutes * 60;
    }
    const int64_t values[] = {days, hours, minutes, seconds, ms % 1000};
    static const char *const units[] = {"d", "h", "m", "s", "ms"};
    size_t n = (size_t)snprintf(text, size, "%c", sign);
    for (int i = 0; i < 5; i++)
        if (n > 1 || values[i] > 0 || i == 4)
            n += (size_t)snprintf(text + n, size - n, "%" PRId64 "%s", values[i], units[i]);
}

static void round_trip(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 20240215, 1);
    for (int i = 0; i < 200000; i++) {
        const int64_t span = (int64_t[]){1500, 70000, 4000000, 100000000, 4000000000}[i % 5];
        const int64_t wanted = (int64_t)ts_rng_range(&rng, (double)-span, (double)span);
        char text[64];
        double ms = NAN;
        format(wanted, text, sizeof text);
        if (ts_duration_parse(text, strlen(text), &ms) != strlen(text) || (int64_t)ms != wanted)
            fail_msg("%s: %g", text, ms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),
        cmocka_unit_test(never_printed),
        cmocka_unit_test(what_follows_stays),
        cmocka_unit_test(round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
