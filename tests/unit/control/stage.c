/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stage.h"

#include "base/buf.h"
#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BLOCKS    12 /* a side of the picture */
#define ENDLESS   500000
#define MOVES_NS  (100 * MS) /* from HOME or TAP until the motor is on */
#define LIFT_NS   (600 * MS) /* from HOME or TAP until it is picked up */
#define HELD_NS   (700 * MS) /* ... and held */
#define ANSWER_NS (120 * MS)

static void frame_keep(struct ts_frame *frame)
{
    (void)frame;
}

static void push(struct stage *stage, int64_t at_ns, const struct ts_item *item)
{
    struct stage_pending *added = ts_grow((void **)&stage->pending, &stage->pending_count,
                                          &stage->pending_capacity, sizeof *added);
    assert_non_null(added);
    *added = (struct stage_pending){at_ns, ++stage->order, *item};
    added->item.arrival.ns = at_ns;
}

static void push_done(struct stage *stage, int64_t at_ns, uint32_t command, int status,
                      const char *text)
{
    push(stage, at_ns,
         &(struct ts_item){.kind = TS_ITEM_DONE,
                           .u.done = {.command = command, .status = status, .text = text}});
}

static void push_displayed(struct stage *stage)
{
    snprintf(stage->displayed, sizeof stage->displayed,
             "         1715529512.085000 %5d  1557  2242 I ActivityManager: Displayed %s: +300ms",
             stage->displayed_uid, ts_control_intent(stage->control)->component);
    push(stage, stage->now_ns + stage->displayed_ns,
         &(struct ts_item){.kind = TS_ITEM_LINE, .u.line = {TS_STREAM_LOG, stage->displayed}});
}

static const char *tell_battery(struct stage *stage)
{
    const double minutes = (double)stage->now_ns / (60e3 * (double)MS);
    snprintf(stage->battery, sizeof stage->battery,
             "  level: %d\n  scale: 100\n  temperature: 281\n",
             (int)(stage->charge + stage->charge_per_min * minutes));
    return stage->battery;
}

static void push_state(struct stage *stage, int64_t after_ns, enum wire_tap_state state)
{
    push(stage, stage->now_ns + after_ns,
         &(struct ts_item){.kind = TS_ITEM_MCU,
                           .u.mcu = {.type = WIRE_STATE, .size = 5, .body = {(uint8_t)state}}});
}

static struct stage_pending pop(struct stage *stage)
{
    if (!stage->pending_count)
        fail_msg("part %d: control waits, but nothing that it asked for is still to come",
                 ts_control_part(stage->control));
    size_t first = 0;
    for (size_t i = 1; i < stage->pending_count; i++) {
        const struct stage_pending *a = &stage->pending[i], *b = &stage->pending[first];
        if (a->at_ns < b->at_ns || (a->at_ns == b->at_ns && a->order < b->order))
            first = i;
    }
    const struct stage_pending next = stage->pending[first];
    stage->pending[first] = stage->pending[--stage->pending_count];
    return next;
}

static bool only_asks(const char *shell)
{
    static const char *const asking[] = {"dumpsys ",   "settings get ",    "pm path ",
                                         "sha256sum ", "cmd uimode night", "pidof ",
                                         "getprop "};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
        if (strncmp(shell, asking[i], strlen(asking[i])) == 0)
            return true;
    }
    return false;
}

static void describe(const struct stage *stage, const struct ts_command *command,
                     struct stage_line *line)
{
    char *text = line->text;
    const size_t size = sizeof line->text;
    switch (command->kind) {
    case TS_COMMAND_MCU_SEND: {
        int used = snprintf(text, size, "mcu %02x ", command->u.mcu.type);
        for (int i = 0; i < command->u.mcu.size; i++)
            used += snprintf(text + used, size - (size_t)used, "%02x", command->u.mcu.body[i]);
        break;
    }
    case TS_COMMAND_PHONE_SHELL:
        snprintf(text, size, "shell %s", command->u.shell);
        line->reads = only_asks(command->u.shell);
        break;
    case TS_COMMAND_PHONE_STREAM:
        snprintf(text, size, command->u.stream == TS_STREAM_LOG ? "log" : "other stream");
        break;
    case TS_COMMAND_STREAM_END:
        snprintf(text, size, command->u.stream == TS_STREAM_LOG ? "log off" : "other stream off");
        break;
    case TS_COMMAND_CAMERA_SET:
        snprintf(text, size, "camera %s", command->u.camera_on ? "on" : "off");
        break;
    case TS_COMMAND_OPERATOR:
        snprintf(text, size, "plate %s",
                 command->u.operator_task == TS_OPERATOR_PLATE_ON ? "on" : "off");
        break;
    case TS_COMMAND_CLOCK_READ:
        line->beside = true;
        snprintf(text, size, "clock %s", command->u.clock == TS_CLOCK_MCU ? "mcu" : "phone");
        break;
    case TS_COMMAND_DEADLINE: {
        const int64_t after_ns = command->u.at.ns - stage->now_ns;
        line->beside = true;
        snprintf(text, size, "deadline %lld.%06lld", (long long)(after_ns / MS),
                 (long long)(after_ns % MS));
        break;
    }
    }
}

