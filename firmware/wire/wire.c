/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire/wire.h"

#include <string.h>

static void put16(uint8_t *out, uint16_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *out, uint32_t value)
{
    put16(out, (uint16_t)value);
    put16(out + 2, (uint16_t)(value >> 16));
}

static uint16_t get16(const uint8_t *in)
{
    return (uint16_t)(in[0] | (uint16_t)in[1] << 8);
}

static uint32_t get32(const uint8_t *in)
{
    return get16(in) | (uint32_t)get16(in + 2) << 16;
}

/* One byte into a CRC-16/CCITT-FALSE, eight bits at a time: a table would cost the board 512 bytes
 * of flash and the bitwise loop four times the cycles. */
static uint16_t crc_byte(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)((crc >> 8) ^ byte);
    x = (uint8_t)(x ^ (x >> 4));
    return (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)((uint16_t)x << 12) ^
                      (uint16_t)((uint16_t)x << 5) ^ x);
}

uint16_t wire_crc(const uint8_t *data, size_t size)
{
    uint16_t crc = 0xffff;
    for (size_t i = 0; i < size; i++)
        crc = crc_byte(crc, data[i]);
    return crc;
}

/* A COBS writer over a frame: `code` is where the distance to the next zero will go. */
struct cobs {
    uint8_t *out;
    uint8_t code, at;
};

static void cobs_put(struct cobs *cobs, uint8_t byte)
{
    if (byte != 0) {
        cobs->out[cobs->at++] = byte;
        return;
    }
    cobs->out[cobs->code] = (uint8_t)(cobs->at - cobs->code);
    cobs->code = cobs->at++;
}

size_t wire_encode(const struct wire_packet *packet, uint8_t *out)
{
    struct cobs cobs = {.out = out, .code = 1, .at = 2};
    uint16_t crc = crc_byte(crc_byte(0xffff, packet->type), packet->seq);
    out[0] = 0;
    cobs_put(&cobs, packet->type);
    cobs_put(&cobs, packet->seq);
    for (uint8_t i = 0; i < packet->size; i++) {
        crc = crc_byte(crc, packet->body[i]);
        cobs_put(&cobs, packet->body[i]);
    }
    cobs_put(&cobs, (uint8_t)crc);
    cobs_put(&cobs, (uint8_t)(crc >> 8));
    /* The closing zero ends the last run as any other zero does. */
    cobs_put(&cobs, 0);
    out[cobs.code] = 0;
    return cobs.at;
}

/* Undoes COBS in place; returns the bytes left, 0 when a distance points past the end. */
static uint8_t cobs_decode(uint8_t *raw, uint8_t size)
{
    uint8_t read = 0, written = 0;
    while (read < size) {
        const uint8_t code = raw[read++];
        if (code - 1 > size - read)
            return 0;
        for (uint8_t i = 1; i < code; i++)
            raw[written++] = raw[read++];
        if (read < size)
            raw[written++] = 0;
    }
    return written;
}

static bool unpack(uint8_t *raw, uint8_t size, struct wire_packet *packet)
{
    size = cobs_decode(raw, size);
    if (size < 4 || wire_crc(raw, (size_t)(size - 2)) != get16(raw + size - 2))
        return false;
    packet->type = raw[0];
    packet->seq = raw[1];
    packet->size = (uint8_t)(size - 4);
    memcpy(packet->body, raw + 2, packet->size);
    return true;
}

static void count_error(struct wire_decoder *decoder)
{
    if (decoder->errors < UINT16_MAX)
        decoder->errors++;
}

bool wire_decode(struct wire_decoder *decoder, uint8_t byte, struct wire_packet *packet)
{
    if (byte != 0) {
        if (decoder->skipping)
            return false;
        if (decoder->used < sizeof decoder->raw) {
            decoder->raw[decoder->used++] = byte;
            return false;
        }
        decoder->skipping = true;
        count_error(decoder);
        return false;
    }
    const uint8_t size = decoder->skipping ? 0 : decoder->used;
    decoder->used = 0;
    decoder->skipping = false;
    if (size == 0)
        return false;
    if (unpack(decoder->raw, size, packet))
        return true;
    count_error(decoder);
    return false;
}

