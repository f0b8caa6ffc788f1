/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What agreement reads from others: annotations as JSON, pairs as CSV. */
#include "cli/agreement_csv.h"
#include "store/annotations_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_annotations annotations;
    struct ts_agreement_row *rows;
    struct ts_why why;
    if (ts_annotations_parse((const char *)data, size, &annotations, &why) == TS_OK) {
        for (size_t i = 0; i < annotations.count; i++) {
            if (annotations.items[i].frames < 1 || !*annotations.items[i].by)
                abort();
        }
        ts_annotations_free(&annotations);
    }
    const long count = ts_agreement_csv_parse((const char *)data, size, &rows, &why);
    for (long i = 0; i < count; i++) {
        if (!isfinite(rows[i].manual_ms) || isinf(rows[i].automatic_ms))
            abort();
    }
    if (count > 0)
        free(rows);
    return 0;
}
