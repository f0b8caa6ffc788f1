/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A piece of text that is not terminated, read from its front. Inside this room only. Each
 * scan_x() either takes what it names and returns true, or takes nothing and returns false. */
#ifndef TS_ANDROID_SCAN_H
#define TS_ANDROID_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
    const char *at, *end;
};

static inline struct scan scan_of(const char *text, size_t size)
{
    return (struct scan){text, text + size};
}

static inline size_t scan_left(const struct scan *s)
{
    return (size_t)(s->end - s->at);
}

static inline bool scan_char(struct scan *s, char c)
{
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

bool scan_text(struct scan *s, const char *literal);
/* Any number of spaces, also none. */
void scan_spaces(struct scan *s);
/* Decimal digits without a sign, at most `digits` of them; more is no number. */
bool scan_number(struct scan *s, int digits, int64_t *value);
/* An optional '-' and at most 18 digits. */
bool scan_signed(struct scan *s, int64_t *value);
/* Everything up to the first `literal`, which is taken too. */
bool scan_until(struct scan *s, const char *literal, struct scan *before);
/* Takes everything up to and with the last `literal`. */
bool scan_past_last(struct scan *s, const char *literal);
/* Up to the first of these characters or the end; the character stays. May be empty. */
struct scan scan_word(struct scan *s, const char *stops);
/* Without spaces at both ends. */
struct scan scan_trim(struct scan s);
bool scan_is(const struct scan *s, const char *literal);
bool scan_has(const struct scan *s, char c);
/* The whole piece is a number. */
bool scan_is_number(struct scan s, int64_t *value);
/* A terminated copy, cut at size - 1; control characters in it become '?', so
 * that no log can steer the terminal on which its names are printed. */
void scan_copy(const struct scan *s, char *out, size_t size);
/* A user id as logcat and ActivityManager print it: "1000", "system", "u0_a123" or "u0a123",
 * "u0i7", "u0s1000". -2: a name without a number that we know. */
bool scan_uid(struct scan *s, int *uid);

#endif
