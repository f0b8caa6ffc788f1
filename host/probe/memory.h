/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks that a variant of the probe holds. */
#ifndef TS_PROBE_MEMORY_H
#define TS_PROBE_MEMORY_H

#include "probe/probe.h"

#define TS_PROBE_BLOCKS 256

struct ts_probe_blocks {
    unsigned char *block[TS_PROBE_BLOCKS]; /* owned; NULL from the first that is not used */
};

/* Bytes of block n; 0: the variant has none. */
size_t ts_probe_block_size(enum ts_probe_memory memory, size_t n);
/* All of them, written to, so that they are there. TS_ENOMEM. */
int ts_probe_blocks_take(enum ts_probe_memory memory, struct ts_probe_blocks *out) TS_MUST_CHECK;
void ts_probe_blocks_free(struct ts_probe_blocks *blocks);

#endif
