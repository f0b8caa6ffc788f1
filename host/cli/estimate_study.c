/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_study.h"

#include "cli/json_text.h"
#include "estimators/recording.h"
#include "estimators/study.h"
#include "store/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Paper E, tables II to IV; shares and ms. */
static const struct {
    double error, correlation, type_error;
} published[][TS_STUDY_ROWS] = {{{0.252, 0.869, 0.053}, {0.300, 0.832, 0.177}},
                                {{0.570, 0.815, 0.139}, {0.666, 0.741, 0.169}}};
static const char *const row_names[TS_STUDY_ROWS] = {"internal", "external"};
struct published_shift {
    const char *package, *name;
    double predicted[2], interval[2]; /* mean, median */
};
static const struct published_shift published_shifts[] = {
    {"com.whatsapp", "WhatsApp", {44, 29}, {54, 21}},
    {"com.google.android.apps.tasks", "GTasks", {159, 146}, {94, 16}},
    {"com.google.android.gm", "Gmail", {142, 108}, {12, 3}},
    {"com.google.android.calendar", "Calendar", {165, 137}, {64, 3}}};

/* ---- the launches ---- */

static int synthesize(struct ts_study_run *run, struct ts_why *why)
{
    const struct ts_estimate_request *request = run->request;
    int err = ts_feature_table_start(&run->table);
    for (size_t number = 0; !err; number++) {
        struct ts_study_recording made;
        struct ts_recording_summary summary;
        err = ts_study_record((enum ts_study)request->study, request->settings.seed, number, &made);
        if (err)
            break;
        const struct ts_recording recording = {(char *)made.log.data, made.log.size, made.device,
                                               made.name, request->horizon_ms};
        err = ts_recording_read(&recording, &run->table, &summary, why);
        ts_buf_free(&made.log);
    }
    return err == TS_EOF ? TS_OK : err == TS_ENOMEM ? ts_fail(why, err, "out of memory") : err;
}

static size_t launches_of(const struct ts_feature_table *table, const char *app)
{
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++)
        count += strcmp(table->rows[i].app, app) == 0;
    return count;
}

/* The row where the app stands that has the most launches of those not marked. */
static size_t most_launched(const struct ts_study_run *run, const bool *marked)
{
    size_t best = run->table.row_count, most = 0;
    for (size_t i = 0; i < run->table.row_count; i++) {
        bool first = !marked[i];
        for (size_t j = 0; j < i && first; j++)
            first = strcmp(run->table.rows[j].app, run->table.rows[i].app) != 0;
        const size_t count = first ? launches_of(&run->table, run->table.rows[i].app) : 0;
        if (count > most) {
            most = count;
            best = i;
        }
    }
    return best;
}

static void keep_rows(struct ts_feature_table *table, const bool *keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        if (!keep[i])
            continue;
        table->rows[kept] = table->rows[i];
        memmove(table->values + kept * table->feature_count, ts_feature_table_values(table, i),
                table->feature_count * sizeof *table->values);
        kept++;
    }
    table->row_count = kept;
    table->value_count = kept * table->feature_count;
}

static void keep_most_launched(struct ts_study_run *run)
{
    bool *keep = run->use;
    for (size_t n = 0; n < TS_STUDY_APPS_KEPT; n++) {
        const size_t at = most_launched(run, keep);
        for (size_t i = 0; at < run->table.row_count && i < run->table.row_count; i++)
            keep[i] |= strcmp(run->table.rows[i].app, run->table.rows[at].app) == 0;
    }
    keep_rows(&run->table, keep);
}

static int list_devices(struct ts_study_run *run, struct ts_why *why)
{
    for (size_t i = 0; i < run->table.row_count; i++) {
        size_t at = 0;
        while (at < run->device_count && strcmp(run->devices[at], run->table.rows[i].device) != 0)
            at++;
        if (at == TS_STUDY_DEVICES_MOST)
            return ts_fail(why, TS_ENOTSUP, "there are more than %d devices",
                           TS_STUDY_DEVICES_MOST);
        if (at == run->device_count)
            run->devices[run->device_count++] = run->table.rows[i].device;
    }
    if (run->device_count < 2)
        return ts_fail(why, TS_EPROTO, "all launches are of %s: a study takes two devices or more",
                       run->devices[0]);
    return TS_OK;
}

