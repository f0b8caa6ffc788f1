/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DAY_S 86400
/* Clocks of computers differ; a date this far in the future is still today's. */
#define FUTURE_S DAY_S

const char *const ts_record_names[] = {
#define NAME(NAME_, name, days, of) #name,
    TS_RECORD_LIST(NAME)
#undef NAME
        NULL};

static const struct {
    int days;
    unsigned of;
} kinds[] = {
#define KIND(NAME_, name, days, of) {days, of},
    TS_RECORD_LIST(KIND)
#undef KIND
};

int ts_record_days(enum ts_record_kind kind)
{
    return kinds[kind].days;
}

const struct ts_known *ts_record_find(const struct ts_record *record, const char *name)
{
    for (size_t i = 0; i < record->count; i++) {
        if (strcmp(record->values[i].name, name) == 0)
            return &record->values[i];
    }
    return NULL;
}

/* A nanosecond of a millisecond is more than anybody can claim. */
static double rounded(double value)
{
    return round(value * 1e6) / 1e6;
}

void ts_record_add(struct ts_record *record, const char *name, double value, double u, double dof)
{
    if (record->count == TS_KNOWN_MOST)
        return;
    struct ts_known *known = &record->values[record->count++];
    snprintf(known->name, sizeof known->name, "%s", name);
    known->value = rounded(value);
    known->u = rounded(u);
    known->dof = dof;
}

static int compare(enum ts_record_kind kind, const char *what, const char *then, const char *now,
                   struct ts_why *why)
{
    if (!*then || !*now || strcmp(then, now) == 0)
        return TS_OK;
    return ts_fail(
        why, TS_EPROTO,
        "the %s calibration is of another %s (%s, now %s); run `touchstone calibrate %s`",
        ts_record_names[kind], what, then, now, ts_record_names[kind]);
}

int ts_record_check(const struct ts_record *record, const struct ts_identity *now_with,
                    int64_t now_s, struct ts_why *why)
{
    const enum ts_record_kind kind = record->kind;
    const char *name = ts_record_names[kind];
    const struct ts_identity *then = &record->identity;
    const unsigned of = kinds[kind].of;
    if (record->date_s > now_s + FUTURE_S)
        return ts_fail(why, TS_EPROTO,
                       "the %s calibration has a date in the future; set this computer's clock, or "
                       "run `touchstone calibrate %s`",
                       name, name);
    const int64_t age_days = (now_s - record->date_s) / DAY_S;
    if (age_days > kinds[kind].days)
        return ts_fail(why, TS_EPROTO,
                       "the %s calibration is %lld days old, more than %d; run `touchstone "
                       "calibrate %s`",
                       name, (long long)age_days, kinds[kind].days, name);
    int err = compare(kind, "rig", then->rig, now_with->rig, why);
    if (!err && of & TS_OF_BOARD)
        err = compare(kind, "board", then->board, now_with->board, why);
    if (!err && of & TS_OF_BOARD)
        err = compare(kind, "firmware", then->firmware, now_with->firmware, why);
    if (!err && of & TS_OF_CAMERA)
        err = compare(kind, "camera mode", then->camera, now_with->camera, why);
    if (!err && of & TS_OF_PHONE)
        err = compare(kind, "phone", then->phone, now_with->phone, why);
    if (!err && of & TS_OF_HOST)
        err = compare(kind, "computer", then->host, now_with->host, why);
    return err;
}
