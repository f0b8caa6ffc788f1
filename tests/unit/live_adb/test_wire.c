/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The adb server's words, shell packets, and the open shell's answers. */
#include "live_adb/script.h"
#include "live_adb/shell_v2.h"
#include "live_adb/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const uint8_t *bytes(const char *text)
{
    return (const uint8_t *)text;
}

static void requests(void **state)
{
    (void)state;
    struct ts_buf out = {0};
    assert_int_equal(ts_adb_request(&out, "host:version"), TS_OK);
    assert_int_equal(out.size, 16);
    assert_memory_equal(out.data, "000chost:version", 16);
    assert_int_equal(ts_adb_request(&out, ""), TS_EINVAL);
    char *big = malloc(0x10001);
    memset(big, 'a', 0x10000);
    big[0x10000] = '\0';
    assert_int_equal(ts_adb_request(&out, big), TS_EINVAL);
    big[0xffff] = '\0';
    assert_int_equal(ts_adb_request(&out, big), TS_OK);
    assert_memory_equal(out.data + 16, "ffffaaaa", 8);
    free(big);
    ts_buf_free(&out);
}

static void answers(void **state)
{
    (void)state;
    struct ts_adb_text text;
    static const char fail[] = "FAIL0006closedmore";
    assert_int_equal(ts_adb_read_status(bytes("OKAYrest"), 8, &text), 4);
    assert_null(text.at);
    assert_int_equal(ts_adb_read_status(bytes(fail), sizeof fail - 1, &text), 14);
    assert_int_equal(text.size, 6);
    assert_memory_equal(text.at, "closed", 6);
    for (size_t size = 0; size < 14; size++)
        assert_int_equal(ts_adb_read_status(bytes(fail), size, &text), 0);
    assert_int_equal(ts_adb_read_status(bytes("OKA"), 3, &text), 0);
    assert_int_equal(ts_adb_read_status(bytes("FAIL00x"), 7, &text), TS_EPROTO);
    assert_int_equal(ts_adb_read_status(bytes("HTTP"), 4, &text), TS_EPROTO);
    assert_int_equal(ts_adb_read_status(bytes("X"), 1, &text), TS_EPROTO);
    assert_int_equal(ts_adb_read_block(bytes("0000"), 4, &text), 4);
    assert_int_equal(text.size, 0);
    assert_int_equal(ts_adb_read_block(bytes("000Aabcdefghij"), 14, &text), 14);
    assert_int_equal(ts_adb_read_block(bytes("-001a"), 5, &text), TS_EPROTO);
}

static void device_lists(void **state)
{
    (void)state;
    static const char list[] =
        "0123456789ABCDEF       device usb:1-1 product:p model:Pixel_4a device:d transport_id:1\n"
        "127.0.0.1:40001\tunauthorized\n"
        "R58M offline transport_id:3\r\n"
        "????????????           no permissions (user in plugdev group; see [http://x]) usb:1-2\n"
        "emulator-5554 recovery\n"
        "lonely\n"
        "\n"
        "abc authorizing";
    struct ts_adb_device devices[8];
    assert_int_equal(ts_adb_read_devices((struct ts_adb_text){list, strlen(list)}, devices, 8), 6);
    assert_string_equal(devices[0].serial, "0123456789ABCDEF");
    assert_string_equal(devices[0].model, "Pixel_4a");
    static const enum ts_adb_state states[] = {TS_ADB_READY,   TS_ADB_UNAUTHORIZED,
                                               TS_ADB_OFFLINE, TS_ADB_NO_PERMISSION,
                                               TS_ADB_OTHER,   TS_ADB_OFFLINE};
    for (int i = 0; i < 6; i++)
        assert_int_equal(devices[i].state, states[i]);
    assert_string_equal(devices[1].model, "");
    assert_int_equal(ts_adb_read_devices((struct ts_adb_text){list, strlen(list)}, devices, 2), 6);
    const struct ts_adb_text features = {"cmd,shell_v2,stat_v2", 20};
    assert_true(ts_adb_has_feature(features, "shell_v2"));
    assert_true(ts_adb_has_feature(features, "stat_v2"));
    assert_false(ts_adb_has_feature(features, "shell"));
    assert_false(ts_adb_has_feature((struct ts_adb_text){0}, "shell_v2"));
}

