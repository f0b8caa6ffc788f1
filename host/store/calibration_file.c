/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/calibration_file.h"

#include "store/json_in.h"
#include "store/json_out.h"

#include <math.h>

#define STYLUS(X)                                                                                  \
    X(lift_delay_ms)                                                                               \
    X(lift_delay_u_ms)                                                                             \
    X(lift_common_u_ms) X(contact_offset_ms) X(contact_u_ms) X(contact_common_u_ms)
#define CAMERA(X)                                                                                  \
    X(exposure_ms)                                                                                 \
    X(readout_ms)                                                                                  \
    X(latency_ms)                                                                                  \
    X(gamma)                                                                                       \
    X(period_ms) X(exposure_u_ms) X(readout_u_ms) X(latency_u_ms) X(period_u_ms) X(camera_u_ms)
#define POWER(X)   X(shunt_mohm) X(shunt_u_mohm) X(shunt_zero_uv) X(shunt_zero_u_uv)
#define LED(X)     X(block_x) X(block_y) X(row_px) X(off) X(on)
#define LED_BLOCKS ((int)(sizeof(((struct ts_led_view *)0)->blocks) / sizeof(int)))

static void put_led(struct ts_json_out *out, const struct ts_led_view *led)
{
    ts_json_open(out, NULL, '{');
    ts_json_boolean(out, "seen", led->seen);
#define PUT(member) ts_json_number(out, #member, led->member);
    LED(PUT)
#undef PUT
    ts_json_open(out, "blocks", '[');
    for (int i = 0; i < LED_BLOCKS && led->blocks[i] >= 0; i++)
        ts_json_integer(out, NULL, led->blocks[i]);
    ts_json_close(out, ']');
    ts_json_close(out, '}');
}

static void put_corners(struct ts_json_out *out, const struct ts_calibration *calibration)
{
    ts_json_open(out, "screen_px", '[');
    for (int corner = 0; corner < 4; corner++) {
        ts_json_open(out, NULL, '[');
        ts_json_number(out, NULL, calibration->screen_px[corner][0]);
        ts_json_number(out, NULL, calibration->screen_px[corner][1]);
        ts_json_close(out, ']');
    }
    ts_json_close(out, ']');
}

int ts_calibration_print(const struct ts_calibration *calibration, struct ts_buf *buf)
{
    struct ts_json_out out = {.buf = buf, .broken_depth = 2};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "plate_taps", calibration->plate_taps);
#define PUT(member) ts_json_number(&out, #member, calibration->member);
    STYLUS(PUT)
    ts_json_boolean(&out, "camera_known", calibration->camera_known);
    ts_json_integer(&out, "camera_edges", calibration->camera_edges);
    CAMERA(PUT)
    if (calibration->shunt_mohm > 0) {
        POWER(PUT)
    }
#undef PUT
    ts_json_open(&out, "led", '[');
    for (int i = 0; i < TS_LED_COUNT; i++)
        put_led(&out, &calibration->led[i]);
    ts_json_close(&out, ']');
    ts_json_boolean(&out, "screen_known", calibration->screen_known);
    put_corners(&out, calibration);
    ts_json_close(&out, '}');
    if (!out.err)
        out.err = ts_buf_append(buf, "\n", 1);
    return out.err;
}

static void read_led(struct ts_json_in *in, const json_t *object, struct ts_led_view *out)
{
    struct ts_json_in inner = {object, "led", in->why, in->err};
    out->seen = ts_json_in_boolean(&inner, "seen");
#define READ(member) out->member = ts_json_in_number(&inner, #member);
    LED(READ)
#undef READ
    const json_t *blocks = ts_json_in_array(&inner, "blocks", 0, (size_t)LED_BLOCKS);
    for (int i = 0; i < LED_BLOCKS; i++) {
        const json_t *block = json_array_get(blocks, (size_t)i);
        const json_int_t value = block ? json_integer_value(block) : -1;
        if (block && (!json_is_integer(block) || value < 0 || value > INT32_MAX))
            ts_json_in_refuse(&inner, "blocks", "indices of blocks");
        out->blocks[i] = (int)value;
    }
    ts_json_in_leave(in, &inner);
}

static void read_corners(struct ts_json_in *in, struct ts_calibration *out)
{
    const json_t *corners = ts_json_in_array(in, "screen_px", 4, 4);
    for (size_t i = 0; i < 8; i++) {
        const json_t *value = json_array_get(json_array_get(corners, i / 2), i % 2);
        if (!json_is_number(value) && !json_is_null(value))
            ts_json_in_refuse(in, "screen_px", "four pairs of numbers");
        out->screen_px[i / 2][i % 2] =
            json_is_number(value) ? json_number_value(value) : (double)NAN;
    }
}

int ts_calibration_parse(const char *text, size_t size, struct ts_calibration *out,
                         struct ts_why *why)
{
    json_t *root;
    *out = (struct ts_calibration){0};
    const int err = ts_json_in_parse(text, size, "calibration", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "calibration", why, TS_OK};
    out->plate_taps = (int)ts_json_in_integer(&in, "plate_taps", 0, INT32_MAX);
#define READ(member) out->member = ts_json_in_number(&in, #member);
    STYLUS(READ)
    out->camera_known = ts_json_in_boolean(&in, "camera_known");
    out->camera_edges = ts_json_in_integer_or(&in, "camera_edges", 0, INT32_MAX, 0);
    CAMERA(READ)
    if (ts_json_in_has(&in, "shunt_mohm")) {
        POWER(READ)
    }
#undef READ
    const json_t *leds = ts_json_in_array(&in, "led", TS_LED_COUNT, TS_LED_COUNT);
    for (size_t i = 0; i < TS_LED_COUNT; i++)
        read_led(&in, json_array_get(leds, i), &out->led[i]);
    out->screen_known = ts_json_in_boolean(&in, "screen_known");
    read_corners(&in, out);
    json_decref(root);
    return in.err;
}
