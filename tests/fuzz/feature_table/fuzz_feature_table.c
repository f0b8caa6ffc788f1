/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read is printed and read again: the same table. */
static void come_back(const struct ts_feature_table *table)
{
    struct ts_buf text = {0}, twice = {0};
    struct ts_feature_table again;
    struct ts_why why = {""};
    if (ts_feature_table_print(table, &text) ||
        ts_feature_table_parse((char *)text.data, text.size, &again, &why) ||
        again.row_count != table->row_count || again.feature_count != table->feature_count)
        abort();
    if (ts_feature_table_print(&again, &twice) || twice.size != text.size ||
        memcmp(twice.data, text.data, text.size) != 0)
        abort();
    ts_feature_table_free(&again);
    ts_buf_free(&text);
    ts_buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_feature_table table;
    struct ts_why why = {""};
    char *text = malloc(size + !size); /* no 0 behind it, so that reading on is seen */
    if (!text)
        return 0;
    memcpy(text, data, size);
    const int err = ts_feature_table_parse(text, size, &table, &why);
    if (err == TS_EPROTO && !why.text[0])
        abort();
    if (!err)
        come_back(&table);
    ts_feature_table_free(&table);
    free(text);
    return 0;
}
