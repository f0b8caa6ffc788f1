/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"
#include "cli/estimate_apk.h"
#include "cli/estimate_costs.h"
#include "cli/estimate_db.h"
#include "cli/estimate_polls.h"
#include "cli/json_text.h"
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

/* When the phone thought that the stylus was lifted; NAN: its clock was not read. */
static double launched_at_s(const struct ts_evidence *evidence, int64_t lift_ns)
{
    for (size_t i = evidence->clock_count; i-- > 0;) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain == TS_CLOCK_PHONE_REAL)
            return (double)(clock->t2 + (lift_ns - clock->t1.ns)) / 1e9;
    }
    return NAN;
}

/* What features are made of, beside the launches. */
struct source {
    const struct ts_estimate_request *request;
    struct ts_apk *apks; /* owned; request->apk_count */
    struct ts_feature_table *table;
    struct ts_cost_rows costs;
    size_t silent; /* launches without accessibility events */
};

static int read_values(struct source *source, const struct ts_session *session,
                       const struct ts_result *result, const struct ts_evidence *evidence,
                       double *values, struct ts_why *why)
{
    const double horizon_ms = source->request->horizon_ms;
    struct ts_accessibility_event *events = NULL;
    struct ts_launch_cut cut;
    struct ts_polls polls = {0};
    size_t count;
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++)
        values[i] = NAN;
    take_state(&evidence->intent, values);
    values[TS_FEATURE_launched_at_s] = launched_at_s(evidence, ts_result_zero(result)->host_ns);
    ts_apk_fill(source->apks, source->request->apk_count, evidence->intent.component, values);
    int err =
        read_events(evidence, &events, &count)
            ? ts_fail(why, TS_ENOMEM, "out of memory")
            : ts_polls_read(session, result->launch, ts_result_zero(result)->host_ns, &polls, why);
    if (!err)
        ts_polls_features(&polls, horizon_ms, values);
    if (!err && find_launch(events, count, evidence->intent.component, &cut))
        ts_features_of_launch(events, &cut, horizon_ms, values);
    else
        source->silent++;
    ts_polls_free(&polls);
    free(events);
    return err;
}

static void name_row(const struct source *source, const struct ts_session *session,
                     const struct ts_result *result, struct ts_feature_table_row *row)
{
    const char *device =
        source->request->device ? source->request->device : ts_session_get_plan(session)->phone;
    snprintf(row->device, sizeof row->device, "%s", device && *device ? device : "unknown");
    snprintf(row->app, sizeof row->app, "%s", *result->app ? result->app : "unknown");
    snprintf(row->launch, sizeof row->launch, "%.110s/%d", ts_session_get_folder(session),
             result->launch);
    row->start_type = result->start_type;
    row->settled_ms = result->settled.value > 0 ? result->settled.value : NAN;
    row->time_to_initial_display_ms =
        result->time_to_initial_display_ms > 0 ? result->time_to_initial_display_ms : NAN;
}

static int read_launch(struct source *source, const struct ts_session *session, int launch,
                       struct ts_why *why)
{
    struct ts_evidence evidence = {0};
    struct ts_feature_table_row row = {0};
    struct ts_result result;
    double values[TS_FEATURE_COUNT];
    int err = ts_session_load_result(session, launch, &result, why);
    if (err || !ts_result_usable(&result) || ts_session_exclusion(session, launch))
        return err;
    err = ts_session_load_evidence(session, launch, &evidence, why);
    if (err)
        return err;
    name_row(source, session, &result, &row);
    err = read_values(source, session, &result, &evidence, values, why);
    if (!err && (ts_feature_table_add(source->table, &row, values) ||
                 ts_cost_rows_put(&source->costs, source->table->row_count - 1, &result.costs)))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_evidence_free(&evidence);
    return err;
}

