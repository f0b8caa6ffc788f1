/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which port the board is on, and what a person is told who has it not. */
#include "proxy.h"
#include "session.h"

#include <string.h>
#include <unistd.h>

static void finds_the_one_that_answers(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_BRIDGED);
    board_plug(BOARD_MEGA);
    board_plug(BOARD_UNO);
    board_mute(BOARD_BRIDGED, true); /* a bridge with something else behind it */
    board_mute(BOARD_UNO, true);
    session_open(&session, "auto");
    assert_int_equal(session.board, WIRE_BOARD_MEGA);
    session_close(&session);
}

static void finds_by_what_is_said(void **state)
{
    (void)state;
    static const char *const specs[] = {"usb:2341:0043:RIG0001", "usb:2341:0043", "/dev/ttyACM0"};
    struct session session;
    uint32_t boot_id = 0;
    board_plug(BOARD_UNO);
    board_plug(BOARD_MEGA);
    for (int i = 0; i < 3; i++) {
        session_open(&session, specs[i]);
        assert_int_equal(session.board, WIRE_BOARD_UNO);
        assert_true(session.boot_id != boot_id); /* opening has reset it */
        boot_id = session.boot_id;
        session_close(&session);
    }
    assert_int_equal(session_try(&session, "usb:2341:0043:RIG0002"), TS_EIO);
    assert_non_null(strstr(session.why.text, "/dev/ttyACM0 (usb:2341:0043:RIG0001)"));
    assert_int_equal(session_try(&session, "/dev/ttyACM7"), TS_EIO);
    assert_int_equal(session_try(&session, "usb:2341"), TS_EINVAL);
    assert_int_equal(session_try(&session, "usb:2341:0043RIG"), TS_EINVAL);
    assert_int_equal(session_try(&session, "ttyACM0"), TS_EINVAL);
}

static void names_both_of_two(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    board_plug(BOARD_MEGA);
    assert_int_equal(session_try(&session, "auto"), TS_EIO);
    assert_non_null(strstr(session.why.text, "/dev/ttyACM0 (serial number RIG0001)"));
    assert_non_null(strstr(session.why.text, "/dev/ttyACM1 (serial number RIG0002)"));
}

static void says_that_none_is_there(void **state)
{
    (void)state;
    struct session session;
    assert_int_equal(session_try(&session, "auto"), TS_EIO);
    assert_non_null(strstr(session.why.text, "none"));
}

static void says_that_none_answers(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    board_mute(BOARD_UNO, true);
    assert_int_equal(session_try(&session, "auto"), TS_EIO);
    assert_non_null(strstr(session.why.text, "nothing on /dev/ttyACM0 answers"));
}

static void says_that_it_may_not(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    board_permit(BOARD_UNO, false);
    const uid_t me = geteuid();
    if (me == 0)
        assert_int_equal(seteuid(65534), 0);
    const int err = session_try(&session, "auto");
    if (me == 0)
        assert_int_equal(seteuid(me), 0);
    assert_int_equal(err, TS_EIO);
    assert_non_null(strstr(session.why.text, "no permission on /dev/ttyACM0"));
}

static void keeps_others_away(void **state)
{
    (void)state;
    struct session session, other;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    assert_int_equal(session_try(&other, "auto"), TS_EIO);
    assert_non_null(strstr(other.why.text, "in use"));
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_OK);
    session_close(&session);
}

static void says_that_nobody_serves(void **state)
{
    (void)state;
    struct session session;
    assert_int_equal(session_try(&session, "tcp:127.0.0.1:1"), TS_EIO);
    assert_non_null(strstr(session.why.text, "tcp:127.0.0.1:1: Connection refused"));
    static const char *const wrong[] = {"tcp:", "tcp:host", "tcp::5", "tcp:host:", "tcp:[]:5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(session_try(&session, wrong[i]) < 0);
}

static void says_that_the_firmware_is_another(void **state)
{
    (void)state;
    struct session session;
    struct wire_packet packet = {0};
    uint8_t bytes[WIRE_FRAME_MAX];
    char spec[32];
    struct proxy *proxy = proxy_open("/dev/null", spec);
    assert_non_null(proxy);
    wire_put_hello(&packet, &(struct wire_hello){WIRE_VERSION + 8, WIRE_BOARD_UNO, 3, 1, "x"});
    proxy_greet_with(proxy, bytes, wire_encode(&packet, bytes));
    assert_int_equal(session_try(&session, spec), TS_EIO);
    assert_non_null(strstr(session.why.text, "speaks version 9"));
    proxy_close(proxy);
}

static int tests(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, session_unplug_all)
    const struct CMUnitTest all[] = {
        TEST(finds_the_one_that_answers),
        TEST(finds_by_what_is_said),
        TEST(names_both_of_two),
        TEST(says_that_none_is_there),
        TEST(says_that_none_answers),
        TEST(says_that_it_may_not),
        TEST(keeps_others_away),
        TEST(says_that_nobody_serves),
        TEST(says_that_the_firmware_is_another),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return boards_main(argv, tests);
}