void wire_put_hello(struct wire_packet *packet, const struct wire_hello *hello)
{
    packet->type = WIRE_HELLO_IS;
    packet->size = 8 + sizeof hello->build;
    packet->body[0] = hello->version;
    packet->body[1] = hello->board;
    put16(packet->body + 2, hello->boot_id);
    put32(packet->body + 4, hello->tick_hz);
    memcpy(packet->body + 8, hello->build, sizeof hello->build);
}

bool wire_get_hello(const struct wire_packet *packet, struct wire_hello *hello)
{
    if (packet->type != WIRE_HELLO_IS || packet->size != 8 + sizeof hello->build)
        return false;
    hello->version = packet->body[0];
    hello->board = packet->body[1];
    hello->boot_id = get16(packet->body + 2);
    hello->tick_hz = get32(packet->body + 4);
    memcpy(hello->build, packet->body + 8, sizeof hello->build);
    return true;
}

void wire_put_pong(struct wire_packet *packet, const struct wire_pong *pong)
{
    packet->type = WIRE_PONG;
    packet->size = 10;
    put16(packet->body, pong->nonce);
    put32(packet->body + 2, pong->rx_ticks);
    put32(packet->body + 6, pong->tx_ticks);
}

bool wire_get_pong(const struct wire_packet *packet, struct wire_pong *pong)
{
    if (packet->type != WIRE_PONG || packet->size != 10)
        return false;
    pong->nonce = get16(packet->body);
    pong->rx_ticks = get32(packet->body + 2);
    pong->tx_ticks = get32(packet->body + 6);
    return true;
}

void wire_put_status(struct wire_packet *packet, const struct wire_status *status)
{
    packet->type = WIRE_STATUS_IS;
    packet->size = 14;
    packet->body[0] = status->state;
    packet->body[1] = status->fault;
    packet->body[2] = status->reset_cause;
    packet->body[3] = status->latched;
    put16(packet->body + 4, status->rx_errors);
    put16(packet->body + 6, status->tx_dropped);
    put16(packet->body + 8, status->samples_missed);
    put32(packet->body + 10, status->now_ticks);
}

bool wire_get_status(const struct wire_packet *packet, struct wire_status *status)
{
    if (packet->type != WIRE_STATUS_IS || packet->size != 14)
        return false;
    status->state = packet->body[0];
    status->fault = packet->body[1];
    status->reset_cause = packet->body[2];
    status->latched = packet->body[3];
    status->rx_errors = get16(packet->body + 4);
    status->tx_dropped = get16(packet->body + 6);
    status->samples_missed = get16(packet->body + 8);
    status->now_ticks = get32(packet->body + 10);
    return true;
}

void wire_put_ack(struct wire_packet *packet, const struct wire_ack *ack)
{
    packet->type = WIRE_ACK;
    packet->size = 2;
    packet->body[0] = ack->seq;
    packet->body[1] = ack->code;
}

bool wire_get_ack(const struct wire_packet *packet, struct wire_ack *ack)
{
    if (packet->type != WIRE_ACK || packet->size != 2)
        return false;
    ack->seq = packet->body[0];
    ack->code = packet->body[1];
    return true;
}

void wire_put_edge(struct wire_packet *packet, const struct wire_edge *edge)
{
    packet->type = WIRE_EDGE;
    packet->size = 6;
    packet->body[0] = edge->kind;
    packet->body[1] = edge->state;
    put32(packet->body + 2, edge->ticks);
}

bool wire_get_edge(const struct wire_packet *packet, struct wire_edge *edge)
{
    if (packet->type != WIRE_EDGE || packet->size != 6)
        return false;
    edge->kind = packet->body[0];
    edge->state = packet->body[1];
    edge->ticks = get32(packet->body + 2);
    return true;
}

/* STATE and FAULT have one layout: a code and when. */
static void put_code(struct wire_packet *packet, uint8_t type, uint8_t code, uint32_t ticks)
{
    packet->type = type;
    packet->size = 5;
    packet->body[0] = code;
    put32(packet->body + 1, ticks);
}

