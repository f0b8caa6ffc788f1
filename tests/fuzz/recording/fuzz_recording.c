/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/recording.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_feature_table table;
    struct ts_recording_summary summary;
    struct ts_why why = {""};
    char *text = malloc(size + !size); /* no 0 behind it, so that reading on is seen */
    if (!text || ts_feature_table_start(&table)) {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    const struct ts_recording recording = {text, size, "phone", "day", INFINITY};
    const int err = ts_recording_read(&recording, &table, &summary, &why);
    if (err ? err == TS_EPROTO && !why.text[0]
            : summary.launches != table.row_count || summary.timed > summary.launches)
        abort();
    ts_feature_table_free(&table);
    free(text);
    return 0;
}
