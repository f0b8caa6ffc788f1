/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/conditions_json.h"
#include "store/journal.h"
#include "store/names.h"

#include <stdlib.h>

/* A position in a row of names that has "" for 0: the empty name is no name. */
static int read_name(struct ts_json_in *in, const char *key, const char *const *names)
{
    return 1 + ts_json_in_name(in, key, names + 1);
}

/* The one text of an entry that has no bound; the entry owns it. */
static const char *read_text(struct ts_json_in *in, struct ts_journal_entry *entry)
{
    entry->owner = ts_json_in_text_new(in, "text");
    return entry->owner;
}

static int64_t read_ns(struct ts_json_in *in, const char *key)
{
    return ts_json_in_integer(in, key, INT64_MIN, INT64_MAX);
}

static uint32_t read_u32(struct ts_json_in *in, const char *key)
{
    return (uint32_t)ts_json_in_integer(in, key, 0, UINT32_MAX);
}

static void read_clock(struct ts_json_in *in, struct ts_item_clock *out)
{
    out->domain = (enum ts_clock_domain)read_name(in, "domain", ts_clock_domain_names);
    out->boot_id = read_u32(in, "boot");
    out->t1.ns = read_ns(in, "t1");
    out->t2 = read_ns(in, "t2");
    out->t3 = read_ns(in, "t3");
    out->t4.ns = read_ns(in, "t4");
}

static void read_item(struct ts_json_in *in, struct ts_journal_entry *entry)
{
    struct ts_item *item = &entry->item;
    item->sequence = (uint64_t)ts_json_in_integer(in, "i", 0, INT64_MAX);
    item->arrival.ns = read_ns(in, "t");
    item->kind = (enum ts_item_kind)read_name(in, "k", ts_item_kind_names);
    switch (item->kind) {
    case TS_ITEM_FRAME:
        entry->frame_sequence = read_u32(in, "seq");
        break;
    case TS_ITEM_MCU:
        item->u.mcu.type = (uint8_t)ts_json_in_integer(in, "type", 0, UINT8_MAX);
        item->u.mcu.size = (uint8_t)ts_json_in_hex(in, "body", item->u.mcu.body, TS_MCU_BODY_MAX);
        item->u.mcu.boot_id = read_u32(in, "boot");
        break;
    case TS_ITEM_LINE:
        item->u.line.stream = (enum ts_stream)read_name(in, "stream", ts_stream_names);
        item->u.line.text = read_text(in, entry);
        break;
    case TS_ITEM_CLOCK:
        read_clock(in, &item->u.clock);
        break;
    case TS_ITEM_DONE:
        item->u.done.command = read_u32(in, "command");
        item->u.done.status = (int)ts_json_in_integer(in, "status", TS_ELATCHED, TS_OK);
        item->u.done.exit_code = (int)ts_json_in_integer(in, "exit", INT32_MIN, INT32_MAX);
        item->u.done.text = read_text(in, entry);
        break;
    case TS_ITEM_FAULT:
        item->u.fault.fault = (enum ts_device_fault)read_name(in, "fault", ts_device_fault_names);
        item->u.fault.detail = (int)ts_json_in_integer(in, "detail", INT32_MIN, INT32_MAX);
        break;
    }
}

