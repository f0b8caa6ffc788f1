/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How hot the phone is, whether it charges, and whether its processors run at full clock. Any text
 * is taken. */
#ifndef TS_ANDROID_THERMAL_H
#define TS_ANDROID_THERMAL_H

#include <stdbool.h>

/* `dumpsys thermalservice`: of the skin (mType=3), degrees Celsius; NAN when it is not told. */
double ts_thermal_read_skin_c(const char *text);

/* `dumpsys battery`: true when it says so (status 2, or 5 full). */
bool ts_thermal_is_charging(const char *text);

/* Clocks in kHz, a line each, then the line "max", then the clocks that each can have. 1: one of
 * the fastest kind runs at 98 % of its clock or more; 0: not; -1: the text does not say. */
int ts_thermal_at_full_clock(const char *text);

/* The line "clocks", then what each core runs at in kHz, a line each, the line "most", then what
 * each is allowed to run at; before it anything. The fastest of each, MHz; NAN: not told. */
void ts_thermal_read_clocks(const char *text, double *now_mhz, double *most_mhz);

#endif
