/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/stamp.h"

#include "base/time.h"

#define MONOTONIC_BELOW_S 100000000LL /* three years of uptime */

struct calendar {
    int64_t year; /* 0: not printed */
    int64_t month, day, hour, minute, second;
    int64_t zone_s;
    bool has_zone;
};

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* From 0. Without a year, as in a leap year: the 29th of February keeps a day of its own. */
static int64_t day_of_year(int64_t year, int64_t month, int64_t day)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    const bool leap = year == 0 || is_leap(year);
    return before[month - 1] + (leap && month > 2) + day - 1;
}

static bool is_date(const struct calendar *c)
{
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (c->month < 1 || c->month > 12 || c->day < 1 || c->day > lengths[c->month - 1])
        return false;
    if (c->month == 2 && c->day == 29 && c->year != 0 && !is_leap(c->year))
        return false;
    return c->hour < 24 && c->minute < 60 && c->second <= 60;
}

static int64_t days_since_1970(int64_t year)
{
    const int64_t last = year - 1;
    return (year - 1970) * 365 + (last / 4 - last / 100 + last / 400) - (1969 / 4 - 1969 / 100 + 4);
}

static bool scan_two(struct ts_scan *s, int64_t *value)
{
    const char *first = s->at;
    return ts_scan_number(s, 2, value) && s->at - first == 2;
}

static bool scan_fraction(struct ts_scan *s, struct ts_log_line *line, int64_t *ns)
{
    if (!ts_scan_char(s, '.'))
        return false;
    const char *first = s->at;
    if (!ts_scan_number(s, 9, ns))
        return false;
    line->resolution_ns = 1;
    for (long digits = s->at - first; digits < 9; digits++)
        line->resolution_ns *= 10;
    *ns *= line->resolution_ns;
    return true;
}

static bool scan_zone(struct ts_scan *s, struct calendar *c)
{
    struct ts_scan rest = *s;
    int64_t digits;
    if (!ts_scan_char(&rest, ' '))
        return false;
    const bool west = ts_scan_char(&rest, '-');
    if (!west && !ts_scan_char(&rest, '+'))
        return false;
    const char *first = rest.at;
    if (!ts_scan_number(&rest, 4, &digits) || rest.at - first != 4)
        return false;
    *s = rest;
    c->has_zone = true;
    c->zone_s = (digits / 100 * 60 + digits % 100) * (west ? -60 : 60);
    return true;
}

static bool scan_date(struct ts_scan *s, struct calendar *c)
{
    struct ts_scan rest = *s;
    if (!ts_scan_number(&rest, 4, &c->year) || rest.at - s->at != 4 || !ts_scan_char(&rest, '-')) {
        rest = *s;
        c->year = 0;
    }
    if (!scan_two(&rest, &c->month) || !ts_scan_char(&rest, '-') || !scan_two(&rest, &c->day) ||
        !ts_scan_char(&rest, ' ') || !scan_two(&rest, &c->hour) || !ts_scan_char(&rest, ':') ||
        !scan_two(&rest, &c->minute) || !ts_scan_char(&rest, ':') || !scan_two(&rest, &c->second))
        return false;
    *s = rest;
    return is_date(c) && (c->year == 0 || (c->year >= 1970 && c->year < 2200));
}

static bool scan_calendar(struct ts_scan *s, struct ts_log_line *line)
{
    struct calendar c = {0};
    struct ts_scan rest = *s;
    int64_t fraction_ns;
    if (!scan_date(&rest, &c) || !scan_fraction(&rest, line, &fraction_ns))
        return false;
    scan_zone(&rest, &c);
    int64_t seconds =
        day_of_year(c.year, c.month, c.day) * 86400 + c.hour * 3600 + c.minute * 60 + c.second;
    line->stamp_kind = TS_STAMP_CALENDAR;
    if (c.year != 0 && c.has_zone) {
        line->stamp_kind = TS_STAMP_EPOCH;
        seconds += days_since_1970(c.year) * 86400 - c.zone_s;
    }
    line->stamp_ns = seconds * TS_NS_PER_S + fraction_ns;
    *s = rest;
    return true;
}

static bool scan_seconds(struct ts_scan *s, struct ts_log_line *line)
{
    struct ts_scan rest = *s;
    int64_t seconds, fraction_ns;
    if (!ts_scan_number(&rest, 10, &seconds) || seconds > INT64_MAX / TS_NS_PER_S - 1 ||
        !scan_fraction(&rest, line, &fraction_ns))
        return false;
    line->stamp_kind = seconds < MONOTONIC_BELOW_S ? TS_STAMP_MONOTONIC : TS_STAMP_EPOCH;
    line->stamp_ns = seconds * TS_NS_PER_S + fraction_ns;
    *s = rest;
    return true;
}

bool ts_stamp_scan(struct ts_scan *s, struct ts_log_line *line)
{
    struct ts_scan rest = *s;
    ts_scan_spaces(&rest);
    const char *first = rest.at;
    if (!scan_calendar(&rest, line) && !scan_seconds(&rest, line))
        return false;
    const struct ts_scan printed = {first, rest.at};
    ts_scan_copy(&printed, line->stamp, sizeof line->stamp);
    *s = rest;
    return true;
}
