/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A laboratory that never was: sessions of 50 apps, 10 launches each, on 8 devices and 4 rigs. The
 * same number gives the same session. Device n is 2 % slower than device n - 1, a new build of
 * every app comes with each quarter of the sessions and is 1 % slower than the one before. */
#ifndef TESTS_PERF_LAB_H
#define TESTS_PERF_LAB_H

#include "store/ingest.h"

#define LAB_APPS     50
#define LAB_LAUNCHES 500 /* of a session */
#define LAB_DEVICES  8

struct lab_session {
    struct ts_session_info info;
    struct ts_plan plan; /* its texts and apps are owned; ts_plan_free() */
    char rig[16], rig_values[32], device[32];
};
/* Number `number` of `count`. */
void lab_session_make(struct lab_session *session, int number, int count);
/* launch from 1. */
void lab_launch_make(const struct lab_session *session, int number, int count, int launch,
                     struct ts_result *out);

/* Puts a session with its LAB_LAUNCHES results in, in one transaction. */
int lab_put_results(struct ts_db *db, const struct lab_session *session, int number,
                    const struct ts_result *results, struct ts_why *why);
/* Puts the sessions first .. first + many - 1 in, each in a transaction of its own. */
int lab_put(struct ts_db *db, int first, int many, int count, struct ts_why *why);
/* Writes the folder of a session: what an ingest reads of it. */
int lab_write(const char *dir, int number, int count, int launches, struct ts_why *why);

#endif
