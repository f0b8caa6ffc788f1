/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAGES_MOST 16 /* of a block: 256 blocks are 9 MB then */

const char *const ts_probe_memory_names[TS_PROBE_MEMORY_COUNT] = {"plain", "16", "4096", "primes"};

static bool is_prime(size_t number)
{
    for (size_t by = 2; by * by <= number; by++) {
        if (number % by == 0)
            return false;
    }
    return number > 1;
}

size_t ts_probe_block_size(enum ts_probe_memory memory, size_t n)
{
    size_t size = 16 * (n + 1);
    switch (memory) {
    case TS_PROBE_BY_16:
        return size;
    case TS_PROBE_BY_4096:
        return 4096 * (1 + n % PAGES_MOST);
    case TS_PROBE_PRIMES:
        while (!is_prime(size))
            size++;
        return size;
    case TS_PROBE_PLAIN:
    case TS_PROBE_MEMORY_COUNT:
        break;
    }
    return 0;
}

int ts_probe_blocks_take(enum ts_probe_memory memory, struct ts_probe_blocks *out)
{
    *out = (struct ts_probe_blocks){0};
    for (size_t n = 0; n < TS_PROBE_BLOCKS; n++) {
        const size_t size = ts_probe_block_size(memory, n);
        if (!size)
            break;
        out->block[n] = malloc(size);
        if (!out->block[n]) {
            ts_probe_blocks_free(out);
            return TS_ENOMEM;
        }
        memset(out->block[n], 0x55, size);
    }
    return TS_OK;
}

void ts_probe_blocks_free(struct ts_probe_blocks *blocks)
{
    for (size_t n = 0; n < TS_PROBE_BLOCKS; n++)
        free(blocks->block[n]);
    *blocks = (struct ts_probe_blocks){0};
}
