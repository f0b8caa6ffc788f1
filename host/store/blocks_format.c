/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/blocks_format.h"

#include <string.h>

#define VERSION      1u
#define SIDE_MAX_PX  4096
#define CHUNK_FRAMES 64u
#define CHUNK_BYTES  ((size_t)1 << 20) /* bounds the memory of both sides for large pictures */
#define CHECKSUM_AT  44
static const uint8_t magic[8] = "TSBLOCKS";

bool ts_blocks_shape_of(const struct ts_camera_geometry *camera, struct ts_blocks_shape *out)
{
    if (camera->width_px < TS_BLOCK_PX || camera->width_px > SIDE_MAX_PX ||
        camera->height_px < TS_BLOCK_PX || camera->height_px > SIDE_MAX_PX ||
        camera->blocks_x != camera->width_px / TS_BLOCK_PX ||
        camera->blocks_y != camera->height_px / TS_BLOCK_PX || camera->nominal_period_ns < 0)
        return false;
    out->blocks = (size_t)camera->blocks_x * (size_t)camera->blocks_y;
    out->frame_bytes = out->blocks * sizeof(uint16_t);
    const size_t fit = CHUNK_BYTES / out->frame_bytes;
    out->chunk_frames = fit > CHUNK_FRAMES ? CHUNK_FRAMES : fit ? fit : 1;
    return true;
}

uint32_t ts_blocks_checksum(uint32_t hash, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static uint32_t header_checksum(const uint8_t *header)
{
    return ts_blocks_checksum(TS_BLOCKS_CHECKSUM_BEGIN, header, CHECKSUM_AT);
}

void ts_blocks_put_header(uint8_t header[TS_BLOCKS_HEADER_SIZE],
                          const struct ts_camera_geometry *camera)
{
    struct ts_blocks_shape shape = {0};
    (void)ts_blocks_shape_of(camera, &shape);
    const uint32_t words[] = {
        VERSION,
        (uint32_t)camera->width_px,
        (uint32_t)camera->height_px,
        (uint32_t)camera->blocks_x,
        (uint32_t)camera->blocks_y,
        (uint32_t)camera->nominal_period_ns,
        (uint32_t)((uint64_t)camera->nominal_period_ns >> 32),
        (uint32_t)shape.chunk_frames,
    };
    memset(header, 0, TS_BLOCKS_HEADER_SIZE);
    memcpy(header, magic, sizeof magic);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ts_blocks_put_u32(header + 8 + 4 * i, words[i]);
    ts_blocks_put_u32(header + CHECKSUM_AT, header_checksum(header));
}

bool ts_blocks_get_header(const uint8_t header[TS_BLOCKS_HEADER_SIZE],
                          struct ts_camera_geometry *camera, struct ts_blocks_shape *shape)
{
    uint32_t words[8];
    for (size_t i = 0; i < 8; i++)
        words[i] = ts_blocks_get_u32(header + 8 + 4 * i);
    if (memcmp(header, magic, sizeof magic) != 0 || words[0] != VERSION ||
        ts_blocks_get_u32(header + CHECKSUM_AT) != header_checksum(header))
        return false;
    for (int i = 1; i <= 4; i++) {
        if (words[i] > SIDE_MAX_PX)
            return false;
    }
    const uint64_t period = words[5] | (uint64_t)words[6] << 32;
    if (period > INT64_MAX)
        return false;
    *camera = (struct ts_camera_geometry){(int)words[1], (int)words[2], (int)words[3],
                                          (int)words[4], (int64_t)period};
    return ts_blocks_shape_of(camera, shape) && words[7] == shape->chunk_frames;
}
