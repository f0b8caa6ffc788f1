/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a launch from memory and from processor load, which does not work (paper E, section
 * IV), in numbers: how far off, how often nothing comes out, and what the polling costs. */
#include "cli/estimate.h"
#include "cli/estimate_polls.h"
#include "cli/json_text.h"
#include "estimators/resources.h"
#include "store/files.h"
#include "store/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRACE_MOST ((size_t)1 << 28)
#define TOLERANCE  0.01 /* of the memory, within which it counts as stable */
#define IDLE       0.3  /* load below which a launch counts as over */
#define HEADING    "launch,at_ms,available_kb,load"

struct reading {
    char launch[TS_FEATURE_TABLE_TEXT_MAX];
    struct ts_resource_sample sample;
};

struct traces {
    struct reading *items; /* owned; as in the file */
    size_t count, capacity;
};

static bool take_number(const char **at, char end, double *out)
{
    char *stop;
    if (strncmp(*at, "NA", 2) == 0) {
        *out = NAN;
        stop = (char *)*at + 2;
    } else {
        *out = strtod(*at, &stop);
        if (stop == *at || !isfinite(*out))
            return false;
    }
    if (*stop != end)
        return false;
    *at = stop + 1;
    return true;
}

/* "LAUNCH,MS,KB,LOAD"; the launch may stand in double quotes. */
static bool read_line(const char *line, struct reading *out)
{
    const bool quoted = *line == '"';
    const char *end = strchr(line + quoted, quoted ? '"' : ',');
    const size_t size = end ? (size_t)(end - line) - quoted : 0;
    if (!size || size >= sizeof out->launch || (quoted && end[1] != ','))
        return false;
    memcpy(out->launch, line + quoted, size);
    out->launch[size] = '\0';
    const char *at = end + 1 + quoted;
    return take_number(&at, ',', &out->sample.at_ms) && isfinite(out->sample.at_ms) &&
           take_number(&at, ',', &out->sample.available_kb) &&
           take_number(&at, '\0', &out->sample.load);
}

static int add_line(struct traces *to, const char *line, size_t number, struct ts_why *why)
{
    void *items = to->items;
    struct reading *reading = ts_grow(&items, &to->count, &to->capacity, sizeof *reading);
    to->items = items;
    if (!reading)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (!read_line(line, reading))
        return ts_fail(why, TS_EPROTO,
                       "line %zu: not LAUNCH,MS,KILOBYTES,LOAD, with NA for what "
                       "is not known",
                       number);
    const struct reading *before = to->count > 1 ? reading - 1 : NULL;
    if (before && strcmp(before->launch, reading->launch) == 0 &&
        reading->sample.at_ms <= before->sample.at_ms)
        return ts_fail(why, TS_EPROTO, "line %zu: a launch's readings must come in order", number);
    return TS_OK;
}

static int parse(char *text, struct traces *to, struct ts_why *why)
{
    size_t number = 0;
    int err = TS_OK;
    for (char *line = text, *next; line && !err; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        if (!number++ && strcmp(line, HEADING) != 0)
            return ts_fail(why, TS_EPROTO, "it must begin with the line %s", HEADING);
        if (number > 1 && *line && *line != '#')
            err = add_line(to, line, number, why);
    }
    if (!err && !to->count)
        err = ts_fail(why, TS_EPROTO, "there is no reading in it");
    return err;
}

static int read_file(const char *path, struct traces *to, struct ts_why *why)
{
    struct ts_buf text = {0};
    struct ts_why inner = {""};
    int err = ts_file_read(path, TRACE_MOST, &text, why);
    if (!err) {
        err = parse((char *)text.data, to, &inner);
        if (err)
            ts_fail(why, err, "%s: %s", path, inner.text);
    }
    ts_buf_free(&text);
    return err;
}

/* ---- traces of sessions, in which polling was on for some launches or for all ---- */

static int add_polls(const struct ts_feature_table_row *row, const struct ts_polls *polls,
                     struct traces *to)
{
    for (size_t i = 0; i < polls->count; i++) {
        void *items = to->items;
        struct reading *reading = ts_grow(&items, &to->count, &to->capacity, sizeof *reading);
        to->items = items;
        if (!reading)
            return TS_ENOMEM;
        memcpy(reading->launch, row->launch, sizeof reading->launch);
        reading->sample = polls->samples[i];
    }
    return TS_OK;
}

static int read_launch(const struct ts_session *session, int launch, struct traces *to,
                       struct ts_feature_table *table, struct ts_why *why)
{
    struct ts_feature_table_row row = {.settled_ms = NAN};
    struct ts_polls polls = {0};
    struct ts_result result;
    int err = ts_session_load_result(session, launch, &result, why);
    if (err || !ts_result_usable(&result) || ts_session_exclusion(session, launch))
        return err;
    snprintf(row.launch, sizeof row.launch, "%.110s/%d", ts_session_get_folder(session), launch);
    row.settled_ms = result.settled.value;
    row.time_to_initial_display_ms = result.time_to_initial_display_ms;
    err = ts_polls_read(session, launch, ts_result_zero(&result)->host_ns, &polls, why);
    if (!err && polls.count &&
        (add_polls(&row, &polls, to) || ts_feature_table_add(table, &row, NULL)))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_polls_free(&polls);
    return err;
}

static int read_session(const char *path, struct traces *to, struct ts_feature_table *table,
                        struct ts_why *why)
{
    struct ts_session *session = NULL;
    int err = ts_session_open(path, &session, why);
    for (int launch = 1; !err && launch <= ts_session_launch_count(session); launch++)
        err = read_launch(session, launch, to, table, why);
    ts_session_free(session);
    return err;
}

