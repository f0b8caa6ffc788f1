/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `logcat -B`: entries of every age, and that what is printed of them is read as logcat's own. */
#include "android/logcat.h"
#include "android/logcat_binary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

struct bytes {
    uint8_t data[512];
    size_t size;
};

static void put(struct bytes *bytes, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        bytes->data[bytes->size++] = (uint8_t)(value >> (8 * i));
}

static void put_text(struct bytes *bytes, const char *text, size_t size)
{
    memcpy(bytes->data + bytes->size, text, size);
    bytes->size += size;
}

/* head 20, 24 or 28; 0: the first version, whose field for it was not used. */
static struct bytes entry(unsigned head, int buffer, const void *payload, size_t size)
{
    struct bytes bytes = {0};
    put(&bytes, size, 2);
    put(&bytes, head, 2);
    put(&bytes, 1622, 4);
    put(&bytes, 1779, 4);
    put(&bytes, 1700000000, 4);
    put(&bytes, 123456789, 4);
    if (head >= 24)
        put(&bytes, (uint64_t)buffer, 4);
    if (head >= 28)
        put(&bytes, 1000, 4);
    while (head && bytes.size < head)
        put(&bytes, 0xee, 1); /* of a version to come */
    put_text(&bytes, payload, size);
    return bytes;
}

static const char *print(const struct bytes *bytes, bool events, struct ts_buf *out)
{
    struct ts_logcat_entry read;
    assert_int_equal(ts_logcat_binary_read(bytes->data, bytes->size, &read), bytes->size);
    ts_buf_clear(out);
    assert_int_equal(ts_logcat_binary_print(&read, events, out), TS_OK);
    assert_int_equal(ts_buf_append(out, "", 1), TS_OK);
    return (const char *)out->data;
}

static const char displayed[] = "\x04"
                                "ActivityTaskManager\0"
                                "Displayed com.app/.Main for user 0: +661ms";

static void texts(void **state)
{
    (void)state;
    static const struct {
        unsigned head;
        const char *line;
    } cases[] = {
        {0, "         1700000000.123456789  1622  1779 I ActivityTaskManager: "},
        {20, "         1700000000.123456789  1622  1779 I ActivityTaskManager: "},
        {24, "         1700000000.123456789  1622  1779 I ActivityTaskManager: "},
        {28, "         1700000000.123456789  1000  1622  1779 I ActivityTaskManager: "},
        {40, "         1700000000.123456789  1000  1622  1779 I ActivityTaskManager: "},
    };
    struct ts_buf out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bytes bytes = entry(cases[i].head, 3, displayed, sizeof displayed);
        const char *line = print(&bytes, false, &out);
        assert_memory_equal(line, cases[i].line, strlen(cases[i].line));
        assert_string_equal(line + strlen(cases[i].line),
                            "Displayed com.app/.Main for user 0: +661ms\n");
        struct ts_log_event event;
        assert_int_equal(ts_logcat_parse_event(line, strlen(line), &event), TS_OK);
        assert_int_equal(event.kind, TS_LOG_DISPLAYED);
        assert_true(event.duration_ms == 661);
        assert_true(event.line.stamp_ns == INT64_C(1700000000123456789));
        assert_int_equal(event.line.uid, cases[i].head >= 28 ? 1000 : -1);
    }
    /* Every line of a message has its head, so none can be taken for another's. */
    static const char two[] = "\x05x\0one\ntwo\n";
    const struct bytes bytes = entry(24, 0, two, sizeof two);
    assert_string_equal(print(&bytes, false, &out),
                        "         1700000000.123456789  1622  1779 W x       : one\n"
                        "         1700000000.123456789  1622  1779 W x       : two\n");
    ts_buf_free(&out);
}

static struct bytes launch_time(void)
{
    struct bytes payload = {0};
    put(&payload, 30009, 4);
    put(&payload, 3, 1);
    put(&payload, 4, 1);
    put(&payload, 0, 1);
    put(&payload, 0, 4);
    put(&payload, 1, 1);
    put(&payload, 107658451, 8);
    put(&payload, 2, 1);
    put(&payload, 13, 4);
    put_text(&payload, "com.app/.Main", 13);
    put(&payload, 1, 1);
    put(&payload, 661, 8);
    return payload;
}

static void events(void **state)
{
    (void)state;
    struct ts_buf out = {0};
    const struct bytes payload = launch_time();
    for (int said = 0; said < 2; said++) { /* by the entry, or by who asked for the buffer */
        const struct bytes bytes = entry(said ? 28 : 20, 2, payload.data, payload.size);
        const char *line = print(&bytes, true, &out);
        assert_non_null(strstr(line, "I am_activity_launch_time: "
                                     "[0,107658451,com.app/.Main,661]\n"));
        struct ts_log_event event;
        assert_int_equal(ts_logcat_parse_event(line, strlen(line), &event), TS_OK);
        assert_int_equal(event.kind, TS_LOG_LAUNCH_TIME);
        assert_true(event.duration_ms == 661);
    }
    static const uint8_t odd[] = {7,    0,    0,    0,    3, 2, 3, 1, 0,
                                  0xff, 0xff, 0xff, 0xff, 4, 0, 0, 0, 0x3f};
    const struct bytes nested = entry(28, 2, odd, sizeof odd);
    assert_non_null(strstr(print(&nested, false, &out), "I 7       : [[-1],0.500000]\n"));
    struct bytes name = {0};
    put(&name, 4711, 4);
    put(&name, 2, 1);
    put(&name, 3, 4);
    put_text(&name, "a\nb", 3);
    const struct bytes bytes = entry(28, 2, name.data, name.size);
    assert_non_null(strstr(print(&bytes, false, &out), "I 4711    : a?b\n"));
    ts_buf_free(&out);
}

static void bad_bytes(void **state)
{
    (void)state;
    struct ts_logcat_entry read;
    struct ts_buf out = {0};
    struct bytes good = entry(28, 3, displayed, sizeof displayed);
    for (size_t size = 0; size < good.size; size++)
        assert_int_equal(ts_logcat_binary_read(good.data, size, &read), 0);
    struct bytes bad = good;
    bad.data[2] = 19;
    assert_int_equal(ts_logcat_binary_read(bad.data, bad.size, &read), TS_EPROTO);
    bad = good;
    bad.data[1] = 0x7f;
    assert_int_equal(ts_logcat_binary_read(bad.data, bad.size, &read), TS_EPROTO);
    bad = good;
    bad.data[19] = 0xff;
    assert_int_equal(ts_logcat_binary_read(bad.data, bad.size, &read), TS_EPROTO);
    const struct bytes payload = launch_time();
    for (size_t size = 0; size < payload.size; size++) {
        const struct bytes cut = entry(28, 2, payload.data, size);
        assert_int_equal(ts_logcat_binary_read(cut.data, cut.size, &read), cut.size);
        assert_int_equal(ts_logcat_binary_print(&read, false, &out), TS_EPROTO);
        assert_int_equal(out.size, 0);
    }
    static const char *const texts_bad[] = {"\x04no end of the tag", "\x09x\0y"};
    for (size_t i = 0; i < 2; i++) {
        const struct bytes bytes = entry(28, 0, texts_bad[i], i ? 4 : 18);
        assert_int_equal(ts_logcat_binary_read(bytes.data, bytes.size, &read), bytes.size);
        assert_int_equal(ts_logcat_binary_print(&read, false, &out), TS_EPROTO);
    }
    ts_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(events),
        cmocka_unit_test(bad_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
