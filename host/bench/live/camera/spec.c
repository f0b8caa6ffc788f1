/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/camera/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MAX 8192
#define RATE_MAX 2000.0

static bool read_whole(const char *text, int least, int most, int *out)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most)
        return false;
    *out = (int)value;
    return true;
}

static bool read_size(const char *text, struct ts_camera_spec *spec)
{
    char end;
    return sscanf(text, "%dx%d%c", &spec->width_px, &spec->height_px, &end) == 2 &&
           spec->width_px > 0 && spec->width_px <= SIDE_MAX && spec->height_px > 0 &&
           spec->height_px <= SIDE_MAX;
}

static bool read_rate(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out) && *out > 0 && *out <= RATE_MAX;
}

static bool read_value(const char *key, const char *value, struct ts_camera_spec *spec)
{
    if (!strcmp(key, "size"))
        return read_size(value, spec);
    if (!strcmp(key, "rate"))
        return read_rate(value, &spec->rate_hz);
    if (!strcmp(key, "format"))
        return (size_t)snprintf(spec->format, sizeof spec->format, "%s", value) <
               sizeof spec->format;
    if (!strcmp(key, "exposure"))
        return read_whole(value, 0, 1000000, &spec->exposure);
    if (!strcmp(key, "gain"))
        return read_whole(value, 0, 1000000, &spec->gain);
    if (!strcmp(key, "white"))
        return read_whole(value, 0, 1000000, &spec->white);
    spec->pattern = !strcmp(key, "test") && !strcmp(value, "pattern");
    return spec->pattern;
}

static bool is_among(const char *key, const char *keys)
{
    const size_t size = strlen(key);
    for (const char *at = keys; size && (at = strstr(at, key)); at += size) {
        if ((at == keys || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    }
    return false;
}

static int read_option(char *option, const char *keys, struct ts_camera_spec *spec,
                       struct ts_why *why)
{
    char *value = strchr(option, '=');
    if (value)
        *value++ = 0;
    if (!value || !is_among(option, keys))
        return ts_fail(why, TS_EINVAL, "camera: no option \"%s\" here; there are, as KEY=VALUE: %s",
                       option, keys);
    if (!read_value(option, value, spec))
        return ts_fail(why, TS_EINVAL, "camera: \"%s\" is no value of %s", value, option);
    return TS_OK;
}

int ts_camera_spec_read(const char *text, const char *keys, struct ts_camera_spec *out,
                        struct ts_why *why)
{
    *out = (struct ts_camera_spec){.exposure = -1, .gain = -1, .white = -1};
    char options[TS_CAMERA_WHAT_MAX] = "";
    const char *question = strrchr(text, '?');
    const size_t size = question ? (size_t)(question - text) : strlen(text);
    if (size >= sizeof out->what || strlen(text) - size > sizeof options)
        return ts_fail(why, TS_EINVAL, "camera: its description is too long");
    memcpy(out->what, text, size);
    if (question)
        snprintf(options, sizeof options, "%s", question + 1);
    char *rest = options;
    while (rest && *rest) {
        char *option = rest;
        rest = strchr(rest, '&');
        if (rest)
            *rest++ = 0;
        const int err = read_option(option, keys, out, why);
        if (err)
            return err;
    }
    return TS_OK;
}
