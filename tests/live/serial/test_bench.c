/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seam with a real serial port behind it, and no camera nor phone: what control sees of a tap,
 * and of a cable that is pulled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/live/camera.h"
#include "bench/live/phone.h"
#include "boards.h"
#include "live_bench/live.h"
#include "wire/wire.h"

#include <string.h>

/* Linked, and never called. */
int ts_camera_open(const char *spec, struct ts_inbox *inbox, struct ts_camera **out,
                   struct ts_why *why)
{
    (void)inbox;
    (void)out;
    return ts_fail(why, TS_ENOTSUP, "no camera %s", spec);
}

int ts_phone_open(const char *spec, struct ts_inbox *inbox, struct ts_phone **out,
                  struct ts_why *why)
{
    (void)inbox;
    (void)out;
    return ts_fail(why, TS_ENOTSUP, "no phone %s", spec);
}

int ts_phone_install(const char *spec, const char *path, struct ts_why *why)
{
    return ts_fail(why, TS_ENOTSUP, "no phone %s for %s", spec, path);
}

int ts_phone_put_package(const char *spec, const char *path, const char *to, struct ts_why *why)
{
    return ts_fail(why, TS_ENOTSUP, "no phone %s for %s at %s", spec, path, to);
}

int ts_phone_submit(struct ts_phone *phone, const struct ts_command *command)
{
    (void)phone;
    (void)command;
    return TS_ENOTSUP;
}

void ts_phone_close(struct ts_phone *phone)
{
    (void)phone;
}

struct seen {
    uint64_t sequence;
    int64_t last_ns;
    uint32_t done; /* the command that ended last */
    int status;
    unsigned states, clocks, lost, greetings;
};

static void take(struct ts_bench *bench, struct seen *seen)
{
    struct ts_item item;
    assert_int_equal(ts_bench_next(bench, &item), TS_OK);
    assert_int_equal(item.sequence, seen->sequence + 1);
    assert_true(item.arrival.ns >= seen->last_ns);
    seen->sequence = item.sequence;
    seen->last_ns = item.arrival.ns;
    if (item.kind == TS_ITEM_DONE) {
        seen->done = item.u.done.command;
        seen->status = item.u.done.status;
    }
    if (item.kind == TS_ITEM_MCU && item.u.mcu.type == WIRE_STATE)
        seen->states |= 1u << item.u.mcu.body[0];
    seen->greetings += item.kind == TS_ITEM_MCU && item.u.mcu.type == WIRE_HELLO_IS;
    seen->clocks += item.kind == TS_ITEM_CLOCK;
    seen->lost += item.kind == TS_ITEM_FAULT && item.u.fault.fault == TS_FAULT_MCU_LOST;
}

static int order(struct ts_bench *bench, struct seen *seen, const struct ts_command *command)
{
    assert_int_equal(ts_bench_submit(bench, command), TS_OK);
    while (seen->done != command->id)
        take(bench, seen);
    return seen->status;
}

/* As control does: a reading, and the deadline of the next. One that a busy computer answers too
 * late is not there, and nothing else comes of it. */
static void read_clocks_until(struct ts_bench *bench, struct seen *seen, enum wire_tap_state state,
                              uint32_t *id)
{
    seen->states = 0;
    while (!(seen->states & 1u << state)) {
        struct ts_command command = {++*id, TS_COMMAND_CLOCK_READ, {.clock = TS_CLOCK_MCU}};
        const int status = order(bench, seen, &command);
        assert_true(status == TS_OK || status == TS_ETIMEOUT);
        command = (struct ts_command){
            ++*id, TS_COMMAND_DEADLINE, {.at = {seen->last_ns + 50 * TS_NS_PER_MS}}};
        assert_int_equal(order(bench, seen, &command), TS_OK);
    }
}

static void taps_and_bears_a_pulled_cable(void **state)
{
    (void)state;
    const struct ts_bench_config config = {.options = "mcu=auto,camera=none,phone=none"};
    struct ts_bench *bench;
    struct seen seen = {0};
    struct ts_why why;
    uint32_t id = 0;
    board_plug(BOARD_UNO);
    if (ts_bench_live.open(&config, &bench, &why))
        fail_msg("%s", why.text);
    struct ts_command command = {.id = ++id, .kind = TS_COMMAND_MCU_SEND};
    command.u.mcu.type = WIRE_HOME;
    assert_int_equal(order(bench, &seen, &command), TS_OK);
    read_clocks_until(bench, &seen, WIRE_HELD, &id);
    command.id = ++id;
    command.u.mcu.type = WIRE_TAP;
    command.u.mcu.size = 2;
    memcpy(command.u.mcu.body, "\xa0\x3c", 2);
    assert_int_equal(order(bench, &seen, &command), TS_OK);
    read_clocks_until(bench, &seen, WIRE_HELD, &id);
    assert_true(seen.states & 1u << WIRE_CONTACT);
    assert_true(seen.clocks > 3);
    board_unplug(BOARD_UNO);
    command.id = ++id; /* another tap, which waits for the board, and finds its stylus not held */
    assert_int_equal(ts_bench_submit(bench, &command), TS_OK);
    while (!seen.lost)
        take(bench, &seen);
    board_plug(BOARD_UNO);
    while (seen.done != id)
        take(bench, &seen);
    assert_true(seen.status == TS_EIO || seen.status == TS_EINVAL);
    while (seen.greetings < 2)
        take(bench, &seen);
    assert_int_equal(seen.lost, 1);
    struct ts_item item;
    while (ts_bench_next(bench, &item) == TS_OK)
        assert_int_equal(item.kind, TS_ITEM_MCU); /* nothing else is open */
    ts_bench_close(bench);
}

static int tests(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(taps_and_bears_a_pulled_cable)};
    return cmocka_run_group_tests(all, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return boards_main(argv, tests);
}
