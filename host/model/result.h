/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of one launch: what measure gives, store keeps and every reader sees. */
#ifndef TS_MODEL_RESULT_H
#define TS_MODEL_RESULT_H

#include "base/err.h"
#include "model/budget.h"
#include "model/costs.h"
#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Everything that can be wrong with a launch, in order of precedence: the verdict is the first
 * flag of this list that disqualifies; the other flags are kept beside it. */
#define TS_FLAG_LIST(X)                                                                            \
    X(RIG_FAULT, rig_fault, true)                                                                  \
    X(NO_CONTACT, no_contact, true)                                                                \
    X(DOUBLE_CONTACT, double_contact, true)                                                        \
    X(LONG_PRESS, long_press, true)                                                                \
    X(TOUCH_NOT_SEEN, touch_not_seen, true)                                                        \
    X(START_NOT_SEEN, start_not_seen, true)                                                        \
    X(SCREEN_OFF, screen_off, true)                                                                \
    X(KEYGUARD, keyguard, true)                                                                    \
    X(DIALOG, dialog, true)                                                                        \
    X(START_REFUSED, start_refused, true)                                                          \
    X(WRONG_WINDOW, wrong_window, true)                                                            \
    X(APP_CRASHED, app_crashed, true)                                                              \
    X(ANR, anr, true)                                                                              \
    X(SCREEN_NOT_QUIET, screen_not_quiet, true)                                                    \
    X(LIGHT_CHANGED, light_changed, true)                                                          \
    X(FRAMES_DROPPED, frames_dropped, true)                                                        \
    X(CLOCK_UNSURE, clock_unsure, true)                                                            \
    X(DISPLAY_MODE_CHANGED, display_mode_changed, true)                                            \
    X(NO_CHANGE, no_change, true)                                                                  \
    X(NEVER_SETTLED, never_settled, true)                                                          \
    X(BARELY_VISIBLE, barely_visible, true)                                                        \
    X(OVEREXPOSED, overexposed, true)                                                              \
    X(TIMEOUT, timeout, true)                                                                      \
    X(WRONG_START_TYPE, wrong_start_type, true)                                                    \
    X(APP_CHANGED, app_changed, true)                                                              \
    X(TOO_HOT, too_hot, true)                                                                      \
    X(START_TYPE_UNKNOWN, start_type_unknown, false)                                               \
    X(LOG_LOST, log_lost, false)                                                                   \
    X(POWER_UNKNOWN, power_unknown, false)

enum ts_flag {
#define TS_FLAG_ENUM(NAME, text, disqualifies) TS_FLAG_##NAME,
    TS_FLAG_LIST(TS_FLAG_ENUM)
#undef TS_FLAG_ENUM
        TS_FLAG_COUNT
};

/* The name in files and on screens, "frames_dropped"; static storage. */
const char *ts_flag_name(enum ts_flag flag);
bool ts_flag_disqualifies(enum ts_flag flag);
/* TS_FLAG_COUNT when there is no such name. */
enum ts_flag ts_flag_by_name(const char *name);

enum ts_start_type { TS_START_UNKNOWN, TS_START_COLD, TS_START_WARM, TS_START_HOT };
const char *ts_start_type_name(enum ts_start_type type); /* "cold", ...; "unknown" */
extern const char *const ts_start_type_names[];          /* all of them; NULL ends the row */

/* NAN is "unknown" and becomes null in files. */
struct ts_instant {
    int64_t host_ns;
    double u_ns;       /* standard uncertainty; NAN: there is no such instant */
    double half_95_ns; /* half of the 95 % interval, by the instant's own distribution */
};

/* Everything that the camera tells of a launch, ms after its time zero (ts_result_zero()); NAN:
 * there is no such instant.
 * settled is the launch time; literal_settled is what the paper's rule says of the same frames;
 * the others are told in vision/detector.h. Files call each NAME_ms. */
#define TS_METRIC_LIST(X)                                                                          \
    X(first_visual_change)                                                                         \
    X(last_visual_change)                                                                          \
    X(settled)                                                                                     \
    X(literal_settled)                                                                             \
    X(visually_complete_85)                                                                        \
    X(speed_index)                                                                                 \
    X(splash)                                                                                      \
    X(first_app_frame)                                                                             \
    X(main_content)

enum ts_metric_name {
#define TS_METRIC_ENUM(name) TS_METRIC_##name,
    TS_METRIC_LIST(TS_METRIC_ENUM)
#undef TS_METRIC_ENUM
        TS_METRIC_COUNT
};

