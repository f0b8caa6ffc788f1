/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab.h"

#include "base/rng.h"
#include "store/digest.h"
#include "store/files.h"
#include "store/layout.h"
#include "store/result_file.h"
#include "store/session_json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BUILDS 4
#define STREAM 0x6c6162u

void lab_session_make(struct lab_session *session, int number, int count)
{
    (void)count;
    memset(session, 0, sizeof *session);
    session->info = (struct ts_session_info){.seed = (uint64_t)number,
                                             .bench = "sim",
                                             .touchstone = "0",
                                             .detector = "robust-0",
                                             .camera = {320, 240, 64, 48, 8000000}};
    ts_plan_defaults(&session->plan);
    session->plan.name = strdup("nightly");
    session->plan.phone = strdup("auto");
    session->plan.bench_options = strdup("");
    session->plan.apps = calloc(LAB_APPS, sizeof *session->plan.apps);
    session->plan.app_count = LAB_APPS;
    for (int i = 0; i < LAB_APPS; i++) {
        char text[64];
        snprintf(text, sizeof text, "App %02d", i + 1);
        session->plan.apps[i].name = strdup(text);
        snprintf(text, sizeof text, "org.example.app%02d/.Main", i + 1);
        session->plan.apps[i].component = strdup(text);
    }
    const int device = number % LAB_DEVICES;
    snprintf(session->device, sizeof session->device, "Device %d", device + 1);
    snprintf(session->rig, sizeof session->rig, "rig %d", device / 2 + 1);
    snprintf(session->rig_values, sizeof session->rig_values, "sim %d", device / 2 + 1);
}

static double around(struct ts_rng *rng, double mean, double sd)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += ts_rng_uniform(rng);
    return round(1000 * (mean + sd * sum)) / 1000;
}

static struct ts_metric metric(double value)
{
    return (struct ts_metric){value, 2.5, 0.75};
}

static void put_conditions(struct ts_conditions *to, struct ts_rng *rng, int app, int device,
                           int build)
{
    snprintf(to->package_version, sizeof to->package_version, "%d.%d.0", app + 1, build);
    snprintf(to->compiler_filter, sizeof to->compiler_filter, "speed-profile");
    snprintf(to->network, sizeof to->network, "wifi");
    snprintf(to->observers, sizeof to->observers, "logcat");
    to->battery_percent = around(rng, 80, 3);
    to->temperature_c = around(rng, 30, 1);
    to->brightness = 128;
    to->cpu_mhz = 1200 + 100 * app;
    to->cpu_most_mhz = 2841.6;
    to->refresh_before_hz = to->refresh_after_hz = device % 2 ? 90 : 60;
    for (int i = 0; i < 3; i++)
        to->animation_scale[i] = 1;
}

void lab_launch_make(const struct lab_session *session, int number, int count, int launch,
                     struct ts_result *out)
{
    struct ts_rng rng;
    const int app = (launch - 1) % LAB_APPS, device = number % LAB_DEVICES;
    const int build = (int)((long long)number * BUILDS / count);
    ts_rng_seed(&rng, (uint64_t)number * 10000 + (uint64_t)launch, STREAM);
    memset(out, 0, sizeof *out);
    out->launch = launch;
    snprintf(out->app, sizeof out->app, "%s", session->plan.apps[app].name);
    snprintf(out->component, sizeof out->component, "%s", session->plan.apps[app].component);
    out->start_type = TS_START_COLD;
    out->rule = TS_RULE_ROBUST;
    out->detector_version = "robust-0";
    const double typical = (300 + 20 * app) * pow(1.02, device) * pow(1.01, build);
    const double settled = typical * exp(around(&rng, 0, 0.1));
    out->contact = (struct ts_instant){launch * 10000000000LL, 250000, 500000};
    out->pickup = (struct ts_instant){out->contact.host_ns + 90000000, 250000, 500000};
    out->lift = (struct ts_instant){out->contact.host_ns + 100000000, 250000, 500000};
    out->first_visual_change = metric(around(&rng, 90, 10));
    out->last_visual_change = out->settled = metric(settled);
    out->literal_settled = metric(settled + 8);
    out->visually_complete_85 = metric(settled * 0.9);
    out->speed_index = metric(settled * 0.6);
    out->splash = metric(around(&rng, 110, 10));
    out->first_app_frame = out->main_content = metric(settled * 0.8);
    for (int i = 0; i < TS_METRIC_COUNT; i++)
        out->half_95_ms[i] = 5;
    for (int i = 0; i < 2; i++)
        out->photodiode_ms[i] = (double)NAN;
    out->time_to_initial_display_ms = settled - 60;
    out->time_to_full_display_ms = (double)NAN;
    out->frame_period_ms = 8;
    out->frames = 400;
    put_conditions(&out->conditions, &rng, app, device, build);
    if (ts_rng_below(&rng, 40) == 0)
        ts_result_flag(out, TS_FLAG_FRAMES_DROPPED);
}

/* Values as files have them. */
static int print_and_parse(struct ts_result *result, const struct ts_session_info *info,
                           struct ts_why *why)
{
    struct ts_buf text = {0};
    int err = ts_result_print(result, info, &text);
    if (!err)
        err = ts_result_parse((const char *)text.data, text.size, result, why);
    ts_buf_free(&text);
    return err;
}

