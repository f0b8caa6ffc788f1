/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/versus.h"

#include "report/page.h"

#include <math.h>
#include <stdlib.h>

static int judge(struct ts_versus_side *side)
{
    const struct ts_range none = {NAN, NAN};
    struct ts_agreement agreement = {0};
    struct ts_line line = {NAN, NAN, none, none};
    int err = ts_agreement_of(side->settled, side->other, side->count, &agreement);
    if (!err && side->count >= TS_PAIRS_MIN)
        err = ts_deming(side->other, side->settled, side->count, 1, &line);
    side->agreement = agreement;
    side->line = line;
    return err;
}

int ts_versus_of(const struct ts_report_data *data, const struct ts_summary *summary,
                 const double *other, struct ts_versus *out)
{
    *out = (struct ts_versus){
        .rows = calloc(summary->app_count + 1, sizeof *out->rows),
        .values = calloc(2 * data->count + 1, sizeof *out->values),
    };
    int err = out->rows && out->values ? TS_OK : TS_ENOMEM;
    double *const settled = out->values, *const others = err ? NULL : settled + data->count;
    size_t count = 0;
    for (size_t row = 0; row < summary->app_count && !err; row++) {
        const size_t begin = count;
        for (size_t i = 0; i < data->count; i++) {
            const struct ts_result *result = &data->launches[i].result;
            if (summary->row_of[i] != row || !ts_launch_counts(&data->launches[i]) ||
                !isfinite(result->settled.value) || !isfinite(other[i]))
                continue;
            settled[count] = result->settled.value;
            others[count++] = other[i];
        }
        out->rows[row] = (struct ts_versus_side){
            .settled = settled + begin, .other = others + begin, .count = count - begin};
        err = judge(&out->rows[row]);
    }
    out->all = (struct ts_versus_side){.settled = settled, .other = others, .count = count};
    if (!err)
        err = judge(&out->all);
    if (err)
        ts_versus_free(out);
    return err;
}

void ts_versus_free(struct ts_versus *android)
{
    free(android->rows);
    free(android->values);
    *android = (struct ts_versus){0};
}

static void put_range(struct ts_out *out, struct ts_range range, int decimals)
{
    ts_out_put(out, "<td class=\"number\">");
    ts_out_number(out, range.low, decimals, ts_fine_numbers);
    if (isfinite(range.low)) {
        ts_out_put(out, " to ");
        ts_out_number(out, range.high, decimals, ts_fine_numbers);
    }
    ts_out_put(out, "</td>");
}

static void put_row(struct ts_out *out, const char *name, const struct ts_versus_side *side)
{
    const struct ts_agreement *agreement = &side->agreement;
    ts_out_put(out, "<tr><th scope=\"row\">");
    ts_html_name(out, name);
    ts_out_printf(out, "</th><td class=\"number\">%zu</td>", side->count);
    ts_html_number(out, agreement->bias, 0);
    put_range(out, agreement->bias_interval, 0);
    ts_html_number(out, agreement->sd, 0);
    put_range(out, agreement->limits, 0);
    ts_html_number(out, side->line.slope, 2);
    put_range(out, side->line.slope_interval, 2);
    ts_html_number(out, side->line.intercept, 0);
    ts_html_number(out, side->count < TS_PAIRS_MIN ? NAN : agreement->pearson, 2);
    ts_out_put(out, "</tr>\n");
}

void ts_versus_table(const struct ts_versus *versus, const struct ts_summary *summary,
                     const char *caption, struct ts_out *out)
{
    ts_html_table_begin(out, caption,
                        "App|#Pairs|#Mean difference|#95\u00a0% interval|#Standard "
                        "deviation|#Limits of agreement|#Slope|#95\u00a0% "
                        "interval|#Intercept|#Corre\u00adlation");
    for (size_t row = 0; row < summary->app_count; row++)
        put_row(out, summary->apps[row].label, &versus->rows[row]);
    if (summary->app_count > 1)
        put_row(out, "all launches", &versus->all);
    ts_html_table_end(out);
}
