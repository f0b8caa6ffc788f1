/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the members of a JSON object with their types and ranges checked. The first error sticks
 * (and is told in *why, with the key), later reads give zeros: a caller asks once, at the end.
 * Unknown members are passed over, so that files of later versions can be read. */
#ifndef TS_STORE_JSON_IN_H
#define TS_STORE_JSON_IN_H

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct ts_json_in {
    const json_t *object; /* borrowed */
    const char *where;    /* for *why: "result", "line"; static or outliving */
    struct ts_why *why;   /* may be NULL */
    int err;
};

/* TS_EPROTO unless text is one JSON object and nothing else; *root is freed with json_decref(). */
int ts_json_in_parse(const char *text, size_t size, const char *where, json_t **root,
                     struct ts_why *why) TS_MUST_CHECK;

bool ts_json_in_has(const struct ts_json_in *in, const char *key); /* present and not null */
int64_t ts_json_in_integer(struct ts_json_in *in, const char *key, int64_t low, int64_t high);
/* null or absent gives `unknown`. */
int ts_json_in_integer_or(struct ts_json_in *in, const char *key, int low, int high, int unknown);
double ts_json_in_number(struct ts_json_in *in, const char *key); /* null or absent: NAN */
bool ts_json_in_boolean(struct ts_json_in *in, const char *key);
uint64_t ts_json_in_seed(struct ts_json_in *in, const char *key);
/* Text into to[size]; null is "". Too long a text is an error. */
void ts_json_in_text(struct ts_json_in *in, const char *key, char *to, size_t size);
/* The same, owned by the caller; NULL on error. */
char *ts_json_in_text_new(struct ts_json_in *in, const char *key);
/* Bytes printed as hex; returns how many. */
size_t ts_json_in_hex(struct ts_json_in *in, const char *key, uint8_t *to, size_t capacity);
/* The position of the member's text in names[], a row that NULL ends. */
int ts_json_in_name(struct ts_json_in *in, const char *key, const char *const *names);
/* A member that is an object. Its own errors are to be given back with ts_json_in_leave(). */
struct ts_json_in ts_json_in_enter(struct ts_json_in *in, const char *key);
void ts_json_in_leave(struct ts_json_in *in, const struct ts_json_in *inner);
/* A member that is an array; NULL on error. */
const json_t *ts_json_in_array(struct ts_json_in *in, const char *key, size_t low, size_t high);
/* Notes that the member is not as it must be. */
void ts_json_in_refuse(struct ts_json_in *in, const char *key, const char *expected);

#endif
