/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a phone answers to the questions asked before and after a launch: one reader for one
 * command's output, as Android 7 to 14 print it. A reader takes any text; what is not in it stays
 * unknown (NAN, -1, ""), and when nothing at all was found it returns TS_EPROTO. */
#ifndef TS_ANDROID_DEVICE_H
#define TS_ANDROID_DEVICE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* `dumpsys battery`: charge in per cent of full, battery temperature in degrees Celsius. */
int ts_device_read_battery(const char *text, double *percent, double *temperature_c) TS_MUST_CHECK;

/* `dumpsys thermalservice`: 0 none ... 6 shutdown (android.os.PowerManager). */
int ts_device_read_thermal(const char *text, int *status) TS_MUST_CHECK;

/* `settings get ...`: "null" is a setting that was never set, "". */
int ts_device_read_setting(const char *text, char *value, size_t size) TS_MUST_CHECK;
int ts_device_read_setting_number(const char *text, double *value) TS_MUST_CHECK;

struct ts_device_package {
    char version_name[48];
    char version_code[24];
    char last_update[32]; /* phone's local time, as printed */
    int uid;              /* of user 0 */
};
/* `dumpsys package PACKAGE`; of a system app that was updated, the installed one. */
int ts_device_read_package(const char *text, const char *package,
                           struct ts_device_package *out) TS_MUST_CHECK;

/* `dumpsys package dexopt`: "speed-profile", "verify", ... of the package's base.apk. */
int ts_device_read_compiler_filter(const char *text, const char *package, char *filter,
                                   size_t size) TS_MUST_CHECK;

/* `dumpsys display`: refresh rate of the mode that is active now. */
int ts_device_read_refresh_rate(const char *text, double *hz) TS_MUST_CHECK;

/* `cmd uimode night`: 1 yes, 0 no, 2 by the clock or sunset. */
int ts_device_read_night_mode(const char *text, int *night) TS_MUST_CHECK;

/* `pidof PACKAGE`: the first one; 0 when there is none. */
int ts_device_read_pid(const char *text, int *pid) TS_MUST_CHECK;

#endif
