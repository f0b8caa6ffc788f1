/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/tables.h"

#include "export/columns.h"
#include "store/json_out.h"

#include <string.h>

/* Quoted where a reader needs it. */
static void put_field(struct ts_out *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        ts_out_put(out, text);
        return;
    }
    ts_out_put(out, "\"");
    for (; *text; text++) {
        ts_out_bytes(out, text, 1);
        if (*text == '"')
            ts_out_put(out, "\"");
    }
    ts_out_put(out, "\"");
}

static void put_csv_value(struct ts_out *out, const struct ts_export_column *column,
                          const struct ts_export_value *value)
{
    if (!value->known)
        return;
    if (column->type == TS_COLUMN_TEXT)
        put_field(out, value->text);
    else
        ts_out_printf(out, "%.15g", value->number);
}

void ts_export_csv(const struct ts_report_data *data, struct ts_out *out)
{
    for (size_t i = 0; i < ts_export_column_count; i++)
        ts_out_printf(out, "%s%s", i ? "," : "", ts_export_columns[i].name);
    ts_out_put(out, "\n");
    for (size_t row = 0; row < data->count; row++) {
        for (size_t i = 0; i < ts_export_column_count; i++) {
            struct ts_export_value value;
            ts_export_value(&ts_export_columns[i], data, &data->launches[row], &value);
            ts_out_put(out, i ? "," : "");
            put_csv_value(out, &ts_export_columns[i], &value);
        }
        ts_out_put(out, "\n");
    }
}

void ts_export_dictionary(struct ts_out *out)
{
    ts_out_put(out, "name,unit,type,meaning\n");
    for (size_t i = 0; i < ts_export_column_count; i++) {
        const struct ts_export_column *column = &ts_export_columns[i];
        ts_out_printf(out, "%s,%s,%s,", column->name, column->unit,
                      ts_column_type_names[column->type]);
        put_field(out, column->meaning);
        ts_out_put(out, "\n");
    }
}

static void put_json_value(struct ts_json_out *json, const struct ts_export_column *column,
                           const struct ts_export_value *value)
{
    if (!value->known)
        ts_json_null(json, column->name);
    else if (column->type == TS_COLUMN_TEXT)
        ts_json_text(json, column->name, value->text);
    else if (column->type == TS_COLUMN_BOOLEAN)
        ts_json_boolean(json, column->name, value->number != 0);
    else
        ts_json_number(json, column->name, value->number);
}

void ts_export_jsonl(const struct ts_report_data *data, struct ts_out *out)
{
    for (size_t row = 0; row < data->count && !out->err; row++) {
        struct ts_json_out json = {.buf = &out->text};
        ts_json_open(&json, NULL, '{');
        for (size_t i = 0; i < ts_export_column_count; i++) {
            struct ts_export_value value;
            ts_export_value(&ts_export_columns[i], data, &data->launches[row], &value);
            put_json_value(&json, &ts_export_columns[i], &value);
        }
        ts_json_close(&json, '}');
        out->err = json.err;
        ts_out_put(out, "\n");
    }
}
