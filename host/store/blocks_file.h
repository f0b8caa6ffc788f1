/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.bin: the block sums of every frame, kept always, so that results can be computed again
 * without the video. Lossless: differences to the previous frame, split in bytes, zstd. */
#ifndef TS_STORE_BLOCKS_FILE_H
#define TS_STORE_BLOCKS_FILE_H

#include "base/err.h"
#include "model/frame.h"

struct ts_blocks_writer;
int ts_blocks_create(const char *path, const struct ts_camera_geometry *camera,
                     struct ts_blocks_writer **out, struct ts_why *why) TS_MUST_CHECK;
int ts_blocks_write(struct ts_blocks_writer *writer, const uint16_t *blocks) TS_MUST_CHECK;
/* Flushes, closes and frees; the first error of the writer's life is reported here too. */
int ts_blocks_finish(struct ts_blocks_writer *writer) TS_MUST_CHECK;

struct ts_blocks_reader;
int ts_blocks_open(const char *path, struct ts_blocks_reader **out,
                   struct ts_why *why) TS_MUST_CHECK;
const struct ts_camera_geometry *ts_blocks_camera(const struct ts_blocks_reader *reader);
/* The next frame's sums into blocks; TS_EOF at the end, TS_EPROTO for damage. */
int ts_blocks_read(struct ts_blocks_reader *reader, uint16_t *blocks) TS_MUST_CHECK;
void ts_blocks_close(struct ts_blocks_reader *reader);

#endif
