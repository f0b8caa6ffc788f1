/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/blocks_file.h"

#include "store/blocks_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct ts_blocks_reader {
    FILE *file;      /* owned */
    ZSTD_DCtx *zstd; /* owned */
    struct ts_camera_geometry camera;
    struct ts_blocks_shape shape;
    uint16_t *previous;       /* owned */
    uint8_t *planes, *packed; /* owned */
    size_t next, in_chunk;    /* frames taken out of the open chunk, frames in it */
    uint64_t frames;          /* read in all */
    int ended;                /* what every further read gives; 0: go on */
};

void ts_blocks_close(struct ts_blocks_reader *reader)
{
    if (!reader)
        return;
    if (reader->file)
        fclose(reader->file);
    ZSTD_freeDCtx(reader->zstd);
    free(reader->previous);
    free(reader->planes);
    free(reader->packed);
    free(reader);
}

static bool get_bytes(struct ts_blocks_reader *reader, void *bytes, size_t size)
{
    return fread(bytes, 1, size, reader->file) == size;
}

static int open_file(struct ts_blocks_reader *reader, const char *path, struct ts_why *why)
{
    reader->file = fopen(path, "rb");
    if (!reader->file)
        return ts_fail(why, TS_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    uint8_t header[TS_BLOCKS_HEADER_SIZE];
    if (!get_bytes(reader, header, sizeof header) ||
        !ts_blocks_get_header(header, &reader->camera, &reader->shape))
        return ts_fail(why, TS_EPROTO, "%s: not a file of block sums, or damaged", path);
    const struct ts_blocks_shape *shape = &reader->shape;
    const size_t plain = shape->chunk_frames * shape->frame_bytes;
    reader->zstd = ZSTD_createDCtx();
    reader->previous = calloc(shape->blocks, sizeof *reader->previous);
    reader->planes = malloc(plain);
    reader->packed = malloc(ZSTD_compressBound(plain));
    if (!reader->zstd || !reader->previous || !reader->planes || !reader->packed)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    return TS_OK;
}

int ts_blocks_open(const char *path, struct ts_blocks_reader **out, struct ts_why *why)
{
    *out = NULL;
    struct ts_blocks_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int err = open_file(reader, path, why);
    if (err) {
        ts_blocks_close(reader);
        return err;
    }
    *out = reader;
    return TS_OK;
}

const struct ts_camera_geometry *ts_blocks_camera(const struct ts_blocks_reader *reader)
{
    return &reader->camera;
}

/* The count at the end tells a whole file from one that was cut between two chunks. */
static int check_end(struct ts_blocks_reader *reader, size_t size)
{
    if (size != 8 || fgetc(reader->file) != EOF)
        return TS_EPROTO;
    const uint8_t *total = reader->packed;
    const uint64_t frames = ts_blocks_get_u32(total) | (uint64_t)ts_blocks_get_u32(total + 4) << 32;
    return frames == reader->frames ? TS_EOF : TS_EPROTO;
}

static int read_chunk(struct ts_blocks_reader *reader)
{
    uint8_t header[TS_BLOCKS_CHUNK_HEADER_SIZE];
    if (!get_bytes(reader, header, sizeof header))
        return TS_EPROTO;
    const size_t frames = ts_blocks_get_u32(header);
    const size_t size = ts_blocks_get_u32(header + 4);
    const size_t plain = frames * reader->shape.frame_bytes;
    if (frames > reader->shape.chunk_frames || size > ZSTD_compressBound(plain) ||
        !get_bytes(reader, reader->packed, size))
        return TS_EPROTO;
    const uint32_t hash = ts_blocks_checksum(TS_BLOCKS_CHECKSUM_BEGIN, header, 8);
    if (ts_blocks_checksum(hash, reader->packed, size) != ts_blocks_get_u32(header + 8))
        return TS_EPROTO;
    if (!frames)
        return check_end(reader, size);
    if (ZSTD_decompressDCtx(reader->zstd, reader->planes, plain, reader->packed, size) != plain)
        return TS_EPROTO;
    reader->in_chunk = frames;
    reader->next = 0;
    return TS_OK;
}

int ts_blocks_read(struct ts_blocks_reader *reader, uint16_t *blocks)
{
    if (!reader->ended && reader->next == reader->in_chunk)
        reader->ended = read_chunk(reader);
    if (reader->ended)
        return reader->ended;
    const size_t count = reader->shape.blocks;
    const uint8_t *low = reader->planes + reader->next * count;
    const uint8_t *high = low + reader->in_chunk * count;
    for (size_t i = 0; i < count; i++) {
        const uint16_t folded = (uint16_t)(low[i] | high[i] << 8);
        reader->previous[i] = (uint16_t)(reader->previous[i] + ts_blocks_unfold(folded));
    }
    memcpy(blocks, reader->previous, count * sizeof *blocks);
    reader->next++;
    reader->frames++;
    return TS_OK;
}
