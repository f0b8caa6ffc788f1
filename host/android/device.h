/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a phone answers to the questions asked before and after a launch: one reader for one
 * command's output, as Android 7 to 14 print it. Any text is taken; what is not in it is unknown:
 * NAN, -1 or "". */
#ifndef TS_ANDROID_DEVICE_H
#define TS_ANDROID_DEVICE_H

#include "base/err.h"

#include <stddef.h>

/* `dumpsys battery`: charge in per cent of full, battery temperature in degrees Celsius. TS_EPROTO
 * when the text has neither. */
int ts_device_read_battery(const char *text, double *percent, double *temperature_c);

/* `dumpsys thermalservice`: 0 none ... 6 shutdown (android.os.PowerManager); -1. */
int ts_device_read_thermal_status(const char *text);

/* `settings get ...`; a setting that was never set prints "null": NAN. */
double ts_device_read_number(const char *text);

struct ts_device_package {
    char version_name[48];
    char version_code[24];
    char last_update[32]; /* phone's local time, as printed */
    int uid;              /* of user 0; -1 */
};
/* `dumpsys package PACKAGE`; of a system app that was updated, the update. TS_EPROTO: there is no
 * such package in the text. */
int ts_device_read_package(const char *text, const char *package, struct ts_device_package *out);
/* "1.2.3 (456)": name and code of the first package in the text. */
void ts_device_read_package_version(const char *text, char *version, size_t size);

/* Manufacturer, model and fingerprint of the build, a line each: "Google Pixel 8, Android 14,
 * UQ1A.240205.004/11269751". What is not told is left out. */
void ts_device_read_model(const char *text, char *model, size_t size);

/* `dumpsys package dexopt`: "speed-profile", "verify", ... of the package's first code file. */
void ts_device_read_compiler_filter(const char *text, const char *package, char *filter,
                                    size_t size);

/* `dumpsys display`: refresh rate of the mode that is active now, of the first display; NAN. */
double ts_device_read_refresh_hz(const char *text);

/* `cmd uimode night`: 1 yes, 0 no, 2 by the clock or the sun; -1. */
int ts_device_read_night_mode(const char *text);

/* `pidof PACKAGE`: the first; 0 when there is none, -1 when that is no answer. */
int ts_device_read_pid(const char *text);

#endif
