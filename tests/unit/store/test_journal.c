/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include <string.h>

#define ROUNDS 3000

/* Printing what was read gives the same bytes: nothing is lost, whatever a line holds. */
static void same_reading(const struct ts_meter_reading *a, const struct ts_meter_reading *b)
{
    assert_int_equal(a->pid, b->pid);
    assert_memory_equal(&a->cpu_ms, &b->cpu_ms, sizeof a->cpu_ms);
    assert_memory_equal(&a->network_bytes, &b->network_bytes, sizeof a->cpu_ms);
    assert_memory_equal(&a->memory_kb, &b->memory_kb, sizeof a->cpu_ms);
}

static void check_again(const struct ts_buf *line)
{
    struct ts_journal_entry entry;
    struct ts_why why = {""};
    struct ts_buf again = {0};
    if (ts_journal_parse((const char *)line->data, line->size, &entry, &why))
        fail_msg("%s: %.*s", why.text, (int)line->size, (const char *)line->data);
    if (entry.kind == TS_JOURNAL_ITEM && entry.item.kind == TS_ITEM_FRAME) {
        struct ts_frame frame = {.sequence = entry.frame_sequence};
        assert_null(entry.item.u.frame);
        entry.item.u.frame = &frame;
        assert_int_equal(ts_journal_put_item(&again, &entry.item), 0);
    } else if (entry.kind == TS_JOURNAL_ITEM) {
        assert_int_equal(ts_journal_put_item(&again, &entry.item), 0);
    } else if (entry.kind == TS_JOURNAL_COMMAND) {
        assert_int_equal(ts_journal_put_command(&again, &entry.command), 0);
    } else {
        assert_int_equal(ts_journal_put_intent(&again, &entry.intent), 0);
    }
    assert_int_equal(again.size, line->size);
    assert_memory_equal(again.data, line->data, line->size);
    ts_buf_free(&again);
    ts_journal_entry_free(&entry);
}

static void test_every_kind_comes_back(void **state)
{
    struct ts_rng rng;
    struct ts_buf line = {0};
    (void)state;
    ts_rng_seed(&rng, 11, 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct ts_item item;
        struct ts_command command;
        struct ts_evidence_intent intent;
        example_item(&rng, (uint64_t)i, &item);
        ts_buf_clear(&line);
        assert_int_equal(ts_journal_put_item(&line, &item), 0);
        check_again(&line);
        example_command(&rng, (uint32_t)i, &command);
        ts_buf_clear(&line);
        assert_int_equal(ts_journal_put_command(&line, &command), 0);
        check_again(&line);
        example_intent(&rng, i, &intent);
        ts_buf_clear(&line);
        assert_int_equal(ts_journal_put_intent(&line, &intent), 0);
        check_again(&line);
    }
    struct ts_frame frame = {.sequence = UINT32_MAX};
    const struct ts_item item = {.sequence = 3, .kind = TS_ITEM_FRAME, .u.frame = &frame};
    ts_buf_clear(&line);
    assert_int_equal(ts_journal_put_item(&line, &item), 0);
    check_again(&line);
    ts_buf_free(&line);
}

