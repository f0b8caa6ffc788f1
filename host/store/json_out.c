/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct ts_json_out *out, const char *bytes, size_t size)
{
    if (!out->err)
        out->err = ts_buf_append(out->buf, bytes, size);
}

static void put_string(struct ts_json_out *out, const char *text)
{
    put(out, text, strlen(text));
}

static void new_line(struct ts_json_out *out)
{
    static const char spaces[] = "\n                ";
    const size_t indent = 2 * (size_t)out->depth;
    put(out, spaces, 1 + (indent < sizeof spaces - 2 ? indent : sizeof spaces - 2));
}

/* What stands before a value: comma, line break, key. */
static void begin(struct ts_json_out *out, const char *key)
{
    const bool broken = out->broken_depth > 0;
    if (out->member)
        put_string(out, ",");
    if (out->depth && out->depth <= out->broken_depth)
        new_line(out);
    else if (broken && out->member)
        put_string(out, " ");
    out->member = true;
    if (!key)
        return;
    put_string(out, "\"");
    put_string(out, key);
    put_string(out, broken ? "\": " : "\":");
}

void ts_json_open(struct ts_json_out *out, const char *key, char bracket)
{
    begin(out, key);
    put(out, &bracket, 1);
    out->depth++;
    out->member = false;
}

void ts_json_close(struct ts_json_out *out, char bracket)
{
    const bool broken = out->depth <= out->broken_depth && out->member;
    out->depth--;
    if (broken)
        new_line(out);
    put(out, &bracket, 1);
    out->member = true;
}

/* Length of the UTF-8 sequence at text, 0 when it is none (RFC 3629, section 4). */
static size_t utf8_length(const uint8_t *text)
{
    const uint8_t first = text[0];
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    const uint8_t second = text[1];
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool surrogate = first == 0xed && second > 0x9f;
    const bool too_large = first == 0xf4 && second > 0x8f;
    return overlong || surrogate || too_large ? 0 : length;
}

static bool is_utf8(const char *text)
{
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        const size_t length = utf8_length(at);
        if (!length)
            return false;
        at += length;
    }
    return true;
}

static void put_escaped(struct ts_json_out *out, const char *text)
{
    const char *run = text;
    const char *at = text;
    for (; *at; at++) {
        if ((uint8_t)*at >= 0x20 && *at != '"' && *at != '\\')
            continue;
        put(out, run, (size_t)(at - run));
        run = at + 1;
        char escape[8];
        const char *const simple = strchr("\"\"\\\\\nn\tt\rr", *at);
        if (simple)
            snprintf(escape, sizeof escape, "\\%c", simple[1]);
        else
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(uint8_t)*at);
        put_string(out, escape);
    }
    put(out, run, (size_t)(at - run));
}

static void put_hex(struct ts_json_out *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    if (out->err || !size)
        return;
    char *to = ts_buf_extend(out->buf, 2 * size);
    if (!to) {
        out->err = TS_ENOMEM;
        return;
    }
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
}

void ts_json_hex(struct ts_json_out *out, const char *key, const uint8_t *bytes, size_t size)
{
    begin(out, key);
    put_string(out, "\"");
    put_hex(out, bytes, size);
    put_string(out, "\"");
}

void ts_json_text(struct ts_json_out *out, const char *key, const char *text)
{
    begin(out, key);
    const bool clean = is_utf8(text);
    put_string(out, clean ? "\"" : "{\"hex\":\"");
    if (clean)
        put_escaped(out, text);
    else
        put_hex(out, (const uint8_t *)text, strlen(text));
    put_string(out, clean ? "\"" : "\"}");
}

void ts_json_null(struct ts_json_out *out, const char *key)
{
    begin(out, key);
    put_string(out, "null");
}

void ts_json_text_or_null(struct ts_json_out *out, const char *key, const char *text)
{
    if (*text)
        ts_json_text(out, key, text);
    else
        ts_json_null(out, key);
}

void ts_json_integer(struct ts_json_out *out, const char *key, int64_t value)
{
    char digits[24];
    begin(out, key);
    put(out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, value));
}

void ts_json_number(struct ts_json_out *out, const char *key, double value)
{
    if (!isfinite(value)) {
        ts_json_null(out, key);
        return;
    }
    char digits[32];
    int size = 0;
    for (int precision = 15; precision <= 17; precision++) {
        size = snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    begin(out, key);
    put(out, digits, (size_t)size);
}

void ts_json_boolean(struct ts_json_out *out, const char *key, bool value)
{
    begin(out, key);
    put_string(out, value ? "true" : "false");
}

void ts_json_seed(struct ts_json_out *out, const char *key, uint64_t seed)
{
    char digits[24];
    if (seed <= INT64_MAX) {
        ts_json_integer(out, key, (int64_t)seed);
        return;
    }
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    ts_json_text(out, key, digits);
}
