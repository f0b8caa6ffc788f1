/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void take_mcu(struct drive *drive, const struct ts_item *item)
{
    struct wire_packet packet = {.type = item->u.mcu.type, .size = item->u.mcu.size};
    struct wire_edge edge;
    memcpy(packet.body, item->u.mcu.body, packet.size);
    if (!wire_get_edge(&packet, &edge))
        return;
    assert_true(drive->edge_count < DRIVE_EDGES);
    drive->edges[drive->edge_count++] = (struct drive_edge){edge, item->arrival.ns};
}

static void take_clock(struct drive *drive, const struct ts_item_clock *clock)
{
    if (clock->domain == TS_CLOCK_PHONE_REAL)
        drive->phone_less_host_ns = clock->t2 - (clock->t1.ns + clock->t4.ns) / 2;
    if (clock->domain != TS_CLOCK_MCU)
        return;
    drive->readings[drive->reading_count ? 1 : 0] = *clock;
    drive->reading_count++;
}

static void take(struct drive *drive, const struct ts_item *item)
{
    if (drive->now_ns && item->arrival.ns - drive->now_ns > drive->longest_pause_ns)
        drive->longest_pause_ns = item->arrival.ns - drive->now_ns;
    assert_true(item->arrival.ns >= drive->now_ns);
    drive->now_ns = item->arrival.ns;
    switch (item->kind) {
    case TS_ITEM_MCU:
        take_mcu(drive, item);
        break;
    case TS_ITEM_CLOCK:
        take_clock(drive, &item->u.clock);
        break;
    case TS_ITEM_FAULT:
        drive->resets += item->u.fault.fault == TS_FAULT_MCU_RESET;
        break;
    case TS_ITEM_FRAME:
        drive->frames++;
        assert_true(item->arrival.ns > drive->frame_ns);
        assert_true(item->u.frame->arrival.ns == item->arrival.ns);
        drive->frame_ns = item->arrival.ns;
        break;
    case TS_ITEM_LINE:
        drive->touches += strstr(item->u.line.text, "touch up ") != NULL;
        drive->starts += strstr(item->u.line.text, ": START u0") &&
                         strstr(item->u.line.text, "org.touchstone.helper");
        break;
    case TS_ITEM_DONE:
        break;
    }
}

static void run(struct drive *drive, struct ts_command *command)
{
    struct ts_item item;
    command->id = ++drive->id;
    assert_int_equal(ts_bench_submit(drive->bench, command), TS_OK);
    do {
        assert_int_equal(ts_bench_next(drive->bench, &item), TS_OK);
        take(drive, &item);
    } while (item.kind != TS_ITEM_DONE || item.u.done.command != command->id);
    assert_int_equal(item.u.done.status, TS_OK);
}

static void send(struct drive *drive, uint8_t type, const void *body, uint8_t size)
{
    struct ts_command command = {.kind = TS_COMMAND_MCU_SEND,
                                 .u.mcu = {.type = type, .size = size}};
    if (size)
        memcpy(command.u.mcu.body, body, size);
    run(drive, &command);
}

void drive_wait(struct drive *drive, double ms)
{
    run(drive, &(struct ts_command){.kind = TS_COMMAND_DEADLINE,
                                    .u.at = {drive->now_ns + (int64_t)(ms * MS)}});
}

void drive_shell(struct drive *drive, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    run(drive, &(struct ts_command){.kind = TS_COMMAND_PHONE_SHELL, .u.shell = text});
}

void drive_camera(struct drive *drive, bool on)
{
    run(drive, &(struct ts_command){.kind = TS_COMMAND_CAMERA_SET, .u.camera_on = on});
}

void drive_read(struct drive *drive, enum ts_clock_domain clock)
{
    run(drive, &(struct ts_command){.kind = TS_COMMAND_CLOCK_READ, .u.clock = clock});
}

void drive_stream(struct drive *drive, enum ts_stream stream)
{
    run(drive, &(struct ts_command){.kind = TS_COMMAND_PHONE_STREAM, .u.stream = stream});
}

void drive_open(struct drive *drive, const char *name, uint64_t seed, const char *options)
{
    struct ts_why why = {""};
    *drive = (struct drive){0};
    snprintf(drive->truth_path, sizeof drive->truth_path, "%s/tests/%s.truth", TS_BUILD_DIR, name);
    const struct ts_bench_config config = {
        .seed = seed, .truth_path = drive->truth_path, .options = options};
    if (ts_bench_sim.open(&config, &drive->bench, &why) != TS_OK)
        fail_msg("%s", why.text);
    drive_stream(drive, TS_STREAM_LOG);
    send(drive, WIRE_HOME, NULL, 0);
    drive_wait(drive, 2500);
}

void drive_close(struct drive *drive)
{
    char line[2000];
    ts_bench_close(drive->bench);
    drive->bench = NULL;
    drive->truths = json_array();
    FILE *file = fopen(drive->truth_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        json_t *truth = json_loads(line, 0, NULL);
        assert_non_null(truth);
        json_array_append_new(drive->truths, truth);
    }
    fclose(file);
    unlink(drive->truth_path);
}

void drive_free(struct drive *drive)
{
    json_decref(drive->truths);
}

void drive_forget(struct drive *drive)
{
    drive->edge_count = drive->reading_count = 0;
    drive->resets = drive->touches = drive->starts = drive->frames = 0;
    drive->longest_pause_ns = 0;
}

void drive_tap(struct drive *drive, double watch_ms)
{
    send(drive, WIRE_TAP, "\xff\x19", 2);
    drive_wait(drive, 1200 + watch_ms);
}

void drive_scene(struct drive *drive, const char *kind, unsigned seed, double watch_ms)
{
    drive_camera(drive, true);
    drive_shell(drive, "am start -n org.touchstone.helper/.Scene --es kind %s --el seed %u", kind,
                seed);
    drive_wait(drive, 700);
    drive_forget(drive);
    drive_read(drive, TS_CLOCK_MCU);
    drive_tap(drive, watch_ms);
    drive_read(drive, TS_CLOCK_MCU);
    drive_camera(drive, false);
}

int64_t drive_host_ns(const struct drive *drive, uint32_t ticks)
{
    const struct ts_item_clock *a = &drive->readings[0], *b = &drive->readings[1];
    const double from_ns = (double)(a->t1.ns + a->t4.ns) / 2;
    const double span_ns = (double)(b->t1.ns + b->t4.ns) / 2 - from_ns;
    const uint32_t from = (uint32_t)a->t2 + (uint32_t)(a->t3 - a->t2) / 2;
    const uint32_t to = (uint32_t)b->t2 + (uint32_t)(b->t3 - b->t2) / 2;
    return (int64_t)(from_ns + span_ns * (double)(ticks - from) / (double)(to - from));
}

int64_t drive_truth(const struct drive *drive, int line, const char *name)
{
    return json_integer_value(json_object_get(json_array_get(drive->truths, (size_t)line), name));
}
