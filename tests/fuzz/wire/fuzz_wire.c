/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes from the wire into the decoder and into every reader; then, past the CRC, which no
 * mutation would get right, the bytes as a body. */
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static union {
    struct wire_hello hello;
    struct wire_pong pong;
    struct wire_status status;
    struct wire_ack ack;
    struct wire_edge edge;
    struct wire_state state;
    struct wire_samples samples;
    struct wire_fault fault;
    struct wire_noise noise;
    struct wire_power power;
} got;

static void read_all(const struct wire_packet *packet)
{
    int read = wire_get_hello(packet, &got.hello) + wire_get_pong(packet, &got.pong) +
               wire_get_status(packet, &got.status) + wire_get_ack(packet, &got.ack) +
               wire_get_edge(packet, &got.edge) + wire_get_state(packet, &got.state) +
               wire_get_fault(packet, &got.fault);
    if (wire_get_samples(packet, &got.samples)) {
        read++;
        if (got.samples.count > WIRE_SAMPLES_PER_BLOCK)
            abort();
    }
    if (wire_get_noise(packet, &got.noise)) {
        read++;
        if (got.noise.count > WIRE_INTERVALS_PER_BLOCK)
            abort();
    }
    if (wire_get_power(packet, &got.power)) {
        read++;
        if (got.power.count > WIRE_POWERS_PER_BLOCK)
            abort();
        struct wire_packet again;
        wire_put_power(&again, &got.power);
        if (again.size != packet->size || memcmp(again.body, packet->body, again.size) != 0)
            abort();
    }
    if (read > 1)
        abort();
}

/* What is encoded comes back. */
static void round_trip(const struct wire_packet *packet)
{
    uint8_t frame[WIRE_FRAME_MAX];
    struct wire_decoder decoder = {0};
    struct wire_packet back = {0};
    bool whole = false;
    const size_t size = wire_encode(packet, frame);
    for (size_t i = 0; i < size; i++)
        whole |= wire_decode(&decoder, frame[i], &back);
    if (!whole || back.type != packet->type || back.seq != packet->seq ||
        back.size != packet->size || memcmp(back.body, packet->body, packet->size) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_decoder decoder = {0};
    struct wire_packet packet = {0};
    for (size_t i = 0; i < size; i++) {
        if (!wire_decode(&decoder, data[i], &packet))
            continue;
        if (packet.size > WIRE_BODY_MAX)
            abort();
        read_all(&packet);
    }
    if (size < 2)
        return 0;
    packet.type = data[0];
    packet.seq = data[1];
    packet.size = (uint8_t)(size - 2 < WIRE_BODY_MAX ? size - 2 : WIRE_BODY_MAX);
    memcpy(packet.body, data + 2, packet.size);
    read_all(&packet);
    round_trip(&packet);
    return 0;
}
