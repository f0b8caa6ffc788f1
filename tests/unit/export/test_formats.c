/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benchmarkData.json in the shape in which Jetpack Macrobenchmark writes it: the members that
 * dashboards read, their types, and statistics that are those of their runs. */
#include "export/tables.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static json_t *make(bool hostile)
{
    struct ts_report_data data;
    struct ts_out out = {0};
    json_error_t error;
    sample_make(&data, 12, hostile);
    ts_export_benchmark_data(&data, &out);
    assert_int_equal(out.err, TS_OK);
    json_t *root = json_loadb((const char *)out.text.data, out.text.size, 0, &error);
    assert_non_null(root);
    ts_buf_free(&out.text);
    sample_free(&data);
    return root;
}

/* Exactly these members, "name:type" with s text, i whole, n number, b yes or no, o object, a list.
 */
static void assert_members(const json_t *object, const char *members)
{
    size_t count = 0;
    assert_true(json_is_object(object));
    for (const char *at = members; *at; count++) {
        char name[64];
        int size = 0;
        char type = 0;
        assert_int_equal(sscanf(at, " %63[^:]:%c%n", name, &type, &size), 2);
        const json_t *value = json_object_get(object, name);
        if (!value)
            fail_msg("\"%s\" is missing", name);
        assert_true(type == 's'   ? json_is_string(value)
                    : type == 'i' ? json_is_integer(value)
                    : type == 'n' ? json_is_number(value)
                    : type == 'b' ? json_is_boolean(value)
                    : type == 'o' ? json_is_object(value)
                                  : json_is_array(value));
        at += size;
    }
    assert_int_equal(json_object_size(object), count);
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void assert_metric(const json_t *metric)
{
    double values[64], sum = 0, squares = 0;
    assert_members(metric, "minimum:n maximum:n median:n coefficientOfVariation:n runs:a");
    const json_t *runs = json_object_get(metric, "runs");
    const size_t count = json_array_size(runs);
    assert_in_range(count, 1, 64);
    for (size_t i = 0; i < count; i++) {
        assert_true(json_is_number(json_array_get(runs, i)));
        values[i] = json_number_value(json_array_get(runs, i));
        sum += values[i];
    }
    for (size_t i = 0; i < count; i++)
        squares += pow(values[i] - sum / (double)count, 2);
    qsort(values, count, sizeof *values, compare);
    assert_true(number(metric, "minimum") == values[0]);
    assert_true(number(metric, "maximum") == values[count - 1]);
    assert_true(fabs(number(metric, "median") - (values[(count - 1) / 2] + values[count / 2]) / 2) <
                0.002);
    assert_true(fabs(number(metric, "coefficientOfVariation") -
                     sqrt(squares / (double)(count - 1)) / (sum / (double)count)) < 0.001);
}

static void has_the_shape(void **state)
{
    (void)state;
    for (int hostile = 0; hostile < 2; hostile++) {
        json_t *root = make(hostile);
        size_t i;
        json_t *benchmark;
        assert_members(root, "context:o benchmarks:a");
        const json_t *context = json_object_get(root, "context");
        assert_members(context, "build:o cpuCoreCount:i cpuLocked:b cpuMaxFreqHz:i memTotalBytes:i "
                                "sustainedPerformanceModeEnabled:b");
        const json_t *build = json_object_get(context, "build");
        assert_members(build, "brand:s device:s fingerprint:s id:s model:s type:s version:o");
        assert_members(json_object_get(build, "version"), "codename:s sdk:i");
        assert_int_equal(json_array_size(json_object_get(root, "benchmarks")), 3);
        json_array_foreach(json_object_get(root, "benchmarks"), i, benchmark)
        {
            const char *name;
            json_t *metric;
            assert_members(benchmark, "name:s params:o className:s totalRunTimeNs:i metrics:o "
                                      "sampledMetrics:o warmupIterations:i repeatIterations:i "
                                      "thermalThrottleSleepSeconds:i");
            json_t *metrics = json_object_get(benchmark, "metrics");
            assert_non_null(json_object_get(metrics, "rigSettledMs"));
            assert_non_null(json_object_get(metrics, "rigFirstVisualChangeMs"));
            assert_int_equal(
                json_integer_value(json_object_get(benchmark, "repeatIterations")),
                json_array_size(json_object_get(json_object_get(metrics, "rigSettledMs"), "runs")));
            json_object_foreach(metrics, name, metric)
            {
                assert_metric(metric);
                /* Android's names are for Android's own numbers alone. */
                assert_true(strncmp(name, "rig", 3) == 0 ||
                            strcmp(name, "timeToInitialDisplayMs") == 0 ||
                            strcmp(name, "timeToFullDisplayMs") == 0);
            }
        }
        json_decref(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_the_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
