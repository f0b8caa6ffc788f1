/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a calibration procedure found, with whom it was found: the content of a calibration file.
 * A rig has at most one record of each kind. */
#ifndef TS_MODEL_RECORD_H
#define TS_MODEL_RECORD_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_RECORD_LIST(X)                                                                          \
    X(CLOCK, clock, 30, TS_OF_BOARD)                                                               \
    X(CAMERA, camera, 7, TS_OF_CAMERA)                                                             \
    X(STYLUS, stylus, 30, TS_OF_BOARD)                                                             \
    X(SCREEN, screen, 7, TS_OF_CAMERA | TS_OF_PHONE)                                               \
    X(NOISE, noise, 30, TS_OF_HOST)                                                                \
    X(OBSERVERS, observers, 90, TS_OF_PHONE)                                                       \
    X(POWER, power, 180, TS_OF_BOARD)

/* What a record's values belong to, beside the rig: with another one they do not hold. */
enum ts_record_of { TS_OF_BOARD = 1, TS_OF_CAMERA = 2, TS_OF_PHONE = 4, TS_OF_HOST = 8 };

enum ts_record_kind {
#define TS_RECORD_ENUM(NAME, name, days, of) TS_RECORD_##NAME,
    TS_RECORD_LIST(TS_RECORD_ENUM)
#undef TS_RECORD_ENUM
        TS_RECORD_COUNT
};
/* "clock", ...; NULL ends the row. */
extern const char *const ts_record_names[];
/* After so many days a record is stale. */
int ts_record_days(enum ts_record_kind kind);

/* Who it was measured with; "" unknown. */
struct ts_identity {
    char rig[64];
    char board[16], firmware[16]; /* as the board says hello: "uno", its build */
    char camera[32];              /* "320x240 at 125" */
    char phone[96];               /* model and build; no serial number */
    char host[64];                /* processor */
};

/* One value with its standard uncertainty and the degrees of freedom behind it (JCGM 100:2008,
 * 4.2.6; INFINITY: known by other means than repetition). */
struct ts_known {
    char name[32]; /* unit in the name: lift_delay_ms */
    double value, u, dof;
};

#define TS_KNOWN_MOST 32

struct ts_record {
    enum ts_record_kind kind;
    struct ts_identity identity;
    int64_t date_s;   /* seconds since 1970, UTC */
    char method[160]; /* in words */
    int n;            /* repetitions */
    struct ts_known values[TS_KNOWN_MOST];
    size_t count;
};

/* NULL: it has no such value. */
const struct ts_known *ts_record_find(const struct ts_record *record, const char *name);
/* One more than TS_KNOWN_MOST is left out. */
void ts_record_add(struct ts_record *record, const char *name, double value, double u, double dof);

/* Why the record may not be used with this rig today; TS_EPROTO: *why says what to do. What is
 * unknown on either side is not compared. */
int ts_record_check(const struct ts_record *record, const struct ts_identity *now_with,
                    int64_t now_s, struct ts_why *why) TS_MUST_CHECK;

#endif
