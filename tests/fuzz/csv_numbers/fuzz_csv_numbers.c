/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/table_csv.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_column(const char *text, size_t size, const char *which)
{
    struct ts_column column;
    struct ts_why why = {""};
    const int err = ts_column_parse(text, size, which, &column, &why);
    if (err == TS_EPROTO && !why.text[0])
        abort(); /* a refusal says why */
    if (column.count + column.missing != column.row_count)
        abort();
    for (size_t i = 0; i < column.count; i++) {
        if (!isfinite(column.values[i]) || column.rows[i] >= column.row_count ||
            (i && column.rows[i] <= column.rows[i - 1]))
            abort();
    }
    ts_column_free(&column);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A copy without a 0 behind it, so that reading on is seen. */
    char *text = malloc(size + !size);
    if (!text)
        return 0;
    memcpy(text, data, size);
    read_column(text, size, NULL);
    read_column(text, size, "2");
    read_column(text, size, "wait");
    free(text);
    return 0;
}
