/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a PS3 Eye sends -> whole pictures. The stream is cut into payloads of at most 2048 bytes,
 * each of which begins with a header of 12 in the manner of USB Video Class 1.0 (2.4.3.3): its own
 * length, flags, a time stamp of the picture (PTS), 6 bytes that nobody uses. A picture's payloads
 * share PTS and frame id, and its last one has the flag EOF. Pure. */
#ifndef TS_LIVE_PS3EYE_PAYLOAD_H
#define TS_LIVE_PS3EYE_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_PAYLOAD_MAX    2048
#define TS_PAYLOAD_HEADER 12

enum ts_payload_flag {
    TS_PAYLOAD_FID = 0x01,
    TS_PAYLOAD_EOF = 0x02,
    TS_PAYLOAD_PTS = 0x04,
    TS_PAYLOAD_ERR = 0x40,
};

/* A picture has ended. */
struct ts_payload_picture {
    bool whole;   /* else torn: data is missing, too much of it, or flagged as bad */
    uint32_t pts; /* of no known clock; it changes from picture to picture */
    uint8_t fid;  /* 0, 1, 0, 1, ... */
};

struct ts_payload {
    size_t picture_bytes;
    uint8_t *picture; /* borrowed; picture_bytes. Valid while take() is called. */
    void (*take)(void *context, const struct ts_payload_picture *picture);
    void *context;
    /* The picture under way. */
    bool open;
    struct ts_payload_picture now;
    size_t filled;
};

/* Nothing is under way any more; what was is not told. */
void ts_payload_reset(struct ts_payload *payload);
/* The bytes of one transfer, which begins with a payload. take() is called for every picture that
 * ends in it. */
void ts_payload_feed(struct ts_payload *payload, const uint8_t *bytes, size_t size);

#endif
