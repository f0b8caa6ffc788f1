/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/conditions_json.h"

/* One row a member: field, key. The order is that of the file. */
#define TEXTS_BEFORE(X) X(package_version) X(apk_hash) X(compiler_filter)
#define NUMBERS(X)                                                                                 \
    X(battery_percent) X(temperature_c) X(refresh_before_hz) X(refresh_after_hz) X(brightness)
#define NUMBERS_LATER(X) X(cpu_mhz) X(cpu_most_mhz) /* as the texts below */
#define INTEGERS(X)      X(thermal_status) X(night_mode) X(rotation)
#define TEXTS_AFTER(X)   X(network) X(observers)
#define TEXTS_LATER(X)                                                                             \
    X(profile) X(launch_from) X(guard) X(mended) X(stop) /* not in the files of older versions */

static void print_or_null(struct ts_json_out *out, const char *key, int value)
{
    if (value < 0)
        ts_json_null(out, key);
    else
        ts_json_integer(out, key, value);
}

void ts_conditions_print(struct ts_json_out *out, const char *key,
                         const struct ts_conditions *conditions)
{
    ts_json_open(out, key, '{');
#define PRINT_TEXT(name)    ts_json_text_or_null(out, #name, conditions->name);
#define PRINT_NUMBER(name)  ts_json_number(out, #name, conditions->name);
#define PRINT_INTEGER(name) print_or_null(out, #name, conditions->name);
    TEXTS_BEFORE(PRINT_TEXT)
    NUMBERS(PRINT_NUMBER)
    INTEGERS(PRINT_INTEGER)
    ts_json_open(out, "animation_scales", '[');
    for (int i = 0; i < 3; i++)
        ts_json_number(out, NULL, conditions->animation_scale[i]);
    ts_json_close(out, ']');
    TEXTS_AFTER(PRINT_TEXT)
    TEXTS_LATER(PRINT_TEXT)
    if (*conditions->build) /* of few campaigns */
        PRINT_TEXT(build)
    NUMBERS_LATER(PRINT_NUMBER)
    ts_json_close(out, '}');
}

void ts_conditions_read(struct ts_json_in *in, const char *key, struct ts_conditions *out)
{
    struct ts_json_in inner = ts_json_in_enter(in, key);
#define READ_TEXT(name)    ts_json_in_text(&inner, #name, out->name, sizeof out->name);
#define READ_NUMBER(name)  out->name = ts_json_in_number(&inner, #name);
#define READ_INTEGER(name) out->name = ts_json_in_integer_or(&inner, #name, 0, INT32_MAX, -1);
    TEXTS_BEFORE(READ_TEXT)
    NUMBERS(READ_NUMBER)
    INTEGERS(READ_INTEGER)
    TEXTS_AFTER(READ_TEXT)
#define READ_LATER(name)                                                                           \
    if (ts_json_in_has(&inner, #name))                                                             \
    READ_TEXT(name)
    TEXTS_LATER(READ_LATER)
    READ_LATER(build)
    NUMBERS_LATER(READ_NUMBER)
    const json_t *scales = ts_json_in_array(&inner, "animation_scales", 3, 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *scale = json_array_get(scales, i);
        if (!json_is_number(scale) && !json_is_null(scale))
            ts_json_in_refuse(&inner, "animation_scales", "three numbers or nulls");
        out->animation_scale[i] = json_is_number(scale) ? json_number_value(scale) : (double)NAN;
    }
    ts_json_in_leave(in, &inner);
}
