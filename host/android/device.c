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

int ts_device_read_thermal_status(const char *text)
{
    struct scan rest;
    int status;
    return find_line(whole(text), "Thermal Status: ", &rest) && take_int(rest, &status) ? status
                                                                                        : -1;
}

void ts_device_read_setting(const char *text, char *value, size_t size)
{
    struct scan rest = whole(text), line;
    *value = '\0';
    if (!next_line(&rest, &line))
        return;
    line = scan_trim(line);
    if (!scan_is(&line, "null"))
        scan_copy(&line, value, size);
}

double ts_device_read_number(const char *text)
{
    struct scan rest = whole(text);
    double value;
    scan_spaces(&rest);
    return take_decimal(rest, &value) ? value : NAN;
}

/* "Package [com.app] (7b3e1a9):" up to the next package; `package` NULL: the first. Sections before
 * it name packages too, but not so; hidden system packages, which an update replaced, come after.
 */
static bool find_package(struct scan *text, const char *package)
{
    for (struct scan rest = *text; skip_to(&rest, "Package [");) {
        const struct scan name = scan_word(&rest, "]\n");
        if (package && !scan_is(&name, package))
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

void ts_device_read_package_version(const char *text, char *version, size_t size)
{
    struct ts_device_package found;
    *version = '\0';
    if (ts_device_read_package(text, NULL, &found) || !found.version_name[0])
        return;
    char both[sizeof found.version_name + sizeof found.version_code + 4];
    strcpy(both, found.version_name);
    if (found.version_code[0]) {
        strcat(both, " (");
        strcat(both, found.version_code);
        strcat(both, ")");
    }
    const struct scan all = whole(both);
    scan_copy(&all, version, size);
}

/* Of the three shapes in use, "[status=kOatUpToDate, compilation_filter=quicken]" has to be asked
 * for its second field first; since Android 9 it is "[status=speed-profile] [reason=install]". */
void ts_device_read_compiler_filter(const char *text, const char *package, char *filter,
                                    size_t size)
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
        if (!inside)
            continue;
        struct scan older = line;
        if (skip_to(&older, "compilation_filter="))
            line = older;
        else if (!skip_to(&line, "[status="))
            continue;
        const struct scan value = scan_word(&line, ",] ");
        scan_copy(&value, filter, size);
        return;
    }
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

/* A device says "modeId 2, defaultModeId 1, supportedModes [{id=1, ...", a logical display "mode 2,
 * defaultMode 1, modes [{id=1, ...". "renderFrameRate" beside it is the rate that apps are held
 * to, not the panel's. */
double ts_device_read_refresh_hz(const char *text)
{
    struct scan rest = whole(text), line;
    while (next_line(&rest, &line)) {
        struct scan device = line;
        int64_t mode;
        double hz;
        if (!skip_to(&device, ", modeId "))
            device = line;
        if (device.at == line.at && !skip_to(&device, ", mode "))
            continue;
        if (scan_number(&device, 6, &mode) && take_mode_rate(device, mode, &hz) && hz > 0)
            return hz;
    }
    return NAN;
}

int ts_device_read_night_mode(const char *text)
{
    struct scan rest;
    if (!find_line(whole(text), "Night mode: ", &rest))
        return -1;
    rest = scan_trim(rest);
    return scan_is(&rest, "yes") ? 1 : scan_is(&rest, "no") ? 0 : 2;
}

int ts_device_read_pid(const char *text)
{
    struct scan rest = whole(text);
    int pid;
    scan_spaces(&rest);
    if (rest.at == rest.end || *rest.at == '\n' || *rest.at == '\r')
        return 0;
    return take_int(rest, &pid) && pid > 0 ? pid : -1;
}
