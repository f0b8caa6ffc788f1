/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a USB camera may send: transfers of any length with anything in them. The first two bytes
 * say how large a picture is; then each transfer begins with its length in two bytes. */
#include "bench/live/ps3eye/missing.h"
#include "bench/live/ps3eye/payload.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    struct ts_payload payload;
    struct ts_missing missing;
    int64_t now_ns;
};

static void on_picture(void *context, const struct ts_payload_picture *picture)
{
    struct seen *seen = context;
    if (picture->fid > 1 || (picture->whole && seen->payload.filled != seen->payload.picture_bytes))
        abort();
    ts_missing_count(&seen->missing, picture->pts, picture->fid,
                     (struct ts_host_time){seen->now_ns});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct seen seen = {.missing.period_ns = 8000000};
    const size_t picture = 1 + (size_t)(data[0] | data[1] << 8);
    uint8_t *memory = malloc(picture);
    seen.payload = (struct ts_payload){
        .picture_bytes = picture, .picture = memory, .take = on_picture, .context = &seen};
    for (size_t at = 2; memory && at + 2 <= size;) {
        const size_t asked = (size_t)(data[at] | data[at + 1] << 8);
        at += 2;
        const size_t part = size - at < asked ? size - at : asked;
        seen.now_ns += (int64_t)asked * 100000 - 1000000;
        ts_payload_feed(&seen.payload, data + at, part);
        if (seen.payload.filled > picture)
            abort();
        at += part;
    }
    free(memory);
    return 0;
}
