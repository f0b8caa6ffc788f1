/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as the answer to each question that the phone is asked around a launch: what is read
 * from it is unknown or within what it can be. */
#include "android/am_start.h"
#include "android/device.h"
#include "android/focus.h"
#include "android/meters.h"
#include "android/thermal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* The text ends inside its room. */
static void check_text(const char *text, size_t room)
{
    check(memchr(text, '\0', room) != NULL);
}

static void read_state(const char *text)
{
    double percent, battery_c;
    const double skin_c = ts_thermal_read_skin_c(text);
    check(isnan(skin_c) || (skin_c > 1 && skin_c < 120));
    const int full = ts_thermal_at_full_clock(text);
    check(full >= -1 && full <= 1);
    (void)ts_thermal_is_charging(text);
    double now_mhz, most_mhz;
    ts_thermal_read_clocks(text, &now_mhz, &most_mhz);
    check(isnan(now_mhz) || (now_mhz > 0 && isfinite(now_mhz)));
    check(isnan(most_mhz) || (most_mhz > 0 && isfinite(most_mhz)));
    char model[20];
    ts_device_read_model(text, model, sizeof model);
    check_text(model, sizeof model);
    const int battery = ts_device_read_battery(text, &percent, &battery_c);
    check(battery == TS_OK || (battery == TS_EPROTO && isnan(percent) && isnan(battery_c)));
    check(!isinf(percent) && !isinf(battery_c));
    const int status = ts_device_read_thermal_status(text);
    check(status >= -1 && status <= 6);
    check(!isinf(ts_device_read_number(text)));
    const double refresh_hz = ts_device_read_refresh_hz(text);
    check(isnan(refresh_hz) || refresh_hz > 0);
    const int night = ts_device_read_night_mode(text);
    check(night >= -1 && night <= 2);
    check(ts_device_read_pid(text) >= -1);
}

static void read_packages(const char *text)
{
    struct ts_device_package package;
    char version[8], filter[5];
    if (ts_device_read_package(text, "org.touchstone.helper", &package) == TS_OK) {
        check_text(package.version_name, sizeof package.version_name);
        check_text(package.version_code, sizeof package.version_code);
        check_text(package.last_update, sizeof package.last_update);
        check(package.uid >= -1);
    }
    ts_device_read_package_version(text, version, sizeof version);
    check_text(version, sizeof version);
    ts_device_read_compiler_filter(text, "org.touchstone.helper", filter, sizeof filter);
    check_text(filter, sizeof filter);
}

static void read_top(const char *text)
{
    struct ts_focus focus;
    struct ts_am_start start;
    char window[6];
    if (ts_focus_read_all(text, &focus) == TS_OK) {
        check_text(focus.window, sizeof focus.window);
        check_text(focus.activity, sizeof focus.activity);
        check(focus.keyguard >= -1 && focus.keyguard <= 1 && focus.awake >= -1 && focus.awake <= 1);
        (void)ts_focus_is_dialog(focus.window);
    }
    ts_focus_read(text, window, sizeof window);
    check_text(window, sizeof window);
    if (ts_am_start_read(text, &start) == TS_OK) {
        check_text(start.activity, sizeof start.activity);
        check_text(start.error, sizeof start.error);
        check(!isinf(start.total_ms) && !isinf(start.this_ms) && !isinf(start.wait_ms));
    }
}

/* Counts are not below zero; a process is one, none, or not known. */
static void read_meters(const char *text)
{
    int pid;
    const double cpu_ms = ts_meters_read_cpu_ms(text, &pid);
    check(pid >= -1 && (isnan(cpu_ms) || (cpu_ms >= 0 && pid >= 0)));
    const double counts[] = {ts_meters_read_pss_kb(text), ts_meters_read_qtaguid(text, 10123),
                             ts_meters_read_netstats(text, 10123)};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check(isnan(counts[i]) || (counts[i] >= 0 && isfinite(counts[i])));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    read_state(text);
    read_packages(text);
    read_top(text);
    read_meters(text);
    free(text);
    return 0;
}
