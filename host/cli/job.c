/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/job.h"

#include "bench/benches.h"
#include "store/files.h"
#include "vision/detector.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct ts_bench_driver *ts_job_find_bench(const char *name)
{
    static const struct ts_bench_driver *const drivers[] = {&ts_bench_sim, NULL};
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

bool ts_job_read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return !errno && *text && !*end && *text != '-';
}
