/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a campaign treats the phone: what is set before it and restored after it, what is done
 * before a launch, and how an app is brought to where a launch begins. Part of the plan. */
#ifndef TS_MODEL_CARE_H
#define TS_MODEL_CARE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Controlled: the phone is held still (governor, network, heat), which makes launches repeat better
 * and is not how people use it (paper R). Results say which. */
enum ts_profile { TS_PROFILE_AS_USED, TS_PROFILE_CONTROLLED };
/* What the stylus touches: the helper's button, or the app's icon on the phone's own home screen,
 * which has animations of its own. am: nothing; Android is told to start the app, and durations
 * begin when its log says that it does (result.h). */
enum ts_launch_from { TS_FROM_BUTTON, TS_FROM_ICON, TS_FROM_AM };
/* Leaving the stopped state costs a cold start extra work since Android 15: kill leaves the app
 * unstopped. reboot: nothing of the app is in memory, not even its code; a minute for each launch.
 */
enum ts_cold_by { TS_COLD_FORCE_STOP, TS_COLD_KILL, TS_COLD_REBOOT };
/* BACK finishes a launcher's activity up to Android 11 only. */
enum ts_warm_by { TS_WARM_FINISH, TS_WARM_BACK };
enum ts_compile { TS_COMPILE_AS_IS, TS_COMPILE_RESET, TS_COMPILE_PROFILE, TS_COMPILE_SPEED };
enum ts_animations { TS_ANIMATIONS_AS_IS, TS_ANIMATIONS_ON, TS_ANIMATIONS_OFF };
enum ts_network { TS_NETWORK_AS_IS, TS_NETWORK_OFF };

/* As files spell them; NULL ends each row. */
extern const char *const ts_profile_names[],
    *const ts_launch_from_names[], *const ts_cold_by_names[], *const ts_warm_by_names[],
                                                                  *const ts_compile_names[],
                                                                      *const ts_animations_names[],
                                                                          *const ts_network_names[];

struct ts_care {
    bool setup; /* settings are saved, set, and restored after the campaign */
    enum ts_profile profile;
    enum ts_launch_from launch_from;
    enum ts_cold_by cold_by;
    enum ts_warm_by warm_by;
    enum ts_compile compile;
    enum ts_animations animations;
    enum ts_network network;
    int brightness;              /* 0..255; -1: as it is */
    int charge_low, charge_high; /* per cent; a launch waits for it; 0 and 100: any */
    double too_hot_c;            /* battery; a launch waits below it */
    int guard_tries;             /* how often a phone that is not ready is mended before a tap */
    int repeats;                 /* of launches that the guard flagged, per app, at the end */
    char *before_campaign, *before_launch; /* owned; actions, one a line; "" or NULL: none */
};

/* What durations count from: "lift", or of a launch by `am start` "Android's start". */
const char *ts_launch_zero_words(enum ts_launch_from from);

void ts_care_defaults(struct ts_care *care);
int ts_care_check(const struct ts_care *care, struct ts_why *why) TS_MUST_CHECK;
void ts_care_free(struct ts_care *care);

/* ---- actions ----
 *
 * One action a line; several are joined by "; " (composite), and one line may be conditional:
 *
 *     print TEXT                    into the phone's log and so into the evidence
 *     sleep SECONDS
 *     warm_up SECONDS               load until the fastest clock is reached, at most 10 s
 *     cool_down UPPER LOWER SECONDS if as hot as UPPER (degrees Celsius), wait until LOWER
 *     file_write PATH TEXT          as root where there is root
 *     kill_background               all that may be killed
 *     if COND: ACTION; ACTION else: ACTION; ACTION
 *         COND: rooted | charging | hotter DEGREES, or "not" before one of them
 */
enum ts_action_kind {
    TS_ACTION_PRINT,
    TS_ACTION_SLEEP,
    TS_ACTION_WARM_UP,
    TS_ACTION_COOL_DOWN,
    TS_ACTION_FILE_WRITE,
    TS_ACTION_KILL_BACKGROUND,
    TS_ACTION_IF_ROOTED,
    TS_ACTION_IF_CHARGING,
    TS_ACTION_IF_HOTTER,
};

struct ts_action {
    enum ts_action_kind kind;
    double number[3];        /* in the order of the text */
    char path[96], text[96]; /* plain characters only: they go to the device's shell */
    bool negated;            /* of a condition */
    int skip;                /* a condition that does not hold skips so many actions */
    bool skips_else;         /* the last action before "else": skip_after actions are passed over */
    int skip_after;
};

#define TS_ACTIONS_MAX 64
/* Into a flat list; returns how many, TS_EPROTO and *why otherwise. text may be NULL. */
int ts_actions_parse(const char *text, struct ts_action *list, struct ts_why *why) TS_MUST_CHECK;

#endif
