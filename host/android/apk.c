/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/apk.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CHUNK_STRINGS = 0x0001, CHUNK_XML = 0x0003, CHUNK_ELEMENT = 0x0102, CHUNK_IDS = 0x0180 };
enum { ID_MIN_SDK = 0x0101020c, ID_TARGET_SDK = 0x01010270 };
enum { VALUE_DECIMAL = 0x10, VALUE_HEX = 0x11 };
#define CHUNK_HEADER   8
#define STRINGS_HEADER 28
#define ELEMENT_HEADER 36 /* up to where attributes may begin */
#define ATTRIBUTE      20
#define STRINGS_UTF8   0x100u
#define NAME_MOST      128

struct bytes {
    const uint8_t *at;
    size_t size;
};

/* 0 beyond the end: then whatever was asked is not found. */
static uint32_t get(struct bytes from, size_t at, int size)
{
    uint32_t value = 0;
    if (at > from.size || from.size - at < (size_t)size)
        return 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | from.at[at + (size_t)i];
    return value;
}

static struct bytes part(struct bytes from, size_t at, size_t size)
{
    if (at > from.size)
        return (struct bytes){from.at, 0};
    return (struct bytes){from.at + at, size < from.size - at ? size : from.size - at};
}

struct manifest {
    struct bytes strings, ids; /* chunks; empty: not come yet */
    struct ts_apk_manifest *out;
    bool has_target;
};

/* Sizes come in one unit or, with the highest bit set, in two. */
static size_t get_length(struct bytes from, size_t *at, int unit)
{
    const uint32_t high = 1u << (8 * unit - 1);
    uint32_t value = get(from, *at, unit);
    *at += (size_t)unit;
    if (value & high) {
        value = (value & (high - 1)) << 8 * unit | get(from, *at, unit);
        *at += (size_t)unit;
    }
    return value;
}

/* String number `index`; names that matter are ASCII, what is not becomes '?'. */
static void get_string(const struct manifest *manifest, uint32_t index, char *text, size_t size)
{
    const struct bytes strings = manifest->strings;
    size_t used = 0;
    if (index < get(strings, 8, 4)) {
        const int unit = get(strings, 16, 4) & STRINGS_UTF8 ? 1 : 2;
        size_t at =
            (size_t)get(strings, 20, 4) + get(strings, get(strings, 2, 2) + 4 * (size_t)index, 4);
        size_t length = get_length(strings, &at, unit);
        if (unit == 1) /* UTF-8 has its length in characters first, then in bytes */
            length = get_length(strings, &at, unit);
        while (used < length && used + 1 < size) {
            const uint32_t c = get(strings, at, unit);
            at += (size_t)unit;
            text[used++] = (char)(c >= ' ' && c < 127 ? c : '?');
        }
    }
    text[used] = '\0';
}

static void take_sdk(struct manifest *manifest, uint32_t id, struct bytes attribute)
{
    const uint32_t type = get(attribute, 15, 1), value = get(attribute, 16, 4);
    const bool number = (type == VALUE_DECIMAL || type == VALUE_HEX) && value < 100000;
    if (id == ID_MIN_SDK) {
        manifest->out->min_sdk = number ? (int)value : -1;
    } else if (id == ID_TARGET_SDK) {
        manifest->out->target_sdk = number ? (int)value : -1;
        manifest->has_target = true;
    }
}

static void take_element(struct manifest *manifest, struct bytes chunk)
{
    struct ts_apk_manifest *out = manifest->out;
    const struct {
        const char *name;
        int *count;
    } counted[] = {
        {"uses-permission", &out->permissions}, {"uses-permission-sdk-23", &out->permissions},
        {"activity", &out->activities},         {"service", &out->services},
        {"receiver", &out->receivers},          {"provider", &out->providers}};
    char name[NAME_MOST], key[NAME_MOST];
    get_string(manifest, get(chunk, 20, 4), name, sizeof name);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        *counted[i].count += strcmp(name, counted[i].name) == 0;
    const bool root = strcmp(name, "manifest") == 0, sdk = strcmp(name, "uses-sdk") == 0;
    const size_t first = 16 + (size_t)get(chunk, 24, 2), step = get(chunk, 26, 2);
    if ((!root && !sdk) || step < ATTRIBUTE)
        return;
    for (size_t i = 0; i < get(chunk, 28, 2); i++) {
        const struct bytes attribute = part(chunk, first + i * step, step);
        const uint32_t index = get(attribute, 4, 4);
        get_string(manifest, index, key, sizeof key);
        if (root && strcmp(key, "package") == 0)
            get_string(manifest, get(attribute, 8, 4), out->package, sizeof out->package);
        else if (sdk && index < manifest->ids.size / 4)
            take_sdk(manifest, get(manifest->ids, CHUNK_HEADER + 4 * (size_t)index, 4), attribute);
    }
}

static int refuse(struct ts_why *why, const char *what)
{
    return ts_fail(why, TS_EPROTO, "its manifest %s", what);
}

int ts_apk_read_manifest(const void *bytes, size_t size, struct ts_apk_manifest *out,
                         struct ts_why *why)
{
    const struct bytes all = {bytes, size};
    struct manifest manifest = {.out = out};
    *out = (struct ts_apk_manifest){.min_sdk = 1};
    if (size < CHUNK_HEADER || get(all, 0, 2) != CHUNK_XML || get(all, 2, 2) < CHUNK_HEADER)
        return refuse(why, "is no compiled XML");
    if (get(all, 4, 4) > size)
        return refuse(why, "is cut off");
    for (size_t at = get(all, 2, 2), step; at < size; at += step) {
        step = get(all, at + 4, 4);
        if (size - at < CHUNK_HEADER || step < CHUNK_HEADER || step > size - at)
            return refuse(why, "is cut off");
        const struct bytes chunk = part(all, at, step);
        const uint32_t type = get(chunk, 0, 2);
        if (type == CHUNK_STRINGS && step >= STRINGS_HEADER)
            manifest.strings = chunk;
        else if (type == CHUNK_IDS)
            manifest.ids = chunk;
        else if (type == CHUNK_ELEMENT && step >= ELEMENT_HEADER)
            take_element(&manifest, chunk);
    }
    if (!manifest.has_target)
        out->target_sdk = out->min_sdk;
    return *out->package ? TS_OK : refuse(why, "names no package");
}

int ts_apk_read_code(const void *bytes, size_t size, struct ts_apk_code *out, struct ts_why *why)
{
    const struct bytes all = {bytes, size};
    *out = (struct ts_apk_code){0};
    if (size < TS_APK_CODE_HEADER || memcmp(bytes, "dex\n", 4) != 0)
        return ts_fail(why, TS_EPROTO, "its code is no Dalvik executable");
    out->methods = get(all, 88, 4);
    out->classes = get(all, 96, 4);
    return TS_OK;
}
