/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the instrument is learnt before the first launch: a table of steps, read from top to bottom.
 */
#include "control/internal.h"

#include "android/device.h"
#include "wire/wire.h"

#include <string.h>

#define METER_MS 4000 /* some 3000 pairs: their mean is known to hundredths of a microvolt */

static void enter_open(struct ts_control *control)
{
    if (!ts_control_has_phone(control))
        return;
    ts_issue_stream(control, TS_STREAM_LOG, true);
    control->observing = TS_OBSERVER_LOG;
    control->asked_model = ts_issue_shell(control, "getprop ro.product.manufacturer; getprop "
                                                   "ro.product.model; getprop "
                                                   "ro.build.fingerprint");
    ts_issue_shell(control, "input keyevent KEYCODE_WAKEUP");
    control->waiting = ts_issue_shell(control, "am start -n " TS_HELPER "/.Flash --ei level 0");
}

/* Who the phone is, so that a calibration of one is not used with another. */
static void take_model(struct ts_control *control, const struct ts_item *item)
{
    if (item->kind != TS_ITEM_DONE || item->u.done.command != control->asked_model)
        return;
    control->asked_model = 0;
    if (item->u.done.status == TS_OK && item->u.done.text)
        ts_device_read_model(item->u.done.text, control->intent.phone,
                             sizeof control->intent.phone);
}

static bool open_over(struct ts_control *control, const struct ts_item *item)
{
    if (!ts_control_has_phone(control))
        return true;
    take_model(control, item);
    if (ts_step_answered(control, item))
        ts_guard_shown(control, item);
    return !control->error && !control->waiting && !control->asked_model;
}

/* Where nobody taps, the stylus stays where it is. */
static bool is_needed(const struct ts_control *control)
{
    return control->plan->care.launch_from != TS_FROM_AM;
}

static void enter_home(struct ts_control *control)
{
    if (is_needed(control))
        ts_step_home(control);
}

static bool home_over(struct ts_control *control, const struct ts_item *item)
{
    return !is_needed(control) || ts_step_home_over(control, item);
}

static void enter_dark(struct ts_control *control)
{
    ts_clocks_start(control);
    ts_issue_camera(control, true);
    /* Edges come 20 to 50 ms apart. */
    const int edges = control->plan->camera_edges;
    ts_step_sync(control, (unsigned)edges, 20, 30);
    ts_step_timer(control, 350 + 35 * edges);
}

static void enter_white(struct ts_control *control)
{
    if (ts_control_has_phone(control))
        ts_issue_shell(control, "am start -n " TS_HELPER "/.Flash --ei level 255");
    ts_step_timer(control, 900);
}

/* One tap after the other until none is left; false and an error if one does not end. */
static bool taps_over(struct ts_control *control, const struct ts_item *item, const char *advice)
{
    if (!control->taps_left)
        return true;
    ts_step_note_tap(control, item);
    if (control->timer_expired || control->tap_failed) {
        control->error = ts_fail(&control->why, TS_ETIMEOUT, "%s", advice);
        return false;
    }
    if (!control->tap_done)
        return false;
    if (--control->taps_left == 0)
        return true;
    ts_step_tap(control);
    return false;
}

/* The button is not told what to start: it only logs that it was touched. */
static void enter_button(struct ts_control *control)
{
    if (!control->plan->touches)
        return;
    ts_issue_camera(control, false);
    if (ts_control_has_phone(control))
        control->waiting = ts_issue_shell(control, "am start -n " TS_HELPER "/.Button");
}

static bool button_over(struct ts_control *control, const struct ts_item *item)
{
    if (!control->waiting)
        return true;
    if (!ts_step_answered(control, item))
        return false;
    ts_guard_shown(control, item);
    return !control->error;
}

static void enter_touches(struct ts_control *control)
{
    control->taps_left = control->plan->touches;
    if (control->taps_left)
        ts_step_tap(control);
}

static bool touches_over(struct ts_control *control, const struct ts_item *item)
{
    return taps_over(control, item,
                     "a tap on the phone did not come to its end; check the stylus guide, the arm "
                     "and the motor's supply");
}

static void enter_mcu_noise(struct ts_control *control)
{
    const unsigned count = (unsigned)control->plan->mcu_noise;
    control->intervals_left = control->plan->mcu_noise;
    if (!count)
        return;
    ts_issue_mcu(control, WIRE_NOISE, (const uint8_t[]){(uint8_t)count, (uint8_t)(count >> 8)}, 2);
    ts_step_timer(control, 1000 + count / 4);
}

