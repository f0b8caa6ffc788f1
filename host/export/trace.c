/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/trace.h"

#include "export/proto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of Perfetto's messages. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60
};
enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 }; /* of what is interned */
enum { EVENT_TYPE = 9, EVENT_NAME = 10, EVENT_TRACK = 11, EVENT_CATEGORY = 22 };
enum { INTERNED_NAMES = 2, ENTRY_ID = 1, ENTRY_NAME = 2 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PARENT = 5 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };

#define SEQUENCE  1
#define LANES     8 /* of what overlaps, that many stand below each other */
#define ROOT_UUID 1

struct lane {
    bool open; /* its track has been described */
    int64_t free_ns;
};

struct trace {
    struct ts_proto out, packet, inner, entry;
    const char **names; /* that were told already; the place of each, from 1, is its number */
    size_t count;
};

static uint64_t uuid_of(enum ts_story_track track, int lane)
{
    return ROOT_UUID + 1 + (uint64_t)track * LANES + (uint64_t)lane;
}

static void end_packet(struct trace *trace)
{
    ts_proto_number(&trace->packet, PACKET_SEQUENCE, SEQUENCE);
    ts_proto_message(&trace->out, TRACE_PACKET, &trace->packet);
}

static void put_track(struct trace *trace, uint64_t uuid, uint64_t parent, const char *name)
{
    ts_proto_number(&trace->inner, TRACK_UUID, uuid);
    ts_proto_text(&trace->inner, TRACK_NAME, name);
    if (parent)
        ts_proto_number(&trace->inner, TRACK_PARENT, parent);
    ts_proto_message(&trace->packet, PACKET_TRACK, &trace->inner);
    end_packet(trace);
}

/* A name stands in the trace once, with a number that events give: a phone that is polled 25 times
 * a second is asked the same long command each time. */
static uint64_t number_name(struct trace *trace, const char *name)
{
    for (size_t i = 0; i < trace->count; i++) {
        if (strcmp(trace->names[i], name) == 0)
            return i + 1;
    }
    trace->names[trace->count++] = name;
    ts_proto_number(&trace->entry, ENTRY_ID, trace->count);
    ts_proto_text(&trace->entry, ENTRY_NAME, name);
    ts_proto_message(&trace->inner, INTERNED_NAMES, &trace->entry);
    ts_proto_message(&trace->packet, PACKET_INTERNED, &trace->inner);
    return trace->count;
}

static void put_event(struct trace *trace, int type, uint64_t uuid, int64_t at_ns,
                      const struct ts_story_event *event)
{
    static const char *const categories[] = {"stylus", "camera", "android", "accessibility",
                                             "conditioning"};
    const uint64_t name = type == SLICE_END ? 0 : number_name(trace, event->name);
    ts_proto_number(&trace->inner, EVENT_TYPE, (uint64_t)type);
    ts_proto_number(&trace->inner, EVENT_TRACK, uuid);
    if (name) {
        ts_proto_text(&trace->inner, EVENT_CATEGORY, categories[event->track]);
        ts_proto_number(&trace->inner, EVENT_NAME, name);
    }
    ts_proto_number(&trace->packet, PACKET_TIMESTAMP, (uint64_t)at_ns);
    ts_proto_number(&trace->packet, PACKET_FLAGS, FLAG_NEEDED);
    ts_proto_message(&trace->packet, PACKET_EVENT, &trace->inner);
    end_packet(trace);
}

/* Slices of a track have to nest, so what overlaps goes to a lane of its own; the last one takes
 * what is too much, cut to where it is free. */
static void put_story_event(struct trace *trace, struct lane *lanes,
                            const struct ts_story_event *event)
{
    int64_t from_ns = event->from_ns;
    const bool instant = event->to_ns == from_ns;
    int lane = 0;
    while (!instant && lane < LANES - 1 && lanes[lane].free_ns > from_ns)
        lane++;
    const uint64_t uuid = uuid_of(event->track, lane);
    if (!lanes[lane].open)
        put_track(trace, uuid, ROOT_UUID, ts_story_track_names[event->track]);
    lanes[lane].open = true;
    if (instant) {
        put_event(trace, INSTANT, uuid, from_ns, event);
        return;
    }
    if (lanes[lane].free_ns > from_ns)
        from_ns = lanes[lane].free_ns;
    if (from_ns >= event->to_ns)
        return;
    put_event(trace, SLICE_BEGIN, uuid, from_ns, event);
    put_event(trace, SLICE_END, uuid, event->to_ns, event);
    lanes[lane].free_ns = event->to_ns;
}

int ts_trace_print(const struct ts_story *story, struct ts_buf *out)
{
    struct trace trace = {.names = calloc(story->count + 1, sizeof *trace.names)};
    struct lane lanes[TS_STORY_TRACK_COUNT][LANES] = {{{0}}};
    char name[200];
    if (!trace.names)
        return TS_ENOMEM;
    snprintf(name, sizeof name, "Launch %d: %s", story->result.launch, story->result.app);
    ts_proto_number(&trace.packet, PACKET_FLAGS, FLAG_CLEARED);
    put_track(&trace, ROOT_UUID, 0, name);
    for (size_t i = 0; i < story->count; i++) {
        const struct ts_story_event *event = &story->events[i];
        if (event->from_ns >= 0)
            put_story_event(&trace, lanes[event->track], event);
    }
    int err = trace.out.err ? trace.out.err : trace.packet.err;
    if (!err && trace.out.bytes.size)
        err = ts_buf_append(out, trace.out.bytes.data, trace.out.bytes.size);
    ts_buf_free(&trace.out.bytes);
    ts_buf_free(&trace.packet.bytes);
    ts_buf_free(&trace.inner.bytes);
    ts_buf_free(&trace.entry.bytes);
    free(trace.names);
    return err;
}
