/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as `getevent -lt`: touching begins and ends by turns. */
#include "android/getevent.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + !size);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    struct ts_touch touch = {0};
    bool touching = false;
    for (size_t at = 0; at < size;) {
        struct ts_getevent event;
        const char *end = memchr(copy + at, '\n', size - at);
        const size_t length = (end ? (size_t)(end - copy) : size) - at;
        if (ts_getevent_parse(copy + at, length, &event) == TS_OK) {
            if (event.at.ns < 0 || !*event.code)
                abort();
            if (ts_touch_follow(&touch, &event)) {
                if (touch.touching == touching)
                    abort();
                touching = touch.touching;
            }
        }
        at += length + 1;
    }
    free(copy);
    return 0;
}
