/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/blocks_file.h"

#include "store/blocks_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct ts_blocks_writer {
    FILE *file;      /* owned */
    ZSTD_CCtx *zstd; /* owned */
    struct ts_blocks_shape shape;
    uint16_t *previous;       /* owned; the last frame written */
    uint8_t *planes, *packed; /* owned; one chunk, plain and compressed */
    size_t in_chunk;          /* frames in `planes` */
    uint64_t frames;          /* written in all */
    int err;                  /* the first error; nothing is written after it */
};

static void release(struct ts_blocks_writer *writer)
{
    if (writer->file)
        fclose(writer->file);
    ZSTD_freeCCtx(writer->zstd);
    free(writer->previous);
    free(writer->planes);
    free(writer->packed);
    free(writer);
}

static void put_bytes(struct ts_blocks_writer *writer, const void *bytes, size_t size)
{
    if (!writer->err && fwrite(bytes, 1, size, writer->file) != size)
        writer->err = TS_EIO;
}

int ts_blocks_create(const char *path, const struct ts_camera_geometry *camera,
                     struct ts_blocks_writer **out, struct ts_why *why)
{
    struct ts_blocks_shape shape;
    *out = NULL;
    if (!ts_blocks_shape_of(camera, &shape))
        return ts_fail(why, TS_EINVAL, "%s: a picture of %dx%d cannot be kept as blocks", path,
                       camera->width_px, camera->height_px);
    struct ts_blocks_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    writer->shape = shape;
    writer->zstd = ZSTD_createCCtx();
    writer->previous = calloc(shape.blocks, sizeof *writer->previous);
    writer->planes = malloc(shape.chunk_frames * shape.frame_bytes);
    writer->packed = malloc(ZSTD_compressBound(shape.chunk_frames * shape.frame_bytes));
    if (!writer->zstd || !writer->previous || !writer->planes || !writer->packed) {
        release(writer);
        return ts_fail(why, TS_ENOMEM, "out of memory");
    }
    ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, 1);
    writer->file = fopen(path, "wb");
    if (!writer->file) {
        const int reason = errno;
        release(writer);
        return ts_fail(why, TS_EIO, "%s: cannot be created: %s", path, strerror(reason));
    }
    uint8_t header[TS_BLOCKS_HEADER_SIZE];
    ts_blocks_put_header(header, camera);
    put_bytes(writer, header, sizeof header);
    *out = writer;
    return TS_OK;
}

static void put_chunk(struct ts_blocks_writer *writer, size_t frames, const uint8_t *bytes,
                      size_t size)
{
    uint8_t header[TS_BLOCKS_CHUNK_HEADER_SIZE];
    ts_blocks_put_u32(header, (uint32_t)frames);
    ts_blocks_put_u32(header + 4, (uint32_t)size);
    const uint32_t hash = ts_blocks_checksum(TS_BLOCKS_CHECKSUM_BEGIN, header, 8);
    ts_blocks_put_u32(header + 8, ts_blocks_checksum(hash, bytes, size));
    put_bytes(writer, header, sizeof header);
    put_bytes(writer, bytes, size);
}

static void flush_chunk(struct ts_blocks_writer *writer)
{
    const struct ts_blocks_shape *shape = &writer->shape;
    const size_t half = writer->in_chunk * shape->blocks;
    if (!half || writer->err)
        return;
    /* A short last chunk: its high plane moves up to the end of its low plane. */
    memmove(writer->planes + half, writer->planes + shape->chunk_frames * shape->blocks, half);
    const size_t bound = ZSTD_compressBound(2 * half);
    const size_t size =
        ZSTD_compress2(writer->zstd, writer->packed, bound, writer->planes, 2 * half);
    if (ZSTD_isError(size)) {
        writer->err = TS_ENOMEM;
        return;
    }
    put_chunk(writer, writer->in_chunk, writer->packed, size);
    writer->in_chunk = 0;
}

int ts_blocks_write(struct ts_blocks_writer *writer, const uint16_t *blocks)
{
    if (writer->err)
        return writer->err;
    const size_t count = writer->shape.blocks;
    uint8_t *low = writer->planes + writer->in_chunk * count;
    uint8_t *high = low + writer->shape.chunk_frames * count;
    for (size_t i = 0; i < count; i++) {
        const uint16_t folded = ts_blocks_fold((uint16_t)(blocks[i] - writer->previous[i]));
        low[i] = (uint8_t)folded;
        high[i] = (uint8_t)(folded >> 8);
    }
    memcpy(writer->previous, blocks, count * sizeof *blocks);
    writer->frames++;
    if (++writer->in_chunk == writer->shape.chunk_frames)
        flush_chunk(writer);
    return writer->err;
}

int ts_blocks_finish(struct ts_blocks_writer *writer)
{
    if (!writer)
        return TS_OK;
    flush_chunk(writer);
    uint8_t total[8];
    ts_blocks_put_u32(total, (uint32_t)writer->frames);
    ts_blocks_put_u32(total + 4, (uint32_t)(writer->frames >> 32));
    put_chunk(writer, 0, total, sizeof total);
    if (fclose(writer->file) && !writer->err)
        writer->err = TS_EIO;
    writer->file = NULL;
    const int err = writer->err;
    release(writer);
    return err;
}
