/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/ps3eye/payload.h"

#include <string.h>

void ts_payload_reset(struct ts_payload *payload)
{
    payload->open = false;
    payload->filled = 0;
}

static void finish(struct ts_payload *payload, bool whole)
{
    payload->now.whole = payload->now.whole && whole;
    payload->open = false;
    payload->take(payload->context, &payload->now);
}

static void begin(struct ts_payload *payload, uint32_t pts, uint8_t fid)
{
    /* The one before had no end. */
    if (payload->open)
        finish(payload, false);
    payload->open = true;
    payload->now = (struct ts_payload_picture){.whole = true, .pts = pts, .fid = fid};
    payload->filled = 0;
}

static void add(struct ts_payload *payload, const uint8_t *data, size_t size)
{
    if (size > payload->picture_bytes - payload->filled) {
        payload->now.whole = false;
        return;
    }
    memcpy(payload->picture + payload->filled, data, size);
    payload->filled += size;
}

static void take_one(struct ts_payload *payload, const uint8_t *bytes, size_t size)
{
    const bool header = size >= TS_PAYLOAD_HEADER && bytes[0] == TS_PAYLOAD_HEADER;
    const uint8_t flags = header ? bytes[1] : 0;
    /* Whose it is cannot be told: the picture under way has a hole. */
    if (!(flags & TS_PAYLOAD_PTS)) {
        payload->now.whole = false;
        return;
    }
    const uint32_t pts = (uint32_t)bytes[2] | (uint32_t)bytes[3] << 8 | (uint32_t)bytes[4] << 16 |
                         (uint32_t)bytes[5] << 24;
    const uint8_t fid = flags & TS_PAYLOAD_FID;
    if (!payload->open || pts != payload->now.pts || fid != payload->now.fid)
        begin(payload, pts, fid);
    if (flags & TS_PAYLOAD_ERR)
        payload->now.whole = false;
    add(payload, bytes + TS_PAYLOAD_HEADER, size - TS_PAYLOAD_HEADER);
    if (flags & TS_PAYLOAD_EOF)
        finish(payload, payload->filled == payload->picture_bytes);
}

void ts_payload_feed(struct ts_payload *payload, const uint8_t *bytes, size_t size)
{
    while (size) {
        const size_t one = size < TS_PAYLOAD_MAX ? size : TS_PAYLOAD_MAX;
        take_one(payload, bytes, one);
        bytes += one;
        size -= one;
    }
}
