/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/proto.h"

#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_EIGHT = 1, WIRE_LENGTH = 2 };

static void put(struct ts_proto *out, const void *bytes, size_t size)
{
    if (!out->err && size)
        out->err = ts_buf_append(&out->bytes, bytes, size);
}

static void put_varint(struct ts_proto *out, uint64_t value)
{
    uint8_t bytes[10];
    size_t size = 0;
    for (; value > 0x7f; value >>= 7)
        bytes[size++] = (uint8_t)(value | 0x80);
    bytes[size++] = (uint8_t)value;
    put(out, bytes, size);
}

static void put_key(struct ts_proto *out, unsigned field, enum wire wire)
{
    put_varint(out, (uint64_t)field << 3 | wire);
}

void ts_proto_number(struct ts_proto *out, unsigned field, uint64_t value)
{
    put_key(out, field, WIRE_VARINT);
    put_varint(out, value);
}

void ts_proto_double(struct ts_proto *out, unsigned field, double value)
{
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    put_key(out, field, WIRE_EIGHT);
    put(out, bytes, sizeof bytes);
}

void ts_proto_text(struct ts_proto *out, unsigned field, const char *text)
{
    put_key(out, field, WIRE_LENGTH);
    put_varint(out, strlen(text));
    put(out, text, strlen(text));
}

void ts_proto_message(struct ts_proto *out, unsigned field, struct ts_proto *inner)
{
    put_key(out, field, WIRE_LENGTH);
    put_varint(out, inner->bytes.size);
    put(out, inner->bytes.data, inner->bytes.size);
    if (!out->err)
        out->err = inner->err;
    ts_buf_clear(&inner->bytes);
}