static bool get_code(const struct wire_packet *packet, uint8_t type, uint8_t *code, uint32_t *ticks)
{
    if (packet->type != type || packet->size != 5)
        return false;
    *code = packet->body[0];
    *ticks = get32(packet->body + 1);
    return true;
}

void wire_put_state(struct wire_packet *packet, const struct wire_state *state)
{
    put_code(packet, WIRE_STATE, state->state, state->ticks);
}

bool wire_get_state(const struct wire_packet *packet, struct wire_state *state)
{
    return get_code(packet, WIRE_STATE, &state->state, &state->ticks);
}

void wire_put_fault(struct wire_packet *packet, const struct wire_fault *fault)
{
    put_code(packet, WIRE_FAULT, fault->code, fault->ticks);
}

bool wire_get_fault(const struct wire_packet *packet, struct wire_fault *fault)
{
    return get_code(packet, WIRE_FAULT, &fault->code, &fault->ticks);
}

void wire_put_samples(struct wire_packet *packet, const struct wire_samples *samples)
{
    packet->type = WIRE_SAMPLES;
    packet->size = (uint8_t)(5 + 2 * samples->count);
    put32(packet->body, samples->ticks);
    packet->body[4] = samples->count;
    for (uint8_t i = 0; i < samples->count; i++)
        put16(packet->body + 5 + 2 * i, samples->value[i]);
}

bool wire_get_samples(const struct wire_packet *packet, struct wire_samples *samples)
{
    if (packet->type != WIRE_SAMPLES || packet->size < 5)
        return false;
    const uint8_t count = packet->body[4];
    if (count > WIRE_SAMPLES_PER_BLOCK || packet->size != 5 + 2 * count)
        return false;
    samples->ticks = get32(packet->body);
    samples->count = count;
    for (uint8_t i = 0; i < count; i++)
        samples->value[i] = get16(packet->body + 5 + 2 * i);
    return true;
}

void wire_put_noise(struct wire_packet *packet, const struct wire_noise *noise)
{
    packet->type = WIRE_NOISE_IS;
    packet->size = (uint8_t)(5 + noise->count);
    put32(packet->body, noise->ticks);
    packet->body[4] = noise->count;
    memcpy(packet->body + 5, noise->interval, noise->count);
}

bool wire_get_noise(const struct wire_packet *packet, struct wire_noise *noise)
{
    if (packet->type != WIRE_NOISE_IS || packet->size < 5)
        return false;
    const uint8_t count = packet->body[4];
    if (count > WIRE_INTERVALS_PER_BLOCK || packet->size != 5 + count)
        return false;
    noise->ticks = get32(packet->body);
    noise->count = count;
    memcpy(noise->interval, packet->body + 5, count);
    return true;
}

void wire_put_power(struct wire_packet *packet, const struct wire_power *power)
{
    packet->type = WIRE_POWER_IS;
    packet->size = (uint8_t)(5 + 6 * power->count);
    put32(packet->body, power->ticks);
    packet->body[4] = power->count;
    uint8_t *out = packet->body + 5;
    for (uint8_t i = 0; i < power->count; i++, out += 6) {
        put16(out, power->after[i]);
        put16(out + 2, (uint16_t)power->shunt[i]);
        put16(out + 4, power->bus[i]);
    }
}

bool wire_get_power(const struct wire_packet *packet, struct wire_power *power)
{
    if (packet->type != WIRE_POWER_IS || packet->size < 5)
        return false;
    const uint8_t count = packet->body[4];
    if (count > WIRE_POWERS_PER_BLOCK || packet->size != 5 + 6 * count)
        return false;
    power->ticks = get32(packet->body);
    power->count = count;
    const uint8_t *in = packet->body + 5;
    for (uint8_t i = 0; i < count; i++, in += 6) {
        power->after[i] = get16(in);
        power->shunt[i] = (int16_t)get16(in + 2);
        power->bus[i] = get16(in + 4);
    }
    return true;
}
