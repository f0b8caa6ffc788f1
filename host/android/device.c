/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/device.h"

#include "android/scan.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The next line without its end and the blanks in front; false at the end of the text. */
static bool next_line(struct ts_scan *text, struct ts_scan *line)
{
    if (text->at == text->end)
        return false;
    *line = ts_scan_word(text, "\r\n");
    while (ts_scan_char(text, '\r') || ts_scan_char(text, '\n'))
        ;
    ts_scan_spaces(line);
    return true;
}

/* What follows the first line that begins with `key`. */
static bool find_line(struct ts_scan text, const char *key, struct ts_scan *rest)
{
    while (next_line(&text, rest))
        if (ts_scan_text(rest, key))
            return true;
    return false;
}

/* Puts *text behind the first `words`. */
static bool skip_to(struct ts_scan *text, const char *words)
{
    struct ts_scan before;
    return ts_scan_until(text, words, &before);
}

static bool take_int(struct ts_scan s, int *out)
{
    int64_t value;
    if (!ts_scan_signed(&s, &value) || value < INT_MIN || value > INT_MAX)
        return false;
    *out = (int)value;
    return true;
}

/* Decimal with a point, whatever the locale; no exponent is printed anywhere here. */
static bool take_decimal(struct ts_scan s, double *out)
{
    const bool negative = ts_scan_char(&s, '-');
    int64_t whole, part;
    if (!ts_scan_number(&s, 15, &whole))
        return false;
    double value = (double)whole;
    if (ts_scan_char(&s, '.')) {
        const char *first = s.at;
        if (ts_scan_number(&s, 15, &part))
            value += (double)part / pow(10, (double)(s.at - first));
    }
    *out = negative ? -value : value;
    return true;
}

static struct ts_scan whole(const char *text)
{
    return ts_scan_of(text, strlen(text));
}

int ts_device_read_battery(const char *text, double *percent, double *temperature_c)
{
    struct ts_scan rest;
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
    static const int shutdown = 6;
    struct ts_scan rest;
    int status;
    if (!find_line(whole(text), "Thermal Status: ", &rest) || !take_int(rest, &status))
        return -1;
    return status >= 0 && status <= shutdown ? status : -1;
}

double ts_device_read_number(const char *text)
{
    struct ts_scan rest = whole(text);
    double value;
    ts_scan_spaces(&rest);
    return take_decimal(rest, &value) ? value : NAN;
}

/* "google/shiba/shiba:14/UQ1A.240205.004/11269751:user/release-keys" */
static void read_build(struct ts_scan fingerprint, char *build, size_t size)
{
    struct ts_scan before;
    build[0] = '\0';
    if (!ts_scan_until(&fingerprint, ":", &before))
        return;
    const struct ts_scan release = ts_scan_word(&fingerprint, "/:");
    if (!ts_scan_char(&fingerprint, '/') || release.at == release.end)
        return;
    const struct ts_scan id = ts_scan_word(&fingerprint, ":");
    char words[2][40];
    ts_scan_copy(&release, words[0], sizeof words[0]);
    ts_scan_copy(&id, words[1], sizeof words[1]);
    snprintf(build, size, "Android %s%s%s", words[0], *words[1] ? ", " : "", words[1]);
}

void ts_device_read_model(const char *text, char *model, size_t size)
{
    struct ts_scan rest = whole(text), line;
    char words[3][96] = {"", "", ""};
    for (int i = 0; i < 3; i++) {
        line = ts_scan_word(&rest, "\r\n");
        ts_scan_char(&rest, '\r');
        ts_scan_char(&rest, '\n');
        line = ts_scan_trim(line);
        if (i < 2)
            ts_scan_copy(&line, words[i], sizeof words[i]);
        else
            read_build(line, words[i], sizeof words[i]);
    }
    /* Some makers put their name into the model's. */
    const bool named = strncmp(words[0], words[1], strlen(words[0])) == 0;
    const char *maker = named ? "" : words[0];
    snprintf(model, size, "%s%s%s%s%s", maker, *maker && *words[1] ? " " : "", words[1],
             (*maker || *words[1]) && *words[2] ? ", " : "", words[2]);
}

/* "Package [com.app] (7b3e1a9):" up to the next package; `package` NULL: the first. Sections before
 * it name packages too, but not so; hidden system packages, which an update replaced, come after.
 */
