/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of the phone before and after each launch, and where the answers go. */
#include "control/internal.h"

#include "android/device.h"
#include "android/focus.h"
#include "android/thermal.h"

#include <string.h>

static void read_battery(struct ts_control *control, const char *text)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    ts_device_read_battery(text, &conditions->battery_percent, &conditions->temperature_c);
}

/* Clocks come with it: how hot, and what that costs, of one moment and by one question. */
#define CPU "/sys/devices/system/cpu/cpu*/cpufreq/"
#define THERMAL                                                                                    \
    "dumpsys thermalservice; echo clocks; cat " CPU "scaling_cur_freq; echo most; cat " CPU        \
    "scaling_max_freq"

static void read_thermal(struct ts_control *control, const char *text)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    conditions->thermal_status = ts_device_read_thermal_status(text);
    ts_thermal_read_clocks(text, &conditions->cpu_mhz, &conditions->cpu_most_mhz);
}

static void read_package(struct ts_control *control, const char *text)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    ts_device_read_package_version(text, conditions->package_version,
                                   sizeof conditions->package_version);
    struct ts_device_package package;
    if (ts_device_read_package(text, control->package, &package) == TS_OK && package.uid > 0)
        control->intent.app_uid = package.uid;
}

static void read_refresh_before(struct ts_control *control, const char *text)
{
    control->intent.conditions.refresh_before_hz = ts_device_read_refresh_hz(text);
}

static void read_refresh_after(struct ts_control *control, const char *text)
{
    control->intent.conditions.refresh_after_hz = ts_device_read_refresh_hz(text);
}

static void read_window(struct ts_control *control, const char *text)
{
    ts_guard_read_policy(control, text);
}

static void read_package_after(struct ts_control *control, const char *text)
{
    ts_guard_read_package_after(control, text);
}

static void read_focus_before(struct ts_control *control, const char *text)
{
    ts_focus_read(text, control->intent.focus_before, sizeof control->intent.focus_before);
}

static void read_focus_after(struct ts_control *control, const char *text)
{
    ts_focus_read(text, control->intent.focus_after, sizeof control->intent.focus_after);
}

static void read_brightness(struct ts_control *control, const char *text)
{
    control->intent.conditions.brightness = ts_device_read_number(text);
}

static void read_window_scale(struct ts_control *control, const char *text)
{
    control->intent.conditions.animation_scale[0] = ts_device_read_number(text);
}

static void read_transition_scale(struct ts_control *control, const char *text)
{
    control->intent.conditions.animation_scale[1] = ts_device_read_number(text);
}

static void read_animator_scale(struct ts_control *control, const char *text)
{
    control->intent.conditions.animation_scale[2] = ts_device_read_number(text);
}

static void read_night(struct ts_control *control, const char *text)
{
    control->intent.conditions.night_mode = ts_device_read_night_mode(text);
}

static void read_pid(struct ts_control *control, const char *text)
{
    const int pid = ts_device_read_pid(text);
    control->intent.app_pid = pid > 0 ? pid : 0;
}

static void read_filter(struct ts_control *control, const char *text)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    ts_device_read_compiler_filter(text, control->package, conditions->compiler_filter,
                                   sizeof conditions->compiler_filter);
}

static void read_rotation(struct ts_control *control, const char *text)
{
    const double rotation = ts_device_read_number(text);
    control->intent.conditions.rotation = isnan(rotation) ? -1 : (int)rotation;
}

/* "package:/data/app/.../base.apk": only a path of plain characters goes back to a shell. */
static void read_apk_path(struct ts_control *control, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._~=-";
    control->apk_path[0] = '\0';
    if (strncmp(text, "package:/", 9) != 0)
        return;
    text += strlen("package:");
    const size_t size = strcspn(text, "\r\n");
    if (size >= sizeof control->apk_path || strspn(text, plain) != size)
        return;
    memcpy(control->apk_path, text, size);
    control->apk_path[size] = '\0';
}

static void read_apk_hash(struct ts_control *control, const char *text)
{
    char *hash = control->intent.conditions.apk_hash;
    const size_t size = strspn(text, "0123456789abcdef");
    if (size != 64)
        return;
    memcpy(hash, text, size);
    hash[size] = '\0';
}

const struct ts_condition_command ts_conditions_before[] = {
    {"dumpsys battery", read_battery},
    {THERMAL, read_thermal},
    {"dumpsys package %s", read_package},
    {"dumpsys package dexopt", read_filter},
    {"pidof %s", read_pid},
    {"pm path %s", read_apk_path},
    {"sha256sum %a", read_apk_hash},
    {"settings get system user_rotation", read_rotation},
    {"dumpsys display", read_refresh_before},
    {"settings get system screen_brightness", read_brightness},
    {"settings get global window_animation_scale", read_window_scale},
    {"settings get global transition_animation_scale", read_transition_scale},
    {"settings get global animator_duration_scale", read_animator_scale},
    {"cmd uimode night", read_night},
    {"dumpsys window policy", read_window},
    {"dumpsys window displays", read_focus_before},
};
const size_t ts_conditions_before_count =
    sizeof ts_conditions_before / sizeof *ts_conditions_before;

const struct ts_condition_command ts_conditions_after[] = {
    {"dumpsys display", read_refresh_after},
    {"dumpsys package %s", read_package_after},
    {"dumpsys window policy", read_window},
    {"dumpsys window displays", read_focus_after},
};
const size_t ts_conditions_after_count = sizeof ts_conditions_after / sizeof *ts_conditions_after;
