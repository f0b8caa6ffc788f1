/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static bool decode(struct wire_decoder *decoder, const uint8_t *bytes, size_t size,
                   struct wire_packet *packet)
{
    bool got = false;
    for (size_t i = 0; i < size; i++)
        got |= wire_decode(decoder, bytes[i], packet);
    return got;
}

static struct wire_packet draw(struct ts_rng *rng)
{
    struct wire_packet packet = {.type = (uint8_t)ts_rng_next(rng),
                                 .seq = (uint8_t)ts_rng_next(rng),
                                 .size = (uint8_t)ts_rng_below(rng, WIRE_BODY_MAX + 1)};
    for (uint8_t i = 0; i < packet.size; i++)
        packet.body[i] = ts_rng_below(rng, 3) ? (uint8_t)ts_rng_next(rng) : 0;
    return packet;
}

static void assert_same(const struct wire_packet *a, const struct wire_packet *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->seq, b->seq);
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->body, b->body, a->size);
}

static void test_crc(void **state)
{
    (void)state;
    assert_int_equal(wire_crc((const uint8_t *)"123456789", 9), 0x29b1);
    assert_int_equal(wire_crc(NULL, 0), 0xffff);
}

static void test_round_trips(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 0);
    struct wire_decoder decoder = {0};
    for (int i = 0; i < 20000; i++) {
        const struct wire_packet sent = draw(&rng);
        uint8_t frame[WIRE_FRAME_MAX];
        const size_t size = wire_encode(&sent, frame);
        assert_int_equal(size, sent.size + 4 + 3);
        assert_int_equal(frame[0] | frame[size - 1], 0);
        assert_null(memchr(frame + 1, 0, size - 2));
        struct wire_packet got;
        assert_true(decode(&decoder, frame, size, &got));
        assert_same(&sent, &got);
    }
    assert_int_equal(decoder.errors, 0);
}

/* Any one byte changed to any other value: never a wrong packet, and the next one is whole. */
static void test_damage(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 2, 0);
    struct wire_decoder decoder = {0};
    for (int i = 0; i < 20000; i++) {
        const struct wire_packet sent = draw(&rng);
        uint8_t frame[WIRE_FRAME_MAX];
        const size_t size = wire_encode(&sent, frame);
        const size_t at = 1 + ts_rng_below(&rng, (uint32_t)size - 2);
        frame[at] ^= (uint8_t)(1 + ts_rng_below(&rng, 255));
        struct wire_packet got;
        assert_false(decode(&decoder, frame, size, &got));
        const size_t whole = wire_encode(&sent, frame);
        assert_true(decode(&decoder, frame, whole, &got));
        assert_same(&sent, &got);
    }
    assert_true(decoder.errors >= 20000);
}

static void test_resync(void **state)
{
    (void)state;
    struct wire_decoder decoder = {0};
    const struct wire_packet sent = {.type = WIRE_LED, .seq = 3, .size = 1, .body = {2}};
    uint8_t frame[WIRE_FRAME_MAX];
    const size_t size = wire_encode(&sent, frame);
    struct wire_packet got;
    /* From the middle of a frame, and after a flood without a zero. */
    assert_false(decode(&decoder, frame + 4, size - 4, &got));
    assert_int_equal(decoder.errors, 1);
    assert_true(decode(&decoder, frame, size, &got));
    for (int i = 0; i < 1000; i++)
        assert_false(wire_decode(&decoder, 0x55, &got));
    assert_int_equal(decoder.errors, 2);
    assert_true(decode(&decoder, frame, size, &got));
    /* Two frames may share a zero. */
    assert_true(decode(&decoder, frame + 1, size - 1, &got));
    assert_int_equal(decoder.errors, 2);
    decoder.errors = UINT16_MAX;
    assert_false(decode(&decoder, frame + 4, size - 4, &got));
    assert_int_equal(decoder.errors, UINT16_MAX);
}

