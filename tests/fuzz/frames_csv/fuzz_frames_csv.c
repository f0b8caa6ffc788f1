/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/frames_csv.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_frames_csv_row *rows;
    struct ts_why why;
    const long count = ts_frames_csv_parse((const char *)data, size, &rows, &why);
    if (count <= 0)
        return 0;
    struct ts_frames_line line;
    if (ts_frames_csv_line(rows, (size_t)count, &line) == TS_OK && !(line.period_ns >= 0))
        abort(); /* arrivals never fall */
    free(rows);
    return 0;
}
