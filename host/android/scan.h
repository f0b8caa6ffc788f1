/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A piece of text that is not terminated, read from its front. Inside this room only. Each
 * ts_scan_x() either takes what it names and returns true, or takes nothing and returns false. */
#ifndef TS_ANDROID_SCAN_H
#define TS_ANDROID_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_scan {
    const char *at, *end;
};

static inline struct ts_scan ts_scan_of(const char *text, size_t size)
{
    return (struct ts_scan){text, text + size};
}

static inline size_t ts_scan_left(const struct ts_scan *s)
{
    return (size_t)(s->end - s->at);
}

static inline bool ts_scan_char(struct ts_scan *s, char c)
{
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

bool ts_scan_text(struct ts_scan *s, const char *literal);
/* Any number of spaces, also none. */
void ts_scan_spaces(struct ts_scan *s);
/* Decimal digits without a sign, at most `digits` of them; more is no number. */
bool ts_scan_number(struct ts_scan *s, int digits, int64_t *value);
/* An optional '-' and at most 18 digits. */
bool ts_scan_signed(struct ts_scan *s, int64_t *value);
/* Everything up to the first `literal`, which is taken too. */
bool ts_scan_until(struct ts_scan *s, const char *literal, struct ts_scan *before);
/* Takes everything up to and with the last `literal`. */
bool ts_scan_past_last(struct ts_scan *s, const char *literal);
/* Up to the first of these characters or the end; the character stays. May be empty. */
struct ts_scan ts_scan_word(struct ts_scan *s, const char *stops);
/* Without spaces at both ends. */
struct ts_scan ts_scan_trim(struct ts_scan s);
bool ts_scan_is(const struct ts_scan *s, const char *literal);
bool ts_scan_has(const struct ts_scan *s, char c);
/* The whole piece is a number. */
bool ts_scan_is_number(struct ts_scan s, int64_t *value);
/* A terminated copy, cut at size - 1; control characters in it become '?', so
 * that no log can steer the terminal on which its names are printed. */
void ts_scan_copy(const struct ts_scan *s, char *out, size_t size);
/* A user id as logcat and ActivityManager print it: "1000", "system", "u0_a123" or "u0a123",
 * "u0i7", "u0s1000". -2: a name without a number that we know. */
bool ts_scan_uid(struct ts_scan *s, int *uid);

#endif
