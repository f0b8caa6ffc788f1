/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/json_in.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ts_json_in_parse(const char *text, size_t size, const char *where, json_t **root,
                     struct ts_why *why)
{
    json_error_t error;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!*root && json_error_code(&error) == json_error_out_of_memory)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (!*root)
        return ts_fail(why, TS_EPROTO, "%s: not JSON: %s (column %d of line %d)", where, error.text,
                       error.column, error.line);
    if (json_is_object(*root))
        return TS_OK;
    json_decref(*root);
    *root = NULL;
    return ts_fail(why, TS_EPROTO, "%s: must be a JSON object", where);
}

void ts_json_in_refuse(struct ts_json_in *in, const char *key, const char *expected)
{
    if (!in->err)
        in->err = ts_fail(in->why, TS_EPROTO, "%s: \"%s\" must be %s", in->where, key, expected);
}

static const json_t *member(const struct ts_json_in *in, const char *key)
{
    return in->err ? NULL : json_object_get(in->object, key);
}

bool ts_json_in_has(const struct ts_json_in *in, const char *key)
{
    const json_t *value = member(in, key);
    return value && !json_is_null(value);
}

int64_t ts_json_in_integer(struct ts_json_in *in, const char *key, int64_t low, int64_t high)
{
    const json_t *value = member(in, key);
    if (json_is_integer(value) && json_integer_value(value) >= low &&
        json_integer_value(value) <= high)
        return json_integer_value(value);
    char expected[80];
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)low,
             (long long)high);
    ts_json_in_refuse(in, key, expected);
    return 0;
}

int ts_json_in_integer_or(struct ts_json_in *in, const char *key, int low, int high, int unknown)
{
    return ts_json_in_has(in, key) ? (int)ts_json_in_integer(in, key, low, high) : unknown;
}

double ts_json_in_number(struct ts_json_in *in, const char *key)
{
    if (!ts_json_in_has(in, key))
        return (double)NAN;
    const json_t *value = member(in, key);
    if (!json_is_number(value))
        ts_json_in_refuse(in, key, "a number or null");
    return json_number_value(value);
}

bool ts_json_in_boolean(struct ts_json_in *in, const char *key)
{
    const json_t *value = member(in, key);
    if (!json_is_boolean(value))
        ts_json_in_refuse(in, key, "true or false");
    return json_is_true(value);
}

uint64_t ts_json_in_seed(struct ts_json_in *in, const char *key)
{
    const json_t *value = member(in, key);
    if (!json_is_string(value))
        return (uint64_t)ts_json_in_integer(in, key, 0, INT64_MAX);
    const char *digits = json_string_value(value);
    char *end;
    errno = 0;
    const unsigned long long seed = strtoull(digits, &end, 10);
    if (errno || *end || strspn(digits, "0123456789") != strlen(digits) || !*digits)
        ts_json_in_refuse(in, key, "an integer from 0 to 2^64 - 1");
    return seed;
}

static int nibble(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    return -1;
}

/* The bytes of `digits` into to[]; false when it is not hex or does not fit. */
static bool decode_hex(const char *digits, size_t length, uint8_t *to, size_t capacity)
{
    if (length % 2 || length / 2 > capacity)
        return false;
    for (size_t i = 0; i < length / 2; i++) {
        const int high = nibble(digits[2 * i]);
        const int low = nibble(digits[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        to[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

size_t ts_json_in_hex(struct ts_json_in *in, const char *key, uint8_t *to, size_t capacity)
{
    const json_t *value = member(in, key);
    const size_t length = json_string_length(value);
    if (json_is_string(value) && decode_hex(json_string_value(value), length, to, capacity))
        return length / 2;
    char expected[64];
    snprintf(expected, sizeof expected, "at most %zu bytes in lower-case hex", capacity);
    ts_json_in_refuse(in, key, expected);
    return 0;
}

char *ts_json_in_text_new(struct ts_json_in *in, const char *key)
{
    const json_t *value = member(in, key);
    const json_t *hex = json_object_get(value, "hex");
    const char *text = json_is_null(value) ? "" : json_string_value(hex ? hex : value);
    if (!text) {
        ts_json_in_refuse(in, key, "a text");
        return NULL;
    }
    const size_t length = strlen(text);
    char *copy = calloc(1, length + 1);
    if (!copy) {
        if (!in->err)
            in->err = ts_fail(in->why, TS_ENOMEM, "out of memory");
        return NULL;
    }
    if (!hex) {
        memcpy(copy, text, length + 1);
        return copy;
    }
    if (decode_hex(text, length, (uint8_t *)copy, length) && strlen(copy) == length / 2)
        return copy;
    ts_json_in_refuse(in, key, "a text, or {\"hex\"} of bytes without a zero");
    free(copy);
    return NULL;
}

void ts_json_in_text(struct ts_json_in *in, const char *key, char *to, size_t size)
{
    to[0] = '\0';
    char *text = ts_json_in_text_new(in, key);
    if (!text)
        return;
    const size_t length = strlen(text);
    if (length < size) {
        memcpy(to, text, length + 1);
    } else {
        char expected[64];
        snprintf(expected, sizeof expected, "shorter than %zu bytes", size);
        ts_json_in_refuse(in, key, expected);
    }
    free(text);
}

int ts_json_in_name(struct ts_json_in *in, const char *key, const char *const *names)
{
    const char *text = json_string_value(member(in, key));
    for (int i = 0; text && names[i]; i++) {
        if (strcmp(names[i], text) == 0)
            return i;
    }
    char expected[200] = "one of";
    for (int i = 0; names[i]; i++) {
        const size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, " %s", names[i]);
    }
    ts_json_in_refuse(in, key, expected);
    return 0;
}

struct ts_json_in ts_json_in_enter(struct ts_json_in *in, const char *key)
{
    const json_t *value = member(in, key);
    if (!json_is_object(value))
        ts_json_in_refuse(in, key, "an object");
    return (struct ts_json_in){value, key, in->why, in->err};
}

void ts_json_in_leave(struct ts_json_in *in, const struct ts_json_in *inner)
{
    if (!in->err)
        in->err = inner->err;
}

const json_t *ts_json_in_array(struct ts_json_in *in, const char *key, size_t low, size_t high)
{
    const json_t *value = member(in, key);
    if (json_is_array(value) && json_array_size(value) >= low && json_array_size(value) <= high)
        return value;
    char expected[64];
    snprintf(expected, sizeof expected, "an array of %zu to %zu", low, high);
    ts_json_in_refuse(in, key, expected);
    return NULL;
}
