/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's end of the MCU link against a board made of a few lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/common/link.h"
#include "wire/wire.h"

#include <string.h>

#define BYTE_NS 20000

struct world {
    struct ts_link *link;
    struct ts_host_time now;
    struct wire_decoder decoder;
    struct wire_packet heard[64]; /* what the board received */
    size_t heard_count;
    struct ts_item items[64];
    size_t item_count;
    uint8_t board_sequence;
};

static int on_write(void *context, const uint8_t *bytes, size_t size)
{
    struct world *world = context;
    for (size_t i = 0; i < size; i++) {
        if (wire_decode(&world->decoder, bytes[i], &world->heard[world->heard_count]))
            world->heard_count++;
    }
    return TS_OK;
}

static void on_item(void *context, const struct ts_item *item)
{
    struct world *world = context;
    world->items[world->item_count++] = *item;
}

static void board_says(struct world *world, struct wire_packet *packet)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    packet->seq = ++world->board_sequence;
    const size_t size = wire_encode(packet, bytes);
    ts_link_bytes(world->link, world->now, bytes, size);
}

static void board_greets(struct world *world, uint16_t boot_id)
{
    struct wire_packet packet;
    const struct wire_hello hello = {WIRE_VERSION, WIRE_BOARD_HOST, boot_id, WIRE_TICK_HZ, "test"};
    wire_put_hello(&packet, &hello);
    board_says(world, &packet);
}

static void board_acks(struct world *world, uint8_t sequence, uint8_t code)
{
    struct wire_packet packet;
    const struct wire_ack ack = {sequence, code};
    wire_put_ack(&packet, &ack);
    board_says(world, &packet);
}

static void later(struct world *world, int64_t ms)
{
    world->now.ns += ms * TS_NS_PER_MS;
    ts_link_poll(world->link, world->now);
}

static struct ts_command send_led(uint32_t id)
{
    return (struct ts_command){
        .id = id, .kind = TS_COMMAND_MCU_SEND, .u.mcu = {.type = WIRE_LED, .size = 1, .body = {3}}};
}

static int setup(void **state)
{
    static const struct ts_link_ops ops = {on_write, on_item};
    static struct world world;
    world = (struct world){.now = {1000 * TS_NS_PER_MS}};
    *state = &world;
    return ts_link_create(&ops, &world, &world.link);
}

static int teardown(void **state)
{
    ts_link_destroy(((struct world *)*state)->link);
    return 0;
}

