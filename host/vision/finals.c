/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/finals.h"

#include "vision/memory.h"

#include <stdlib.h>

#define FRAMES_MOST 96 /* enough for a final value */

int ts_finals_open(struct ts_finals *finals, const struct ts_window *window)
{
    *finals = (struct ts_finals){.window = window, .round = 1};
    finals->latest = ts_memory_zeroed(window->blocks, sizeof *finals->latest);
    return finals->latest ? TS_OK : TS_ENOMEM;
}

void ts_finals_close(struct ts_finals *finals)
{
    free(finals->latest);
    *finals = (struct ts_finals){0};
}

void ts_finals_forget(struct ts_finals *finals)
{
    finals->round++;
}

static double mean_code(const struct ts_window *window, size_t block, size_t rest, size_t until)
{
    const size_t step = (until - rest) / FRAMES_MOST + 1;
    double sum = 0;
    size_t count = 0;
    for (size_t n = rest; n < until; n += step) {
        sum += (double)ts_window_code(window, n, block);
        count++;
    }
    return sum / (double)count;
}

double ts_finals_code(const struct ts_finals *finals, size_t block, size_t rest, size_t until)
{
    struct ts_final *latest = &finals->latest[block];
    if (latest->round != finals->round || latest->rest != rest || latest->until != until) {
        const double code = mean_code(finals->window, block, rest, until);
        *latest = (struct ts_final){rest, until, finals->round, code};
    }
    return latest->code;
}