/* The round trip above would not see a field that is neither printed nor read. */
static void test_intent_fields_come_back(void **state)
{
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 12, 0);
    for (int i = 0; i < 200; i++) {
        struct ts_evidence_intent intent;
        struct ts_journal_entry entry;
        struct ts_buf line = {0};
        struct ts_why why;
        example_intent(&rng, i, &intent);
        assert_int_equal(ts_journal_put_intent(&line, &intent), 0);
        assert_int_equal(ts_journal_parse((const char *)line.data, line.size, &entry, &why), 0);
        const struct ts_evidence_intent *read = &entry.intent;
        assert_int_equal(read->launch, intent.launch);
        assert_string_equal(read->app, intent.app);
        assert_string_equal(read->component, intent.component);
        assert_int_equal(read->start, intent.start);
        assert_true(read->tap_sent.ns == intent.tap_sent.ns);
        assert_true(read->watch_ended.ns == intent.watch_ended.ns);
        assert_int_equal(read->timed_out, intent.timed_out);
        assert_int_equal(read->app_uid, intent.app_uid);
        assert_int_equal(read->app_pid, intent.app_pid);
        assert_string_equal(read->focus_before, intent.focus_before);
        assert_string_equal(read->focus_after, intent.focus_after);
        assert_int_equal(read->metered, intent.metered);
        if (intent.metered) {
            same_reading(&read->readings.before, &intent.readings.before);
            same_reading(&read->readings.after, &intent.readings.after);
        }
        const struct ts_conditions *a = &read->conditions, *b = &intent.conditions;
        assert_string_equal(a->package_version, b->package_version);
        assert_string_equal(a->apk_hash, b->apk_hash);
        assert_string_equal(a->compiler_filter, b->compiler_filter);
        assert_string_equal(a->network, b->network);
        assert_string_equal(a->observers, b->observers);
        /* NAN stays NAN; the sign of it is of no account. */
#define SAME(member) assert_true(a->member == b->member || (isnan(a->member) && isnan(b->member)))
        SAME(battery_percent);
        SAME(temperature_c);
        SAME(brightness);
        SAME(refresh_before_hz);
        SAME(refresh_after_hz);
        SAME(animation_scale[0]);
        SAME(animation_scale[1]);
        SAME(animation_scale[2]);
        assert_int_equal(a->thermal_status, b->thermal_status);
        assert_int_equal(a->night_mode, b->night_mode);
        assert_int_equal(a->rotation, b->rotation);
        ts_journal_entry_free(&entry);
        ts_buf_free(&line);
    }
}

static void test_the_bytes_are_these(void **state)
{
    struct ts_buf line = {0};
    (void)state;
    const struct ts_item mcu = {
        .sequence = 17,
        .arrival = {123456789},
        .kind = TS_ITEM_MCU,
        .u.mcu = {.type = 133, .size = 2, .body = {0, 0xab}, .boot_id = 4711}};
    assert_int_equal(ts_journal_put_item(&line, &mcu), 0);
    const struct ts_command shell = {9, TS_COMMAND_PHONE_SHELL, {.shell = "am force-stop com.x"}};
    assert_int_equal(ts_journal_put_command(&line, &shell), 0);
    const struct ts_item bytes = {.kind = TS_ITEM_LINE, .u.line = {TS_STREAM_LOG, "\xff"}};
    assert_int_equal(ts_journal_put_item(&line, &bytes), 0);
    const char *expected =
        "{\"i\":17,\"t\":123456789,\"k\":\"mcu\",\"type\":133,\"body\":\"00ab\",\"boot\":4711}\n"
        "{\"c\":9,\"k\":\"shell\",\"text\":\"am force-stop com.x\"}\n"
        "{\"i\":0,\"t\":0,\"k\":\"line\",\"stream\":\"log\",\"text\":{\"hex\":\"ff\"}}\n";
    assert_int_equal(line.size, strlen(expected));
    assert_memory_equal(line.data, expected, line.size);
    ts_buf_free(&line);
}