static void test_bodies(void **state)
{
    (void)state;
    struct wire_packet packet;
    const struct wire_hello hello = {1, WIRE_BOARD_MEGA, 0xbeef, WIRE_TICK_HZ, "0.1.0"};
    struct wire_hello hello_got;
    wire_put_hello(&packet, &hello);
    assert_true(wire_get_hello(&packet, &hello_got));
    assert_memory_equal(&hello, &hello_got, sizeof hello);

    const struct wire_pong pong = {0x1234, 0x89abcdef, 0x01020304};
    struct wire_pong pong_got;
    wire_put_pong(&packet, &pong);
    assert_true(wire_get_pong(&packet, &pong_got));
    assert_int_equal(pong_got.nonce, pong.nonce);
    assert_int_equal(pong_got.rx_ticks, pong.rx_ticks);
    assert_int_equal(pong_got.tx_ticks, pong.tx_ticks);
    assert_false(wire_get_hello(&packet, &hello_got));

    const struct wire_status status = {1, 2, 3, 1, 0x1122, 0x3344, 0x5566, 0x778899aa};
    struct wire_status status_got;
    wire_put_status(&packet, &status);
    assert_true(wire_get_status(&packet, &status_got));
    assert_memory_equal(&status, &status_got, offsetof(struct wire_status, rx_errors));
    assert_int_equal(status_got.rx_errors, status.rx_errors);
    assert_int_equal(status_got.tx_dropped, status.tx_dropped);
    assert_int_equal(status_got.samples_missed, status.samples_missed);
    assert_int_equal(status_got.now_ticks, status.now_ticks);

    struct wire_edge edge;
    wire_put_edge(&packet, &(struct wire_edge){WIRE_EDGE_PLATE, 1, 0xfedcba98});
    assert_true(wire_get_edge(&packet, &edge));
    assert_true(edge.kind == WIRE_EDGE_PLATE && edge.state == 1 && edge.ticks == 0xfedcba98);

    struct wire_ack ack;
    wire_put_ack(&packet, &(struct wire_ack){9, WIRE_LATCHED});
    assert_true(wire_get_ack(&packet, &ack));
    assert_true(ack.seq == 9 && ack.code == WIRE_LATCHED);

    struct wire_state now;
    struct wire_fault fault;
    wire_put_state(&packet, &(struct wire_state){WIRE_HELD, 5});
    assert_true(wire_get_state(&packet, &now) && now.state == WIRE_HELD && now.ticks == 5);
    assert_false(wire_get_fault(&packet, &fault));
    wire_put_fault(&packet, &(struct wire_fault){WIRE_FAULT_STALL, 6});
    assert_true(wire_get_fault(&packet, &fault) && fault.code == WIRE_FAULT_STALL);
    assert_int_equal(fault.ticks, 6);
}

static void test_samples(void **state)
{
    (void)state;
    struct wire_packet packet;
    struct wire_samples samples = {.ticks = 0xdeadbeef}, got;
    for (uint8_t count = 0; count <= WIRE_SAMPLES_PER_BLOCK; count++) {
        samples.count = count;
        for (uint8_t i = 0; i < count; i++)
            samples.value[i] = (uint16_t)(1023 - i);
        wire_put_samples(&packet, &samples);
        assert_true(packet.size <= WIRE_BODY_MAX);
        assert_true(wire_get_samples(&packet, &got));
        assert_int_equal(got.ticks, samples.ticks);
        assert_int_equal(got.count, count);
        assert_memory_equal(got.value, samples.value, 2u * count);
        packet.size--;
        assert_false(wire_get_samples(&packet, &got));
    }
    packet.size = 47;
    packet.body[4] = 21;
    assert_false(wire_get_samples(&packet, &got));
}