static int put_rows(struct ts_db *db, const struct ts_db_session *row,
                    const struct ts_result *results, int launches, struct ts_why *why)
{
    int err = ts_db_begin(db, why);
    if (!err)
        err = ts_db_add_session(db, row, why);
    for (int i = 0; i < launches && !err; i++)
        err = ts_db_add_launch(db, row->id, &(struct ts_db_launch){&results[i], true, false, NULL},
                               why);
    if (!err)
        err = ts_db_commit(db, why);
    if (err)
        ts_db_cancel(db);
    return err;
}

int lab_put_results(struct ts_db *db, const struct lab_session *session, int number,
                    const struct ts_result *results, struct ts_why *why)
{
    char digest[TS_DIGEST_SIZE];
    const int err = ts_digest_of(&number, sizeof number, digest);
    const struct ts_db_session row = {ts_db_id(digest), digest,       &session->info,
                                      &session->plan,   session->rig, session->rig_values,
                                      session->device,  "",           0};
    return err ? err : put_rows(db, &row, results, LAB_LAUNCHES, why);
}

int lab_put(struct ts_db *db, int first, int many, int count, struct ts_why *why)
{
    struct ts_result *results = calloc(LAB_LAUNCHES, sizeof *results);
    int err = results ? TS_OK : TS_ENOMEM;
    for (int number = first; number < first + many && !err; number++) {
        struct lab_session session;
        lab_session_make(&session, number, count);
        for (int i = 0; i < LAB_LAUNCHES; i++)
            lab_launch_make(&session, number, count, i + 1, &results[i]);
        err = lab_put_results(db, &session, number, results, why);
        ts_plan_free(&session.plan);
    }
    free(results);
    return err;
}

static int write_text(const char *path, const struct ts_buf *bytes)
{
    FILE *file = fopen(path, "w");
    const bool whole = file && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    return file && !fclose(file) && whole ? TS_OK : TS_EIO;
}

/* Files that are only read back need no sync. */
static int write_launch(const char *dir, const struct lab_session *session,
                        const struct ts_result *result)
{
    struct ts_path folder, path;
    struct ts_buf bytes = {0};
    int err = ts_layout_part(dir, result->launch, &folder, NULL);
    if (!err)
        err = ts_layout_file(dir, result->launch, "result.json", &path, NULL);
    if (!err && mkdir(folder.text, 0777) && errno != EEXIST)
        err = TS_EIO;
    if (!err)
        err = ts_result_print(result, &session->info, &bytes);
    if (!err)
        err = write_text(path.text, &bytes);
    ts_buf_free(&bytes);
    return err;
}

/* What a session writes as it goes, with the values that its files have. */
static int write_database(const char *dir, const struct lab_session *session, int number, int count,
                          int launches, struct ts_why *why)
{
    const struct ts_db_session row = {
        .id = 1, .digest = "", .info = &session->info, .plan = &session->plan};
    struct ts_result *results = calloc((size_t)launches + 1, sizeof *results);
    struct ts_path path;
    struct ts_db *db = NULL;
    int err = results ? ts_path_format(&path, why, "%s/results.sqlite", dir) : TS_ENOMEM;
    for (int i = 0; i < launches && !err; i++) {
        lab_launch_make(session, number, count, i + 1, &results[i]);
        err = print_and_parse(&results[i], &session->info, why);
    }
    if (!err)
        err = ts_db_open(path.text, &db, why);
    if (!err)
        err = put_rows(db, &row, results, launches, why);
    ts_db_close(db);
    free(results);
    return err;
}

int lab_write(const char *dir, int number, int count, int launches, struct ts_why *why)
{
    static const char *const folders[] = {"", "/calibration", "/launches"};
    struct lab_session session;
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = TS_OK;
    lab_session_make(&session, number, count);
    session.plan.launches = (launches + LAB_APPS - 1) / LAB_APPS;
    for (int i = 0; i < 3 && !err; i++) {
        err = ts_path_format(&path, why, "%s%s", dir, folders[i]);
        if (!err)
            err = ts_folder_make(path.text, why);
    }
    if (!err)
        err = ts_session_print(&session.info, &session.plan, "", &bytes);
    if (!err)
        err = ts_path_format(&path, why, "%s/session.json", dir);
    if (!err)
        err = write_text(path.text, &bytes);
    ts_buf_clear(&bytes);
    if (!err)
        err = ts_buf_printf(&bytes, "{\"i\": 1, \"t\": %d, \"k\": \"done\"}\n", number);
    if (!err)
        err = ts_path_format(&path, why, "%s/calibration/events.jsonl", dir);
    if (!err)
        err = write_text(path.text, &bytes);
    for (int launch = 1; launch <= launches && !err; launch++) {
        struct ts_result result;
        lab_launch_make(&session, number, count, launch, &result);
        err = write_launch(dir, &session, &result);
    }
    if (!err)
        err = write_database(dir, &session, number, count, launches, why);
    ts_buf_free(&bytes);
    ts_plan_free(&session.plan);
    return err ? ts_fail(why, err, "%s: cannot be written", dir) : TS_OK;
}
