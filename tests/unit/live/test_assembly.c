/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live bench with devices that are none: who is told what, and in which order items come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fakes.h"
#include "live_bench/live.h"

#include <pty.h>
#include <string.h>
#include <unistd.h>

static int forget(void **state)
{
    (void)state;
    memset(fakes, 0, sizeof fakes);
    return 0;
}

static int try_open(const char *options, struct ts_bench **out, struct ts_why *why)
{
    const struct ts_bench_config config = {.options = options};
    return ts_bench_live.open(&config, out, why);
}

static struct ts_bench *open_bench(const char *options)
{
    struct ts_bench *bench;
    struct ts_why why;
    if (try_open(options, &bench, &why))
        fail_msg("%s", why.text);
    return bench;
}

static void submit(struct ts_bench *bench, const struct ts_command *command)
{
    assert_int_equal(ts_bench_submit(bench, command), TS_OK);
}

static struct ts_item next(struct ts_bench *bench)
{
    struct ts_item item;
    assert_int_equal(ts_bench_next(bench, &item), TS_OK);
    return item;
}

static void is_over(struct ts_bench *bench)
{
    struct ts_item item;
    assert_int_equal(ts_bench_next(bench, &item), TS_EOF);
}

static void opens_what_is_asked_for(void **state)
{
    (void)state;
    struct ts_bench *bench = open_bench("");
    assert_string_equal(fakes[FAKE_MCU].spec, "auto");
    assert_string_equal(fakes[FAKE_CAMERA].spec, "ps3eye");
    assert_string_equal(fakes[FAKE_PHONE].spec, "auto");
    assert_int_equal(ts_bench_camera(bench)->width_px, 320);
    ts_bench_close(bench);
    for (int i = 0; i < FAKES; i++)
        assert_false(fakes[i].open);
    forget(NULL);
    bench =
        open_bench("phone=none,mcu=usb:2341:0043:A1,camera=v4l2:/dev/video2?size=640x480&rate=60");
    assert_string_equal(fakes[FAKE_MCU].spec, "usb:2341:0043:A1");
    assert_string_equal(fakes[FAKE_CAMERA].spec, "v4l2:/dev/video2?size=640x480&rate=60");
    assert_int_equal(fakes[FAKE_PHONE].opened, 0);
    ts_bench_close(bench);
    forget(NULL);
    bench = open_bench("camera=none");
    assert_int_equal(ts_bench_camera(bench)->width_px, 0);
    ts_bench_close(bench);
}

static void refuses_wrong_options(void **state)
{
    (void)state;
    static const char *const wrong[] = {"mcu", "mcu=", "=auto", "seed=1", "mcu=auto,,camera"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ts_bench *bench;
        struct ts_why why = {""};
        assert_int_equal(try_open(wrong[i], &bench, &why), TS_EINVAL);
        assert_true(strlen(why.text) > 10);
    }
    assert_int_equal(fakes[FAKE_CAMERA].opened, 0);
}

static void closes_what_it_had_opened(void **state)
{
    (void)state;
    for (int missing = 0; missing < FAKES; missing++) {
        struct ts_bench *bench;
        struct ts_why why;
        forget(NULL);
        fakes[missing].refuse = true;
        assert_int_equal(try_open("", &bench, &why), TS_EIO);
        assert_non_null(strstr(why.text, "is not there"));
        for (int i = 0; i < FAKES; i++)
            assert_false(fakes[i].open);
    }
}

static void tells_each_device_its_own(void **state)
{
    (void)state;
    static const struct {
        struct ts_command command;
        enum fake whose;
    } table[] = {
        {{.id = 1, .kind = TS_COMMAND_MCU_SEND, .u.mcu = {.type = 5}}, FAKE_MCU},
        {{.id = 2, .kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_MCU}, FAKE_MCU},
        {{.id = 3, .kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_PHONE_REAL}, FAKE_PHONE},
        {{.id = 4, .kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_PHONE_UP}, FAKE_PHONE},
        {{.id = 5, .kind = TS_COMMAND_PHONE_SHELL, .u.shell = "true"}, FAKE_PHONE},
        {{.id = 6, .kind = TS_COMMAND_PHONE_STREAM, .u.stream = TS_STREAM_LOG}, FAKE_PHONE},
        {{.id = 7, .kind = TS_COMMAND_STREAM_END, .u.stream = TS_STREAM_LOG}, FAKE_PHONE},
        {{.id = 8, .kind = TS_COMMAND_CAMERA_SET, .u.camera_on = true}, FAKE_CAMERA},
        {{.id = 9, .kind = TS_COMMAND_CAMERA_SET, .u.camera_on = false}, FAKE_CAMERA},
    };
    struct ts_bench *bench = open_bench("");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct ts_command *command = &table[i].command;
        const struct fake_state *whose = &fakes[table[i].whose];
        const unsigned before = whose->commands;
        submit(bench, command);
        assert_int_equal(whose->commands, before + 1);
        if (table[i].whose == FAKE_CAMERA)
            assert_int_equal(whose->last.u.camera_on, command->u.camera_on);
        else
            assert_int_equal(whose->last.id, command->id);
        const struct ts_item item = next(bench);
        assert_int_equal(item.kind, TS_ITEM_DONE);
        assert_int_equal(item.u.done.command, command->id);
        assert_int_equal(item.u.done.status, TS_OK);
    }
    is_over(bench);
    ts_bench_close(bench);
}

