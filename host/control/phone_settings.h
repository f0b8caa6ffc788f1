/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which settings, and what is looked at beside them: tables. Inside this room only. */
#ifndef TS_CONTROL_PHONE_SETTINGS_H
#define TS_CONTROL_PHONE_SETTINGS_H

#include "control/phone.h"

#define TS_PHONE_SAVED "touchstone_before" /* the setting that keeps the others */

struct ts_phone_setting {
    const char *name; /* plain; also in the saved text */
    const char *get;
    const char *set;       /* %s: the value */
    const char *unset;     /* when the phone had none; NULL: it always has one */
    const char *prefix;    /* what stands before the value in the answer; NULL: nothing */
    const char *otherwise; /* the value where the answer has no prefix; NULL: unknown */
    const char *words[5];  /* value n as `set` wants it; words[0] NULL: as it is */
    const char *advice;
    /* What it shall be, NULL: left alone. `text` has room for a number. */
    const char *(*wanted)(const struct ts_care *care, char text[16]);
};
extern const struct ts_phone_setting ts_phone_settings[];
extern const size_t ts_phone_setting_count;

struct ts_phone_look {
    const char *what, *command, *wanted, *advice;
    /* True when it is as it shall be, or nobody can say. */
    bool (*good)(const struct ts_care *care, int exit_code, const char *text,
                 char is[TS_PHONE_VALUE_MAX]);
};
extern const struct ts_phone_look ts_phone_looks[];
extern const size_t ts_phone_look_count;

#endif
