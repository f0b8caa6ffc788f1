/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of the phone before and after each launch, and where the answers go. */
#include "control/internal.h"

#include "android/device.h"
#include "android/focus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_battery(struct ts_control *control, const char *text)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    ts_device_read_battery(text, &conditions->battery_percent, &conditions->temperature_c);
}

static void read_thermal(struct ts_control *control, const char *text)
{
    control->intent.conditions.thermal_status = ts_device_read_thermal_status(text);
}

static void read_package(struct ts_control *control, const char *text)
{
    struct ts_conditions *conditions = &control->intent.conditions;
    ts_device_read_package_version(text, conditions->package_version,
                                   sizeof conditions->package_version);
}

static void read_refresh_before(struct ts_control *control, const char *text)
{
    control->intent.conditions.refresh_before_hz = ts_device_read_refresh_hz(text);
}

static void read_refresh_after(struct ts_control *control, const char *text)
{
    control->intent.conditions.refresh_after_hz = ts_device_read_refresh_hz(text);
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
    const char *colon = strchr(text, ':');
    control->intent.conditions.night_mode = colon ? strncmp(colon + 1, " yes", 4) == 0 : -1;
}

const struct ts_condition_command ts_conditions_before[] = {
    {"dumpsys battery", read_battery},
    {"dumpsys thermalservice", read_thermal},
    {"dumpsys package %s", read_package},
    {"dumpsys display", read_refresh_before},
    {"settings get system screen_brightness", read_brightness},
    {"settings get global window_animation_scale", read_window_scale},
    {"settings get global transition_animation_scale", read_transition_scale},
    {"settings get global animator_duration_scale", read_animator_scale},
    {"cmd uimode night", read_night},
    {"dumpsys window displays", read_focus_before},
};
const size_t ts_conditions_before_count =
    sizeof ts_conditions_before / sizeof *ts_conditions_before;

const struct ts_condition_command ts_conditions_after[] = {
    {"dumpsys display", read_refresh_after},
    {"dumpsys window displays", read_focus_after},
};
const size_t ts_conditions_after_count = sizeof ts_conditions_after / sizeof *ts_conditions_after;
