/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces, read back by a decoder of their own: every byte belongs to a field that is expected. */
#include "export/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct reader {
    const uint8_t *at, *end;
};

struct field {
    unsigned number;
    uint64_t value;       /* of a varint */
    struct reader inside; /* of a length */
};

static uint64_t read_varint(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        assert_true(reader->at < reader->end);
        const uint8_t byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    fail_msg("a varint without an end");
    return 0;
}

static struct field read_field(struct reader *reader)
{
    const uint64_t key = read_varint(reader);
    struct field field = {.number = (unsigned)(key >> 3)};
    if ((key & 7) == 0) {
        field.value = read_varint(reader);
        return field;
    }
    assert_int_equal(key & 7, 2);
    const uint64_t size = read_varint(reader);
    assert_true(size <= (uint64_t)(reader->end - reader->at));
    field.inside = (struct reader){reader->at, reader->at + size};
    reader->at += size;
    return field;
}

/* What the packets of a trace say. */
struct seen {
    size_t tracks, begins, ends, instants;
    uint64_t numbered; /* names */
    uint64_t described[64];
    int depth[64];       /* open slices, by uuid */
    uint64_t latest[64]; /* end of the last slice, by uuid */
    char names[2000];
};

static void keep_name(struct seen *seen, struct reader text)
{
    strncat(seen->names, (const char *)text.at, (size_t)(text.end - text.at));
    strcat(seen->names, "|");
}

static void read_track(struct seen *seen, struct reader reader)
{
    while (reader.at < reader.end) {
        const struct field field = read_field(&reader);
        if (field.number == 1)
            seen->described[seen->tracks++] = field.value;
        else if (field.number == 2)
            keep_name(seen, field.inside);
        else
            assert_int_equal(field.number, 5);
    }
}

static void read_event(struct seen *seen, struct reader reader, uint64_t at_ns)
{
    uint64_t type = 0, uuid = 0, name = 0;
    bool described = false;
    while (reader.at < reader.end) {
        const struct field field = read_field(&reader);
        if (field.number == 9)
            type = field.value;
        else if (field.number == 11)
            uuid = field.value;
        else if (field.number == 10)
            name = field.value;
        else
            assert_int_equal(field.number, 22);
    }
    assert_true(type == 2 ? name == 0 : name >= 1 && name <= seen->numbered);
    for (size_t i = 0; i < seen->tracks; i++)
        described |= seen->described[i] == uuid;
    assert_true(described);
    assert_in_range(uuid, 1, 63);
    if (type == 1) {
        assert_int_equal(seen->depth[uuid]++, 0); /* slices of a track do not overlap */
        assert_true(at_ns >= seen->latest[uuid]);
        seen->begins++;
    } else if (type == 2) {
        assert_int_equal(--seen->depth[uuid], 0);
        seen->latest[uuid] = at_ns;
        seen->ends++;
    } else {
        assert_int_equal(type, 3);
        seen->instants++;
    }
}

/* One name with the next number. */
static void read_interned(struct seen *seen, struct reader reader)
{
    const struct field names = read_field(&reader);
    struct reader entry = names.inside;
    assert_int_equal(names.number, 2);
    assert_true(reader.at == reader.end);
    const struct field number = read_field(&entry), name = read_field(&entry);
    assert_int_equal(number.number, 1);
    assert_int_equal(number.value, ++seen->numbered);
    assert_int_equal(name.number, 2);
    keep_name(seen, name.inside);
}

static void read_packet(struct seen *seen, struct reader reader)
{
    uint64_t at_ns = 0, sequence = 0;
    const bool first = seen->tracks == 0;
    bool event = false;
    uint64_t flags = 0;
    while (reader.at < reader.end) {
        const struct field field = read_field(&reader);
        if (field.number == 8)
            at_ns = field.value;
        else if (field.number == 10)
            sequence = field.value;
        else if (field.number == 11) {
            read_event(seen, field.inside, at_ns);
            event = true;
        } else if (field.number == 12)
            read_interned(seen, field.inside);
        else if (field.number == 13)
            flags = field.value;
        else if (field.number == 60)
            read_track(seen, field.inside);
        else
            fail_msg("field %u in a packet", field.number);
    }
    assert_int_equal(sequence, 1);
    assert_int_equal(flags, first ? 1 : event ? 2 : 0); /* what is interned: cleared, needed */
}

static struct seen read_trace(const struct ts_story *story)
{
    static struct seen seen;
    struct ts_buf bytes = {0};
    seen = (struct seen){0};
    assert_int_equal(ts_trace_print(story, &bytes), TS_OK);
    struct reader reader = {bytes.data, bytes.data + bytes.size};
    while (reader.at < reader.end) {
        const struct field field = read_field(&reader);
        assert_int_equal(field.number, 1);
        read_packet(&seen, field.inside);
    }
    ts_buf_free(&bytes);
    return seen;
}

static void add(struct ts_story *story, enum ts_story_track track, int64_t from_ns, int64_t to_ns,
                const char *name)
{
    assert_int_equal(ts_story_add(story, track, from_ns, to_ns, name), TS_OK);
}

static void test_reads_back(void **state)
{
    (void)state;
    struct ts_story story = {.result = {.launch = 7, .app = "Mail"}};
    add(&story, TS_STORY_STYLUS, 1000000000, 1160000000, "on the glass");
    add(&story, TS_STORY_STYLUS, 1150000000, 1150000000, "pick-up");
    add(&story, TS_STORY_CAMERA, INT64_MAX - 1, INT64_MAX, "late");
    const struct seen seen = read_trace(&story);
    assert_int_equal(seen.tracks, 3); /* the launch, stylus, camera */
    assert_int_equal(seen.begins, 2);
    assert_int_equal(seen.ends, 2);
    assert_int_equal(seen.instants, 1);
    assert_non_null(strstr(seen.names, "Launch 7: Mail|"));
    assert_non_null(strstr(seen.names, "on the glass|"));
    assert_non_null(strstr(seen.names, "pick-up|"));
    ts_story_free(&story);
}

/* Slices that overlap stand in lanes; of more than there are lanes, the rest is cut. */
static void test_overlapping(void **state)
{
    (void)state;
    struct ts_story story = {.result = {.launch = 1}};
    for (int i = 0; i < 12; i++)
        add(&story, TS_STORY_CONDITIONING, 100 + i, 200 + i, "command");
    const struct seen seen = read_trace(&story);
    assert_int_equal(seen.tracks, 1 + 8);
    assert_int_equal(seen.begins, seen.ends);
    assert_int_equal(seen.begins, 12);
    assert_int_equal(seen.numbered, 1);
    ts_story_free(&story);
}

static void test_before_zero(void **state)
{
    (void)state;
    struct ts_story story = {.result = {.launch = 1}};
    add(&story, TS_STORY_ANDROID, -5, 10, "before");
    add(&story, TS_STORY_ANDROID, 5, 3, "ends before it begins");
    const struct seen seen = read_trace(&story);
    assert_int_equal(seen.begins, 0);
    assert_int_equal(seen.instants, 1);
    ts_story_free(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_back),
        cmocka_unit_test(test_overlapping),
        cmocka_unit_test(test_before_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
