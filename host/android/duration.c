/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/logcat.h"
#include "android/scan.h"

#include <string.h>

/* Days, hours, minutes and seconds are split off with a strict "greater than" by TimeUtils, so
 * that a full minute prints as "60s". Rather than state what follows from that for each field,
 * what was read is printed again by the same rule and has to give the same text. */
static const struct {
    char letter;
    int64_t seconds;
} fields[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
#define FIELDS (sizeof fields / sizeof *fields)

static size_t put_number(char *out, int64_t value)
{
    char reversed[20];
    size_t n = 0;
    do {
        reversed[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < n; i++)
        out[i] = reversed[n - 1 - i];
    return n;
}

/* Without the sign; `out` takes 64 characters. */
static size_t print(char *out, int64_t ms)
{
    int64_t seconds = ms / 1000;
    size_t n = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        const bool last = fields[i].seconds == 1;
        int64_t value = 0;
        if (last ? seconds > 0 : seconds > fields[i].seconds)
            value = seconds / fields[i].seconds;
        seconds -= value * fields[i].seconds;
        if (value == 0 && n == 0)
            continue;
        n += put_number(out + n, value);
        out[n++] = fields[i].letter;
    }
    n += put_number(out + n, ms % 1000);
    out[n++] = 'm';
    out[n++] = 's';
    return n;
}

static bool ends_here(const struct ts_scan *s)
{
    return s->at == s->end ||
           !((*s->at >= '0' && *s->at <= '9') || (*s->at >= 'a' && *s->at <= 'z'));
}

size_t ts_duration_parse(const char *text, size_t size, double *ms)
{
    struct ts_scan s = ts_scan_of(text, size);
    if (ts_scan_char(&s, '0')) {
        if (!ends_here(&s))
            return 0;
        *ms = 0;
        return 1;
    }
    const bool negative = ts_scan_char(&s, '-');
    if (!negative && !ts_scan_char(&s, '+'))
        return 0;
    const char *first = s.at;
    int64_t total = 0;
    for (size_t i = 0;;) {
        int64_t value;
        if (!ts_scan_number(&s, 6, &value))
            return 0;
        if (ts_scan_text(&s, "ms")) {
            total += value;
            break;
        }
        while (i < FIELDS && (s.at == s.end || *s.at != fields[i].letter))
            i++;
        if (i == FIELDS)
            return 0;
        total += value * fields[i++].seconds * 1000;
        s.at++;
    }
    char again[64];
    const size_t length = print(again, total);
    if (total == 0 || !ends_here(&s) || length != (size_t)(s.at - first) ||
        memcmp(again, first, length) != 0)
        return 0;
    *ms = (double)(negative ? -total : total);
    return (size_t)(s.at - text);
}
