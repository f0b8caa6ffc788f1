/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as `logcat -B`: what is printed of an entry is as many log lines as it has line ends.
 */
#include "android/logcat.h"
#include "android/logcat_binary.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lines(const struct ts_buf *out)
{
    const char *at = (const char *)out->data;
    size_t left = out->size;
    while (left) {
        struct ts_log_event event;
        const char *end = memchr(at, '\n', left);
        if (!end || ts_logcat_parse_event(at, (size_t)(end - at), &event) != TS_OK)
            abort();
        left -= (size_t)(end - at) + 1;
        at = end + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + !size);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    struct ts_buf out = {0};
    struct ts_logcat_entry entry;
    size_t at = 0;
    int taken;
    while ((taken = ts_logcat_binary_read(copy + at, size - at, &entry)) > 0) {
        if ((size_t)taken > size - at || entry.size > (size_t)taken)
            abort();
        for (int events = 0; events < 2; events++) {
            ts_buf_clear(&out);
            if (ts_logcat_binary_print(&entry, events, &out) == TS_OK)
                check_lines(&out);
            else if (out.size)
                abort();
        }
        at += (size_t)taken;
    }
    ts_buf_free(&out);
    free(copy);
    return 0;
}
