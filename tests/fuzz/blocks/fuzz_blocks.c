/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of block sums. The reader takes a path, so the bytes go through a file. */
#include "store/blocks_file.h"
#include "store/blocks_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "/tmp/touchstone-fuzz-blocks-XXXXXX";

static void remove_file(void)
{
    unlink(path);
}

static void make_file(void)
{
    static int fd = -1;
    if (fd >= 0)
        return;
    fd = mkstemp(path);
    if (fd < 0)
        abort();
    atexit(remove_file);
}

/* Makes the checksums right: they would keep nearly every input from going deeper. */
static void mend(uint8_t *data, size_t size)
{
    size_t at = TS_BLOCKS_HEADER_SIZE;
    if (size < at)
        return;
    ts_blocks_put_u32(data + at - 4, ts_blocks_checksum(TS_BLOCKS_CHECKSUM_BEGIN, data, at - 4));
    while (size - at >= TS_BLOCKS_CHUNK_HEADER_SIZE) {
        uint8_t *chunk = data + at;
        const size_t packed = ts_blocks_get_u32(chunk + 4);
        at += TS_BLOCKS_CHUNK_HEADER_SIZE;
        if (packed > size - at)
            return;
        const uint32_t hash = ts_blocks_checksum(TS_BLOCKS_CHECKSUM_BEGIN, chunk, 8);
        ts_blocks_put_u32(chunk + 8, ts_blocks_checksum(hash, data + at, packed));
        at += packed;
    }
}

static void read_file(const uint8_t *data, size_t size)
{
    struct ts_blocks_reader *reader;
    struct ts_why why;
    make_file();
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
    if (ts_blocks_open(path, &reader, &why))
        return;
    const struct ts_camera_geometry *camera = ts_blocks_camera(reader);
    uint16_t *blocks = malloc((size_t)camera->blocks_x * (size_t)camera->blocks_y * sizeof *blocks);
    if (!blocks)
        abort();
    for (int frames = 0; frames < 5000 && !ts_blocks_read(reader, blocks); frames++)
        ;
    free(blocks);
    ts_blocks_close(reader);
}

/* Once as it is, once with its checksums mended. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *mended = malloc(size + 1);
    if (!mended)
        abort();
    if (size)
        memcpy(mended, data, size);
    mend(mended, size);
    read_file(data, size);
    read_file(mended, size);
    free(mended);
    return 0;
}