static void read_command(struct ts_json_in *in, struct ts_journal_entry *entry)
{
    struct ts_command *command = &entry->command;
    command->id = read_u32(in, "c");
    command->kind = (enum ts_command_kind)read_name(in, "k", ts_command_kind_names);
    switch (command->kind) {
    case TS_COMMAND_MCU_SEND:
        command->u.mcu.type = (uint8_t)ts_json_in_integer(in, "type", 0, UINT8_MAX);
        command->u.mcu.size =
            (uint8_t)ts_json_in_hex(in, "body", command->u.mcu.body, TS_MCU_BODY_MAX);
        break;
    case TS_COMMAND_PHONE_SHELL:
        command->u.shell = read_text(in, entry);
        break;
    case TS_COMMAND_PHONE_STREAM:
    case TS_COMMAND_STREAM_END:
        command->u.stream = (enum ts_stream)read_name(in, "stream", ts_stream_names);
        break;
    case TS_COMMAND_CAMERA_SET:
        command->u.camera_on = ts_json_in_boolean(in, "on");
        break;
    case TS_COMMAND_CLOCK_READ:
        command->u.clock = (enum ts_clock_domain)read_name(in, "domain", ts_clock_domain_names);
        break;
    case TS_COMMAND_DEADLINE:
        command->u.at.ns = read_ns(in, "at");
        break;
    case TS_COMMAND_OPERATOR:
        command->u.operator_task =
            (enum ts_operator_task)read_name(in, "task", ts_operator_task_names);
        break;
    }
}

static void read_reading(struct ts_json_in *in, const char *key, struct ts_meter_reading *out)
{
    struct ts_json_in inner = ts_json_in_enter(in, key);
    out->cpu_ms = ts_json_in_number(&inner, "cpu_ms");
    out->pid = (int)ts_json_in_integer(&inner, "pid", -1, INT32_MAX);
    out->network_bytes = ts_json_in_number(&inner, "network_bytes");
    out->memory_kb = ts_json_in_number(&inner, "memory_kb");
    ts_json_in_leave(in, &inner);
}

static void read_intent(struct ts_json_in *in, struct ts_evidence_intent *out)
{
    static const char *const kinds[] = {"intent", NULL};
    ts_json_in_name(in, "n", kinds);
    out->launch = (int)ts_json_in_integer(in, "launch", 0, INT32_MAX);
    ts_json_in_text(in, "app", out->app, sizeof out->app);
    ts_json_in_text(in, "component", out->component, sizeof out->component);
    out->start = (enum ts_start_type)ts_json_in_name(in, "start", ts_start_type_names);
    out->tap_sent.ns = read_ns(in, "tap_sent");
    if (ts_json_in_has(in, "observed_from")) /* older sessions have none */
        out->observed_from.ns = read_ns(in, "observed_from");
    out->watch_ended.ns = read_ns(in, "watch_ended");
    out->timed_out = ts_json_in_boolean(in, "timed_out");
    out->app_uid = (int)ts_json_in_integer(in, "app_uid", 0, INT32_MAX);
    out->app_pid = (int)ts_json_in_integer(in, "app_pid", 0, INT32_MAX);
    ts_conditions_read(in, "conditions", &out->conditions);
    out->metered = ts_json_in_has(in, "meters_before");
    if (out->metered) {
        read_reading(in, "meters_before", &out->readings.before);
        read_reading(in, "meters_after", &out->readings.after);
    }
    if (ts_json_in_has(in, "phone"))
        ts_json_in_text(in, "phone", out->phone, sizeof out->phone);
    ts_json_in_text(in, "focus_before", out->focus_before, sizeof out->focus_before);
    ts_json_in_text(in, "focus_after", out->focus_after, sizeof out->focus_after);
}

int ts_journal_parse(const char *line, size_t size, struct ts_journal_entry *out,
                     struct ts_why *why)
{
    *out = (struct ts_journal_entry){0};
    json_t *root;
    const int err = ts_json_in_parse(line, size, "journal line", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "journal line", why, TS_OK};
    if (ts_json_in_has(&in, "i")) {
        out->kind = TS_JOURNAL_ITEM;
        read_item(&in, out);
    } else if (ts_json_in_has(&in, "c")) {
        out->kind = TS_JOURNAL_COMMAND;
        read_command(&in, out);
    } else {
        out->kind = TS_JOURNAL_INTENT;
        read_intent(&in, &out->intent);
    }
    json_decref(root);
    if (in.err)
        ts_journal_entry_free(out);
    return in.err;
}

void ts_journal_entry_free(struct ts_journal_entry *entry)
{
    free(entry->owner);
    *entry = (struct ts_journal_entry){0};
}
