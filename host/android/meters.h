/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a phone says of an app's memory, network and processor time, as Android 7 to 14 print it.
 * Any text is taken; what is not in it is NAN. */
#ifndef TS_ANDROID_METERS_H
#define TS_ANDROID_METERS_H

#include <stdbool.h>

/* `dumpsys meminfo PACKAGE`: the proportional set size of all the package's processes, kB. */
double ts_meters_read_pss_kb(const char *text);

/* /proc/PID/stat: user and system time since the process began, ms, in steps of 10 (proc(5), fields
 * 14 and 15; Android's clock ticks are 10 ms). *pid: whose; 0 when the text says that there is no
 * such file, -1 when it says neither. */
double ts_meters_read_cpu_ms(const char *text, int *pid);

/* /proc/net/xt_qtaguid/stats (up to Android 9): bytes of the user id, both ways, over all
 * interfaces. NAN also when the text is no such table; a user id that is not in it has none. */
double ts_meters_read_qtaguid(const char *text, int uid);

/* `dumpsys netstats detail` of Android 7 and later, whole, or a line of history each with the line
 * behind it that names its user id: the same as above. NAN when there are no such statistics in
 * it; 0 when the user id has none. */
double ts_meters_read_netstats(const char *text, int uid);

#endif
