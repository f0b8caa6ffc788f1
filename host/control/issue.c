/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands, the step's timer, and the clock readings that run beside every step. */
#include "control/internal.h"

#include "android/polling.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CLOCK_PERIOD_NS (50 * TS_NS_PER_MS)
#define PHONE_EVERY     4 /* rounds */
#define POLL_PERIOD_NS  (40 * TS_NS_PER_MS)

static struct ts_command *issue(struct ts_control *control, enum ts_command_kind kind)
{
    struct ts_control_output *out = control->out;
    if (out->count == TS_CONTROL_COMMANDS_MAX) {
        control->error = ts_fail(&control->why, TS_EOVERRUN,
                                 "internal error: step \"%s\" gave too many commands at once",
                                 control->steps[control->step].name);
        return &out->commands[TS_CONTROL_COMMANDS_MAX - 1];
    }
    struct ts_command *command = &out->commands[out->count++];
    *command = (struct ts_command){.id = ++control->next_id, .kind = kind};
    return command;
}

uint32_t ts_issue_shell(struct ts_control *control, const char *format, ...)
{
    struct ts_command *command = issue(control, TS_COMMAND_PHONE_SHELL);
    char *text = control->texts[command - control->out->commands];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof control->texts[0], format, args);
    va_end(args);
    command->u.shell = text;
    return command->id;
}

uint32_t ts_issue_mcu(struct ts_control *control, uint8_t type, const uint8_t *body, size_t size)
{
    struct ts_command *command = issue(control, TS_COMMAND_MCU_SEND);
    command->u.mcu.type = type;
    command->u.mcu.size = (uint8_t)size;
    if (size)
        memcpy(command->u.mcu.body, body, size);
    return command->id;
}

uint32_t ts_issue_camera(struct ts_control *control, bool on)
{
    struct ts_command *command = issue(control, TS_COMMAND_CAMERA_SET);
    command->u.camera_on = on;
    return command->id;
}

uint32_t ts_issue_stream(struct ts_control *control, enum ts_stream stream, bool on)
{
    struct ts_command *command =
        issue(control, on ? TS_COMMAND_PHONE_STREAM : TS_COMMAND_STREAM_END);
    command->u.stream = stream;
    return command->id;
}

uint32_t ts_issue_operator(struct ts_control *control, enum ts_operator_task task)
{
    struct ts_command *command = issue(control, TS_COMMAND_OPERATOR);
    command->u.operator_task = task;
    return command->id;
}

uint32_t ts_issue_clock(struct ts_control *control, enum ts_clock_domain domain)
{
    struct ts_command *command = issue(control, TS_COMMAND_CLOCK_READ);
    command->u.clock = domain;
    return command->id;
}

uint32_t ts_issue_deadline(struct ts_control *control, int64_t at_ns)
{
    struct ts_command *command = issue(control, TS_COMMAND_DEADLINE);
    command->u.at.ns = at_ns;
    return command->id;
}

void ts_step_timer(struct ts_control *control, int64_t after_ms)
{
    control->timer_expired = false;
    control->timer = ts_issue_deadline(control, control->now.ns + after_ms * TS_NS_PER_MS);
}

bool ts_step_answered(struct ts_control *control, const struct ts_item *item)
{
    if (!control->waiting || item->kind != TS_ITEM_DONE || item->u.done.command != control->waiting)
        return false;
    control->answer = item->u.done;
    control->answer.text = "";
    control->waiting = 0;
    return true;
}

/* Not a multiple of the USB bridges' flush timers, so that readings meet them at every phase. */
static void next_round(struct ts_control *control)
{
    const int64_t step_ns = CLOCK_PERIOD_NS + (control->clock_round * 7919u % 1000u) * 4000;
    control->clock_deadline = ts_issue_deadline(control, control->now.ns + step_ns);
}

static void read_clocks(struct ts_control *control)
{
    ts_issue_clock(control, TS_CLOCK_MCU);
    if (ts_control_has_phone(control) && control->clock_round % PHONE_EVERY == 0)
        ts_issue_clock(control, TS_CLOCK_PHONE_REAL);
    /* Touches and accessibility events are stamped by the phone's uptime. */
    if (ts_control_has_phone(control) && control->observing & TS_OBSERVER_ACCESSIBILITY &&
        control->clock_round % PHONE_EVERY == PHONE_EVERY / 2)
        ts_issue_clock(control, TS_CLOCK_PHONE_UP);
    control->clock_round++;
    next_round(control);
}

void ts_clocks_start(struct ts_control *control)
{
    control->clocks_on = true;
    if (!control->clock_deadline)
        read_clocks(control);
}

void ts_clocks_stop(struct ts_control *control)
{
    control->clocks_on = false;
}

void ts_clocks_item(struct ts_control *control, const struct ts_item *item)
{
    if (item->kind != TS_ITEM_DONE || !control->clock_deadline ||
        item->u.done.command != control->clock_deadline)
        return;
    control->clock_deadline = 0;
    if (control->clocks_on)
        read_clocks(control);
}

static void poll(struct ts_control *control)
{
    ts_issue_shell(control, TS_POLLING_COMMAND);
    control->poll_deadline = ts_issue_deadline(control, control->now.ns + POLL_PERIOD_NS);
}

void ts_polls_switch(struct ts_control *control, bool on)
{
    if (on && !control->poll_deadline)
        poll(control);
    if (!on)
        control->poll_deadline = 0;
}

void ts_polls_item(struct ts_control *control, const struct ts_item *item)
{
    if (item->kind == TS_ITEM_DONE && control->poll_deadline &&
        item->u.done.command == control->poll_deadline)
        poll(control);
}
