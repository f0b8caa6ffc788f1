/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/wire.h"

#include <string.h>

#define TEXT_MAX 0xffff

int ts_adb_request(struct ts_buf *out, const char *text)
{
    const size_t size = strlen(text);
    if (!size || size > TEXT_MAX)
        return TS_EINVAL;
    return ts_buf_printf(out, "%04x%s", (unsigned)size, text);
}

static int digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int ts_adb_read_block(const uint8_t *data, size_t size, struct ts_adb_text *text)
{
    size_t length = 0;
    *text = (struct ts_adb_text){0};
    for (size_t i = 0; i < 4 && i < size; i++) {
        const int value = digit(data[i]);
        if (value < 0)
            return TS_EPROTO;
        length = length * 16 + (size_t)value;
    }
    if (size < 4 || size - 4 < length)
        return 0;
    *text = (struct ts_adb_text){(const char *)data + 4, length};
    return (int)(4 + length);
}

int ts_adb_read_status(const uint8_t *data, size_t size, struct ts_adb_text *fail)
{
    *fail = (struct ts_adb_text){0};
    const size_t first = size < 4 ? size : 4;
    if (memcmp(data, "OKAY", first) == 0)
        return first == 4 ? 4 : 0;
    if (memcmp(data, "FAIL", first) != 0)
        return TS_EPROTO;
    if (size < 4)
        return 0;
    const int block = ts_adb_read_block(data + 4, size - 4, fail);
    return block > 0 ? block + 4 : block;
}

/* ---- lists ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of a line; empty at its end. */
static struct ts_adb_text word(struct ts_adb_text *line)
{
    while (line->size && is_blank(*line->at))
        line->at++, line->size--;
    struct ts_adb_text found = {line->at, 0};
    while (line->size && !is_blank(*line->at))
        line->at++, line->size--, found.size++;
    return found;
}

static bool equal(struct ts_adb_text text, const char *other)
{
    return text.size == strlen(other) && memcmp(text.at, other, text.size) == 0;
}

static void copy(struct ts_adb_text text, char *out, size_t size)
{
    const size_t kept = text.size < size ? text.size : size - 1;
    for (size_t i = 0; i < kept; i++) /* the lists are shown on terminals */
        out[i] = (unsigned char)text.at[i] < ' ' || text.at[i] == 0x7f ? '?' : text.at[i];
    out[kept] = '\0';
}

static enum ts_adb_state state_of(struct ts_adb_text name)
{
    static const struct {
        const char *name;
        enum ts_adb_state state;
    } names[] = {
        {"device", TS_ADB_READY},        {"offline", TS_ADB_OFFLINE},
        {"connecting", TS_ADB_OFFLINE},  {"unauthorized", TS_ADB_UNAUTHORIZED},
        {"authorizing", TS_ADB_OFFLINE}, {"no", TS_ADB_NO_PERMISSION}, /* "no permissions (...)" */
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (equal(name, names[i].name))
            return names[i].state;
    return TS_ADB_OTHER;
}

static bool read_device(struct ts_adb_text line, struct ts_adb_device *device)
{
    const struct ts_adb_text serial = word(&line), state = word(&line);
    if (!serial.size || !state.size || serial.size >= sizeof device->serial)
        return false;
    *device = (struct ts_adb_device){.state = state_of(state)};
    copy(serial, device->serial, sizeof device->serial);
    for (struct ts_adb_text more = word(&line); more.size; more = word(&line)) {
        if (more.size > 6 && memcmp(more.at, "model:", 6) == 0)
            copy((struct ts_adb_text){more.at + 6, more.size - 6}, device->model,
                 sizeof device->model);
    }
    return true;
}

size_t ts_adb_read_devices(struct ts_adb_text text, struct ts_adb_device *devices, size_t max)
{
    size_t count = 0;
    while (text.size) {
        const char *end = memchr(text.at, '\n', text.size);
        const size_t size = end ? (size_t)(end - text.at) : text.size;
        struct ts_adb_device device;
        if (read_device((struct ts_adb_text){text.at, size}, &device)) {
            if (count < max)
                devices[count] = device;
            count++;
        }
        text.at += size + (end != NULL);
        text.size -= size + (end != NULL);
    }
    return count;
}

bool ts_adb_has_feature(struct ts_adb_text features, const char *name)
{
    while (features.size) {
        const char *end = memchr(features.at, ',', features.size);
        const size_t size = end ? (size_t)(end - features.at) : features.size;
        if (equal((struct ts_adb_text){features.at, size}, name))
            return true;
        features.at += size + (end != NULL);
        features.size -= size + (end != NULL);
    }
    return false;
}
