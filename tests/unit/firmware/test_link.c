/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes to the host by itself: samples, clock readings, edges. */
#include "bed.h"

#include "core/app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_gaps_are_counted(void **state)
{
    (void)state;
    assert_int_equal(bed_command(WIRE_STREAM, 1, "\x01", 1), WIRE_DONE);
    bed_run(20, REST);
    script.tx_room = 20; /* too little for a block, enough for an event */
    bed_run(20, REST);
    script.tx_room = 255;
    bed_run(20, REST);
    struct wire_packet packet;
    struct wire_samples samples;
    unsigned gap = 0, blocks = 0;
    int last = -1;
    uint32_t due = 0;
    while (bed.read_at < script.tx_size) {
        if (!wire_decode(&bed.decoder, script.tx[bed.read_at++], &packet))
            continue;
        if (last >= 0)
            gap += (uint8_t)(packet.seq - last - 1);
        last = packet.seq;
        if (!wire_get_samples(&packet, &samples))
            continue;
        assert_int_equal(samples.count, WIRE_SAMPLES_PER_BLOCK);
        assert_true(blocks == 0 || (samples.ticks - due) % WIRE_SAMPLE_TICKS == 0);
        due = samples.ticks + samples.count * WIRE_SAMPLE_TICKS;
        blocks++;
    }
    assert_true(gap >= 3);
    bed_send(WIRE_STATUS, 0, "", 0);
    fw_poll();
    struct wire_status status;
    assert_true(bed_receive(WIRE_STATUS_IS, &packet) && wire_get_status(&packet, &status));
    assert_int_equal(status.tx_dropped, gap);
}

/* A sample that does not follow in time begins a new block. */
static void test_hole_in_samples(void **state)
{
    (void)state;
    assert_int_equal(bed_command(WIRE_STREAM, 1, "\x01", 1), WIRE_DONE);
    bed_run(2, REST);
    script.now += 3 * WIRE_SAMPLE_TICKS;
    const uint32_t after = script.now + WIRE_SAMPLE_TICKS;
    bed_run(5, REST);
    struct wire_packet packet;
    struct wire_samples samples;
    assert_true(bed_receive(WIRE_SAMPLES, &packet) && wire_get_samples(&packet, &samples));
    assert_int_equal(samples.count, 8);
    assert_true(bed_receive(WIRE_SAMPLES, &packet) && wire_get_samples(&packet, &samples));
    assert_int_equal(samples.ticks, after);
}

static void test_pong_waits_for_idle(void **state)
{
    (void)state;
    bed.pinging = false;
    script.tx_busy = true;
    script.rx_opened = 12345;
    bed_send(WIRE_PING, 0, "\xcd\xab", 2);
    script.now = 20000;
    assert_true(fw_poll());
    struct wire_packet packet;
    assert_false(bed_receive(WIRE_PONG, &packet));
    script.now = 20500;
    script.tx_busy = false;
    assert_false(fw_poll());
    struct wire_pong pong;
    assert_true(bed_receive(WIRE_PONG, &packet) && wire_get_pong(&packet, &pong));
    assert_int_equal(pong.nonce, 0xabcd);
    assert_int_equal(pong.rx_ticks, 12345);
    assert_int_equal(pong.tx_ticks, 20500);
}

static void test_edges(void **state)
{
    (void)state;
    script.edges[0] = (struct board_edge){100, BOARD_PLATE};
    script.edges[1] = (struct board_edge){200, BOARD_PLATE | BOARD_PHOTO1};
    script.edges[2] = (struct board_edge){300, BOARD_PHOTO0};
    script.edge_in = 3;
    fw_poll();
    static const struct wire_edge expected[] = {
        {WIRE_EDGE_PLATE, 1, 100},  {WIRE_EDGE_PHOTO1, 1, 200}, {WIRE_EDGE_PLATE, 0, 300},
        {WIRE_EDGE_PHOTO0, 1, 300}, {WIRE_EDGE_PHOTO1, 0, 300},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct wire_packet packet;
        struct wire_edge edge;
        assert_true(bed_receive(WIRE_EDGE, &packet) && wire_get_edge(&packet, &edge));
        assert_int_equal(edge.kind, expected[i].kind);
        assert_int_equal(edge.state, expected[i].state);
        assert_int_equal(edge.ticks, expected[i].ticks);
    }
}

