/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/device.h"

#include "android/scan.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The next line without its end and the blanks in front; false at the end of the text. */
static bool next_line(struct scan *text, struct scan *line)
{
    if (text->at == text->end)
        return false;
    *line = scan_word(text, "\r\n");
    while (scan_char(text, '\r') || scan_char(text, '\n'))
        ;
    scan_spaces(line);
    return true;
}

/* What follows the first line that begins with `key`. */
static bool find_line(struct scan text, const char *key, struct scan *rest)
{
    while (next_line(&text, rest))
        if (scan_text(rest, key))
            return true;
    return false;
}

/* Puts *text behind the first `words`. */
static bool skip_to(struct scan *text, const char *words)
{
    struct scan before;
    return scan_until(text, words, &before);
}

static bool take_int(struct scan s, int *out)
{
    int64_t value;
    if (!scan_signed(&s, &value) || value < INT_MIN || value > INT_MAX)
        return false;
    *out = (int)value;
    return true;
}

/* Decimal with a point, whatever the locale; no exponent is printed anywhere here. */
static bool take_decimal(struct scan s, double *out)
{
    const bool negative = scan_char(&s, '-');
    int64_t whole, part;
    if (!scan_number(&s, 15, &whole))
        return false;
    double value = (double)whole;
    if (scan_char(&s, '.')) {
        const char *first = s.at;
        if (scan_number(&s, 15, &part))
            value += (double)part / pow(10, (double)(s.at - first));
    }
    *out = negative ? -value : value;
    return true;
}

static struct scan whole(const char *text)
{
    return scan_of(text, strlen(text));
}

int ts_device_read_battery(const char *text, double *percent, double *temperature_c)
{
    struct scan rest;
    int level, scale = 100, tenths;
    *percent = *temperature_c = NAN;
    if (find_line(whole(text), "scale: ", &rest) && (!take_int(rest, &scale) || scale <= 0))
        scale = 100;
    if (find_line(whole(text), "level: ", &rest) && take_int(rest, &level) && level >= 0)
        *percent = 100.0 * level / scale;
    if (find_line(whole(text), "temperature: ", &rest) && take_int(rest, &tenths))
        *temperature_c = tenths / 10.0;
    return isnan(*percent) && isnan(*temperature_c) ? TS_EPROTO : TS_OK;
}

int ts_device_read_thermal(const char *text, int *status)
{
    struct scan rest;
    *status = -1;
    return find_line(whole(text), "Thermal Status: ", &rest) && take_int(rest, status) ? TS_OK
                                                                                       : TS_EPROTO;
}

int ts_device_read_setting(const char *text, char *value, size_t size)
{
    struct scan rest = whole(text), line;
    *value = '\0';
    if (!next_line(&rest, &line))
        return TS_EPROTO;
    line = scan_trim(line);
    if (!scan_is(&line, "null"))
        scan_copy(&line, value, size);
    return TS_OK;
}

int ts_device_read_setting_number(const char *text, double *value)
{
    struct scan rest = whole(text);
    scan_spaces(&rest);
    *value = NAN;
    return take_decimal(rest, value) ? TS_OK : TS_EPROTO;
}

/* "Package [com.app] (7b3e1a9):" up to the next package. Sections before it name packages too, but
 * not so; hidden system packages, of which an update is installed, come after. */
static bool find_package(struct scan *text, const char *package)
{
    for (struct scan rest = *text; skip_to(&rest, "Package [");) {
        const struct scan name = scan_word(&rest, "]\n");
        if (!scan_is(&name, package))
            continue;
        struct scan after = rest, block;
        *text = scan_until(&after, "Package [", &block) ? block : rest;
        return true;
    }
    return false;
}

int ts_device_read_package(const char *text, const char *package, struct ts_device_package *out)
{
    *out = (struct ts_device_package){.uid = -1};
    struct scan block = whole(text), rest;
    if (!find_package(&block, package))
        return TS_EPROTO;
    if (find_line(block, "versionName=", &rest))
        scan_copy(&rest, out->version_name, sizeof out->version_name);
    if (find_line(block, "versionCode=", &rest)) {
        rest = scan_word(&rest, " ");
        scan_copy(&rest, out->version_code, sizeof out->version_code);
    }
    if (find_line(block, "lastUpdateTime=", &rest))
        scan_copy(&rest, out->last_update, sizeof out->last_update);
    if (find_line(block, "userId=", &rest) || find_line(block, "appId=", &rest))
        if (!take_int(rest, &out->uid))
            out->uid = -1;
    return TS_OK;
}

/* Of the three shapes in use, "[status=kOatUpToDate, compilation_filter=quicken]" has to be asked
 * for its second field first; since Android 9 it is "[status=speed-profile] [reason=install]". */
int ts_device_read_compiler_filter(const char *text, const char *package, char *filter, size_t size)
{
    *filter = '\0';
    struct scan rest = whole(text), line;
    bool inside = false;
    while (next_line(&rest, &line)) {
        struct scan name = line;
        if (scan_char(&name, '[') && scan_has(&name, ']') && !scan_has(&name, '=') &&
            !scan_has(&name, ' ')) {
            name = scan_word(&name, "]");
            inside = scan_is(&name, package);
            continue;
        }
        struct scan status = line;
        if (!inside || (!skip_to(&line, "compilation_filter=") && !skip_to(&status, "[status=")))
            continue;
        const struct scan value =
            scan_word(line.at != status.at && line.at > status.at ? &line : &status, ",] ");
        scan_copy(&value, filter, size);
        return *filter ? TS_OK : TS_EPROTO;
    }
    return TS_EPROTO;
}

/* "{id=2, width=1080, height=2400, fps=120.00001, ...}" in what is left of the line. */
static bool take_mode_rate(struct scan text, int64_t mode, double *hz)
{
    struct scan line = scan_word(&text, "\r\n");
    while (skip_to(&line, "{id=")) {
        int64_t id;
        if (!scan_number(&line, 6, &id) || id != mode)
            continue;
        struct scan fields = scan_word(&line, "}");
        return skip_to(&fields, " fps=") && take_decimal(fields, hz);
    }
    return false;
}

int ts_device_read_refresh_rate(const char *text, double *hz)
{
    *hz = NAN;
    struct scan rest = whole(text);
    while (skip_to(&rest, "DisplayInfo{")) {
        struct scan info = rest;
        int64_t mode;
        if (skip_to(&info, " mode ") && scan_number(&info, 6, &mode) &&
            take_mode_rate(info, mode, hz) && *hz > 0)
            return TS_OK;
    }
    *hz = NAN;
    return TS_EPROTO;
}

int ts_device_read_night_mode(const char *text, int *night)
{
    struct scan rest;
    *night = -1;
    if (!find_line(whole(text), "Night mode: ", &rest))
        return TS_EPROTO;
    rest = scan_trim(rest);
    *night = scan_is(&rest, "yes") ? 1 : scan_is(&rest, "no") ? 0 : 2;
    return TS_OK;
}

int ts_device_read_pid(const char *text, int *pid)
{
    struct scan rest = whole(text);
    *pid = 0;
    scan_spaces(&rest);
    if (rest.at == rest.end || *rest.at == '\n' || *rest.at == '\r')
        return TS_OK;
    return take_int(rest, pid) && *pid > 0 ? TS_OK : TS_EPROTO;
}
