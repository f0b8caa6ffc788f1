/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reserve(struct ts_buf *buf, size_t more)
{
    if (more > SIZE_MAX / 2 - buf->size)
        return TS_ENOMEM;
    const size_t need = buf->size + more;
    if (need <= buf->capacity)
        return TS_OK;
    size_t capacity = buf->capacity ? buf->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    uint8_t *data = realloc(buf->data, capacity);
    if (!data)
        return TS_ENOMEM;
    buf->data = data;
    buf->capacity = capacity;
    return TS_OK;
}

void *ts_buf_extend(struct ts_buf *buf, size_t size)
{
    if (reserve(buf, size))
        return NULL;
    void *at = buf->data + buf->size;
    buf->size += size;
    return at;
}

int ts_buf_append(struct ts_buf *buf, const void *data, size_t size)
{
    if (!size)
        return TS_OK;
    void *at = ts_buf_extend(buf, size);
    if (!at)
        return TS_ENOMEM;
    memcpy(at, data, size);
    return TS_OK;
}

int ts_buf_printf(struct ts_buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return TS_EINVAL;
    if (reserve(buf, (size_t)length + 1)) /* vsnprintf writes its NUL past the counted bytes */
        return TS_ENOMEM;
    va_start(args, format);
    vsnprintf((char *)buf->data + buf->size, (size_t)length + 1, format, args);
    va_end(args);
    buf->size += (size_t)length;
    return TS_OK;
}

void ts_buf_clear(struct ts_buf *buf)
{
    buf->size = 0;
}

void ts_buf_free(struct ts_buf *buf)
{
    free(buf->data);
    *buf = (struct ts_buf){0};
}

void *ts_grow(void **items, size_t *count, size_t *capacity, size_t item_size)
{
    if (*count == *capacity) {
        const size_t larger = *capacity ? *capacity * 2 : 16;
        if (larger > SIZE_MAX / item_size)
            return NULL;
        void *grown = realloc(*items, larger * item_size);
        if (!grown)
            return NULL;
        *items = grown;
        *capacity = larger;
    }
    void *item = (char *)*items + (*count)++ * item_size;
    memset(item, 0, item_size);
    return item;
}
