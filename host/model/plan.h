/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a campaign shall do. Read from YAML by store/plan_file; checked by ts_plan_check(). */
#ifndef TS_MODEL_PLAN_H
#define TS_MODEL_PLAN_H

#include "base/err.h"
#include "model/care.h"
#include "model/result.h"

#include <stdbool.h>
#include <stddef.h>

#define TS_PLAN_APPS_MAX     256
#define TS_PLAN_LAUNCHES_MAX 9999
#define TS_PLAN_STOP_MAX     400 /* characters of the stop rule, with its NUL */

enum ts_keep_video { TS_VIDEO_FLAGGED_AND_SAMPLE, TS_VIDEO_ALL, TS_VIDEO_NONE };

enum ts_order {
    TS_ORDER_INTERLEAVED,
    TS_ORDER_SEQUENTIAL,
    TS_ORDER_SHUFFLED,
    TS_ORDER_COUNTERBALANCED, /* rounds in pairs, drawn and then backwards: ABBA, BAAB */
};

/* What watches a launch beside camera and stylus, and may slow it down. */
enum ts_observer { TS_OBSERVER_LOG = 1, TS_OBSERVER_ACCESSIBILITY = 2, TS_OBSERVER_POLLING = 4 };
#define TS_OBSERVER_COUNT 3
/* Of bit i: "logcat", "accessibility", "polling"; NULL ends the row. */
extern const char *const ts_observer_names[];
/* Of a bit set: "logcat polling"; "none". */
void ts_observers_print(unsigned observers, char *text, size_t size);

struct ts_plan_app {
    char *name;      /* owned; shown to people; also unique: "Mail", or "Mail (B)" for build B */
    char *component; /* owned; "package/.Activity" */
    char *build;     /* owned; what the build is called where builds are compared; NULL: no word */
    char *apk;       /* owned; its package on this computer, installed before each of its blocks;
                      * NULL: the app is launched as it is */
};

/* What is on the phone before a block of launches. */
enum ts_reinstall {
    TS_REINSTALL_KEEP,  /* the app's data stay; the phone may refuse an older version */
    TS_REINSTALL_CLEAN, /* it is removed first, with its data */
};
extern const char *const ts_reinstall_names[]; /* as files spell them; NULL ends the row */

struct ts_plan {
    char *name;               /* owned */
    struct ts_plan_app *apps; /* owned, app_count of them */
    size_t app_count;
    int launches; /* per app; with a stop rule: at most */
    char *stop;   /* owned; rule by which an app has enough (stats/stop.h); NULL or "": none */
    int warm_up;  /* launches per app that are kept but marked as warm-up; 0 by default; where
                   * packages are installed, per block: the first launch after that is another */
    int block;    /* launches of an app in a row, warm-up not among them; 0: by the order, 1, or all
                   * of them where it is sequential */
    enum ts_reinstall reinstall;
    enum ts_start_type start;
    enum ts_order order;
    enum ts_keep_video keep_video;
    int plate_taps;       /* taps on the contact plate at the start; 0: lift stays "pick-up only";
                             always 0 where launch_from is am */
    int camera_edges;     /* of the sync LEDs, by which the camera is learnt at the start */
    int clock_s;          /* so long the clocks are read at the start, s */
    int scenes;           /* that the helper app plays before the first app: verification */
    int touches;          /* taps on a button that starts nothing, at the start */
    int mcu_noise;        /* intervals of the MCU's own loop that are asked for at the start */
    bool meter_load;      /* the power meter is read without and with a known load at the start */
    bool events;          /* accessibility events are recorded of every launch */
    bool polling;         /* memory and load are, android/polling.h; it costs each launch time */
    unsigned observers;   /* bits of enum ts_observer: whose cost is to be found, by paired taps */
    unsigned meters;      /* bits of enum ts_meter: what is measured beside time */
    double shunt_mohm;    /* of the power meter, unless the rig's file has it; 10 by default */
    double shunt_percent; /* its tolerance, 1 by default */
    double quiet_ms;      /* the screen must rest this long before a launch counts as settled */
    double timeout_ms;    /* after lift; then the launch is never_settled or no_change */
    struct ts_care care;  /* how the phone is treated */
    char *phone;          /* owned; "auto", a serial number, or "none" */
    char *bench_options;  /* owned; "key=value,..." for the simulated bench, "" otherwise */
};

/* Fills the defaults of every field that YAML may leave out. */
void ts_plan_defaults(struct ts_plan *plan);
/* Says in *why which key is wrong and what it may be. Components go to a device's shell, so they
 * are held to Android's own grammar here. */
int ts_plan_check(const struct ts_plan *plan, struct ts_why *why) TS_MUST_CHECK;
/* The stop rule's grammar alone. TS_EINVAL. */
int ts_plan_check_stop(const char *text, struct ts_why *why) TS_MUST_CHECK;
/* The same of a plan's rule, and whether any values within its launches can meet it. */
int ts_plan_check_stop_ends(const struct ts_plan *plan, struct ts_why *why) TS_MUST_CHECK;
void ts_plan_free(struct ts_plan *plan);
/* How many launches the whole plan has, scenes among them; 0 for one that only learns the
 * instrument. */
int ts_plan_total(const struct ts_plan *plan);

/* ---- blocks: every app's launches come in rows of ts_plan_row(), the last of them may be shorter;
 * `nth` counts the launches of one app from 0 ---- */
/* Some app has a package to install. */
bool ts_plan_installs(const struct ts_plan *plan);
/* Launches of one app in a row, with the warm-up that each row has of its own where the plan
 * installs packages. */
int ts_plan_row(const struct ts_plan *plan);
/* Launches of one app in all. */
int ts_plan_per_app(const struct ts_plan *plan);
bool ts_plan_warms_up(const struct ts_plan *plan, int nth);
/* "Mail (B)" -> "Mail": the app of a build. */
void ts_plan_plain_app(const char *name, const char *build, char *text, size_t size);

/* Which observers (bit set) watch launch number `nth` (from 0) of an app. Unless the plan asks what
 * they cost, that is the log, and the accessibility service where the plan wants its events. Else
 * each of plan->observers has four launches in turn, off, on, on, off, so that what changes
 * steadily (heat, battery) is in neither of the two differences; the log goes on meanwhile, unless
 * it is its own turn. */
struct ts_observing {
    unsigned all;                /* that watch */
    enum ts_observer under_test; /* 0: none is */
    int pair;                    /* launches of one pair differ by the one under test alone */
    bool on;                     /* it watches */
};
struct ts_observing ts_plan_observing(const struct ts_plan *plan, int nth);

#endif
