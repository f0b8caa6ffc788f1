/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REPLACEMENT 0xfffdu

const struct ts_number_style ts_plain_numbers = {"-", "-"};
const struct ts_number_style ts_fine_numbers = {"\u2013", "\u2212"};

void ts_out_bytes(struct ts_out *out, const char *bytes, size_t size)
{
    if (!out->err)
        out->err = ts_buf_append(&out->text, bytes, size);
}

void ts_out_put(struct ts_out *out, const char *text)
{
    ts_out_bytes(out, text, strlen(text));
}

void ts_out_printf(struct ts_out *out, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (size < 0 || (size_t)size >= sizeof line)
        out->err = out->err ? out->err : TS_EINVAL; /* long text goes through ts_out_put() */
    else
        ts_out_bytes(out, line, (size_t)size);
}

static const char *html_escape(uint32_t character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return character == REPLACEMENT || ts_utf8_unprintable(character) ? "\ufffd" : NULL;
    }
}

void ts_out_html_part(struct ts_out *out, const char *text, size_t size)
{
    const char *end = text + size;
    uint32_t character;
    for (size_t step; text < end && (step = ts_utf8_next(text, &character)); text += step) {
        const char *escape = html_escape(character);
        if (escape)
            ts_out_put(out, escape);
        else
            ts_out_bytes(out, text, step);
    }
}

void ts_out_html(struct ts_out *out, const char *text)
{
    ts_out_html_part(out, text, strlen(text));
}

void ts_out_base64(struct ts_out *out, const struct ts_buf *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) {
        const size_t some = bytes->size - i < 3 ? bytes->size - i : 3;
        uint32_t bits = 0;
        char four[4] = {'=', '=', '=', '='};
        for (size_t j = 0; j < 3; j++)
            bits = bits << 8 | (j < some ? bytes->data[i + j] : 0);
        for (size_t j = 0; j <= some; j++)
            four[j] = digits[bits >> (18 - 6 * j) & 63];
        ts_out_bytes(out, four, sizeof four);
    }
}

void ts_out_number(struct ts_out *out, double value, int decimals, struct ts_number_style style)
{
    if (!isfinite(value)) {
        ts_out_put(out, style.unknown);
        return;
    }
    char digits[330 + 20];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    if (value < 0 && strspn(digits, "0.") < strlen(digits))
        ts_out_put(out, style.minus);
    ts_out_put(out, digits);
}

size_t ts_utf8_next(const char *text, uint32_t *character)
{
    const uint8_t *byte = (const uint8_t *)text;
    *character = byte[0];
    if (byte[0] < 0x80)
        return byte[0] ? 1 : 0;
    const size_t size = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = byte[0] & (0xffu >> (size + 1));
    bool good = byte[0] >= 0xc2 && byte[0] <= 0xf4;
    for (size_t i = 1; good && i < size; i++) {
        good = (byte[i] & 0xc0) == 0x80;
        value = value << 6 | (byte[i] & 0x3fu);
    }
    if (!good || value < least[size] || value > 0x10ffff || (value >> 11) == 0x1b) {
        *character = REPLACEMENT;
        return 1;
    }
    *character = value;
    return size;
}

struct range {
    uint32_t first, last;
};

static bool within(const struct range *ranges, size_t count, uint32_t character)
{
    for (size_t i = 0; i < count; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last)
            return true;
    }
    return false;
}

#define WITHIN(ranges, character) within(ranges, sizeof(ranges) / sizeof *(ranges), character)

bool ts_utf8_unprintable(uint32_t character)
{
    static const struct range ranges[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x200e, 0x200f},
                                          {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}};
    return WITHIN(ranges, character);
}

int ts_utf8_columns(uint32_t character)
{
    static const struct range none[] = {{0x300, 0x36f}, {0x200b, 0x200d}, {0xfe00, 0xfe0f}};
    static const struct range wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                                        {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                                        {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    if (WITHIN(none, character))
        return 0;
    return WITHIN(wide, character) ? 2 : 1;
}
