/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/journal.h"

#include "store/conditions_json.h"
#include "store/json_out.h"
#include "store/names.h"

/* NULL when value is not in the row. */
static const char *name_of(const char *const *names, int value)
{
    int count = 0;
    while (names[count])
        count++;
    return value >= 1 && value < count ? names[value] : NULL;
}

static void put_name(struct ts_json_out *out, const char *key, const char *const *names, int value)
{
    const char *name = name_of(names, value);
    if (name)
        ts_json_text(out, key, name);
    else if (!out->err)
        out->err = TS_EINVAL;
}

/* Closes the line; a line that could not be printed whole leaves nothing behind. */
static int finish_line(struct ts_json_out *out, size_t before)
{
    ts_json_close(out, '}');
    if (!out->err)
        out->err = ts_buf_append(out->buf, "\n", 1);
    if (out->err)
        out->buf->size = before;
    return out->err;
}

static void put_mcu_body(struct ts_json_out *out, uint8_t type, const uint8_t *body, uint8_t size)
{
    ts_json_integer(out, "type", type);
    if (size <= TS_MCU_BODY_MAX)
        ts_json_hex(out, "body", body, size);
    else if (!out->err)
        out->err = TS_EINVAL;
}

static void put_clock(struct ts_json_out *out, const struct ts_item_clock *clock)
{
    put_name(out, "domain", ts_clock_domain_names, (int)clock->domain);
    ts_json_integer(out, "boot", clock->boot_id);
    ts_json_integer(out, "t1", clock->t1.ns);
    ts_json_integer(out, "t2", clock->t2);
    ts_json_integer(out, "t3", clock->t3);
    ts_json_integer(out, "t4", clock->t4.ns);
}

static void put_item_body(struct ts_json_out *out, const struct ts_item *item)
{
    switch (item->kind) {
    case TS_ITEM_FRAME:
        ts_json_integer(out, "seq", item->u.frame->sequence);
        break;
    case TS_ITEM_MCU:
        put_mcu_body(out, item->u.mcu.type, item->u.mcu.body, item->u.mcu.size);
        ts_json_integer(out, "boot", item->u.mcu.boot_id);
        break;
    case TS_ITEM_LINE:
        put_name(out, "stream", ts_stream_names, (int)item->u.line.stream);
        ts_json_text(out, "text", item->u.line.text);
        break;
    case TS_ITEM_CLOCK:
        put_clock(out, &item->u.clock);
        break;
    case TS_ITEM_DONE:
        ts_json_integer(out, "command", item->u.done.command);
        ts_json_integer(out, "status", item->u.done.status);
        ts_json_integer(out, "exit", item->u.done.exit_code);
        ts_json_text(out, "text", item->u.done.text ? item->u.done.text : "");
        break;
    case TS_ITEM_FAULT:
        put_name(out, "fault", ts_device_fault_names, (int)item->u.fault.fault);
        ts_json_integer(out, "detail", item->u.fault.detail);
        break;
    }
}

int ts_journal_put_item(struct ts_buf *buf, const struct ts_item *item)
{
    if (item->sequence > INT64_MAX)
        return TS_EINVAL;
    const size_t before = buf->size;
    struct ts_json_out out = {.buf = buf};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "i", (int64_t)item->sequence);
    ts_json_integer(&out, "t", item->arrival.ns);
    put_name(&out, "k", ts_item_kind_names, (int)item->kind);
    put_item_body(&out, item);
    return finish_line(&out, before);
}

int ts_journal_put_command(struct ts_buf *buf, const struct ts_command *command)
{
    const size_t before = buf->size;
    struct ts_json_out out = {.buf = buf};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "c", command->id);
    put_name(&out, "k", ts_command_kind_names, (int)command->kind);
    switch (command->kind) {
    case TS_COMMAND_MCU_SEND:
        put_mcu_body(&out, command->u.mcu.type, command->u.mcu.body, command->u.mcu.size);
        break;
    case TS_COMMAND_PHONE_SHELL:
        ts_json_text(&out, "text", command->u.shell);
        break;
    case TS_COMMAND_PHONE_STREAM:
    case TS_COMMAND_STREAM_END:
        put_name(&out, "stream", ts_stream_names, (int)command->u.stream);
        break;
    case TS_COMMAND_CAMERA_SET:
        ts_json_boolean(&out, "on", command->u.camera_on);
        break;
    case TS_COMMAND_CLOCK_READ:
        put_name(&out, "domain", ts_clock_domain_names, (int)command->u.clock);
        break;
    case TS_COMMAND_DEADLINE:
        ts_json_integer(&out, "at", command->u.at.ns);
        break;
    case TS_COMMAND_OPERATOR:
        put_name(&out, "task", ts_operator_task_names, (int)command->u.operator_task);
        break;
    }
    return finish_line(&out, before);
}

static void put_reading(struct ts_json_out *out, const char *key,
                        const struct ts_meter_reading *reading)
{
    ts_json_open(out, key, '{');
    ts_json_number(out, "cpu_ms", reading->cpu_ms);
    ts_json_integer(out, "pid", reading->pid);
    ts_json_number(out, "network_bytes", reading->network_bytes);
    ts_json_number(out, "memory_kb", reading->memory_kb);
    ts_json_close(out, '}');
}

static void put_readings(struct ts_json_out *out, const struct ts_meter_readings *readings)
{
    put_reading(out, "meters_before", &readings->before);
    put_reading(out, "meters_after", &readings->after);
}

int ts_journal_put_intent(struct ts_buf *buf, const struct ts_evidence_intent *intent)
{
    const size_t before = buf->size;
    struct ts_json_out out = {.buf = buf};
    ts_json_open(&out, NULL, '{');
    ts_json_text(&out, "n", "intent");
    ts_json_integer(&out, "launch", intent->launch);
    ts_json_text(&out, "app", intent->app);
    ts_json_text(&out, "component", intent->component);
    ts_json_text(&out, "start", ts_start_type_name(intent->start));
    ts_json_integer(&out, "tap_sent", intent->tap_sent.ns);
    ts_json_integer(&out, "observed_from", intent->observed_from.ns);
    ts_json_integer(&out, "watch_ended", intent->watch_ended.ns);
    ts_json_boolean(&out, "timed_out", intent->timed_out);
    ts_json_integer(&out, "app_uid", intent->app_uid);
    ts_json_integer(&out, "app_pid", intent->app_pid);
    ts_conditions_print(&out, "conditions", &intent->conditions);
    if (intent->metered)
        put_readings(&out, &intent->readings);
    if (*intent->phone)
        ts_json_text(&out, "phone", intent->phone);
    ts_json_text(&out, "focus_before", intent->focus_before);
    ts_json_text(&out, "focus_after", intent->focus_after);
    return finish_line(&out, before);
}