static void shell_packets(void **state)
{
    (void)state;
    struct ts_buf out = {0};
    struct ts_shell_v2_packet packet;
    assert_int_equal(ts_shell_v2_write(&out, TS_SHELL_V2_STDOUT, "hello", 5), TS_OK);
    assert_int_equal(ts_shell_v2_write(&out, TS_SHELL_V2_EXIT, "\x07", 1), TS_OK);
    assert_int_equal(out.size, 16);
    for (size_t size = 0; size < 10; size++)
        assert_int_equal(ts_shell_v2_read(out.data, size, &packet), 0);
    assert_int_equal(ts_shell_v2_read(out.data, out.size, &packet), 10);
    assert_int_equal(packet.kind, TS_SHELL_V2_STDOUT);
    assert_int_equal(packet.size, 5);
    assert_memory_equal(packet.data, "hello", 5);
    assert_int_equal(ts_shell_v2_read(out.data + 10, 6, &packet), 6);
    assert_int_equal(packet.data[0], 7);
    assert_int_equal(ts_shell_v2_read(bytes("\x03\x02\0\0\0ab"), 7, &packet), TS_EPROTO);
    assert_int_equal(ts_shell_v2_read(bytes("\x01\0\0\0\xff"), 5, &packet), TS_EPROTO);
    assert_int_equal(ts_shell_v2_read(bytes("\x63\x01\0\0\0a"), 6, &packet), 6);
    ts_buf_free(&out);
}

static size_t read_answer(const char *text, unsigned number, struct ts_adb_answer *answer)
{
    return ts_adb_script_answer(bytes(text), strlen(text), number, answer);
}

static void shell_answers(void **state)
{
    (void)state;
    struct ts_adb_answer answer;
    int code;
    assert_int_equal(read_answer("out\nput\n@@5 1\nrest", 5, &answer), 14);
    assert_int_equal(answer.body_size, 7);
    assert_int_equal(ts_adb_script_read_exit(&answer, &code), TS_OK);
    assert_int_equal(code, 1);
    assert_int_equal(read_answer("@@5 0\n", 5, &answer), 6);
    assert_int_equal(answer.body_size, 0);
    assert_int_equal(read_answer("@@5 0", 5, &answer), 0);
    assert_int_equal(read_answer("@@4 0\n@@55 0\nx@@5 0\n", 5, &answer), 0);
    assert_int_equal(read_answer("", 5, &answer), 0);
    assert_true(read_answer("@@5 256\n", 5, &answer) > 0);
    assert_int_equal(ts_adb_script_read_exit(&answer, &code), TS_EPROTO);
    assert_true(read_answer("@@5 \n", 5, &answer) > 0);
    assert_int_equal(ts_adb_script_read_exit(&answer, &code), TS_EPROTO);
}

static void shell_clocks(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "@@1 \n",     "@@1 1700000000\n",          "@@1 1700000000.\n",   "@@1 17.5x\n",
        "@@1 -1.5\n", "@@1 1700000000.123456 2\n", "@@1 99999999999.1\n", "@@1 1.1234567890\n"};
    struct ts_adb_answer answer;
    struct ts_item_clock clock = {.t1 = {1000}, .t4 = {2000}};
    assert_true(read_answer("@@1 1700000000.123456\r\n", 1, &answer) > 0);
    assert_int_equal(ts_adb_script_read_real(&answer, &clock), TS_OK);
    assert_true(clock.t2 == INT64_C(1700000000123456000) && clock.t3 == clock.t2);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(read_answer(bad[i], 1, &answer) > 0);
        assert_int_equal(ts_adb_script_read_real(&answer, &clock), TS_EPROTO);
        assert_int_equal(ts_adb_script_read_up(&answer, &clock), TS_EPROTO);
    }
    /* The phone waited for 7 ms: so much later it is as if it had been asked. */
    assert_true(read_answer("@@1 17.100000 17.107000 4711.23\n", 1, &answer) > 0);
    assert_int_equal(ts_adb_script_read_up(&answer, &clock), TS_OK);
    assert_int_equal(clock.t1.ns, 1000 + 7000000);
    assert_true(clock.t2 == INT64_C(4711230000000));
    assert_true(read_answer("@@1 17.100000 17.007000 4711.23\n", 1, &answer) > 0);
    assert_int_equal(ts_adb_script_read_up(&answer, &clock), TS_ETIMEOUT);
    assert_true(read_answer("@@1 17.100000 18.107000 4711.23\n", 1, &answer) > 0);
    assert_int_equal(ts_adb_script_read_up(&answer, &clock), TS_ETIMEOUT);
}

static void sleep_since_boot(void **state)
{
    (void)state;
    int64_t slept_ns;
    assert_int_equal(ts_adb_script_read_slept("Applications Graphics Acceleration Info:\n"
                                              "Uptime: 1000 Realtime: 1500\n",
                                              &slept_ns),
                     TS_OK);
    assert_true(slept_ns == 500000000);
    assert_int_equal(ts_adb_script_read_slept("Uptime: 1500 Realtime: 1000\n", &slept_ns),
                     TS_EPROTO);
    assert_int_equal(ts_adb_script_read_slept("No process found for: x\n", &slept_ns), TS_EPROTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests),         cmocka_unit_test(answers),
        cmocka_unit_test(device_lists),     cmocka_unit_test(shell_packets),
        cmocka_unit_test(shell_answers),    cmocka_unit_test(shell_clocks),
        cmocka_unit_test(sleep_since_boot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
