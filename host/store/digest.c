/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/digest.h"

#include <libavutil/mem.h>
#include <libavutil/sha.h>
#include <stdio.h>

#define DIGEST_BYTES 32

int ts_digest_of(const void *bytes, size_t size, char text[TS_DIGEST_SIZE])
{
    uint8_t digest[DIGEST_BYTES];
    struct AVSHA *sha = av_sha_alloc();
    if (!sha)
        return TS_ENOMEM;
    av_sha_init(sha, 8 * DIGEST_BYTES);
    av_sha_update(sha, bytes, size);
    av_sha_final(sha, digest);
    av_free(sha);
    for (int i = 0; i < DIGEST_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return TS_OK;
}