static void test_wrong_lines_are_refused(void **state)
{
    static const struct {
        const char *line, *word; /* a word of the explanation */
    } cases[] = {
        {"", "not JSON"},
        {"[]", "object"},
        {"{\"i\":1,\"t\":2,\"k\":\"frame\"}", "seq"},
        {"{\"i\":-1,\"t\":2,\"k\":\"frame\",\"seq\":1}", "\"i\""},
        {"{\"i\":1,\"t\":2.5,\"k\":\"frame\",\"seq\":1}", "\"t\""},
        {"{\"i\":1,\"t\":99999999999999999999,\"k\":\"frame\",\"seq\":1}", "not JSON"},
        {"{\"i\":1,\"t\":2,\"k\":\"frame\",\"seq\":4294967296}", "seq"},
        {"{\"i\":1,\"t\":2,\"k\":\"\"}", "\"k\""},
        {"{\"i\":1,\"t\":2,\"k\":\"thing\"}", "frame mcu line"},
        {"{\"i\":1,\"t\":2,\"k\":\"mcu\",\"type\":256,\"body\":\"\",\"boot\":1}", "type"},
        {"{\"i\":1,\"t\":2,\"k\":\"mcu\",\"type\":1,\"body\":\"0\",\"boot\":1}", "body"},
        {"{\"i\":1,\"t\":2,\"k\":\"mcu\",\"type\":1,\"body\":\"0g\",\"boot\":1}", "body"},
        {"{\"i\":1,\"t\":2,\"k\":\"line\",\"stream\":\"log\",\"text\":5}", "text"},
        {"{\"i\":1,\"t\":2,\"k\":\"line\",\"stream\":\"log\",\"text\":{\"hex\":\"6100\"}}", "zero"},
        {"{\"i\":1,\"t\":2,\"k\":\"line\",\"stream\":\"log\",\"text\":\"\\u0000\"}", "not JSON"},
        {"{\"i\":1,\"i\":1,\"t\":2,\"k\":\"frame\",\"seq\":1}", "uplicate"},
        {"{\"i\":1,\"t\":2,\"k\":\"done\",\"command\":1,\"status\":1,\"exit\":0,\"text\":\"\"}",
         "status"},
        {"{\"c\":1,\"k\":\"camera\",\"on\":1}", "true or false"},
        {"{\"n\":\"other\"}", "intent"},
        {"{}", "\"n\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_journal_entry entry;
        struct ts_why why = {""};
        const int err = ts_journal_parse(cases[i].line, strlen(cases[i].line), &entry, &why);
        if (err != TS_EPROTO || !strstr(why.text, cases[i].word))
            fail_msg("%s: %d \"%s\"", cases[i].line, err, why.text);
        ts_journal_entry_free(&entry);
    }
    char body[160] = "{\"c\":1,\"k\":\"mcu\",\"type\":1,\"body\":\"";
    memset(body + strlen(body), '0', 2 * TS_MCU_BODY_MAX + 2);
    strcat(body, "\"}");
    struct ts_journal_entry entry;
    assert_int_equal(ts_journal_parse(body, strlen(body), &entry, NULL), TS_EPROTO);
}

static void test_unknown_keys_are_passed_over(void **state)
{
    static const char line[] = "{\"c\":3,\"later\":[{}],\"k\":\"deadline\",\"at\":-7}";
    struct ts_journal_entry entry;
    struct ts_why why;
    (void)state;
    assert_int_equal(ts_journal_parse(line, sizeof line - 1, &entry, &why), 0);
    assert_int_equal(entry.command.id, 3);
    assert_int_equal(entry.command.u.at.ns, -7);
    ts_journal_entry_free(&entry);
}

/* A line that cannot be printed leaves none of its beginning behind. */
static void test_no_half_lines(void **state)
{
    struct ts_buf line = {0};
    struct ts_item item = {.kind = TS_ITEM_MCU, .u.mcu = {.size = TS_MCU_BODY_MAX + 1}};
    (void)state;
    assert_int_equal(ts_journal_put_item(&line, &item), TS_EINVAL);
    item = (struct ts_item){.kind = (enum ts_item_kind)77};
    assert_int_equal(ts_journal_put_item(&line, &item), TS_EINVAL);
    assert_int_equal(line.size, 0);
    ts_buf_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_comes_back),
        cmocka_unit_test(test_intent_fields_come_back),
        cmocka_unit_test(test_the_bytes_are_these),
        cmocka_unit_test(test_wrong_lines_are_refused),
        cmocka_unit_test(test_unknown_keys_are_passed_over),
        cmocka_unit_test(test_no_half_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
