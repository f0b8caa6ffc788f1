/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One session on a bench: what run, calibrate, verify and doctor have in common. */
#ifndef TS_CLI_JOB_H
#define TS_CLI_JOB_H

#include "cli/campaign.h"
#include "store/files.h"
#include "store/rig.h"

#include <stdint.h>

/* NULL: there is no such bench in this program. */
const struct ts_bench_driver *ts_job_find_bench(const char *name);
/* TS_ENOTSUP: not built; TS_EPROTO: wrong options. */
int ts_job_open_bench(const char *name, const struct ts_bench_config *config, struct ts_bench **out,
                      struct ts_why *why) TS_MUST_CHECK;

/* For parsers of --bench: argp_error() when there is no such bench. */
struct argp_state;
void ts_job_check_bench(const char *name, struct argp_state *state);
/* The same with more options after those of the config, which may be NULL; "" none. */
int ts_job_open_rig(const char *name, const struct ts_bench_config *config, const char *more,
                    struct ts_bench **out, struct ts_why *why) TS_MUST_CHECK;

struct ts_job {
    struct ts_bench *bench;
    const char *bench_name;
    const struct ts_plan *plan;
    const char *plan_text; /* the plan file's own bytes; NULL: there is no file */
    uint64_t seed;
    const char *out;                    /* the session's folder */
    const struct ts_rig *rig;           /* its files are copied in; NULL: none */
    const struct ts_calibration *given; /* that they gave; NULL: none */
    const struct ts_session *past;      /* to go on with, in `out`; NULL: a new one */
    /* As in struct ts_campaign. */
    void *context;
    int (*calibrated)(void *context, const struct ts_evidence *evidence,
                      const struct ts_calibration *calibration, const char *note,
                      struct ts_why *why);
    int (*launched)(void *context, const struct ts_result *result, struct ts_why *why);
};

/* TS_EOF: stopped by a signal (see ts_job_catch_signals). What was finished is kept. */
int ts_job_run(const struct ts_job *job, struct ts_why *why) TS_MUST_CHECK;

/* From now on SIGINT and SIGTERM end a job after what is finished. */
void ts_job_catch_signals(void);
bool ts_job_is_stopped(void);

/* Now, in seconds since 1970; SOURCE_DATE_EPOCH in the environment overrides it, so that outputs
 * can be made twice alike. */
int64_t ts_job_now_s(void);
/* "20260131T120000Z" */
void ts_job_stamp(int64_t now_s, char text[20]);

/* FOLDER/STAMP, or the first STAMP-N that is free; the folder is made when it is first needed. */
int ts_job_name_session(const char *folder, int64_t now_s, struct ts_path *path,
                        struct ts_why *why) TS_MUST_CHECK;

/* A seed as it is written on a command line. */
bool ts_job_read_seed(const char *text, uint64_t *seed);

#endif
