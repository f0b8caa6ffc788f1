/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/shell_v2.h"

#define HEAD 5

int ts_shell_v2_read(const uint8_t *data, size_t size, struct ts_shell_v2_packet *packet)
{
    *packet = (struct ts_shell_v2_packet){0};
    if (size < HEAD)
        return 0;
    const size_t length =
        (size_t)data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16 | (size_t)data[4] << 24;
    if (length > TS_SHELL_V2_SIZE_MAX || (data[0] == TS_SHELL_V2_EXIT && length != 1))
        return TS_EPROTO;
    if (size - HEAD < length)
        return 0;
    *packet = (struct ts_shell_v2_packet){data[0], data + HEAD, length};
    return (int)(HEAD + length);
}

int ts_shell_v2_write(struct ts_buf *out, enum ts_shell_v2_kind kind, const void *data, size_t size)
{
    const uint8_t head[HEAD] = {(uint8_t)kind, (uint8_t)size, (uint8_t)(size >> 8),
                                (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
    if (size > TS_SHELL_V2_SIZE_MAX)
        return TS_EINVAL;
    const int err = ts_buf_append(out, head, sizeof head);
    return err ? err : ts_buf_append(out, data, size);
}