/* What the firmware would do: refuses while latched, taps only when held. */
static int obey_mcu(struct stage *stage, const struct ts_command *command)
{
    const uint8_t type = command->u.mcu.type;
    if (type == WIRE_CLEAR)
        stage->latched = false;
    if (stage->latched)
        return TS_ELATCHED;
    if (type == WIRE_TAP && !stage->held)
        return TS_EINVAL;
    if (type == WIRE_TAP && !stage->dead_screen)
        stage->change_ns = stage->now_ns + stage->changes_ns;
    if (type == WIRE_TAP && ts_control_part(stage->control) > 0 && !stage->silent_log)
        push_displayed(stage);
    if (type == WIRE_HOME && stage->held)
        return TS_OK; /* and no word more */
    if (type == WIRE_HOME || type == WIRE_TAP) {
        stage->held = false;
        push_state(stage, MOVES_NS, type == WIRE_HOME ? WIRE_HOMING : WIRE_DROPPING);
        if (!stage->never_held && !stage->untold_lift)
            push_state(stage, LIFT_NS, WIRE_LIFTING);
        if (!stage->never_held)
            push_state(stage, HELD_NS, WIRE_HELD);
    }
    return TS_OK;
}

static void obey(struct stage *stage, const struct ts_command *command)
{
    struct stage_line *line =
        ts_grow((void **)&stage->lines, &stage->line_count, &stage->line_capacity, sizeof *line);
    assert_non_null(line);
    assert_true(command->id > 0);
    line->part = ts_control_part(stage->control);
    line->at_ns = stage->now_ns;
    describe(stage, command, line);
    int status = TS_OK;
    int64_t done_ns = stage->now_ns + MS;
    const char *text = "";
    switch (command->kind) {
    case TS_COMMAND_MCU_SEND:
        status = obey_mcu(stage, command);
        line->refused = status != TS_OK;
        break;
    case TS_COMMAND_PHONE_SHELL:
        status = stage->shell_status;
        done_ns = stage->now_ns + ANSWER_NS;
        if (strncmp(command->u.shell, "pm path", 7) == 0)
            text = stage->apk_answer;
        if (stage->charge > 0 && strcmp(command->u.shell, "dumpsys battery") == 0)
            text = tell_battery(stage);
        for (size_t i = 0; i < STAGE_ANSWERS && stage->answers[i].shell; i++) {
            if (strncmp(command->u.shell, stage->answers[i].shell,
                        strlen(stage->answers[i].shell)) == 0)
                text = stage->answers[i].text;
        }
        break;
    case TS_COMMAND_CAMERA_SET:
        stage->camera_on = command->u.camera_on;
        if (stage->camera_on)
            push(stage, stage->now_ns + 8 * MS, &(struct ts_item){.kind = TS_ITEM_FRAME});
        break;
    case TS_COMMAND_PHONE_STREAM:
        if (!stage->log_on && !stage->silent_log)
            push(stage, stage->now_ns + 100 * MS, &(struct ts_item){.kind = TS_ITEM_LINE});
        stage->log_on = true;
        break;
    case TS_COMMAND_CLOCK_READ:
        status = stage->dead_mcu ? TS_ETIMEOUT : TS_OK;
        break;
    case TS_COMMAND_DEADLINE:
        assert_true(command->u.at.ns > stage->now_ns);
        done_ns = command->u.at.ns;
        break;
    default:
        break;
    }
    push_done(stage, done_ns, command->id, status, text);
}

static void obey_all(struct stage *stage, const struct ts_control_output *output)
{
    for (size_t i = 0; i < output->count; i++)
        obey(stage, &output->commands[i]);
}

void stage_plan(struct stage *stage)
{
    static const char *const names[] = {"One", "Two"}, *const components[] = {"a.one/.Main",
                                                                              "a.two/.Main"};
    *stage = (struct stage){.changes_ns = 1000 * MS,
                            .displayed_ns = 1200 * MS,
                            .displayed_uid = 1000,
                            .fault_part = -1,
                            .apk_answer = "package:/data/app/a/base.apk\n",
                            .answers = {{"getprop sys.boot_completed", "1\n"}}};
    ts_plan_defaults(&stage->plan);
    stage->plan.launches = 1;
    stage->plan.plate_taps = 2;
    stage->plan.app_count = 2;
    stage->plan.apps = calloc(2, sizeof *stage->plan.apps);
    assert_non_null(stage->plan.apps);
    for (int i = 0; i < 2; i++) {
        stage->plan.apps[i].name = strdup(names[i]);
        stage->plan.apps[i].component = strdup(components[i]);
    }
}

