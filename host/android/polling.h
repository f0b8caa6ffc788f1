/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a poller asks a phone over and over: processor time, memory, and each processor's frequency,
 * now and at most (kernel.org, "/proc" and "CPU performance scaling"). One `cat` of plain files, as
 * the shell that stays open can do it. estimators/resources.h reads the answer. */
#ifndef TS_ANDROID_POLLING_H
#define TS_ANDROID_POLLING_H

#define TS_POLLING_COMMAND                                                                         \
    "cat /proc/stat /proc/meminfo /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq "     \
    "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/cpuinfo_max_freq"

#endif