static int read_session(struct source *source, const char *path, struct ts_why *why)
{
    struct ts_session *session = NULL;
    int err = ts_session_open(path, &session, why);
    if (!err && ts_session_get_plan(session)->care.launch_from == TS_FROM_AM)
        err = ts_fail(why, TS_ENOTSUP,
                      "%.200s was launched by am start: its times do not begin with a touch, as "
                      "those of estimators do",
                      path);
    for (int launch = 1; !err && launch <= ts_session_launch_count(session); launch++)
        err = read_launch(source, session, launch, why);
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

/* A recording's app is its package. */
static int read_recording(struct source *source, const char *path, struct ts_why *why)
{
    const struct ts_estimate_request *request = source->request;
    struct ts_feature_table *table = source->table;
    char name[100];
    struct ts_buf text = {0};
    struct ts_recording_summary summary;
    struct ts_why inner = {""};
    const size_t before = table->row_count;
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
    for (size_t i = before; i < table->row_count && !err; i++)
        ts_apk_fill(source->apks, request->apk_count, table->rows[i].app,
                    table->values + i * table->feature_count);
    ts_buf_free(&text);
    return err;
}

static int open_apks(struct source *source, struct ts_why *why)
{
    const struct ts_estimate_request *request = source->request;
    int err = TS_OK;
    source->apks = calloc(request->apk_count + 1, sizeof *source->apks);
    if (!source->apks)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < request->apk_count && !err; i++)
        err = ts_apk_open(request->apks[i], &source->apks[i], why);
    return err;
}

int ts_estimate_gather(const struct ts_estimate_request *request, struct ts_feature_table *out,
                       size_t *silent, struct ts_why *why)
{
    struct source source = {.request = request, .table = out};
    int err = ts_feature_table_start(out) ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
    if (!err)
        err = open_apks(&source, why);
    for (size_t i = 0; i < request->path_count && !err; i++) {
        const char *path = request->paths[i];
        err = ts_estimate_is_file(path) ? read_recording(&source, path, why)
                                        : read_session(&source, path, why);
    }
    if (!err && ts_cost_rows_join(&source.costs, out))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_cost_rows_free(&source.costs);
    if (!err && !out->row_count)
        err = ts_fail(why, TS_EPROTO, "there is no usable launch in what was given");
    if (err)
        ts_feature_table_free(out);
    *silent = source.silent;
    free(source.apks);
    return err;
}

bool ts_estimate_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static int write_table(const struct ts_estimate_request *request,
                       const struct ts_feature_table *table, struct ts_why *why)
{
    struct ts_buf text = {0};
    int err =
        ts_feature_table_print(table, &text) ? ts_fail(why, TS_ENOMEM, "out of memory") : TS_OK;
    if (!err)
        err = ts_file_write(request->output, &text, why);
    ts_buf_free(&text);
    return err;
}

int ts_estimate_dictionary(const struct ts_estimate_request *request, struct ts_out *out,
                           struct ts_why *why)
{
    json_t *rows = request->json ? json_array() : NULL;
    (void)why;
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++) {
        const struct ts_feature *feature = &ts_features[i];
        if (rows)
            json_array_append_new(rows,
                                  json_pack("{s:s, s:s, s:s, s:s}", "name", feature->name, "unit",
                                            feature->unit, "probe", ts_probe_names[feature->probe],
                                            "what", feature->what));
        else
            ts_out_printf(out, "%-18s %-5s %-14s %s\n", feature->name, feature->unit,
                          ts_probe_names[feature->probe], feature->what);
    }
    return rows ? ts_json_put_line(json_pack("{s:o}", "features", rows), out) : TS_OK;
}

int ts_estimate_features(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why)
{
    struct ts_feature_table table;
    size_t silent;
    int err = ts_estimate_gather(request, &table, &silent, why);
    if (!err && request->output)
        err = write_table(request, &table, why);
    if (!err && request->db)
        err = ts_feature_db_put(request->db, &table, why);
    if (!err && request->json)
        err = ts_json_put_line(json_pack("{s:I, s:I}", "launches", (json_int_t)table.row_count,
                                         "without_events", (json_int_t)silent),
                               out);
    else if (!err)
        ts_out_printf(out, "%zu launches, %zu of them without accessibility events%s%s\n",
                      table.row_count, silent, request->output ? ": " : "",
                      request->output ? request->output : "");
    ts_feature_table_free(&table);
    return err;
}
