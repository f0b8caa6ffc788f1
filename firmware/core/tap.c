/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/tap.h"

#include "board/board.h"
#include "core/app.h"
#include "core/link.h"
#include "core/stream.h"
#include "core/trigger.h"

static enum wire_tap_state state;
static bool leading; /* TAP or HOME taken, the motor not yet on */
static bool motor_on, host_lost;
static uint8_t duty, raise_ms;
static uint32_t began_ticks; /* of the state, or of the lead */
static uint32_t motor_ticks;
static struct fw_trigger trigger;

static const uint16_t limit_ms[] = {
    [WIRE_HOMING] = FW_HOMING_LIMIT_MS,   [WIRE_DROPPING] = FW_DROPPING_LIMIT_MS,
    [WIRE_CONTACT] = FW_CONTACT_LIMIT_MS, [WIRE_RESTING] = FW_RESTING_LIMIT_MS,
    [WIRE_LIFTING] = FW_LIFTING_LIMIT_MS,
};

static void enter(enum wire_tap_state next, uint32_t ticks)
{
    state = next;
    began_ticks = ticks;
    fw_link_send_state(next, ticks);
}

static void motor(uint8_t on_duty, uint32_t now)
{
    board_motor(on_duty);
    motor_on = on_duty > 0;
    motor_ticks = now;
}

/* Off, and no more samples: at the end of a tap, of homing, of anything gone wrong. */
static void rest_in(enum wire_tap_state next, uint32_t now)
{
    motor(0, now);
    leading = false;
    fw_stream_for_tap(false);
    enter(next, now);
}

void fw_tap_init(uint32_t now)
{
    state = WIRE_IDLE;
    leading = false;
    host_lost = false;
    motor(0, now);
}

enum wire_tap_state fw_tap_state(void)
{
    return state;
}

bool fw_tap_at_rest(void)
{
    return !leading && !motor_on;
}

static enum wire_ack_code lead(uint8_t with_duty, uint8_t with_raise_ms, uint32_t now)
{
    duty = with_duty;
    raise_ms = with_raise_ms;
    leading = true;
    host_lost = false;
    began_ticks = now;
    fw_trigger_reset(&trigger);
    fw_stream_for_tap(true);
    return WIRE_DONE;
}

enum wire_ack_code fw_tap_home(uint32_t now)
{
    if (state == WIRE_HELD && !leading)
        return WIRE_DONE;
    if (state != WIRE_IDLE || leading)
        return WIRE_BAD_STATE;
    return lead(FW_HOME_DUTY, FW_HOME_RAISE_MS, now);
}

enum wire_ack_code fw_tap_start(uint8_t with_duty, uint8_t with_raise_ms, uint32_t now)
{
    if (state != WIRE_HELD || leading)
        return WIRE_BAD_STATE;
    if (with_duty == 0 || with_raise_ms == 0)
        return WIRE_BAD_ARGUMENT;
    return lead(with_duty, with_raise_ms, now);
}

void fw_tap_stop(uint32_t now)
{
    rest_in(WIRE_IDLE, now);
}

void fw_tap_sample(uint32_t ticks, uint16_t value)
{
    if (leading) {
        fw_trigger_learn(&trigger, value);
        return;
    }
    if (!motor_on || state == WIRE_LIFTING)
        return;
    fw_trigger_take(&trigger, value);
    if (trigger.pickup)
        enter(WIRE_LIFTING, ticks);
    else if (state == WIRE_DROPPING && trigger.contact)
        enter(WIRE_CONTACT, ticks);
    else if (state == WIRE_CONTACT && fw_trigger_quiet(&trigger))
        enter(WIRE_RESTING, ticks);
}

static void stall(enum wire_fault_code code, uint32_t now)
{
    rest_in(WIRE_IDLE, now);
    fw_latch(code, now);
}

static void poll_lead(uint32_t now)
{
    if (!fw_passed(now, began_ticks + FW_TAP_LEAD_MS * FW_MS))
        return;
    /* No samples, no trigger: turning blind is worse than not turning. */
    if (trigger.rest == 0) {
        stall(WIRE_FAULT_STALL, now);
        return;
    }
    leading = false;
    const uint32_t on = board_now();
    motor(duty, on);
    enter(state == WIRE_HELD ? WIRE_DROPPING : WIRE_HOMING, on);
}

static void poll_moving(uint32_t now)
{
    const uint32_t in_state = now - began_ticks;
    /* A sample's stamp may lie after a `now` that was read before it was taken. */
    if ((int32_t)in_state < 0)
        return;
    if (now - motor_ticks > FW_MOTOR_CAP_MS * FW_MS)
        stall(WIRE_FAULT_MOTOR_CAP, now);
    else if (in_state > limit_ms[state] * FW_MS)
        stall(WIRE_FAULT_STALL, now);
    else if (state == WIRE_LIFTING && in_state >= raise_ms * FW_MS) {
        rest_in(WIRE_HELD, now);
        if (host_lost)
            fw_latch(WIRE_FAULT_HOST_LOST, now);
    }
}

void fw_tap_poll(uint32_t now, bool host_silent)
{
    if (!leading && !motor_on)
        return;
    host_lost |= host_silent;
    if (leading)
        poll_lead(now);
    else
        poll_moving(now);
}