static int prepare(struct ts_study_run *run, struct ts_why *why)
{
    const struct ts_estimate_request *request = run->request;
    int err =
        request->path_count ? ts_estimate_load(request, 0, &run->table, why) : synthesize(run, why);
    const size_t count = run->table.row_count + 1;
    if (err)
        return err;
    run->use = calloc(count, sizeof *run->use);
    run->test = calloc(count, sizeof *run->test);
    run->all = calloc(TS_ESTIMATOR_CLASSES * count, sizeof *run->all);
    run->estimate = calloc(count, sizeof *run->estimate);
    run->actual = calloc(count, sizeof *run->actual);
    if (!run->use || !run->test || !run->all || !run->estimate || !run->actual)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (request->study == TS_STUDY_DAILY)
        keep_most_launched(run);
    for (size_t i = 0; i < run->table.row_count; i++)
        run->table.rows[i].start_type =
            isnan(run->table.rows[i].time_to_initial_display_ms) ? TS_START_HOT : TS_START_COLD;
    return list_devices(run, why);
}

/* ---- what is printed ---- */

static void put_head(const struct ts_study_run *run, struct ts_out *out)
{
    ts_out_printf(out, "Study: %s, %zu launches of %zu devices%s\n",
                  ts_study_names[run->request->study], run->table.row_count, run->device_count,
                  run->request->path_count ? ""
                                           : "\nThe launches are synthetic: they show that the "
                                             "estimators work, and nothing about phones.");
    ts_out_put(out, "\nTable II   error of times of cold starts   correlation (Pearson's r)     "
                    "wrong types\n"
                    "           paper  forest   ratio         paper  forest   ratio         "
                    "paper   start    type\n");
}

static void put_percent(struct ts_out *out, double share)
{
    ts_out_printf(out, " %5.1f %%", 100 * share);
}

static void put_scores(const struct ts_study_run *run, enum ts_study_row row, struct ts_out *out)
{
    const struct ts_study_scores *plain = &run->scores[row][TS_STUDY_PLAIN],
                                 *best = &run->scores[row][TS_STUDY_BEST];
    const int study = run->request->study;
    ts_out_printf(out, "%-9s", row_names[row]);
    put_percent(out, published[study][row].error);
    put_percent(out, ts_study_value(plain->error));
    put_percent(out, ts_study_value(best->error));
    ts_out_put(out, "      ");
    put_percent(out, published[study][row].correlation);
    put_percent(out, ts_study_value(plain->pearson));
    put_percent(out, ts_study_value(best->pearson));
    ts_out_put(out, "      ");
    put_percent(out, published[study][row].type_error);
    put_percent(out, ts_study_value(plain->type_error));
    put_percent(out, ts_study_value(best->type_error));
    ts_out_put(out, "\n");
}

static const struct published_shift *find_published(const char *package)
{
    for (size_t i = 0; i < sizeof published_shifts / sizeof *published_shifts; i++) {
        if (strcmp(published_shifts[i].package, package) == 0)
            return &published_shifts[i];
    }
    return NULL;
}

static void put_change(const char *app, const double *paper, const struct ts_change *change,
                       struct ts_out *out)
{
    char text[40] = "";
    if (paper)
        snprintf(text, sizeof text, "%+.3g / %+.3g", paper[0], paper[1]);
    ts_out_printf(out, "%-20.20s %14s   %+8.1f / %+7.1f  %+8.1f to %+7.1f   %.4f %6zu %6zu\n", app,
                  text, change->mean, change->median, change->interval.low, change->interval.high,
                  change->p, change->count_a, change->count_b);
}

static void put_shifts(const struct ts_study_run *run, bool interval, struct ts_out *out)
{
    ts_out_printf(out,
                  "\nTable %s: %s, heavy less light periods, ms\n"
                  "app                  paper           mean / median     shift, 95 %%         "
                  "p       light  heavy\n",
                  interval ? "IV" : "III",
                  interval ? "interval between events" : "estimated times of cold starts");
    for (size_t i = 0; i < run->shift_count; i++) {
        const struct ts_study_shift *shift = &run->shifts[i];
        const struct published_shift *paper = find_published(shift->app);
        put_change(paper ? paper->name : shift->app,
                   !paper     ? NULL
                   : interval ? paper->interval
                              : paper->predicted,
                   interval ? &shift->interval : &shift->predicted, out);
    }
    if (interval)
        return;
    ts_out_put(out, "Control, two heavy periods, alike where the interval holds 0:\n");
    for (size_t i = 0; i < run->shift_count; i++) {
        static const double alike[2] = {-2, -0.3};
        const struct published_shift *paper = find_published(run->shifts[i].app);
        put_change(paper ? paper->name : run->shifts[i].app,
                   paper == published_shifts ? alike : NULL, &run->shifts[i].control, out);
    }
}

