/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"
#include "cli/estimate_costs.h"
#include "estimators/features.h"
#include "estimators/recording.h"
#include "store/files.h"
#include "store/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RECORDING_MOST ((size_t)1 << 30)

/* The accessibility events of a launch, in order. */
static int read_events(const struct ts_evidence *evidence, struct ts_accessibility_event **out,
                       size_t *count)
{
    *count = 0;
    *out = calloc(evidence->line_count + 1, sizeof **out);
    for (size_t i = 0; *out && i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        if (line->stream == TS_STREAM_ACCESSIBILITY &&
            !ts_accessibility_parse(line->text, strlen(line->text), &(*out)[*count]))
            ++*count;
    }
    return *out ? TS_OK : TS_ENOMEM;
}

/* Launches of other apps may stand in the same events: the last one of this app is the one. */
static bool find_launch(const struct ts_accessibility_event *events, size_t count,
                        const char *component, struct ts_launch_cut *out)
{
    const size_t size = strcspn(component, "/");
    struct ts_launch_cut cut;
    size_t from = 0;
    bool found = false;
    while (ts_launch_cut_next(events, count, &from, &cut)) {
        if (strncmp(cut.package, component, size) != 0 || cut.package[size])
            continue;
        *out = cut;
        found = true;
    }
    return found;
}

static void take_state(const struct ts_evidence_intent *intent, double *values)
{
    const struct ts_conditions *conditions = &intent->conditions;
    values[TS_FEATURE_running_before] = intent->app_pid > 0;
    values[TS_FEATURE_battery_percent] = conditions->battery_percent;
    values[TS_FEATURE_temperature_c] = conditions->temperature_c;
    values[TS_FEATURE_thermal_status] =
        conditions->thermal_status < 0 ? NAN : (double)conditions->thermal_status;
    values[TS_FEATURE_refresh_hz] = conditions->refresh_before_hz;
    values[TS_FEATURE_brightness] = conditions->brightness;
}

/* What the paths have given so far. */
struct gathered {
    struct ts_feature_table *table;
    struct ts_cost_rows costs;
    size_t silent;
};

/* *silent: there were no events of it. */
static int add_launch(const struct ts_estimate_request *request, const struct ts_evidence *evidence,
                      const struct ts_feature_table_row *row, struct ts_feature_table *table,
                      bool *silent)
{
    struct ts_accessibility_event *events = NULL;
    struct ts_launch_cut cut;
    double values[TS_FEATURE_COUNT];
    size_t count;
    int err = read_events(evidence, &events, &count);
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++)
        values[i] = NAN;
    take_state(&evidence->intent, values);
    *silent = err || !find_launch(events, count, evidence->intent.component, &cut);
    if (!*silent)
        ts_features_of_launch(events, &cut, request->horizon_ms, values);
    if (!err)
        err = ts_feature_table_add(table, row, values);
    free(events);
    return err;
}

static int read_launch(const struct ts_estimate_request *request, const struct ts_session *session,
                       int launch, struct gathered *to, struct ts_why *why)
{
    struct ts_evidence evidence = {0};
    struct ts_feature_table_row row = {0};
    struct ts_result result;
    const char *device = request->device ? request->device : ts_session_get_plan(session)->phone;
    bool none = false;
    int err = ts_session_load_result(session, launch, &result, why);
    if (err || !ts_result_usable(&result) || ts_session_exclusion(session, launch))
        return err;
    err = ts_session_load_evidence(session, launch, &evidence, why);
    if (!err) {
        snprintf(row.device, sizeof row.device, "%s", device && *device ? device : "unknown");
        snprintf(row.app, sizeof row.app, "%s", *result.app ? result.app : "unknown");
        snprintf(row.launch, sizeof row.launch, "%.110s/%d", ts_session_get_folder(session),
                 launch);
        row.start_type = result.start_type;
        row.settled_ms = result.settled.value > 0 ? result.settled.value : NAN;
        row.time_to_initial_display_ms =
            result.time_to_initial_display_ms > 0 ? result.time_to_initial_display_ms : NAN;
        if (add_launch(request, &evidence, &row, to->table, &none) ||
            ts_cost_rows_put(&to->costs, to->table->row_count - 1, &result.costs))
            err = ts_fail(why, TS_ENOMEM, "out of memory");
        to->silent += none;
    }
    ts_evidence_free(&evidence);
    return err;
}

static int read_session(const struct ts_estimate_request *request, const char *path,
                        struct gathered *to, struct ts_why *why)
{
    struct ts_session *session = NULL;
    int err = ts_session_open(path, &session, why);
    for (int launch = 1; !err && launch <= ts_session_launch_count(session); launch++)
        err = read_launch(request, session, launch, to, why);
    ts_session_free(session);
    return err;
}

/* The file's name without its folder and ending. */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot > name)
        *dot = '\0';
}

static int read_recording(const struct ts_estimate_request *request, const char *path,
                          struct ts_feature_table *table, struct ts_why *why)
{
    char name[100];
    struct ts_buf text = {0};
    struct ts_recording_summary summary;
    struct ts_why inner = {""};
    int err = ts_file_read(path, RECORDING_MOST, &text, why);
    if (err)
        return err;
    name_of(path, name, sizeof name);
    const struct ts_recording recording = {(char *)text.data, text.size - 1,
                                           request->device ? request->device : name, name,
                                           request->horizon_ms};
    err = ts_recording_read(&recording, table, &summary, &inner);
    if (err)
        ts_fail(why, err, "%s: %s", path, inner.text);
    ts_buf_free(&text);
    return err;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

int ts_estimate_gather(const struct ts_estimate_request *request, struct ts_feature_table *out,
                       size_t *silent, struct ts_why *why)
{
    struct gathered to = {.table = out};
    int err = ts_feature_table_start(out) ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
    for (size_t i = 0; i < request->path_count && !err; i++) {
        err = is_file(request->paths[i]) ? read_recording(request, request->paths[i], out, why)
                                         : read_session(request, request->paths[i], &to, why);
    }
    if (!err && ts_cost_rows_join(&to.costs, out))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_cost_rows_free(&to.costs);
    *silent = to.silent;
    if (!err && !out->row_count)
        err = ts_fail(why, TS_EPROTO, "there is no usable launch in what was given");
    if (err)
        ts_feature_table_free(out);
    return err;
}

int ts_estimate_features(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why)
{
    struct ts_feature_table table;
    struct ts_buf text = {0};
    size_t silent;
    int err = ts_estimate_gather(request, &table, &silent, why);
    if (!err && ts_feature_table_print(&table, &text))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(request->output, &text, why);
    if (!err)
        ts_out_printf(out, "%zu launches, %zu of them without accessibility events: %s\n",
                      table.row_count, silent, request->output);
    ts_buf_free(&text);
    ts_feature_table_free(&table);
    return err;
}