static void says_that_there_is_none(void **state)
{
    (void)state;
    struct ts_bench *bench = open_bench("camera=none,phone=none");
    submit(bench, &(struct ts_command){1, TS_COMMAND_CAMERA_SET, {.camera_on = true}});
    assert_int_equal(next(bench).u.done.status, TS_ENOTSUP);
    submit(bench, &(struct ts_command){2, TS_COMMAND_PHONE_SHELL, {.shell = "true"}});
    assert_int_equal(next(bench).u.done.status, TS_ENOTSUP);
    is_over(bench);
    ts_bench_close(bench);
}

static void keeps_deadlines(void **state)
{
    (void)state;
    struct ts_bench *bench = open_bench("");
    const int64_t now_ns = ts_live_now().ns;
    const struct ts_command commands[] = {
        {1, TS_COMMAND_DEADLINE, {.at = {now_ns + 60 * TS_NS_PER_MS}}},
        {2, TS_COMMAND_DEADLINE, {.at = {now_ns + 30 * TS_NS_PER_MS}}},
        {3, TS_COMMAND_DEADLINE, {.at = {now_ns - TS_NS_PER_S}}},
        {4, TS_COMMAND_CLOCK_READ, {.clock = TS_CLOCK_MCU}},
    };
    for (int i = 0; i < 4; i++)
        submit(bench, &commands[i]);
    uint32_t due = 3; /* 3, 2, 1; the answer of the MCU comes when it comes */
    for (uint64_t i = 1; i <= 4; i++) {
        const struct ts_item item = next(bench);
        assert_int_equal(item.sequence, i);
        if (item.u.done.command == 4)
            continue;
        assert_int_equal(item.u.done.command, due--);
        assert_true(item.arrival.ns >= commands[due].u.at.ns);
        assert_true(item.arrival.ns >= now_ns); /* one that had passed, too */
        assert_true(ts_live_now().ns >= item.arrival.ns);
    }
    is_over(bench);
    ts_bench_close(bench);
}

/* A camera that is on, or an open stream, may always bring something. */
static void is_not_over_while_something_may_come(void **state)
{
    (void)state;
    struct ts_bench *bench = open_bench("");
    submit(bench, &(struct ts_command){1, TS_COMMAND_CAMERA_SET, {.camera_on = true}});
    submit(bench, &(struct ts_command){2, TS_COMMAND_PHONE_STREAM, {.stream = TS_STREAM_LOG}});
    next(bench);
    next(bench);
    const struct ts_item line = {.arrival = {ts_live_now().ns + 20 * TS_NS_PER_MS},
                                 .kind = TS_ITEM_LINE,
                                 .u.line = {TS_STREAM_LOG, "line"}};
    assert_int_equal(ts_inbox_post(fakes[FAKE_PHONE].inbox, &line), TS_OK);
    assert_string_equal(next(bench).u.line.text, "line");
    submit(bench, &(struct ts_command){3, TS_COMMAND_CAMERA_SET, {.camera_on = false}});
    next(bench);
    submit(bench, &(struct ts_command){4, TS_COMMAND_STREAM_END, {.stream = TS_STREAM_LOG}});
    next(bench);
    is_over(bench);
    ts_bench_close(bench);
}

static const struct ts_command lay_the_plate = {
    7, TS_COMMAND_OPERATOR, {.operator_task = TS_OPERATOR_PLATE_ON}};

static void asks_the_operator(void **state)
{
    (void)state;
    int terminal, slave;
    const int kept = dup(STDIN_FILENO);
    assert_int_equal(openpty(&terminal, &slave, NULL, NULL, NULL), 0);
    dup2(slave, STDIN_FILENO);
    struct ts_bench *bench = open_bench("");
    assert_int_equal(write(terminal, "\n", 1), 1); /* before the question: no answer */
    submit(bench, &lay_the_plate);
    assert_int_equal(ts_bench_submit(bench, &lay_the_plate), TS_EINVAL);
    const struct ts_command soon = {
        8, TS_COMMAND_DEADLINE, {.at = {ts_live_now().ns + 50 * TS_NS_PER_MS}}};
    submit(bench, &soon);
    assert_int_equal(next(bench).u.done.command, 8); /* items go on */
    assert_int_equal(write(terminal, "ok\n", 3), 3);
    const struct ts_item done = next(bench);
    assert_int_equal(done.u.done.command, 7);
    assert_int_equal(done.u.done.status, TS_OK);
    submit(bench, &lay_the_plate);
    ts_bench_close(bench); /* with the question open */
    bench = open_bench("");
    submit(bench, &lay_the_plate);
    close(terminal);
    assert_int_equal(next(bench).u.done.status, TS_EOF);
    ts_bench_close(bench);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(slave);
}

static void needs_a_terminal_to_ask(void **state)
{
    (void)state;
    int ends[2];
    const int kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    struct ts_bench *bench = open_bench("");
    assert_int_equal(ts_bench_submit(bench, &lay_the_plate), TS_ENOTSUP);
    is_over(bench);
    ts_bench_close(bench);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, forget)
    const struct CMUnitTest tests[] = {
        TEST(opens_what_is_asked_for),
        TEST(refuses_wrong_options),
        TEST(closes_what_it_had_opened),
        TEST(tells_each_device_its_own),
        TEST(says_that_there_is_none),
        TEST(keeps_deadlines),
        TEST(is_not_over_while_something_may_come),
        TEST(asks_the_operator),
        TEST(needs_a_terminal_to_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
