/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/spill.h"

#include <math.h>

#define AROUND    8
#define LEAST_MS  300.0 /* of rest, and ... */
#define LEAST     24    /* ... so many frames tell */
#define MOST_PART 0.5   /* of its change: more is no spill */
#define LIVELY    3.0   /* codes, standard deviation: who changes by less tells nothing */
#define PASSES    24    /* they have come to rest by then */

/* Least squares of the block's codes by those of its neighbours. */
struct fit {
    size_t count, neighbour[AROUND];
    double mean[AROUND], part[AROUND]; /* of a neighbour's change, that the block shows */
};

static void choose(const struct ts_spill *spill, size_t block, struct fit *fit)
{
    const size_t across = spill->window->across, down = spill->window->down, by = spill->beside,
                 x = block % across, y = block / across;
    fit->count = 0;
    for (size_t j = y > by ? y - by : y % by; j <= y + by && j < down; j += by) {
        for (size_t i = x > by ? x - by : x % by; i <= x + by && i < across; i += by) {
            const size_t other = j * across + i;
            if (other != block && spill->endless[other])
                fit->neighbour[fit->count++] = other;
        }
    }
}

struct sums { /* last: the block itself */
    double one[AROUND + 1], two[AROUND + 1][AROUND + 1];
};

static void add_up(const struct ts_window *window, const struct fit *fit, size_t block, size_t rest,
                   size_t until, struct sums *sums)
{
    double code[AROUND + 1];
    *sums = (struct sums){0};
    for (size_t n = rest; n < until; n++) {
        for (size_t k = 0; k <= fit->count; k++) {
            const size_t of = k < fit->count ? fit->neighbour[k] : block;
            code[k] = (double)ts_window_code(window, n, of);
            sums->one[k] += code[k];
            for (size_t l = 0; l <= k; l++)
                sums->two[k][l] += code[k] * code[l];
        }
    }
}

/* One after the other, each given the rest: light only adds. */
static bool solve(const struct sums *sums, double frames, struct fit *fit)
{
    double with[AROUND + 1][AROUND + 1];
    for (size_t k = 0; k <= fit->count; k++) {
        for (size_t l = 0; l <= k; l++)
            with[k][l] = with[l][k] = sums->two[k][l] - sums->one[k] * sums->one[l] / frames;
    }
    for (size_t k = 0; k < fit->count; k++) {
        fit->mean[k] = sums->one[k] / frames;
        fit->part[k] = 0;
    }
    double seen = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t k = 0; k < fit->count; k++) {
            if (with[k][k] < LIVELY * LIVELY * frames)
                continue;
            double left = with[fit->count][k];
            for (size_t l = 0; l < fit->count; l++)
                left -= l == k ? 0 : with[l][k] * fit->part[l];
            fit->part[k] = fmin(fmax(left / with[k][k], 0), MOST_PART);
            seen = fmax(seen, fit->part[k]);
        }
    }
    return seen > 0;
}

bool ts_spill_remove(const struct ts_spill *spill, size_t block, size_t rest, size_t until,
                     size_t from, size_t to, float *values)
{
    struct fit fit;
    struct sums sums;
    choose(spill, block, &fit);
    if (fit.count == 0 || fit.count == AROUND || until < rest + LEAST ||
        (double)(until - rest) * spill->window->view->period_ms < LEAST_MS)
        return false;
    add_up(spill->window, &fit, block, rest, until, &sums);
    if (!solve(&sums, (double)(until - rest), &fit))
        return false;
    for (size_t n = from; n < to; n++) {
        for (size_t k = 0; k < fit.count; k++) {
            const double code = (double)ts_window_code(spill->window, n, fit.neighbour[k]);
            values[n] -= (float)(fit.part[k] * (code - fit.mean[k]));
        }
    }
    return true;
}
