/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that go away in mid-campaign. The launch under way is spoiled and flagged; the next one
 * waits for the device to come back. Without an instrument nothing can be learnt, so that part 0
 * does not wait. */
#include "control/internal.h"

#include "wire/wire.h"

#define RIG_AWAY_MS   30000
#define PHONE_AWAY_MS 120000 /* a phone that starts again takes a minute or so */
#define GOES_DOWN_MS  60000
#define RETRY_MS      1000
#define UNDER_WAY_MS  500 /* frames of before come up for so long */

static int64_t waited_ms(const struct ts_control *control)
{
    return ts_ns_between(control->now.ns, control->step_began.ns) / TS_NS_PER_MS;
}

static void mcu_lost(struct ts_control *control)
{
    if (control->part == 0)
        control->error =
            ts_fail(&control->why, TS_EIO,
                    "the MCU does not answer any more; check its USB cable, then start again");
    control->mcu_lost = control->mcu_returned = control->tap_failed = true;
    ts_clocks_stop(control); /* readings would only pile up */
}

static void camera_lost(struct ts_control *control)
{
    if (control->part == 0)
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the camera is gone; check its USB cable, then start again");
    control->camera_lost = true;
    control->camera_lost_at = control->now;
}

void ts_trouble_item(struct ts_control *control, const struct ts_item *item)
{
    if (item->kind == TS_ITEM_FRAME &&
        ts_ns_between(item->arrival.ns, control->camera_lost_at.ns) > UNDER_WAY_MS * TS_NS_PER_MS)
        control->camera_lost = false;
    if (item->kind == TS_ITEM_MCU ||
        (item->kind == TS_ITEM_CLOCK && item->u.clock.domain == TS_CLOCK_MCU))
        control->mcu_lost = false;
    if (item->kind != TS_ITEM_FAULT)
        return;
    switch (item->u.fault.fault) {
    case TS_FAULT_MCU_LOST:
        mcu_lost(control);
        break;
    case TS_FAULT_CAMERA_LOST:
        camera_lost(control);
        break;
    case TS_FAULT_PHONE_LOST:
        control->phone_away = true;
        control->observing = 0; /* its streams are to be opened again */
        break;
    case TS_FAULT_STREAM_ENDED:
        control->observing = 0;
        break;
    default:
        break; /* measure flags the launch */
    }
}

void ts_trouble_shell(struct ts_control *control)
{
    const int status = control->answer.status;
    if (status == TS_EIO || status == TS_ETIMEOUT || status == TS_EOF)
        control->phone_away = true;
}

/* ---- the MCU ---- */

void ts_trouble_await_mcu(struct ts_control *control)
{
    if (control->mcu_lost)
        control->waiting = ts_issue_clock(control, TS_CLOCK_MCU);
}

bool ts_trouble_mcu_over(struct ts_control *control, const struct ts_item *item)
{
    if (control->waiting) {
        if (!ts_step_answered(control, item))
            return false;
        control->mcu_lost = control->answer.status != TS_OK;
    }
    if (!control->mcu_lost)
        return true;
    if (waited_ms(control) >= RIG_AWAY_MS) {
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the MCU does not answer for %d s; check its USB cable, then go "
                                 "on with `run --resume`",
                                 RIG_AWAY_MS / 1000);
        return false;
    }
    if (control->timer && !control->timer_expired)
        return false;
    if (!control->timer) {
        ts_step_timer(control, RETRY_MS);
        return false;
    }
    control->timer = 0;
    control->waiting = ts_issue_clock(control, TS_CLOCK_MCU);
    return false;
}

/* ---- the camera ---- */

void ts_trouble_await_camera(struct ts_control *control)
{
    if (!control->camera_lost)
        return;
    ts_issue_camera(control, true);
    ts_step_timer(control, RETRY_MS);
}

bool ts_trouble_camera_over(struct ts_control *control, const struct ts_item *item)
{
    (void)item;
    if (!control->camera_lost)
        return true;
    if (waited_ms(control) >= RIG_AWAY_MS)
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the camera is gone for %d s; check its USB cable, then go on "
                                 "with `run --resume`",
                                 RIG_AWAY_MS / 1000);
    else if (control->timer_expired)
        ts_trouble_await_camera(control);
    return false;
}

/* ---- the phone ---- */

static bool is_to_reboot(const struct ts_control *control)
{
    return ts_control_has_phone(control) && control->intent.start == TS_START_COLD &&
           control->plan->care.cold_by == TS_COLD_REBOOT;
}

void ts_trouble_reboot(struct ts_control *control)
{
    if (!is_to_reboot(control))
        return;
    ts_issue_shell(control, "reboot"); /* answered or not: it goes down meanwhile */
    ts_step_timer(control, GOES_DOWN_MS);
}

bool ts_trouble_reboot_over(struct ts_control *control, const struct ts_item *item)
{
    (void)item;
    if (!is_to_reboot(control) || control->phone_away)
        return true;
    if (control->timer_expired)
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the phone does not start again: `adb reboot` should do it; or "
                                 "use cold_by: kill, then go on with a new session");
    return false;
}

static void ask_phone(struct ts_control *control)
{
    control->waiting = ts_issue_shell(control, "getprop sys.boot_completed");
}

void ts_trouble_await_phone(struct ts_control *control)
{
    if (control->phone_away)
        ask_phone(control);
}

bool ts_trouble_phone_over(struct ts_control *control, const struct ts_item *item)
{
    if (!control->phone_away)
        return true;
    if (ts_step_answered(control, item)) {
        const char *text = item->u.done.text;
        if (item->u.done.status == TS_OK && text && text[0] == '1') {
            control->phone_away = false;
            return true;
        }
        ts_step_timer(control, RETRY_MS);
    }
    if (waited_ms(control) >= PHONE_AWAY_MS) {
        control->error = ts_fail(&control->why, TS_EIO,
                                 "the phone does not answer for %d s; check its cable and that it "
                                 "still allows USB debugging, then go on with `run --resume`",
                                 PHONE_AWAY_MS / 1000);
        return false;
    }
    if (!control->waiting && control->timer_expired) {
        control->timer_expired = false;
        ask_phone(control);
    }
    return false;
}
