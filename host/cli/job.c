/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/job.h"

#include "bench/benches.h"
#include "bench/live/bench/live.h"
#include "store/files.h"
#include "vision/detector.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct ts_bench_driver *ts_job_find_bench(const char *name)
{
    static const struct ts_bench_driver *const drivers[] = {&ts_bench_live, &ts_bench_sim, NULL};
    for (size_t i = 0; drivers[i]; i++) {
        if (strcmp(drivers[i]->name, name) == 0)
            return drivers[i];
    }
    return NULL;
}

int ts_job_open_bench(const char *name, const struct ts_bench_config *config, struct ts_bench **out,
                      struct ts_why *why)
{
    const struct ts_bench_driver *driver = ts_job_find_bench(name);
    if (!driver)
        return ts_fail(why, TS_ENOTSUP,
                       "the %.20s bench is not built yet; use --bench sim, the simulated bench",
                       name);
    const int err = driver->open(config, out, why);
    return err == TS_EINVAL ? TS_EPROTO : err; /* wrong options are wrong data, not wrong usage */
}

void ts_job_check_bench(const char *name, struct argp_state *state)
{
    if (strcmp(name, "live") != 0 && !ts_job_find_bench(name)) /* live may not be built in */
        argp_error(state, "--bench: there is no bench \"%s\"; there are sim and live", name);
}

int ts_job_open_rig(const char *name, const struct ts_bench_config *config, const char *more,
                    struct ts_bench **out, struct ts_why *why)
{
    const char *options = config->options ? config->options : "";
    struct ts_bench_config whole = *config;
    char *both = NULL;
    if (asprintf(&both, "%s%s%s", options, *options && *more ? "," : "", more) < 0)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    whole.options = both;
    const int err = ts_job_open_bench(name, &whole, out, why);
    free(both);
    return err;
}

static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = 1;
}

void ts_job_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool ts_job_is_stopped(void)
{
    return stop_asked != 0;
}

static int create_session(const struct ts_job *job, struct ts_session_writer **session,
                          struct ts_why *why)
{
    struct ts_session_info info = {.seed = job->seed, .camera = *ts_bench_camera(job->bench)};
    snprintf(info.bench, sizeof info.bench, "%s", job->bench_name);
    snprintf(info.touchstone, sizeof info.touchstone, "%s", TS_VERSION);
    snprintf(info.detector, sizeof info.detector, "%s", TS_DETECTOR_VERSION);
    if (job->past)
        return ts_session_resume(job->past, &info, session, why);
    int err = ts_session_create(job->out, &info, job->plan, job->plan_text, session, why);
    if (!err && job->given)
        err = ts_session_give(*session, job->given, why);
    if (!err && job->given && job->rig) {
        struct ts_path folder;
        err = ts_path_format(&folder, why, "%s/rig", job->out);
        if (!err)
            err = ts_rig_copy_records(job->rig, folder.text, why);
    }
    return err;
}

int ts_job_run(const struct ts_job *job, struct ts_why *why)
{
    struct ts_session_writer *session = NULL;
    int err = create_session(job, &session, why);
    struct ts_campaign campaign = {.bench = job->bench,
                                   .plan = job->plan,
                                   .seed = job->seed,
                                   .session = session,
                                   .given = job->given,
                                   .past = job->past,
                                   .stop = &stop_asked,
                                   .context = job->context,
                                   .calibrated = job->calibrated,
                                   .launched = job->launched};
    if (!err)
        err = ts_campaign_run(&campaign, why);
    ts_session_close(session);
    return err;
}

int64_t ts_job_now_s(void)
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    if (fixed && *fixed) {
        char *end;
        errno = 0;
        const long long seconds = strtoll(fixed, &end, 10);
        if (!errno && !*end && seconds >= 0)
            return seconds;
    }
    return time(NULL);
}

void ts_job_stamp(int64_t now_s, char text[20])
{
    const time_t seconds = (time_t)now_s;
    struct tm parts;
    text[0] = '\0';
    if (gmtime_r(&seconds, &parts))
        strftime(text, 20, "%Y%m%dT%H%M%SZ", &parts);
}

int ts_job_name_session(const char *folder, int64_t now_s, struct ts_path *path, struct ts_why *why)
{
    char stamp[20];
    ts_job_stamp(now_s, stamp);
    int err = ts_folder_make(folder, why);
    for (int i = 1; i < 1000 && !err; i++) {
        err = i == 1 ? ts_path_format(path, why, "%s/%s", folder, stamp)
                     : ts_path_format(path, why, "%s/%s-%d", folder, stamp, i);
        if (!err && ts_folder_is_empty(path->text))
            break;
    }
    return err;
}

bool ts_job_read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return !errno && *text && !*end && *text != '-';
}
