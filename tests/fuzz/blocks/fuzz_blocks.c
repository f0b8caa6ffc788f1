/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of block sums. The reader takes a path, so the bytes go through a file. */
#include "store/blocks_file.h"

#include <stdio.h>
#include <stdlib.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_blocks_reader *reader;
    struct ts_why why;
    make_file();
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
    if (ts_blocks_open(path, &reader, &why))
        return 0;
    const struct ts_camera_geometry *camera = ts_blocks_camera(reader);
    uint16_t *blocks = malloc((size_t)camera->blocks_x * (size_t)camera->blocks_y * sizeof *blocks);
    if (!blocks)
        abort();
    for (int frames = 0; frames < 5000 && !ts_blocks_read(reader, blocks); frames++)
        ;
    free(blocks);
    ts_blocks_close(reader);
    return 0;
}
