/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *unit;
    enum ts_meter meter;
    size_t offset;
} columns[TS_COST_COLUMNS] = {
    {"energy_mj", "mJ", TS_METER_ENERGY, offsetof(struct ts_costs, energy_mj)},
    {"energy_first_change_mj", "mJ", TS_METER_ENERGY,
     offsetof(struct ts_costs, energy_first_change_mj)},
    {"charge_mc", "mC", TS_METER_ENERGY, offsetof(struct ts_costs, charge_mc)},
    {"mean_current_ma", "mA", TS_METER_ENERGY, offsetof(struct ts_costs, mean_current_ma)},
    {"memory_kb", "kB", TS_METER_MEMORY, offsetof(struct ts_costs, memory_kb)},
    {"network_bytes", "byte", TS_METER_NETWORK, offsetof(struct ts_costs, network_bytes)},
    {"cpu_ms", "ms", TS_METER_CPU, offsetof(struct ts_costs, cpu_ms)},
};

int ts_cost_rows_put(struct ts_cost_rows *rows, size_t row, const struct ts_costs *costs)
{
    while (rows->count <= row) {
        void *values = rows->values;
        double *added = ts_grow(&values, &rows->count, &rows->capacity, sizeof *rows->values);
        rows->values = values;
        if (!added)
            return TS_ENOMEM;
        for (size_t i = 0; i < TS_COST_COLUMNS; i++)
            added[i] = NAN;
    }
    rows->any |= costs->asked != 0;
    for (size_t i = 0; i < TS_COST_COLUMNS; i++) {
        if (costs->asked & columns[i].meter)
            memcpy(&rows->values[row][i], (const char *)costs + columns[i].offset, sizeof(double));
    }
    return TS_OK;
}

int ts_cost_rows_join(const struct ts_cost_rows *rows, struct ts_feature_table *table)
{
    const size_t before = table->feature_count, width = before + TS_COST_COLUMNS;
    if (!rows->any)
        return TS_OK;
    struct ts_feature_table_feature *features = calloc(width, sizeof *features);
    double *values = malloc((table->row_count * width + 1) * sizeof *values);
    if (!features || !values) {
        free(features);
        free(values);
        return TS_ENOMEM;
    }
    memcpy(features, table->features, before * sizeof *features);
    for (size_t i = 0; i < TS_COST_COLUMNS; i++) {
        snprintf(features[before + i].name, sizeof features->name, "%s", columns[i].name);
        snprintf(features[before + i].unit, sizeof features->unit, "%s", columns[i].unit);
    }
    for (size_t row = 0; row < table->row_count; row++) {
        double *to = values + row * width;
        memcpy(to, ts_feature_table_values(table, row), before * sizeof *to);
        for (size_t i = 0; i < TS_COST_COLUMNS; i++)
            to[before + i] = row < rows->count ? rows->values[row][i] : (double)NAN;
    }
    free(table->features);
    free(table->values);
    table->features = features;
    table->feature_count = table->feature_capacity = width;
    table->values = values;
    table->value_count = table->value_capacity = table->row_count * width;
    return TS_OK;
}

void ts_cost_rows_free(struct ts_cost_rows *rows)
{
    free(rows->values);
    *rows = (struct ts_cost_rows){0};
}

bool ts_cost_is_column(const char *name)
{
    for (size_t i = 0; i < TS_COST_COLUMNS; i++) {
        if (strcmp(columns[i].name, name) == 0)
            return true;
    }
    return false;
}