/* What a result keeps the budget of, in the order in which it happens. */
#define TS_BUDGET_LIST(X)                                                                          \
    X(CONTACT, "contact")                                                                          \
    X(LIFT, "lift")                                                                                \
    X(START, "start")                                                                              \
    X(FIRST, "first_visual_change_ms")                                                             \
    X(SETTLED, "settled_ms")

enum ts_budget_name {
#define TS_BUDGET_ENUM(NAME, text) TS_BUDGET_##NAME,
    TS_BUDGET_LIST(TS_BUDGET_ENUM)
#undef TS_BUDGET_ENUM
        TS_BUDGET_COUNT
};
extern const char *const ts_budget_names[]; /* as files call them; NULL ends the row */

enum ts_rule { TS_RULE_LITERAL, TS_RULE_ROBUST };
const char *ts_rule_name(enum ts_rule rule);
extern const char *const ts_rule_names[]; /* both; NULL ends the row */

struct ts_conditions {
    char package_version[48], apk_hash[72], compiler_filter[32], network[16], observers[48];
    char profile[16];    /* "controlled", "as-used": how the phone was treated */
    char launch_from[8]; /* "button", "icon", "am"; "" of a version that did not tell: no am */
    char guard[96];      /* what the guard saw, flags' names with blanks between; "" nothing */
    char mended[96];     /* what it put right before the tap; "" nothing */
    char build[48]; /* as the plan calls the build that was installed; "" it calls it nothing */
    char stop[200]; /* why it was its app's last launch, by the plan's stop rule; "" it was not */
    double battery_percent, temperature_c, brightness;
    double refresh_before_hz, refresh_after_hz;
    double cpu_mhz, cpu_most_mhz; /* the fastest core's clock before the tap; what it was allowed */
    double animation_scale[3];    /* window, transition, animator */
    int thermal_status, night_mode, rotation; /* -1 unknown */
};

struct ts_result {
    int launch; /* from 1 */
    /* When 25 and 50 % of the way to the final picture were gone for good, by the curve of visual
     * progress that visually_complete_85 is of; ms after lift, NAN: not known. They choose
     * pictures to show, so no uncertainty is stated. */
    double progress_25_ms, progress_50_ms;
    /* Of a scene that the helper app played: what the photodiodes say of first change and settled,
     * ms after lift; NAN: no scene, or not seen. No metric is computed from them. */
    double photodiode_ms[2];
    char app[128];
    enum ts_start_type start_type;
    uint32_t flags;               /* bit 1 << enum ts_flag */
    enum ts_rule rule;            /* of the metrics below */
    const char *detector_version; /* static storage */
    struct ts_instant contact, pickup, lift;
    /* Of a launch by `am start`, which has none of these: when ActivityTaskManager wrote that it
     * starts the app ("START u0 {...}"). */
    struct ts_instant start;
#define TS_METRIC_MEMBER(name) struct ts_metric name;
    TS_METRIC_LIST(TS_METRIC_MEMBER)
#undef TS_METRIC_MEMBER
    /* Half of each metric's 95 % interval, by the distribution of its own budget. */
    double half_95_ms[TS_METRIC_COUNT];
    /* The other metrics have the terms of settled, but for the place of their own change. */
    struct ts_budget budgets[TS_BUDGET_COUNT];
    /* As ActivityManager printed them; NAN: it did not, or the log has holes (log_lost). */
    double time_to_initial_display_ms, time_to_full_display_ms;
    char component[160]; /* as ActivityManager named it, "" when it did not */
    struct ts_costs costs;
    struct ts_conditions conditions;
    double frame_period_ms;
    int frames, dropped;
};

/* Nobody tapped: the app was started by `am start`. */
bool ts_conditions_from_am(const struct ts_conditions *conditions);
bool ts_result_from_am(const struct ts_result *result);
/* Time zero, from which all durations count: the lift; without a tap, Android's start. In words,
 * ts_launch_zero_words(). */
const struct ts_instant *ts_result_zero(const struct ts_result *result);
const char *ts_result_zero_words(const struct ts_result *result);

/* The first disqualifying flag of the list above; TS_FLAG_COUNT for a usable launch. */
enum ts_flag ts_result_verdict_flag(const struct ts_result *result);
const char *ts_result_verdict(const struct ts_result *result); /* "usable" or a flag's name */
bool ts_result_usable(const struct ts_result *result);
static inline void ts_result_flag(struct ts_result *result, enum ts_flag flag)
{
    result->flags |= 1u << flag;
}
static inline bool ts_result_has(const struct ts_result *result, enum ts_flag flag)
{
    return result->flags >> flag & 1u;
}

#endif