static json_t *scores_json(const struct ts_study_scores *scores)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "relative_error",
                     ts_json_figure(ts_study_value(scores->error)), "pearson",
                     ts_json_figure(ts_study_value(scores->pearson)), "spearman",
                     ts_json_figure(ts_study_value(scores->spearman)), "concordance",
                     ts_json_figure(ts_study_value(scores->concordance)), "type_error",
                     ts_json_figure(ts_study_value(scores->type_error)));
}

static json_t *change_json(const struct ts_change *change)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I}", "mean", ts_json_figure(change->mean),
                     "median", ts_json_figure(change->median), "interval",
                     ts_json_figures(change->interval.low, change->interval.high), "p",
                     ts_json_figure(change->p), "a", (json_int_t)change->count_a, "b",
                     (json_int_t)change->count_b);
}

static int put_json(const struct ts_study_run *run, struct ts_out *out)
{
    json_t *rows = json_array(), *shifts = json_array();
    const int study = run->request->study;
    for (enum ts_study_row row = 0; row < TS_STUDY_ROWS; row++)
        json_array_append_new(rows,
                              json_pack("{s:s, s:{s:f, s:f, s:f}, s:o, s:o}", "row", row_names[row],
                                        "paper", "relative_error", published[study][row].error,
                                        "pearson", published[study][row].correlation, "type_error",
                                        published[study][row].type_error, "forest",
                                        scores_json(&run->scores[row][TS_STUDY_PLAIN]), "ratio",
                                        scores_json(&run->scores[row][TS_STUDY_BEST])));
    for (size_t i = 0; i < run->shift_count; i++)
        json_array_append_new(
            shifts, json_pack("{s:o, s:o, s:o, s:o}", "app", ts_json_name(run->shifts[i].app),
                              "estimated_ms", change_json(&run->shifts[i].predicted),
                              "mean_interval_ms", change_json(&run->shifts[i].interval), "control",
                              change_json(&run->shifts[i].control)));
    return ts_json_put_line(json_pack("{s:s, s:b, s:I, s:I, s:o, s:o}", "study",
                                      ts_study_names[study], "synthetic", !run->request->path_count,
                                      "launches", (json_int_t)run->table.row_count, "seed",
                                      (json_int_t)run->request->settings.seed, "table_2", rows,
                                      "tables_3_and_4", shifts),
                            out);
}

int ts_estimate_study(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why)
{
    struct ts_study_run run = {.request = request};
    int err = prepare(&run, why);
    if (!err)
        err = ts_study_judge(&run, why);
    if (!err && request->study == TS_STUDY_DAILY)
        err = ts_study_find_shifts(&run, why);
    if (!err && request->json)
        err = put_json(&run, out);
    else if (!err) {
        put_head(&run, out);
        for (enum ts_study_row row = 0; row < TS_STUDY_ROWS; row++)
            put_scores(&run, row, out);
    }
    for (int interval = 0; !err && !request->json && run.shift_count && interval < 2; interval++)
        put_shifts(&run, interval, out);
    free(run.use);
    free(run.test);
    free(run.all);
    free(run.estimate);
    free(run.actual);
    ts_feature_table_free(&run.table);
    return err;
}

/* ---- recordings ---- */

int ts_estimate_synthesize(const struct ts_estimate_request *request, struct ts_out *out,
                           struct ts_why *why)
{
    int which = 0, err = TS_OK;
    while (ts_study_names[which] && strcmp(ts_study_names[which], request->paths[0]) != 0)
        which++;
    if (!ts_study_names[which])
        return ts_fail(why, TS_EINVAL, "there is no study \"%s\", only lab and daily",
                       request->paths[0]);
    err = ts_folder_make(request->output, why);
    for (size_t number = 0; !err; number++) {
        struct ts_study_recording made;
        struct ts_path path;
        err = ts_study_record((enum ts_study)which, request->settings.seed, number, &made);
        if (err)
            break;
        err = ts_path_format(&path, why, "%s/%s %s.log", request->output, made.device, made.name);
        if (!err)
            err = ts_file_write(path.text, &made.log, why);
        if (!err)
            ts_out_printf(out, "%s\n", path.text);
        ts_buf_free(&made.log);
    }
    return err == TS_EOF ? TS_OK : err == TS_ENOMEM ? ts_fail(why, err, "out of memory") : err;
}
