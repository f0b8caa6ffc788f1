/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features of a launch that a phone without root and without a rig can give: what each is, in
 * which unit, what it is read from, and which probe has to be on for it. Events are those of the
 * launched app, times are ms after the click that launched it (paper E, section V: view clicked,
 * window state changed, window content changed). */
#ifndef TS_ESTIMATORS_DICTIONARY_H
#define TS_ESTIMATORS_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

/* What has to run on the phone. Its cost is a share of the launch that the rig measures by paired
 * taps (calibrate observers); what is read before the tap, or of the APK, costs the launch nothing.
 * NOTHING: a column of the table that is no feature, so that no estimator looks at it. */
enum ts_probe {
    TS_PROBE_STATE,
    TS_PROBE_ACCESSIBILITY,
    TS_PROBE_POLLING,
    TS_PROBE_APK,
    TS_PROBE_NOTHING,
    TS_PROBE_COUNT
};
extern const char *const ts_probe_names[]; /* "state", "accessibility", ...; NULL ends */
bool ts_probe_runs_during_launch(enum ts_probe probe);

#define TS_FEATURE_EVENTS_KEPT 16 /* the first so many events have their own time */

#define TS_FEATURE_LIST(X)                                                                         \
    X(event_count, "1", ACCESSIBILITY, "events")                                                   \
    X(window_count, "1", ACCESSIBILITY, "window state changed")                                    \
    X(content_count, "1", ACCESSIBILITY, "window content changed")                                 \
    X(first_event_ms, "ms", ACCESSIBILITY, "first event")                                          \
    X(last_event_ms, "ms", ACCESSIBILITY, "last event")                                            \
    X(event_q10_ms, "ms", ACCESSIBILITY, "10 % quantile of the events' times")                     \
    X(event_q25_ms, "ms", ACCESSIBILITY, "25 % quantile")                                          \
    X(event_q50_ms, "ms", ACCESSIBILITY, "median")                                                 \
    X(event_q75_ms, "ms", ACCESSIBILITY, "75 % quantile")                                          \
    X(event_q90_ms, "ms", ACCESSIBILITY, "90 % quantile")                                          \
    X(mean_interval_ms, "ms", ACCESSIBILITY, "mean time between consecutive events")               \
    X(window_first_ms, "ms", ACCESSIBILITY, "first window state changed")                          \
    X(window_last_ms, "ms", ACCESSIBILITY, "last window state changed")                            \
    X(content_first_ms, "ms", ACCESSIBILITY, "first window content changed")                       \
    X(content_last_ms, "ms", ACCESSIBILITY, "last window content changed")                         \
    X(event_01_ms, "ms", ACCESSIBILITY, "1st event; the last one where there are fewer")           \
    X(event_02_ms, "ms", ACCESSIBILITY, "2nd event, likewise")                                     \
    X(event_03_ms, "ms", ACCESSIBILITY, "3rd")                                                     \
    X(event_04_ms, "ms", ACCESSIBILITY, "4th")                                                     \
    X(event_05_ms, "ms", ACCESSIBILITY, "5th")                                                     \
    X(event_06_ms, "ms", ACCESSIBILITY, "6th")                                                     \
    X(event_07_ms, "ms", ACCESSIBILITY, "7th")                                                     \
    X(event_08_ms, "ms", ACCESSIBILITY, "8th")                                                     \
    X(event_09_ms, "ms", ACCESSIBILITY, "9th")                                                     \
    X(event_10_ms, "ms", ACCESSIBILITY, "10th")                                                    \
    X(event_11_ms, "ms", ACCESSIBILITY, "11th")                                                    \
    X(event_12_ms, "ms", ACCESSIBILITY, "12th")                                                    \
    X(event_13_ms, "ms", ACCESSIBILITY, "13th")                                                    \
    X(event_14_ms, "ms", ACCESSIBILITY, "14th")                                                    \
    X(event_15_ms, "ms", ACCESSIBILITY, "15th")                                                    \
    X(event_16_ms, "ms", ACCESSIBILITY, "16th")                                                    \
    X(running_before, "1", STATE, "1: the app had a process before the tap")                       \
    X(battery_percent, "%", STATE, "charge before the tap")                                        \
    X(temperature_c, "degC", STATE, "battery temperature before the tap")                          \
    X(thermal_status, "1", STATE, "0 none ... 6 shutdown, before the tap")                         \
    X(refresh_hz, "Hz", STATE, "refresh rate before the tap")                                      \
    X(brightness, "1", STATE, "screen brightness setting before the tap")                          \
    X(ram_before_kb, "kB", POLLING, "available memory before the tap")                             \
    X(ram_taken_kb, "kB", POLLING, "how much less the least of the first second is")               \
    X(load_first_second, "1", POLLING, "mean processor load of the first second")                  \
    X(apk_kb, "kB", APK, "size of the APK")                                                        \
    X(apk_dex, "1", APK, "Dalvik executables in it")                                               \
    X(apk_methods, "1", APK, "methods that they refer to")                                         \
    X(apk_classes, "1", APK, "classes that they define")                                           \
    X(apk_libraries, "1", APK, "native libraries")                                                 \
    X(apk_permissions, "1", APK, "permissions that it asks for")                                   \
    X(apk_activities, "1", APK, "activities")                                                      \
    X(apk_services, "1", APK, "services")                                                          \
    X(apk_receivers, "1", APK, "receivers of broadcasts")                                          \
    X(apk_providers, "1", APK, "content providers, which Android starts before the app")           \
    X(apk_min_sdk, "1", APK, "oldest Android that it is for, as an API level")                     \
    X(apk_target_sdk, "1", APK, "Android that it was made for, as an API level")                   \
    X(launched_at_s, "s", NOTHING, "when, since 1970")

enum ts_feature_id {
#define TS_FEATURE_ENUM(name, unit, probe, what) TS_FEATURE_##name,
    TS_FEATURE_LIST(TS_FEATURE_ENUM)
#undef TS_FEATURE_ENUM
        TS_FEATURE_COUNT
};

struct ts_feature {
    const char *name, *unit, *what;
    enum ts_probe probe;
};
extern const struct ts_feature ts_features[TS_FEATURE_COUNT];

/* NULL: it is nobody's but the table's own. Such a feature counts as read before the tap. */
const struct ts_feature *ts_feature_find(const char *name);
/* False of a column that no estimator looks at. */
bool ts_feature_is_used(const char *name);

#endif
