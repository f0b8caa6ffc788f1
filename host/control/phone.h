/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a phone that a campaign needs: saved, set, read back and restored; or only
 * looked at. A machine without time or devices: it gives shell commands one after the other and
 * takes their answers.
 *
 * What a setting was before is kept on the phone itself, in one setting of Touchstone's own,
 * written before anything is changed. So it can be restored whatever happened to the host, and by
 * another host too; and setting up twice does not take our own values for the owner's. */
#ifndef TS_CONTROL_PHONE_H
#define TS_CONTROL_PHONE_H

#include "model/care.h"

/* The helper app (fixtures/helper-app), and the oldest one that understands what it is told. */
#define TS_HELPER         "org.touchstone.helper"
#define TS_HELPER_VERSION 1

#define TS_PHONE_FINDINGS_MAX 40
#define TS_PHONE_VALUE_MAX    48
#define TS_PHONE_ROWS_MAX     28

enum ts_phone_task { TS_PHONE_CHECK, TS_PHONE_SETUP, TS_PHONE_RESTORE };

struct ts_phone_finding {
    const char *what; /* a setting's name, or what was looked at; static storage */
    char is[TS_PHONE_VALUE_MAX], wanted[TS_PHONE_VALUE_MAX];
    const char *advice; /* static storage */
};

struct ts_phone {
    enum ts_phone_task task;
    struct ts_care care; /* its texts are not used */
    int phase;
    size_t row;
    char now[TS_PHONE_ROWS_MAX][TS_PHONE_VALUE_MAX];    /* as read; "" unknown */
    char before[TS_PHONE_ROWS_MAX][TS_PHONE_VALUE_MAX]; /* as saved; "" not saved */
    bool was_saved; /* the phone held saved values when the task began */
    int changed;    /* settings that were set or restored */
    bool lost;      /* the phone did not answer: the task ended early */
    struct ts_phone_finding findings[TS_PHONE_FINDINGS_MAX]; /* what is not as it shall be */
    size_t finding_count;
};

/* The command that asks for the helper's version, and what its answer says; 0: it is not there. */
#define TS_HELPER_ASK "dumpsys package " TS_HELPER
int ts_phone_helper_version(const char *text);

void ts_phone_begin(struct ts_phone *phone, enum ts_phone_task task, const struct ts_care *care);
/* The next shell command; false: the task is done. Each is to be answered before the next. */
bool ts_phone_next(struct ts_phone *phone, char *command, size_t size);
/* status: TS_OK when the command ran. */
void ts_phone_answer(struct ts_phone *phone, int status, int exit_code, const char *text);

#endif
