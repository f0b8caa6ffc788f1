/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/distinct.h"

#include <stdlib.h>

int ts_distinct_of(const double *sorted, size_t count, struct ts_distinct *out)
{
    size_t distinct = count > 0;
    for (size_t i = 1; i < count; i++)
        distinct += sorted[i] > sorted[i - 1];
    *out = (struct ts_distinct){.count = distinct,
                                .values = malloc((distinct + 1) * sizeof *out->values),
                                .first = malloc((distinct + 1) * sizeof *out->first)};
    if (!out->values || !out->first) {
        ts_distinct_free(out);
        return TS_ENOMEM;
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && !(sorted[i] > sorted[i - 1]))
            continue;
        out->values[at] = sorted[i];
        out->first[at++] = i;
    }
    out->first[at] = count;
    return TS_OK;
}

size_t ts_distinct_find(const struct ts_distinct *of, double value)
{
    size_t low = 0, high = of->count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (of->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ts_distinct_free(struct ts_distinct *of)
{
    free(of->values);
    free(of->first);
    *of = (struct ts_distinct){0};
}
