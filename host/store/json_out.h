/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints JSON into a buffer: keys stay in the order of the calls and equal values give equal bytes.
 * The first error sticks, so that a caller asks once, at the end. Printed by hand because building
 * jansson's tree only to dump it costs several times as much, and a campaign has half a million
 * lines. */
#ifndef TS_STORE_JSON_OUT_H
#define TS_STORE_JSON_OUT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct ts_json_out {
    struct ts_buf *buf;
    int broken_depth; /* containers down to this depth take a line per member; 0: all on one line */
    int depth;
    bool member; /* the open container has one already */
    int err;
};

/* key: NULL inside an array and for the outermost value. bracket: '{' or '['. */
void ts_json_open(struct ts_json_out *out, const char *key, char bracket);
void ts_json_close(struct ts_json_out *out, char bracket); /* '}' or ']' */
/* Text is bytes from outside: what is not UTF-8 is printed as {"hex":"..."}, so that nothing is
 * lost. */
void ts_json_text(struct ts_json_out *out, const char *key, const char *text);
/* "" becomes null. */
void ts_json_text_or_null(struct ts_json_out *out, const char *key, const char *text);
void ts_json_hex(struct ts_json_out *out, const char *key, const uint8_t *bytes, size_t size);
void ts_json_integer(struct ts_json_out *out, const char *key, int64_t value);
/* The shortest of 15 to 17 digits that reads back equal; what is not finite becomes null. */
void ts_json_number(struct ts_json_out *out, const char *key, double value);
void ts_json_boolean(struct ts_json_out *out, const char *key, bool value);
void ts_json_null(struct ts_json_out *out, const char *key);
/* JSON integers end at 2^63 for most readers; beyond it the digits are printed as a string. */
void ts_json_seed(struct ts_json_out *out, const char *key, uint64_t seed);

#endif
