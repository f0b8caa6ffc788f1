/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/phone_settings.h"

#include "android/device.h"
#include "android/focus.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *zero(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "0";
}

static const char *one(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "1";
}

static const char *seven(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "7"; /* mains, USB, wireless */
}

static const char *half_an_hour(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "1800000";
}

static const char *no_interruptions(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "2";
}

static const char *no(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "no";
}

static const char *unlocked(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "true";
}

static const char *allowed(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "allow";
}

static const char *confirmed(const struct ts_care *care, char text[16])
{
    (void)care, (void)text;
    return "confirmed";
}

static const char *brightness(const struct ts_care *care, char text[16])
{
    if (care->brightness < 0)
        return NULL;
    snprintf(text, 16, "%d", care->brightness);
    return text;
}

static const char *animations(const struct ts_care *care, char text[16])
{
    (void)text;
    return care->animations == TS_ANIMATIONS_AS_IS ? NULL
           : care->animations == TS_ANIMATIONS_ON  ? "1.0"
                                                   : "0.0";
}

static const char *airplane(const struct ts_care *care, char text[16])
{
    (void)text;
    return care->network == TS_NETWORK_OFF ? "1" : NULL;
}

static const char *governor(const struct ts_care *care, char text[16])
{
    (void)text;
    return care->profile == TS_PROFILE_CONTROLLED ? "performance" : NULL;
}

#define IN(space, key)                                                                             \
    .name = #key, .get = "settings get " #space " " #key,                                          \
    .set = "settings put " #space " " #key " %s", .unset = "settings delete " #space " " #key
#define REFUSED                                                                                    \
    "`touchstone phone setup` sets it; where it cannot, set it by hand: some makers refuse "       \
    "`settings put` until \"USB debugging (Security "                                              \
    "settings)\" is on (Xiaomi), or Auto Blocker is off (Samsung)"
#define CPU "/sys/devices/system/cpu/"

const struct ts_phone_setting ts_phone_settings[] = {
    {IN(global, stay_on_while_plugged_in), .wanted = seven, .advice = REFUSED},
    {IN(system, screen_off_timeout), .wanted = half_an_hour, .advice = REFUSED},
    {IN(system, screen_brightness_mode), .wanted = zero, .advice = REFUSED},
    {IN(system, screen_brightness), .wanted = brightness, .advice = REFUSED},
    {IN(system, accelerometer_rotation), .wanted = zero, .advice = REFUSED},
    {IN(system, user_rotation), .wanted = zero, .advice = REFUSED},
    {IN(global, window_animation_scale), .wanted = animations, .advice = REFUSED},
    {IN(global, transition_animation_scale), .wanted = animations, .advice = REFUSED},
    {IN(global, animator_duration_scale), .wanted = animations, .advice = REFUSED},
    {IN(global, heads_up_notifications_enabled), .wanted = zero, .advice = REFUSED},
    {IN(global, hide_error_dialogs), .wanted = one, .advice = REFUSED},
    {IN(global, package_verifier_enable), .wanted = zero, .advice = REFUSED},
    {IN(global, verifier_verify_adb_installs), .wanted = zero, .advice = REFUSED},
    {IN(global, adb_allowed_connection_time), .wanted = zero, .advice = REFUSED},
    {IN(global, ota_disable_automatic_update), .wanted = one, .advice = REFUSED},
    {IN(secure, immersive_mode_confirmations), .wanted = confirmed, .advice = REFUSED},
    {.name = "helper_may_start_activities",
     .get = "appops get " TS_HELPER " SYSTEM_ALERT_WINDOW",
     .set = "appops set " TS_HELPER " SYSTEM_ALERT_WINDOW %s",
     .prefix = "SYSTEM_ALERT_WINDOW: ",
     .otherwise = "default", /* "No operations." */
     .wanted = allowed,
     .advice = "allow the helper app to display over other apps, in the phone's settings; without "
               "that it cannot end an app from behind, and warm starts turn out hot"},
    {.name = "do_not_disturb",
     .get = "settings get global zen_mode",
     .set = "cmd notification set_dnd %s",
     .words = {"off", "priority", "none", "alarms"},
     .wanted = no_interruptions,
     .advice = "switch \"do not disturb\" on by hand, with no exceptions"},
    {.name = "airplane_mode",
     .get = "settings get global airplane_mode_on",
     .set = "cmd connectivity airplane-mode %s",
     .words = {"disable", "enable"},
     .wanted = airplane,
     .advice = "switch airplane mode by hand; before Android 11 the shell may not"},
    {.name = "night_mode",
     .get = "cmd uimode night",
     .set = "cmd uimode night %s",
     .prefix = "Night mode: ",
     .wanted = no,
     .advice = "switch the dark theme off, and its schedule too: it flips at sunset"},
    {.name = "lock_disabled",
     .get = "locksettings get-disabled",
     .set = "locksettings set-disabled %s",
     .wanted = unlocked,
     .advice = "set the screen lock to \"none\"; with a PIN or pattern it cannot be switched off"},
    {.name = "governor",
     .get = "su 0 cat " CPU "cpu0/cpufreq/scaling_governor",
     .set = "su 0 sh -c 'for f in " CPU "cpu*/cpufreq/scaling_governor; do echo %s > $f; done'",
     .wanted = governor,
     .advice = "the governor cannot be set; use warm_up, or conditions: as-used"},
};
const size_t ts_phone_setting_count = sizeof ts_phone_settings / sizeof *ts_phone_settings;
_Static_assert(sizeof ts_phone_settings / sizeof *ts_phone_settings <= TS_PHONE_ROWS_MAX,
               "room for each setting");

