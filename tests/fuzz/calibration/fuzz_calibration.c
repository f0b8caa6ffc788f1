/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a calibration file: a record that prints, or a reason. */
#include "store/record_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_record record;
    struct ts_why why = {""};
    if (ts_record_parse((const char *)data, size, &record, &why)) {
        if (!why.text[0])
            abort();
        return 0;
    }
    struct ts_buf text = {0};
    if (ts_record_print(&record, &text))
        abort();
    ts_buf_free(&text);
    return 0;
}