void stage_open(struct stage *stage, uint64_t seed, int64_t now_ns)
{
    stage->camera = (struct ts_camera_geometry){BLOCKS * TS_BLOCK_PX, BLOCKS * TS_BLOCK_PX, BLOCKS,
                                                BLOCKS, 8 * MS};
    stage->now_ns = now_ns;
    stage->level = 1000;
    stage->change_ns = INT64_MAX;
    assert_int_equal(ts_plan_check(&stage->plan, &stage->why), TS_OK);
    assert_int_equal(ts_control_create(&stage->plan, seed, &stage->camera, &stage->control), TS_OK);
}

void stage_close(struct stage *stage)
{
    ts_control_destroy(stage->control);
    ts_plan_free(&stage->plan);
    free(stage->pending);
    free(stage->lines);
    *stage = (struct stage){0};
}

static int give(struct stage *stage, struct ts_item *item, struct ts_control_output *output)
{
    static const struct ts_frame_ops ops = {frame_keep, frame_keep};
    uint16_t blocks[BLOCKS * BLOCKS];
    struct ts_frame frame = {.ops = &ops, .arrival = item->arrival, .blocks = blocks};
    if (item->kind == TS_ITEM_FRAME) {
        if (!stage->camera_on || stage->now_ns < stage->camera_gone_until_ns) {
            *output = (struct ts_control_output){0};
            return TS_OK;
        }
        frame.sequence = ++stage->frame;
        if (stage->now_ns >= stage->change_ns) {
            stage->level = stage->level == 1000 ? 4000 : 1000;
            stage->change_ns = INT64_MAX;
        }
        for (int i = 0; i < BLOCKS * BLOCKS; i++)
            blocks[i] = stage->level;
        item->u.frame = &frame;
        push(stage, stage->now_ns + 8 * MS, &(struct ts_item){.kind = TS_ITEM_FRAME});
    }
    if (item->kind == TS_ITEM_LINE && !item->u.line.text) {
        item->u.line = (struct ts_item_line){TS_STREAM_LOG, "nothing"};
        push(stage, stage->now_ns + 100 * MS, &(struct ts_item){.kind = TS_ITEM_LINE});
    }
    if (item->kind == TS_ITEM_MCU && item->u.mcu.body[0] == WIRE_HELD)
        stage->held = true;
    if (item->kind == TS_ITEM_FAULT && item->u.fault.fault != TS_FAULT_CAMERA_LOST) {
        stage->held = false;
        stage->latched = item->u.fault.fault == TS_FAULT_MCU_LATCHED;
    }
    if (item->kind == TS_ITEM_FAULT && item->u.fault.fault == TS_FAULT_CAMERA_LOST)
        stage->camera_gone_until_ns = stage->now_ns + stage->camera_gone_ns;
    int err = ts_control_item(stage->control, item, output, &stage->why);
    if (!err)
        obey_all(stage, output);
    if (!err && !output->part_ended && item->kind == TS_ITEM_FRAME && stage->repeated_frames) {
        err = ts_control_item(stage->control, item, output, &stage->why);
        if (!err)
            obey_all(stage, output);
    }
    return err;
}

int stage_part(struct stage *stage)
{
    struct ts_control_output output;
    int err = ts_control_next_part(stage->control, (struct ts_host_time){stage->now_ns}, &output);
    if (err)
        return err;
    stage->part_ns = stage->now_ns;
    if (ts_control_part(stage->control) == stage->fault_part)
        push(stage, stage->now_ns + stage->fault_after_ns,
             &(struct ts_item){.kind = TS_ITEM_FAULT, .u.fault = {.fault = stage->fault}});
    obey_all(stage, &output);
    for (int items = 0; !err && !output.part_ended; items++) {
        assert_true(items < ENDLESS);
        struct stage_pending next = pop(stage);
        stage->now_ns = next.at_ns;
        err = give(stage, &next.item, &output);
    }
    return err;
}

int stage_run(struct stage *stage)
{
    int err;
    do
        err = stage_part(stage);
    while (err == TS_OK);
    return err == TS_EOF ? TS_OK : err;
}

static void add_line(struct ts_buf *text, const char *line)
{
    assert_int_equal(ts_buf_printf(text, "%s\n", line), 0);
}

char *stage_text(const struct stage *stage, int part)
{
    struct ts_buf text = {0};
    bool reading = false;
    for (size_t i = 0; i < stage->line_count; i++) {
        const struct stage_line *line = &stage->lines[i];
        if (line->part != part || line->beside)
            continue;
        if (!line->reads || !reading)
            add_line(&text, line->reads ? "reads" : line->text);
        reading = line->reads;
    }
    assert_int_equal(ts_buf_append(&text, "", 1), 0);
    return (char *)text.data;
}

char *stage_everything(const struct stage *stage)
{
    struct ts_buf text = {0};
    for (size_t i = 0; i < stage->line_count; i++)
        add_line(&text, stage->lines[i].text);
    assert_int_equal(ts_buf_append(&text, "", 1), 0);
    return (char *)text.data;
}

bool stage_said(const struct stage *stage, int part, const char *text)
{
    for (size_t i = 0; i < stage->line_count; i++) {
        if (stage->lines[i].part == part && strcmp(stage->lines[i].text, text) == 0)
            return true;
    }
    return false;
}