int ts_phone_helper_version(const char *text)
{
    struct ts_device_package found;
    if (ts_device_read_package(text, TS_HELPER, &found))
        return 0;
    const long version = strtol(found.version_code, NULL, 10);
    return version < 0 ? 0 : version > INT_MAX ? INT_MAX : (int)version;
}

static bool helper_is_there(const struct ts_care *care, int exit_code, const char *text,
                            char is[TS_PHONE_VALUE_MAX])
{
    const int version = ts_phone_helper_version(text);
    (void)care, (void)exit_code;
    if (version)
        snprintf(is, TS_PHONE_VALUE_MAX, "version %d", version);
    else
        snprintf(is, TS_PHONE_VALUE_MAX, "not installed");
    return version >= TS_HELPER_VERSION;
}

static bool screen_is_ready(const struct ts_care *care, int exit_code, const char *text,
                            char is[TS_PHONE_VALUE_MAX])
{
    struct ts_focus focus;
    (void)care, (void)exit_code;
    if (ts_focus_read_all(text, &focus))
        return true;
    snprintf(is, TS_PHONE_VALUE_MAX, "%s", focus.awake == 0 ? "off" : "locked");
    return focus.awake != 0 && focus.keyguard != 1;
}

static bool charge_is_right(const struct ts_care *care, int exit_code, const char *text,
                            char is[TS_PHONE_VALUE_MAX])
{
    double percent, celsius;
    (void)exit_code;
    if (ts_device_read_battery(text, &percent, &celsius) || isnan(percent))
        return true;
    snprintf(is, TS_PHONE_VALUE_MAX, "%.0f %%", percent);
    return percent >= care->charge_low && percent <= care->charge_high;
}

static bool heat_is_right(const struct ts_care *care, int exit_code, const char *text,
                          char is[TS_PHONE_VALUE_MAX])
{
    double percent, celsius;
    (void)exit_code;
    if (ts_device_read_battery(text, &percent, &celsius) || isnan(celsius))
        return true;
    snprintf(is, TS_PHONE_VALUE_MAX, "%.1f degrees", celsius);
    return celsius < care->too_hot_c;
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)
const struct ts_phone_look ts_phone_looks[] = {
    {"helper app", TS_HELPER_ASK, "version " TEXT(TS_HELPER_VERSION) " or later",
     "`touchstone phone setup` installs it", helper_is_there},
    {"screen", "dumpsys window policy", "on and unlocked",
     "wake the phone and unlock it; a campaign tries that itself", screen_is_ready},
    {"charge", "dumpsys battery", "inside the plan's window",
     "charge or discharge it, or change charge_low and charge_high", charge_is_right},
    {"temperature", "dumpsys battery", "below the plan's too_hot_c",
     "let it cool down; take it out of its case and out of the sun", heat_is_right},
};
const size_t ts_phone_look_count = sizeof ts_phone_looks / sizeof *ts_phone_looks;
