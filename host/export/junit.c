/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/tables.h"

#include <string.h>

enum outcome { PASSED, FAILED, SKIPPED };

static enum outcome outcome_of(const struct ts_launch *launch)
{
    if (ts_launch_counts(launch))
        return PASSED;
    if (launch->warm_up || launch->excluded)
        return SKIPPED;
    switch (ts_result_verdict_flag(&launch->result)) {
    case TS_FLAG_APP_CRASHED:
    case TS_FLAG_ANR:
    case TS_FLAG_NO_CHANGE:
    case TS_FLAG_NEVER_SETTLED:
    case TS_FLAG_TIMEOUT:
        return FAILED;
    default:
        return SKIPPED;
    }
}

static void put_attribute(struct ts_out *out, const char *name, const char *text)
{
    ts_out_printf(out, " %s=\"", name);
    ts_out_html(out, text);
    ts_out_put(out, "\"");
}

static const char *reason_of(const struct ts_launch *launch)
{
    if (launch->excluded)
        return launch->excluded;
    return launch->warm_up ? "warm-up" : ts_result_verdict(&launch->result);
}

static double seconds_of(const struct ts_launch *launch)
{
    const double ms = launch->result.settled.value;
    return isfinite(ms) && ms > 0 ? ms / 1e3 : 0;
}

static void put_case(struct ts_out *out, const struct ts_launch *launch)
{
    const struct ts_result *result = &launch->result;
    const enum outcome outcome = outcome_of(launch);
    ts_out_printf(out, "    <testcase name=\"launch %d\"", result->launch);
    put_attribute(out, "classname", result->app);
    ts_out_printf(out, " time=\"%.6f\"", seconds_of(launch));
    if (outcome == PASSED) {
        ts_out_put(out, "/>\n");
        return;
    }
    ts_out_put(out, outcome == FAILED ? ">\n      <failure" : ">\n      <skipped");
    put_attribute(out, "message", reason_of(launch));
    if (outcome == FAILED)
        put_attribute(out, "type", ts_result_verdict(result));
    ts_out_put(out, "/>\n    </testcase>\n");
}

static void put_counts(struct ts_out *out, const struct ts_report_data *data, const char *app)
{
    size_t count[3] = {0};
    double seconds = 0;
    for (size_t i = 0; i < data->count; i++) {
        if (app && strcmp(data->launches[i].result.app, app) != 0)
            continue;
        count[outcome_of(&data->launches[i])]++;
        seconds += seconds_of(&data->launches[i]);
    }
    ts_out_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.6f\"",
                  count[PASSED] + count[FAILED] + count[SKIPPED], count[FAILED], count[SKIPPED],
                  seconds);
}

void ts_export_junit(const struct ts_report_data *data, struct ts_out *out)
{
    ts_out_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_attribute(out, "name", data->plan->name);
    put_counts(out, data, NULL);
    ts_out_put(out, ">\n");
    for (size_t app = 0; app < data->plan->app_count; app++) {
        const char *name = data->plan->apps[app].name;
        ts_out_put(out, "  <testsuite");
        put_attribute(out, "name", name);
        put_counts(out, data, name);
        ts_out_put(out, ">\n");
        for (size_t i = 0; i < data->count; i++) {
            if (strcmp(data->launches[i].result.app, name) == 0)
                put_case(out, &data->launches[i]);
        }
        ts_out_put(out, "  </testsuite>\n");
    }
    ts_out_put(out, "</testsuites>\n");
}
