/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of blocks.bin, shared by its writer and its reader. Little endian.
 *
 *   header   "TSBLOCKS", u32 version, u32 width_px, height_px, blocks_x, blocks_y,
 *            u64 nominal_period_ns, u32 frames a chunk, u32 FNV-1a of the bytes before it
 *   chunk    u32 frames, u32 size, u32 FNV-1a of the 8 bytes before it and of what follows, then
 *            `size` bytes: one zstd frame
 *   end      a chunk of 0 frames whose 8 bytes are the u64 number of frames in all
 *
 * A chunk unpacks to the low bytes of all its values, then their high bytes. A value is the
 * difference, modulo 2^16, of a sum to that of the frame before (the first: to 0), folded so that
 * small differences of either sign are small numbers: 0, -1, 1, -2, ... -> 0, 1, 2, 3, ... */
#ifndef TS_STORE_BLOCKS_FORMAT_H
#define TS_STORE_BLOCKS_FORMAT_H

#include "model/frame.h"

#include <stddef.h>

#define TS_BLOCKS_HEADER_SIZE       48
#define TS_BLOCKS_CHUNK_HEADER_SIZE 12

struct ts_blocks_shape {
    size_t blocks;       /* in a frame */
    size_t frame_bytes;  /* plain */
    size_t chunk_frames; /* at most, in one chunk */
};

/* false when the geometry is not that of a picture of 5x5 px blocks up to 4096x4096 px. */
bool ts_blocks_shape_of(const struct ts_camera_geometry *camera, struct ts_blocks_shape *out);
void ts_blocks_put_header(uint8_t header[TS_BLOCKS_HEADER_SIZE],
                          const struct ts_camera_geometry *camera);
/* false: no such file, or damaged. */
bool ts_blocks_get_header(const uint8_t header[TS_BLOCKS_HEADER_SIZE],
                          struct ts_camera_geometry *camera, struct ts_blocks_shape *shape);

/* Fowler, Noll and Vo, 32 bits, variant 1a: any single changed byte changes it. Begins with
 * TS_BLOCKS_CHECKSUM_BEGIN; goes on with the hash of what came before. zstd's own checksum does not
 * cover the unused bits of its header. */
#define TS_BLOCKS_CHECKSUM_BEGIN 2166136261u
uint32_t ts_blocks_checksum(uint32_t hash, const uint8_t *bytes, size_t size);

static inline void ts_blocks_put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint32_t ts_blocks_get_u32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint16_t ts_blocks_fold(uint16_t difference)
{
    const uint16_t sign = difference & 0x8000u ? 0xffffu : 0;
    return (uint16_t)(difference << 1 ^ sign);
}

static inline uint16_t ts_blocks_unfold(uint16_t folded)
{
    const uint16_t sign = folded & 1u ? 0xffffu : 0;
    return (uint16_t)(folded >> 1 ^ sign);
}

#endif
