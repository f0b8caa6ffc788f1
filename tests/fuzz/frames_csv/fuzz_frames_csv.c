/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/frames_line.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_frames_csv_row *rows;
    struct ts_frames_schedule *schedule;
    struct ts_frames_line line;
    struct ts_why why;
    const long count = ts_frames_csv_parse((const char *)data, size, &rows, &why);
    if (count <= 0 || ts_frames_schedule_open(&schedule))
        return 0;
    for (long n = 0; n < count; n++) {
        if (ts_frames_schedule_add(schedule, &rows[n]))
            abort();
    }
    for (long n = 0; n < count; n++) {
        if (ts_frames_schedule_sequence(schedule, (size_t)n) != rows[n].sequence)
            abort();
    }
    if (ts_frames_schedule_line(schedule, &line) == TS_OK && !(line.period_ns >= 0))
        abort(); /* arrivals never fall */
    ts_frames_schedule_close(schedule);
    free(rows);
    return 0;
}