static void greets_until_answered(void **state)
{
    struct world *world = *state;
    const struct ts_command led = send_led(1);
    assert_int_equal(ts_link_start(world->link, world->now), TS_OK);
    assert_int_equal(ts_link_command(world->link, world->now, &led), TS_OK);
    later(world, 41);
    later(world, 41);
    assert_int_equal(world->heard_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(world->heard[i].type, WIRE_HELLO); /* the command waits */
    board_greets(world, 7);
    assert_int_equal(world->heard_count, 4);
    assert_int_equal(world->heard[3].type, WIRE_LED);
}

static void start(struct world *world)
{
    assert_int_equal(ts_link_start(world->link, world->now), TS_OK);
    board_greets(world, 7);
    assert_int_equal(world->item_count, 1); /* who the board is, for the evidence */
    assert_int_equal(world->items[0].u.mcu.type, WIRE_HELLO_IS);
    world->heard_count = 0;
    world->item_count = 0;
}

static void repeats_a_command_with_the_same_number(void **state)
{
    struct world *world = *state;
    start(world);
    const struct ts_command first = send_led(1), second = send_led(2);
    assert_int_equal(ts_link_command(world->link, world->now, &first), TS_OK);
    assert_int_equal(ts_link_command(world->link, world->now, &second), TS_OK);
    later(world, 41);
    assert_int_equal(world->heard_count, 2);
    assert_int_equal(world->heard[0].seq, world->heard[1].seq);
    const uint8_t sequence = world->heard[0].seq;
    board_acks(world, sequence, WIRE_DONE);
    assert_int_equal(world->item_count, 1);
    assert_int_equal(world->items[0].u.done.command, 1);
    assert_int_equal(world->items[0].u.done.status, TS_OK);
    board_acks(world, sequence, WIRE_DONE); /* the answer to the repetition ends nothing more */
    assert_int_equal(world->item_count, 1);
    assert_int_equal(world->heard_count, 3);
    assert_int_not_equal(world->heard[2].seq, sequence);
    board_acks(world, world->heard[2].seq, WIRE_LATCHED);
    assert_int_equal(world->items[1].u.done.status, TS_ELATCHED);
}

static void gives_up_on_a_silent_board(void **state)
{
    struct world *world = *state;
    start(world);
    const struct ts_command led = send_led(9);
    assert_int_equal(ts_link_command(world->link, world->now, &led), TS_OK);
    for (int i = 0; i < TS_LINK_RESENDS + 1; i++)
        later(world, 41);
    assert_int_equal(world->heard_count, TS_LINK_RESENDS);
    assert_int_equal(world->item_count, 2);
    assert_int_equal(world->items[0].u.fault.fault, TS_FAULT_MCU_LOST);
    assert_int_equal(world->items[1].u.done.status, TS_ETIMEOUT);
    assert_int_equal(ts_link_deadline_ns(world->link), INT64_MAX);
}

static void takes_wire_time_out_of_readings(void **state)
{
    struct world *world = *state;
    start(world);
    const struct ts_command read = {
        .id = 5, .kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_MCU};
    const int64_t sent_ns = world->now.ns;
    assert_int_equal(ts_link_command(world->link, world->now, &read), TS_OK);
    assert_int_equal(world->heard[0].type, WIRE_PING);
    struct wire_packet packet;
    const struct wire_pong pong = {
        (uint16_t)(world->heard[0].body[0] | world->heard[0].body[1] << 8), 4000, 4200};
    wire_put_pong(&packet, &pong);
    uint8_t bytes[WIRE_FRAME_MAX];
    packet.seq = ++world->board_sequence;
    const size_t size = wire_encode(&packet, bytes);
    world->now.ns += 2 * TS_NS_PER_MS;
    ts_link_bytes(world->link, world->now, bytes, size);
    assert_int_equal(world->item_count, 2);
    const struct ts_item_clock *clock = &world->items[0].u.clock;
    assert_int_equal(world->items[0].kind, TS_ITEM_CLOCK);
    assert_true(clock->t1.ns == sent_ns + BYTE_NS);
    assert_true(clock->t4.ns == world->now.ns - (int64_t)size * BYTE_NS);
    assert_int_equal(clock->t2, 4000);
    assert_int_equal(clock->t3, 4200);
    assert_int_equal(world->items[1].u.done.command, 5);
}

static void ends_a_reading_that_is_not_answered(void **state)
{
    struct world *world = *state;
    start(world);
    const struct ts_command read = {
        .id = 6, .kind = TS_COMMAND_CLOCK_READ, .u.clock = TS_CLOCK_MCU};
    assert_int_equal(ts_link_command(world->link, world->now, &read), TS_OK);
    assert_true(ts_link_deadline_ns(world->link) == world->now.ns + TS_LINK_PING_TIMEOUT_NS);
    later(world, 401);
    assert_int_equal(world->item_count, 1);
    assert_int_equal(world->items[0].u.done.status, TS_ETIMEOUT);
}

static void tells_of_a_missing_message_and_of_a_reboot(void **state)
{
    struct world *world = *state;
    start(world);
    struct wire_packet packet;
    const struct wire_state held = {WIRE_HELD, 99};
    wire_put_state(&packet, &held);
    board_says(world, &packet);
    assert_int_equal(world->item_count, 1);
    world->board_sequence += 2; /* two packets never arrived */
    board_says(world, &packet);
    assert_int_equal(world->item_count, 3);
    assert_int_equal(world->items[1].u.fault.fault, TS_FAULT_MCU_GAP);
    assert_int_equal(world->items[1].u.fault.detail, 2);
    board_greets(world, 8);
    assert_int_equal(world->items[3].u.fault.fault, TS_FAULT_MCU_RESET);
}

static void a_full_queue_refuses(void **state)
{
    struct world *world = *state;
    start(world);
    int err = TS_OK;
    uint32_t id = 0;
    while (!err && id < 100) {
        const struct ts_command led = send_led(++id);
        err = ts_link_command(world->link, world->now, &led);
    }
    assert_int_equal(err, TS_EOVERRUN);
    assert_int_equal(id, 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(greets_until_answered, setup, teardown),
        cmocka_unit_test_setup_teardown(repeats_a_command_with_the_same_number, setup, teardown),
        cmocka_unit_test_setup_teardown(gives_up_on_a_silent_board, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_wire_time_out_of_readings, setup, teardown),
        cmocka_unit_test_setup_teardown(ends_a_reading_that_is_not_answered, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_of_a_missing_message_and_of_a_reboot, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_full_queue_refuses, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