static unsigned noise_told(uint8_t *next)
{
    struct wire_packet packet;
    struct wire_noise noise;
    unsigned told = 0;
    while (bed_receive(WIRE_NOISE_IS, &packet)) {
        assert_true(wire_get_noise(&packet, &noise));
        for (uint8_t i = 0; i < noise.count; i++)
            assert_int_equal(noise.interval[i], (*next)++);
        told += noise.count;
    }
    return told;
}

/* As many intervals as were asked for, none twice; room for events stays, and a tap ends it. */
static void test_noise(void **state)
{
    (void)state;
    bed.pinging = false;
    uint8_t next = 0;
    assert_int_equal(bed_command(WIRE_NOISE, 1, "\x41\x00", 2), WIRE_DONE);
    for (int i = 0; i < 5; i++)
        fw_poll();
    bed.read_at = 0;
    assert_int_equal(noise_told(&next), 65);
    assert_int_equal(script.interval, 96); /* three runs, the last one told in part */

    assert_int_equal(bed_command(WIRE_NOISE, 2, "\x41", 1), WIRE_BAD_ARGUMENT);
    script.tx_room = WIRE_FRAME_MAX + 95;
    assert_int_equal(bed_command(WIRE_NOISE, 3, "\x20\x00", 2), WIRE_DONE);
    fw_poll();
    assert_int_equal(noise_told(&next), 0);
    script.tx_room = 255;
    next = script.interval;
    fw_poll();
    assert_int_equal(noise_told(&next), 32);

    assert_int_equal(bed_command(WIRE_NOISE, 4, "\xff\xff", 2), WIRE_DONE);
    assert_int_equal(bed_command(WIRE_NOISE, 5, "\x00\x00", 2), WIRE_DONE);
    noise_told(&next);
    fw_poll();
    assert_int_equal(noise_told(&next), 0);

    assert_int_equal(bed_command(WIRE_NOISE, 6, "\xff\xff", 2), WIRE_DONE);
    assert_int_equal(bed_command(WIRE_HOME, 7, "", 0), WIRE_DONE);
    noise_told(&next);
    for (int i = 0; i < 5; i++)
        fw_poll();
    assert_int_equal(noise_told(&next), 0);
    assert_int_equal(bed_command(WIRE_NOISE, 8, "\x01\x00", 2), WIRE_BAD_STATE);
}

/* A clock reading waits for the transmitter, and noise waits for the clock reading. */
static void test_noise_lets_pings_pass(void **state)
{
    (void)state;
    bed.pinging = false;
    uint8_t next = 0;
    script.tx_busy = true;
    bed_send(WIRE_PING, 0, "\xcd\xab", 2);
    assert_int_equal(bed_command(WIRE_NOISE, 1, "\xff\xff", 2), WIRE_DONE);
    fw_poll();
    assert_int_equal(noise_told(&next), 0);
    script.tx_busy = false;
    struct wire_packet packet;
    fw_poll();
    assert_true(bed_receive(WIRE_PONG, &packet));
    fw_poll();
    assert_true(noise_told(&next) >= 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_gaps_are_counted, bed_setup),
        cmocka_unit_test_setup(test_hole_in_samples, bed_setup),
        cmocka_unit_test_setup(test_pong_waits_for_idle, bed_setup),
        cmocka_unit_test_setup(test_edges, bed_setup),
        cmocka_unit_test_setup(test_noise, bed_setup),
        cmocka_unit_test_setup(test_noise_lets_pings_pass, bed_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