static void test_noise(void **state)
{
    (void)state;
    struct wire_packet packet;
    struct wire_noise noise = {.ticks = 0xfeedf00d}, got;
    for (uint8_t count = 0; count <= WIRE_INTERVALS_PER_BLOCK; count++) {
        noise.count = count;
        for (uint8_t i = 0; i < count; i++)
            noise.interval[i] = (uint8_t)(255 - i);
        wire_put_noise(&packet, &noise);
        assert_true(packet.size <= WIRE_BODY_MAX);
        assert_true(wire_get_noise(&packet, &got));
        assert_int_equal(got.ticks, noise.ticks);
        assert_int_equal(got.count, count);
        assert_memory_equal(got.interval, noise.interval, count);
        packet.size--;
        assert_false(wire_get_noise(&packet, &got));
    }
    packet.size = 5 + 33;
    packet.body[4] = 33;
    assert_false(wire_get_noise(&packet, &got));
    packet.type = WIRE_SAMPLES;
    assert_false(wire_get_noise(&packet, &got));
}

static void test_power(void **state)
{
    (void)state;
    struct wire_packet packet;
    struct wire_power power = {.ticks = 0xfeedf00d}, got;
    for (uint8_t count = 0; count <= WIRE_POWERS_PER_BLOCK; count++) {
        power.count = count;
        for (uint8_t i = 0; i < count; i++) {
            power.after[i] = (uint16_t)(65535 - i);
            power.shunt[i] = (int16_t)(i % 2 ? -32768 + i : 32767 - i);
            power.bus[i] = (uint16_t)(3200 + i);
        }
        wire_put_power(&packet, &power);
        assert_true(packet.size <= WIRE_BODY_MAX);
        assert_true(wire_get_power(&packet, &got));
        assert_int_equal(got.ticks, power.ticks);
        assert_int_equal(got.count, count);
        assert_memory_equal(got.after, power.after, count * sizeof *got.after);
        assert_memory_equal(got.shunt, power.shunt, count * sizeof *got.shunt);
        assert_memory_equal(got.bus, power.bus, count * sizeof *got.bus);
        packet.size--;
        assert_false(wire_get_power(&packet, &got));
    }
    packet.size = 5 + 6 * 8;
    packet.body[4] = 8;
    assert_false(wire_get_power(&packet, &got));
    packet.type = WIRE_NOISE_IS;
    assert_false(wire_get_power(&packet, &got));
}

/* The page's worked exchange is what the code sends. */
static void test_page(void **state)
{
    (void)state;
    struct wire_packet packets[6] = {{.type = WIRE_TAP, .seq = 7, .size = 2, .body = {0xff, 0x19}}};
    wire_put_ack(&packets[1], &(struct wire_ack){7, WIRE_DONE});
    wire_put_pong(&packets[2], &(struct wire_pong){0x1234, 2000000, 2000345});
    wire_put_noise(&packets[3], &(struct wire_noise){2400000, 3, {1, 2, 9}});
    wire_put_power(&packets[4],
                   &(struct wire_power){2400000, 2, {0, 2478}, {830, -4}, {3112, 3120}});
    wire_put_state(&packets[5], &(struct wire_state){WIRE_DROPPING, 2300016});
    for (uint8_t i = 1; i < 6; i++)
        packets[i].seq = (uint8_t)(0x11 + i);
    FILE *page = fopen(TS_SOURCE_DIR "/firmware/wire/PROTOCOL.md", "r");
    assert_non_null(page);
    char line[512];
    size_t seen = 0;
    while (fgets(line, sizeof line, page)) {
        if (strncmp(line, "    00 ", 7) != 0 || strchr(line, '('))
            continue;
        assert_true(seen < 6);
        uint8_t frame[WIRE_FRAME_MAX];
        const size_t size = wire_encode(&packets[seen++], frame);
        char expected[3 * WIRE_FRAME_MAX + 8] = "   ";
        for (size_t i = 0; i < size; i++)
            snprintf(expected + 3 + 3 * i, 4, " %02x", frame[i]);
        line[strcspn(line, "\n")] = 0;
        assert_string_equal(line, expected);
    }
    fclose(page);
    assert_int_equal(seen, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc),    cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_resync),
        cmocka_unit_test(test_bodies), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_noise),  cmocka_unit_test(test_power),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
