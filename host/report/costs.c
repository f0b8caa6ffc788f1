/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What launches cost beside time, where the plan asks for it. */
#include "report/costs.h"

#include "report/page.h"
#include "stats/order.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A column, and where its value stands. */
struct column {
    const char *heading, *name; /* on the page; in a terminal */
    const char *unit;
    size_t offset;
    enum ts_meter meter;
    int decimals;
    bool has_u; /* the value is a ts_metric's first number, and its second follows */
};

#define AT(member) offsetof(struct ts_costs, member)

static const struct column columns[] = {
    {"Energy, mJ", "energy", "mJ", AT(energy_mj), TS_METER_ENERGY, 0, true},
    {"to first change, mJ", "to first change", "mJ", AT(energy_first_change_mj), TS_METER_ENERGY, 0,
     true},
    {"Charge, mC", "charge", "mC", AT(charge_mc), TS_METER_ENERGY, 1, true},
    {"Mean current, mA", "mean current", "mA", AT(mean_current_ma), TS_METER_ENERGY, 0, true},
    {"Processor, ms", "processor time", "ms", AT(cpu_ms), TS_METER_CPU, 0, false},
    {"Memory, kB", "memory", "kB", AT(memory_kb), TS_METER_MEMORY, 0, false},
    {"Network, bytes", "network", "bytes", AT(network_bytes), TS_METER_NETWORK, 0, false},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static double value_of(const struct ts_costs *costs, const struct column *column, bool u)
{
    const double *at = (const double *)(const void *)((const char *)costs + column->offset);
    return costs->asked & column->meter ? at[u] : (double)NAN;
}

void ts_text_costs(const struct ts_result *result, struct ts_text_style style, struct ts_out *out)
{
    const struct ts_costs *costs = &result->costs;
    struct ts_table table;
    if (!costs->asked)
        return;
    ts_out_put(out, "\n");
    ts_table_begin(&table, 4, 0x6);
    ts_table_put(&table, "costs of the launch");
    ts_table_put(&table, "value");
    ts_table_put(&table, "u");
    ts_table_put(&table, "");
    for (size_t i = 0; i < COLUMNS; i++) {
        if (!(costs->asked & columns[i].meter))
            continue;
        ts_table_put(&table, columns[i].name);
        ts_table_number(&table, value_of(costs, &columns[i], false), columns[i].decimals);
        ts_table_number(&table, columns[i].has_u ? value_of(costs, &columns[i], true) : (double)NAN,
                        columns[i].decimals);
        ts_table_put(&table, columns[i].unit);
    }
    ts_table_end(&table, style, out);
    if (costs->asked & TS_METER_ENERGY && costs->supply != TS_SUPPLY_MEASURED)
        ts_out_printf(out, "No energy: the supply's meter was %s.\n",
                      costs->supply == TS_SUPPLY_ABSENT ? "not heard of"
                      : costs->supply == TS_SUPPLY_LOST ? "silent for a part of the launch"
                                                        : "out of its range");
}

/* The median over the app's launches that count; NAN: none is known. */
static double median_of(const struct ts_page *page, size_t app, const struct column *column,
                        double *room)
{
    const struct ts_report_data *data = page->data;
    size_t count = 0;
    for (size_t i = 0; i < data->count; i++) {
        const double value = value_of(&data->launches[i].result.costs, column, false);
        if (page->summary->row_of[i] == app && ts_launch_counts(&data->launches[i]) &&
            isfinite(value))
            room[count++] = value;
    }
    ts_sort(room, count);
    return count ? ts_quantile(room, count, 0.5) : (double)NAN;
}

static unsigned asked(const struct ts_report_data *data)
{
    unsigned meters = 0;
    for (size_t i = 0; i < data->count; i++)
        meters |= data->launches[i].result.costs.asked;
    return meters;
}

void ts_section_costs(const struct ts_page *page, struct ts_out *out)
{
    const unsigned meters = asked(page->data);
    char headings[400] = "App";
    double *room = meters ? malloc(page->data->count * sizeof *room) : NULL;
    if (!room)
        return;
    for (size_t i = 0; i < COLUMNS; i++) {
        const size_t used = strlen(headings);
        if (meters & columns[i].meter)
            snprintf(headings + used, sizeof headings - used, "|#%s", columns[i].heading);
    }
    ts_out_put(out, "<section>\n<h2>What a launch costs</h2>\n");
    ts_html_table_begin(out, "Medians over the launches that count", headings);
    for (size_t app = 0; app < page->summary->app_count; app++) {
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, page->summary->apps[app].label);
        ts_out_put(out, "</th>");
        for (size_t i = 0; i < COLUMNS; i++) {
            if (meters & columns[i].meter)
                ts_html_number(out, median_of(page, app, &columns[i], room), columns[i].decimals);
        }
        ts_out_put(out, "</tr>\n");
    }
    ts_html_table_end(out);
    ts_out_put(
        out, "<p class=\"quiet\">Energy, charge and current of the phone\u2019s supply count "
             "from time zero to settled. Processor time and network bytes of the app count from a "
             "reading before the tap to one after the launch; memory is the app\u2019s "
             "proportional set size then.</p>\n</section>\n");
    free(room);
}