/* A file of traces and one of launches, or sessions. */
static int read_all(const struct ts_estimate_request *request, struct traces *to,
                    struct ts_feature_table *table, struct ts_why *why)
{
    int err = TS_OK;
    if (ts_estimate_is_file(request->paths[0])) {
        err = request->path_count == 2
                  ? read_file(request->paths[0], to, why)
                  : ts_fail(why, TS_EINVAL, "give the traces, and the table of their launches");
        return err ? err : ts_estimate_load(request, 1, table, why);
    }
    for (size_t i = 0; i < request->path_count && !err; i++)
        err = read_session(request->paths[i], to, table, why);
    if (!err && !to->count)
        err = ts_fail(why, TS_EPROTO,
                      "nobody polled a launch of it; `touchstone calibrate observers` does, and "
                      "keeps its session in RIG/calibration/sessions");
    return err;
}

/* ---- the two estimators against a launch's time ---- */

struct score {
    double relative;
    size_t count, none;
};

static void add(struct score *score, double said, double actual)
{
    if (isnan(said)) {
        score->none++;
        return;
    }
    score->relative += fabs(said - actual) / actual;
    score->count++;
}

static double find_actual(const struct ts_estimate_request *request,
                          const struct ts_feature_table *table, const char *launch)
{
    for (size_t i = 0; i < table->row_count; i++) {
        if (strcmp(table->rows[i].launch, launch) == 0)
            return ts_estimator_target(&request->settings, table, i);
    }
    return NAN;
}

static size_t judge(const struct ts_estimate_request *request, const struct traces *traces,
                    const struct ts_feature_table *table, struct score *ram, struct score *cpu)
{
    struct ts_resource_sample *samples = calloc(traces->count, sizeof *samples);
    size_t launches = 0;
    for (size_t i = 0; samples && i < traces->count;) {
        const char *launch = traces->items[i].launch;
        size_t count = 0;
        while (i + count < traces->count && strcmp(traces->items[i + count].launch, launch) == 0) {
            samples[count] = traces->items[i + count].sample;
            count++;
        }
        const double actual = find_actual(request, table, launch);
        if (actual > 0) {
            add(ram, ts_ram_stable_ms(samples, count, TOLERANCE), actual);
            add(cpu, ts_cpu_idle_ms(samples, count, IDLE), actual);
            launches++;
        }
        i += count;
    }
    free(samples);
    return launches;
}

/* What calibrate observers found by paired taps: share of a launch that polling adds. NULL: no rig,
 * or not measured. */
static int find_polling(const char *path, struct ts_rig *rig, const struct ts_known **out,
                        struct ts_why *why)
{
    *out = NULL;
    if (!path)
        return TS_OK;
    const int err = ts_rig_open(path, 0, rig, why);
    if (err)
        return err;
    if (rig->known[TS_RECORD_OBSERVERS])
        *out = ts_record_find(&rig->records[TS_RECORD_OBSERVERS], "polling_percent");
    return *out ? TS_OK
                : ts_fail(why, TS_EPROTO,
                          "%s: its observers are not measured; do it with "
                          "`touchstone calibrate observers`",
                          path);
}

static double share(const struct score *score)
{
    return score->count ? score->relative / (double)score->count : NAN;
}

static void put_score(struct ts_out *out, const char *name, const struct score *score)
{
    ts_out_printf(out, "%-26s", name);
    if (score->count)
        ts_out_printf(out, " off by %.1f %% on average,", 100 * share(score));
    ts_out_printf(out, " no answer for %zu of %zu launches\n", score->none,
                  score->none + score->count);
}

static int put(const struct ts_estimate_request *request, const struct score *ram,
               const struct score *cpu, const struct ts_known *polling, struct ts_out *out)
{
    if (request->json)
        return ts_json_put_line(
            json_pack("{s:{s:o, s:I, s:I}, s:{s:o, s:I, s:I}, s:o}", "ram_stable", "relative_error",
                      ts_json_figure(share(ram)), "launches", (json_int_t)ram->count, "none",
                      (json_int_t)ram->none, "cpu_idle", "relative_error",
                      ts_json_figure(share(cpu)), "launches", (json_int_t)cpu->count, "none",
                      (json_int_t)cpu->none, "polling_percent",
                      ts_json_figure(polling ? polling->value : NAN)),
            out);
    put_score(out, "Memory has become stable:", ram);
    put_score(out, "Processors have calmed:", cpu);
    if (polling)
        ts_out_printf(out, "Polling, by paired taps:   makes launches %.1f %% longer (u %.1f)\n",
                      polling->value, polling->u);
    return TS_OK;
}

int ts_estimate_resources(const struct ts_estimate_request *request, struct ts_out *out,
                          struct ts_why *why)
{
    struct traces traces = {0};
    struct ts_feature_table table = {0};
    struct ts_rig rig = {.dir = NULL};
    struct score ram = {0}, cpu = {0};
    const struct ts_known *polling = NULL;
    int err = read_all(request, &traces, &table, why);
    if (!err)
        err = find_polling(request->rig, &rig, &polling, why);
    if (!err && !judge(request, &traces, &table, &ram, &cpu))
        err = ts_fail(why, TS_EPROTO, "no launch of %s has a %s in %s", request->paths[0],
                      request->settings.target, request->paths[request->path_count - 1]);
    if (!err)
        err = put(request, &ram, &cpu, polling, out);
    if (request->rig)
        ts_rig_free(&rig);
    free(traces.items);
    ts_feature_table_free(&table);
    return err;
}
