/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: memory that is really there from the beginning, so that it does not grow with
 * the frames. Compilers turn malloc and memset to calloc, whose pages come when they are used. */
#ifndef TS_VISION_MEMORY_H
#define TS_VISION_MEMORY_H

#include <stdlib.h>

static inline void *ts_memory_zeroed(size_t count, size_t size)
{
    unsigned char *memory = calloc(count, size);
    for (size_t i = 0; memory && i < count * size; i += 1024)
        *(volatile unsigned char *)&memory[i] = 0;
    return memory;
}

#endif