static bool find_package(struct ts_scan *text, const char *package)
{
    for (struct ts_scan rest = *text; skip_to(&rest, "Package [");) {
        const struct ts_scan name = ts_scan_word(&rest, "]\n");
        if (package && !ts_scan_is(&name, package))
            continue;
        struct ts_scan after = rest, block;
        *text = ts_scan_until(&after, "Package [", &block) ? block : rest;
        return true;
    }
    return false;
}

int ts_device_read_package(const char *text, const char *package, struct ts_device_package *out)
{
    *out = (struct ts_device_package){.uid = -1};
    struct ts_scan block = whole(text), rest;
    if (!find_package(&block, package))
        return TS_EPROTO;
    if (find_line(block, "versionName=", &rest))
        ts_scan_copy(&rest, out->version_name, sizeof out->version_name);
    if (find_line(block, "versionCode=", &rest)) {
        rest = ts_scan_word(&rest, " ");
        ts_scan_copy(&rest, out->version_code, sizeof out->version_code);
    }
    if (find_line(block, "lastUpdateTime=", &rest))
        ts_scan_copy(&rest, out->last_update, sizeof out->last_update);
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
    const bool coded = found.version_code[0] != '\0';
    snprintf(both, sizeof both, "%s%s%s%s", found.version_name, coded ? " (" : "",
             found.version_code, coded ? ")" : "");
    const struct ts_scan all = whole(both);
    ts_scan_copy(&all, version, size);
}

/* Of the three shapes in use, "[status=kOatUpToDate, compilation_filter=quicken]" has to be asked
 * for its second field first; since Android 9 it is "[status=speed-profile] [reason=install]". */
void ts_device_read_compiler_filter(const char *text, const char *package, char *filter,
                                    size_t size)
{
    *filter = '\0';
    struct ts_scan rest = whole(text), line;
    bool inside = false;
    while (next_line(&rest, &line)) {
        struct ts_scan name = line;
        if (ts_scan_char(&name, '[') && ts_scan_has(&name, ']') && !ts_scan_has(&name, '=') &&
            !ts_scan_has(&name, ' ')) {
            name = ts_scan_word(&name, "]");
            inside = ts_scan_is(&name, package);
            continue;
        }
        if (!inside)
            continue;
        struct ts_scan older = line;
        if (skip_to(&older, "compilation_filter="))
            line = older;
        else if (!skip_to(&line, "[status="))
            continue;
        const struct ts_scan value = ts_scan_word(&line, ",] ");
        ts_scan_copy(&value, filter, size);
        return;
    }
}

/* "{id=2, width=1080, height=2400, fps=120.00001, ...}" in what is left of the line. */
static bool take_mode_rate(struct ts_scan text, int64_t mode, double *hz)
{
    struct ts_scan line = ts_scan_word(&text, "\r\n");
    while (skip_to(&line, "{id=")) {
        int64_t id;
        if (!ts_scan_number(&line, 6, &id) || id != mode)
            continue;
        struct ts_scan fields = ts_scan_word(&line, "}");
        return skip_to(&fields, " fps=") && take_decimal(fields, hz);
    }
    return false;
}

/* A device says "modeId 2, defaultModeId 1, supportedModes [{id=1, ...", a logical display "mode 2,
 * defaultMode 1, modes [{id=1, ...". "renderFrameRate" beside it is the rate that apps are held
 * to, not the panel's. */
double ts_device_read_refresh_hz(const char *text)
{
    struct ts_scan rest = whole(text), line;
    while (next_line(&rest, &line)) {
        struct ts_scan device = line;
        int64_t mode;
        double hz;
        if (!skip_to(&device, ", modeId "))
            device = line;
        if (device.at == line.at && !skip_to(&device, ", mode "))
            continue;
        if (ts_scan_number(&device, 6, &mode) && take_mode_rate(device, mode, &hz) && hz > 0)
            return hz;
    }
    return NAN;
}

int ts_device_read_night_mode(const char *text)
{
    struct ts_scan rest;
    if (!find_line(whole(text), "Night mode: ", &rest))
        return -1;
    rest = ts_scan_trim(rest);
    return ts_scan_is(&rest, "yes") ? 1 : ts_scan_is(&rest, "no") ? 0 : 2;
}

int ts_device_read_pid(const char *text)
{
    struct ts_scan rest = whole(text);
    int pid;
    ts_scan_spaces(&rest);
    if (rest.at == rest.end || *rest.at == '\n' || *rest.at == '\r')
        return 0;
    return take_int(rest, &pid) && pid > 0 ? pid : -1;
}
