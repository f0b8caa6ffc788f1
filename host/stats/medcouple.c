/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/medcouple.h"

#include "base/rng.h"
#include "stats/order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The matrix h(i, j) that is never stored, and which part of each row may still hold what is
 * looked for. Rows: values from the largest down to the median; columns: from the median down. */
struct couples {
    const double *sorted;
    double median;
    size_t count;
    size_t rows, columns;
    size_t *begin, *end; /* [rows], owned */
};

static double couple(const struct couples *of, size_t row, size_t column)
{
    const double a = of->sorted[of->count - 1 - row] - of->median;
    const double b = of->sorted[of->columns - 1 - column] - of->median;
    if (a > b)
        return (a + b) / (a - b);
    /* Both are the median: row - (rows - ties) + column == ties - 1 is the diagonal. */
    const size_t at = row + column + 1;
    return (double)((at < of->rows) - (at > of->rows));
}

/* An element of what is left, each as likely as the other. */
static double draw(const struct couples *of, uint64_t left, struct ts_rng *rng)
{
    uint64_t at = ts_rng_next(rng) % left;
    size_t row = 0;
    while (at >= of->end[row] - of->begin[row]) {
        at -= of->end[row] - of->begin[row];
        row++;
    }
    return couple(of, row, of->begin[row] + (size_t)at);
}

/* The element with `rank` greater ones before it. */
static double select_rank(struct couples *of, uint64_t rank, struct ts_rng *rng)
{
    uint64_t left = (uint64_t)of->rows * of->columns, before = UINT64_MAX;
    for (size_t row = 0; row < of->rows; row++) {
        of->begin[row] = 0;
        of->end[row] = of->columns;
    }
    for (;;) {
        const double pivot = draw(of, left, rng);
        uint64_t greater = 0, reaching = 0; /* > pivot, >= pivot */
        for (size_t row = 0, above = of->columns, at = of->columns; row < of->rows; row++) {
            while (above > 0 && !(couple(of, row, above - 1) > pivot))
                above--;
            while (at > 0 && !(couple(of, row, at - 1) >= pivot))
                at--;
            greater += above;
            reaching += at;
        }
        /* Rounding can put neighbours in the wrong order by their last bit: then nothing is left
         * out any more, and the pivot is right but for that bit. */
        if ((rank >= greater && rank < reaching) || left == before)
            return pivot;
        before = left;
        left = 0;
        for (size_t row = 0, edge = of->columns; row < of->rows; row++) {
            while (edge > 0 && !(rank < greater ? couple(of, row, edge - 1) > pivot
                                                : couple(of, row, edge - 1) >= pivot))
                edge--;
            if (rank < greater && of->end[row] > edge)
                of->end[row] = edge;
            else if (rank >= greater && of->begin[row] < edge)
                of->begin[row] = edge;
            if (of->end[row] < of->begin[row])
                of->end[row] = of->begin[row];
            left += of->end[row] - of->begin[row];
        }
        if (!left)
            return pivot;
    }
}

int ts_medcouple(const double *sorted, size_t count, double *out)
{
    *out = NAN;
    if (!count)
        return TS_OK;
    struct couples of = {.sorted = sorted, .median = ts_median(sorted, count), .count = count};
    while (of.columns < count && sorted[of.columns] <= of.median)
        of.columns++;
    while (of.rows < count && sorted[count - 1 - of.rows] >= of.median)
        of.rows++;
    if (!of.columns || !of.rows)
        return TS_OK; /* a value is no number, and so is the median */
    of.begin = malloc((2 * of.rows + 1) * sizeof *of.begin);
    if (!of.begin)
        return TS_ENOMEM;
    of.end = of.begin + of.rows;
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    const uint64_t total = (uint64_t)of.rows * of.columns;
    const double upper = select_rank(&of, (total - 1) / 2, &rng);
    *out = total % 2 ? upper : (upper + select_rank(&of, total / 2, &rng)) / 2;
    free(of.begin);
    return TS_OK;
}
