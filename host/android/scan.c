/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/scan.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool ts_scan_text(struct ts_scan *s, const char *literal)
{
    const size_t size = strlen(literal);
    if (ts_scan_left(s) < size || memcmp(s->at, literal, size) != 0)
        return false;
    s->at += size;
    return true;
}

void ts_scan_spaces(struct ts_scan *s)
{
    while (ts_scan_char(s, ' '))
        ;
}

bool ts_scan_number(struct ts_scan *s, int digits, int64_t *value)
{
    struct ts_scan rest = *s;
    int64_t sum = 0;
    int count = 0;
    for (; rest.at < rest.end && is_digit(*rest.at); rest.at++) {
        if (++count > digits)
            return false;
        sum = sum * 10 + (*rest.at - '0');
    }
    if (count == 0)
        return false;
    *s = rest;
    *value = sum;
    return true;
}

bool ts_scan_signed(struct ts_scan *s, int64_t *value)
{
    struct ts_scan rest = *s;
    const bool negative = ts_scan_char(&rest, '-');
    if (!ts_scan_number(&rest, 18, value))
        return false;
    if (negative)
        *value = -*value;
    *s = rest;
    return true;
}

bool ts_scan_until(struct ts_scan *s, const char *literal, struct ts_scan *before)
{
    for (struct ts_scan rest = *s; rest.at < rest.end; rest.at++) {
        struct ts_scan after = rest;
        if (!ts_scan_text(&after, literal))
            continue;
        *before = (struct ts_scan){s->at, rest.at};
        *s = after;
        return true;
    }
    return false;
}

bool ts_scan_past_last(struct ts_scan *s, const char *literal)
{
    struct ts_scan before;
    bool found = false;
    while (ts_scan_until(s, literal, &before))
        found = true;
    return found;
}

struct ts_scan ts_scan_word(struct ts_scan *s, const char *stops)
{
    struct ts_scan word = {s->at, s->at};
    /* strchr would find the terminator of `stops` in a NUL byte. */
    while (word.end < s->end && (*word.end == '\0' || !strchr(stops, *word.end)))
        word.end++;
    s->at = word.end;
    return word;
}

struct ts_scan ts_scan_trim(struct ts_scan s)
{
    ts_scan_spaces(&s);
    while (s.end > s.at && s.end[-1] == ' ')
        s.end--;
    return s;
}

bool ts_scan_is(const struct ts_scan *s, const char *literal)
{
    const size_t size = strlen(literal);
    return ts_scan_left(s) == size && memcmp(s->at, literal, size) == 0;
}

bool ts_scan_has(const struct ts_scan *s, char c)
{
    return ts_scan_left(s) > 0 && memchr(s->at, c, ts_scan_left(s)) != NULL;
}

bool ts_scan_is_number(struct ts_scan s, int64_t *value)
{
    return ts_scan_signed(&s, value) && s.at == s.end;
}

void ts_scan_copy(const struct ts_scan *s, char *out, size_t size)
{
    size_t n = 0;
    for (const char *p = s->at; p < s->end && n + 1 < size; p++)
        out[n++] = (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p;
    out[n] = '\0';
}

/* android_filesystem_config.h: the names that write logs. */
static const struct {
    const char *name;
    int uid;
} names[] = {
    {"root", 0},           {"system", 1000},     {"radio", 1001},        {"bluetooth", 1002},
    {"graphics", 1003},    {"input", 1004},      {"audio", 1005},        {"camera", 1006},
    {"log", 1007},         {"wifi", 1010},       {"adb", 1011},          {"install", 1012},
    {"media", 1013},       {"drm", 1019},        {"gps", 1021},          {"nfc", 1027},
    {"clat", 1029},        {"mediadrm", 1031},   {"logd", 1036},         {"mediaex", 1040},
    {"audioserver", 1041}, {"mediacodec", 1046}, {"cameraserver", 1047}, {"statsd", 1066},
    {"incidentd", 1067},   {"credstore", 1076},  {"shell", 2000},        {"nobody", 9999},
};

/* "u0_a123", "u10a5", "u0i7", "u0s1000": the user and the application's number in it. */
static bool scan_app_uid(struct ts_scan *s, int *uid)
{
    struct ts_scan rest = *s;
    int64_t user, number;
    if (!ts_scan_char(&rest, 'u') || !ts_scan_number(&rest, 4, &user))
        return false;
    ts_scan_char(&rest, '_');
    int64_t base = 10000;
    if (ts_scan_char(&rest, 'i'))
        base = 90000; /* Process.FIRST_ISOLATED_UID since Android 10 */
    else if (ts_scan_char(&rest, 's'))
        base = 0;
    else if (!ts_scan_char(&rest, 'a'))
        return false;
    if (!ts_scan_number(&rest, 5, &number) || base + number > 99999)
        return false;
    *s = rest;
    *uid = (int)(user * 100000 + base + number);
    return true;
}

bool ts_scan_uid(struct ts_scan *s, int *uid)
{
    int64_t number;
    struct ts_scan rest = *s;
    if (ts_scan_number(&rest, 9, &number)) {
        *uid = (int)number;
    } else if (!scan_app_uid(&rest, uid)) {
        const struct ts_scan word = ts_scan_word(&rest, " :/)\t");
        if (word.at == word.end)
            return false;
        for (const char *p = word.at; p < word.end; p++)
            if (*p != '_' && !is_digit(*p) && !(*p >= 'a' && *p <= 'z'))
                return false;
        *uid = -2;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (ts_scan_is(&word, names[i].name))
                *uid = names[i].uid;
    }
    *s = rest;
    return true;
}
