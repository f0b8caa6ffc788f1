/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/tables.h"

#include "stats/order.h"
#include "store/json_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset; /* of a double in struct ts_result */
} metrics[] = {
    {"rigFirstVisualChangeMs", offsetof(struct ts_result, first_visual_change.value)},
    {"rigFirstAppFrameMs", offsetof(struct ts_result, first_app_frame.value)},
    {"rigMainContentMs", offsetof(struct ts_result, main_content.value)},
    {"rigVisuallyComplete85Ms", offsetof(struct ts_result, visually_complete_85.value)},
    {"rigSettledMs", offsetof(struct ts_result, settled.value)},
    {"rigSpeedIndexMs", offsetof(struct ts_result, speed_index.value)},
    {"timeToInitialDisplayMs", offsetof(struct ts_result, time_to_initial_display_ms)},
    {"timeToFullDisplayMs", offsetof(struct ts_result, time_to_full_display_ms)},
};

static double read_metric(const struct ts_launch *launch, size_t offset)
{
    return *(const double *)(const void *)((const char *)&launch->result + offset);
}

/* Of the app's launches that count, those that have the number. */
static size_t collect(const struct ts_report_data *data, const char *app, size_t offset,
                      double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        const double value = read_metric(launch, offset);
        if (ts_launch_counts(launch) && strcmp(launch->result.app, app) == 0 && isfinite(value))
            values[count++] = value;
    }
    return count;
}

/* values: two rows of data->count. */
static void put_metric(struct ts_json_out *json, const char *name, double *values, size_t count,
                       double *sorted)
{
    double mean = 0, squares = 0;
    memcpy(sorted, values, count * sizeof *sorted);
    ts_sort(sorted, count);
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    const double sd = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    ts_json_open(json, name, '{');
    ts_json_number(json, "minimum", sorted[0]);
    ts_json_number(json, "maximum", sorted[count - 1]);
    ts_json_number(json, "median", (sorted[(count - 1) / 2] + sorted[count / 2]) / 2);
    ts_json_number(json, "coefficientOfVariation", mean > 0 ? sd / mean : 0);
    ts_json_open(json, "runs", '[');
    for (size_t i = 0; i < count; i++)
        ts_json_number(json, NULL, values[i]);
    ts_json_close(json, ']');
    ts_json_close(json, '}');
}

/* "Google Pixel 8, Android 14, UQ1A.240205.004/11269751" up to the first comma. */
static void put_model(struct ts_json_out *json, const char *phone)
{
    char model[96];
    snprintf(model, sizeof model, "%.*s", (int)strcspn(phone, ","), phone);
    ts_json_text(json, "model", *model ? model : "unknown");
}

/* The highest that any launch was allowed; NAN: not known. */
static double find_clock_mhz(const struct ts_report_data *data)
{
    double most = NAN;
    for (size_t i = 0; i < data->count; i++)
        most = fmax(most, data->launches[i].result.conditions.cpu_most_mhz);
    return most;
}

static void put_context(struct ts_json_out *json, const struct ts_report_data *data)
{
    static const char *const unknown[] = {"brand", "device", "fingerprint", "id", "type"};
    const double most_mhz = find_clock_mhz(data);
    ts_json_open(json, "context", '{');
    ts_json_open(json, "build", '{');
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ts_json_text(json, unknown[i], "unknown");
    put_model(json, data->campaign.phone);
    ts_json_open(json, "version", '{');
    ts_json_text(json, "codename", "unknown");
    ts_json_integer(json, "sdk", 0);
    ts_json_close(json, '}');
    ts_json_close(json, '}');
    ts_json_integer(json, "cpuCoreCount", 0);
    ts_json_boolean(json, "cpuLocked", false);
    ts_json_integer(json, "cpuMaxFreqHz", isfinite(most_mhz) ? llround(most_mhz * 1e6) : -1);
    ts_json_integer(json, "memTotalBytes", 0);
    ts_json_boolean(json, "sustainedPerformanceModeEnabled", false);
    ts_json_close(json, '}');
}

/* "pkg/.Act" -> "pkg.Act", "pkg/full.Act" -> "full.Act" */
static void put_class(struct ts_json_out *json, const char *component)
{
    const char *slash = strchr(component, '/');
    char name[320];
    if (!slash)
        snprintf(name, sizeof name, "%s", component);
    else if (slash[1] == '.')
        snprintf(name, sizeof name, "%.*s%s", (int)(slash - component), component, slash + 1);
    else
        snprintf(name, sizeof name, "%s", slash + 1);
    ts_json_text(json, "className", name);
}

static void put_benchmark(struct ts_json_out *json, const struct ts_report_data *data,
                          const struct ts_plan_app *app, double *values)
{
    double *sorted = values + data->count;
    char name[32];
    const size_t settled =
        collect(data, app->name, offsetof(struct ts_result, settled.value), values);
    double total_ms = 0;
    for (size_t i = 0; i < settled; i++)
        total_ms += values[i];
    snprintf(name, sizeof name, "%sLaunch", ts_start_type_name(data->plan->start));
    ts_json_open(json, NULL, '{');
    ts_json_text(json, "name", name);
    ts_json_open(json, "params", '{');
    ts_json_text(json, "app", app->name);
    ts_json_close(json, '}');
    put_class(json, app->component);
    ts_json_integer(json, "totalRunTimeNs", (int64_t)fmin(total_ms * 1e6, 9e18));
    ts_json_open(json, "metrics", '{');
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        const size_t count = collect(data, app->name, metrics[i].offset, values);
        if (count)
            put_metric(json, metrics[i].name, values, count, sorted);
    }
    ts_json_close(json, '}');
    ts_json_open(json, "sampledMetrics", '{');
    ts_json_close(json, '}');
    ts_json_integer(json, "warmupIterations", data->plan->warm_up);
    ts_json_integer(json, "repeatIterations", (int64_t)settled);
    ts_json_integer(json, "thermalThrottleSleepSeconds", 0);
    ts_json_close(json, '}');
}

void ts_export_benchmark_data(const struct ts_report_data *data, struct ts_out *out)
{
    if (out->err)
        return;
    double *values = calloc(2 * data->count + 1, sizeof *values);
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 5};
    if (!values) {
        out->err = TS_ENOMEM;
        return;
    }
    ts_json_open(&json, NULL, '{');
    put_context(&json, data);
    ts_json_open(&json, "benchmarks", '[');
    for (size_t i = 0; i < data->plan->app_count; i++)
        put_benchmark(&json, data, &data->plan->apps[i], values);
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
    free(values);
}
