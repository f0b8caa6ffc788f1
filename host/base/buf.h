/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growable byte buffer. Zeroed is empty; ts_buf_free() leaves it zeroed. */
#ifndef TS_BASE_BUF_H
#define TS_BASE_BUF_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct ts_buf {
    uint8_t *data; /* owned */
    size_t size;
    size_t capacity;
};

int ts_buf_append(struct ts_buf *buf, const void *data, size_t size) TS_MUST_CHECK;
/* Room for `size` more bytes at the end, already counted in; NULL when there is no memory. */
void *ts_buf_extend(struct ts_buf *buf, size_t size) TS_MUST_CHECK;
int ts_buf_printf(struct ts_buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3))) TS_MUST_CHECK;
/* Keeps the storage, forgets the contents. */
void ts_buf_clear(struct ts_buf *buf);
void ts_buf_free(struct ts_buf *buf);

/* An array grown by doubling: returns the address of a new zeroed last element, or NULL.
 * *items is owned by the caller and freed with free(). */
void *ts_grow(void **items, size_t *count, size_t *capacity, size_t item_size) TS_MUST_CHECK;

#endif
