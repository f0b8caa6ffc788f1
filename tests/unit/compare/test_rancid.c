/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables 2 and 3 of J. Afonso, P. Almeida, "Rancid: Reliable Benchmarking on Android Platforms", to
 * the printed digit. Their raw times were never published, so campaigns are made that have each
 * row's median and standard deviation: 30 numbers of median 0 and standard deviation 1, stretched
 * and moved. Table 2 prints shares only; 1000 ms +- 100 ms stand for what was there before. In
 * table 3 that is what both printed numbers imply, reduction / share. */
#include "stats/comparison.h"
#include "stats/order.h"
#include "stats/shape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EXECUTIONS = 30, ITERATIONS = 50 };

/* Skewed, as medians of executions are. */
static void make_unit(double unit[EXECUTIONS])
{
    for (int i = 0; i < EXECUTIONS; i++)
        unit[i] = exp((i * 7 % EXECUTIONS + 0.5) / EXECUTIONS * 3);
    double sorted[EXECUTIONS];
    memcpy(sorted, unit, sizeof sorted);
    ts_sort(sorted, EXECUTIONS);
    const double median = ts_median(sorted, EXECUTIONS), sd = ts_moments_of(sorted, EXECUTIONS).sd;
    for (int i = 0; i < EXECUTIONS; i++)
        unit[i] = (unit[i] - median) / sd;
}

/* As the paper prints: three decimals, no zero before the point. */
static void assert_prints(double value, const char *expected)
{
    char text[40];
    snprintf(text, sizeof text, "%.3f", fabs(value));
    const char *digits = *text == '0' ? text + 1 : text;
    char found[48];
    snprintf(found, sizeof found, "%s%s", value < 0 ? "-" : "", digits);
    assert_string_equal(found, expected);
}

/* Shares in % of table 2: performance, precision. */
static const char *const table_2[][2] = {
    {".802", "98.476"}, {".218", "99.658"},  {"35.396", "93.868"},
    {".117", ".889"},   {".038", "-17.817"}, {"20.720", "96.139"},
    {".737", "35.025"}, {".610", "49.359"},  {"-.070", "32.060"},
};

static void table_2_comes_back(void **state)
{
    double unit[EXECUTIONS], a[EXECUTIONS], b[EXECUTIONS];
    (void)state;
    make_unit(unit);
    for (size_t row = 0; row < sizeof table_2 / sizeof *table_2; row++) {
        const double performance = atof(table_2[row][0]) / 100;
        const double precision = atof(table_2[row][1]) / 100;
        for (int i = 0; i < EXECUTIONS; i++) {
            a[i] = 1000 + 100 * unit[i];
            b[i] = 1000 * (1 - performance) + 100 * (1 - precision) * unit[i];
        }
        ts_sort(a, EXECUTIONS);
        ts_sort(b, EXECUTIONS);
        const struct ts_improvement found = ts_improvement_of(a, EXECUTIONS, b, EXECUTIONS);
        assert_prints(100 * found.performance_share, table_2[row][0]);
        assert_prints(100 * found.precision_share, table_2[row][1]);
    }
}

/* ms and % of performance, ms and % of precision: Gaussian blur, then pattern thinning. */
static const char *const table_3[][4] = {
    {"9.384", ".487", "2.070", "43.669"},      {"-34.157", "-.485", "-4.752", "-8.582"},
    {"1.813", ".129", "-.148", "-6.290"},      {"29.565", ".666", "9.234", "32.025"},
    {"76.807", "24.275", "18.092", "98.410"},  {"160.809", "14.464", ".621", "56.114"},
    {"6.246", ".579", ".408", "54.800"},       {"827.695", "17.666", "3.926", "75.413"},
    {"23.243", "1.060", "4.922", "87.498"},    {"905.681", "11.933", "1.997", "38.692"},
    {"122.550", "44.513", "25.322", "99.589"}, {"129.033", "11.782", "1.346", "57.487"},
    {"13.145", ".437", "3.955", "24.208"},     {"79.849", "1.126", "12.432", "23.768"},
    {"6.065", ".133", "15.482", "16.718"},     {"252.235", "1.758", "119.684", "33.522"},
    {".099", ".021", ".286", "54.834"},        {".565", ".044", "3.305", "81.084"},
};

/* An execution's iterations lie on both sides of its median. */
static void make_campaign(const double unit[EXECUTIONS], double median, double sd, double *values,
                          struct ts_place *places)
{
    for (int i = 0; i < EXECUTIONS; i++) {
        for (int j = 0; j < ITERATIONS; j++) {
            *values++ = median + sd * unit[i] + (j - (ITERATIONS - 1) / 2.0) * 0.01;
            *places++ = (struct ts_place){(size_t)i, 0};
        }
    }
}

static void table_3_comes_back(void **state)
{
    static double a[EXECUTIONS * ITERATIONS], b[EXECUTIONS * ITERATIONS];
    static struct ts_place places[EXECUTIONS * ITERATIONS];
    const struct ts_compare_rules rules = {0.95, 0.05, 0, 1};
    double unit[EXECUTIONS];
    (void)state;
    make_unit(unit);
    for (size_t row = 0; row < sizeof table_3 / sizeof *table_3; row++) {
        const double performance = atof(table_3[row][0]), precision = atof(table_3[row][2]);
        const double median = performance / (atof(table_3[row][1]) / 100);
        const double sd = precision / (atof(table_3[row][3]) / 100);
        struct ts_comparison found;
        struct ts_why why = {""};
        make_campaign(unit, median, sd, a, places);
        make_campaign(unit, median - performance, sd - precision, b, places);
        const struct ts_side sides[] = {{a, places, EXECUTIONS * ITERATIONS},
                                        {b, places, EXECUTIONS * ITERATIONS}};
        assert_int_equal(ts_compare(sides[0], sides[1], &rules, &found, &why), TS_OK);
        assert_int_equal(found.a.sessions, EXECUTIONS);
        assert_prints(found.improvement.performance, table_3[row][0]);
        assert_prints(100 * found.improvement.performance_share, table_3[row][1]);
        assert_prints(found.improvement.precision, table_3[row][2]);
        assert_prints(100 * found.improvement.precision_share, table_3[row][3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_2_comes_back),
        cmocka_unit_test(table_3_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
