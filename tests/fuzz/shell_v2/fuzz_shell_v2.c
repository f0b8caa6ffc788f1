/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as packets of adb's shell protocol. */
#include "live_adb/shell_v2.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + !size);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    size_t at = 0;
    for (;;) {
        struct ts_shell_v2_packet packet;
        struct ts_buf again = {0};
        const int taken = ts_shell_v2_read(copy + at, size - at, &packet);
        if (taken <= 0)
            break;
        if ((size_t)taken > size - at || packet.size != (size_t)taken - 5)
            abort();
        if (ts_shell_v2_write(&again, (enum ts_shell_v2_kind)packet.kind, packet.data,
                              packet.size) ||
            again.size != (size_t)taken || memcmp(again.data, copy + at, again.size) != 0)
            abort();
        ts_buf_free(&again);
        at += (size_t)taken;
    }
    free(copy);
    return 0;
}