/* Packets may be lost on the way: what came within the time has to do. */
static bool mcu_noise_over(struct ts_control *control, const struct ts_item *item)
{
    struct wire_packet packet = {.type = WIRE_NOISE_IS};
    struct wire_noise noise;
    if (item->kind == TS_ITEM_MCU && item->u.mcu.type == WIRE_NOISE_IS &&
        item->u.mcu.size <= WIRE_BODY_MAX) {
        packet.size = item->u.mcu.size;
        memcpy(packet.body, item->u.mcu.body, packet.size);
        if (wire_get_noise(&packet, &noise))
            control->intervals_left -= noise.count;
    }
    return control->intervals_left <= 0 || control->timer_expired;
}

static void enter_plate_on(struct ts_control *control)
{
    control->taps_left = control->plan->plate_taps;
    ts_issue_camera(control, false);
    if (control->taps_left)
        control->waiting = ts_issue_operator(control, TS_OPERATOR_PLATE_ON);
}

static bool plate_on_over(struct ts_control *control, const struct ts_item *item)
{
    return !control->taps_left || ts_step_answered(control, item);
}

static void enter_plate_taps(struct ts_control *control)
{
    if (control->taps_left)
        ts_step_tap(control);
}

static bool plate_taps_over(struct ts_control *control, const struct ts_item *item)
{
    return taps_over(control, item,
                     "a tap on the contact plate did not come to its end; check the stylus guide "
                     "and the arm, or set plate_taps: 0 in the plan");
}

static void enter_plate_off(struct ts_control *control)
{
    ts_clocks_stop(control);
    if (control->plan->plate_taps)
        control->waiting = ts_issue_operator(control, TS_OPERATOR_PLATE_OFF);
}

static bool plate_off_over(struct ts_control *control, const struct ts_item *item)
{
    return !control->plan->plate_taps || ts_step_answered(control, item);
}

static void enter_clocks(struct ts_control *control)
{
    if (control->plan->clock_s)
        ts_step_timer(control, 1000 * (int64_t)control->plan->clock_s);
}

static bool clocks_over(struct ts_control *control, const struct ts_item *item)
{
    (void)item;
    return !control->plan->clock_s || control->timer_expired;
}

/* The power meter, without and with a load; its stream is off in between, so that the two can be
 * told apart. */
static void ask_for_meter(struct ts_control *control, enum ts_operator_task task)
{
    if (control->plan->meter_load)
        control->waiting = ts_issue_operator(control, task);
}

static void enter_meter_free(struct ts_control *control)
{
    ask_for_meter(control, TS_OPERATOR_METER_FREE);
}

static void enter_meter_load(struct ts_control *control)
{
    ask_for_meter(control, TS_OPERATOR_METER_LOAD);
}

static void enter_meter_phone(struct ts_control *control)
{
    ask_for_meter(control, TS_OPERATOR_METER_PHONE);
}

static void enter_meter_on(struct ts_control *control)
{
    if (!control->plan->meter_load)
        return;
    ts_issue_mcu(control, WIRE_POWER, (const uint8_t[]){true}, 1);
    ts_step_timer(control, METER_MS);
}

static void enter_meter_off(struct ts_control *control)
{
    if (control->plan->meter_load)
        control->waiting = ts_issue_mcu(control, WIRE_POWER, (const uint8_t[]){false}, 1);
}

static bool meter_answered(struct ts_control *control, const struct ts_item *item)
{
    return !control->plan->meter_load || ts_step_answered(control, item);
}

static bool meter_timer_over(struct ts_control *control, const struct ts_item *item)
{
    (void)item;
    return !control->plan->meter_load || control->timer_expired;
}

const struct ts_step ts_calibration_steps[] = {
    {"save and set the phone's settings", ts_settings_enter, ts_settings_over},
    {"compile the apps", ts_compile_enter, ts_compile_over},
    {"condition the phone", ts_conditioning_campaign, ts_conditioning_over},
    {"open the log, blacken the screen", enter_open, open_over},
    {"pick the stylus up", enter_home, home_over},
    {"watch the sync LEDs on a dark screen", enter_dark, ts_step_timer_over},
    {"flash the screen white", enter_white, ts_step_timer_over},
    {"show a button", enter_button, button_over},
    {"touch it", enter_touches, touches_over},
    {"lay the contact plate", enter_plate_on, plate_on_over},
    {"tap the contact plate", enter_plate_taps, plate_taps_over},
    {"time the MCU's own loop", enter_mcu_noise, mcu_noise_over},
    {"read the clocks", enter_clocks, clocks_over},
    {"take the contact plate away", enter_plate_off, plate_off_over},
    {"free the power meter", enter_meter_free, meter_answered},
    {"read it at rest", enter_meter_on, meter_timer_over},
    {"stop reading it", enter_meter_off, meter_answered},
    {"load the power meter", enter_meter_load, meter_answered},
    {"read it under load", enter_meter_on, meter_timer_over},
    {"stop reading it", enter_meter_off, meter_answered},
    {"give the supply back to the phone", enter_meter_phone, meter_answered},
};
const size_t ts_calibration_step_count = sizeof ts_calibration_steps / sizeof *ts_calibration_steps;
