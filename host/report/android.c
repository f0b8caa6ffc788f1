/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/android.h"

#include "report/page.h"

#include <math.h>
#include <stdlib.h>

static int judge(struct ts_android_side *side)
{
    const struct ts_range none = {NAN, NAN};
    struct ts_agreement agreement = {0};
    struct ts_line line = {NAN, NAN, none, none};
    int err = ts_agreement_of(side->settled, side->android, side->count, &agreement);
    if (!err && side->count >= TS_PAIRS_MIN)
        err = ts_deming(side->android, side->settled, side->count, 1, &line);
    side->agreement = agreement;
    side->line = line;
    return err;
}

int ts_android_of(const struct ts_report_data *data, const struct ts_summary *summary,
                  struct ts_android *out)
{
    *out = (struct ts_android){
        .rows = calloc(summary->app_count + 1, sizeof *out->rows),
        .values = calloc(2 * data->count + 1, sizeof *out->values),
    };
    int err = out->rows && out->values ? TS_OK : TS_ENOMEM;
    double *const settled = out->values, *const android = err ? NULL : settled + data->count;
    size_t count = 0;
    for (size_t row = 0; row < summary->app_count && !err; row++) {
        const size_t begin = count;
        for (size_t i = 0; i < data->count; i++) {
            const struct ts_result *result = &data->launches[i].result;
            if (summary->row_of[i] != row || !ts_launch_counts(&data->launches[i]) ||
                !isfinite(result->settled.value) || !isfinite(result->time_to_initial_display_ms))
                continue;
            settled[count] = result->settled.value;
            android[count++] = result->time_to_initial_display_ms;
        }
        out->rows[row] = (struct ts_android_side){
            .settled = settled + begin, .android = android + begin, .count = count - begin};
        err = judge(&out->rows[row]);
    }
    out->all = (struct ts_android_side){.settled = settled, .android = android, .count = count};
    if (!err)
        err = judge(&out->all);
    if (err)
        ts_android_free(out);
    return err;
}

void ts_android_free(struct ts_android *android)
{
    free(android->rows);
    free(android->values);
    *android = (struct ts_android){0};
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

static void put_row(struct ts_out *out, const char *name, const struct ts_android_side *side)
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

static void put_table(const struct ts_android *android, const struct ts_summary *summary,
                      struct ts_out *out)
{
    ts_html_table_begin(out, "Settled against Android\u2019s initial display, in milliseconds",
                        "App|#Pairs|#Mean difference|#95\u00a0% interval|#Standard "
                        "deviation|#Limits of agreement|#Slope|#95\u00a0% interval|#Intercept|#"
                        "Corre\u00adlation");
    for (size_t row = 0; row < summary->app_count; row++)
        put_row(out, summary->apps[row].label, &android->rows[row]);
    if (summary->app_count > 1)
        put_row(out, "all launches", &android->all);
    ts_html_table_end(out);
    ts_out_printf(out,
                  "<p class=\"quiet\">Difference: settled \u2212 Android. Limits of agreement: "
                  "between them lie 95\u00a0%% of normal differences (Bland and Altman). Slope and "
                  "intercept: Deming\u2019s line, which lets both sides err alike; two ways of "
                  "measuring the same have 1 and 0. From %d pairs on. Android\u2019s number ends "
                  "with the first frame, so it is a lower bound: a large difference tells an app "
                  "that loads after it.</p>\n",
                  TS_PAIRS_MIN);
}

void ts_section_android(const struct ts_page *page, struct ts_out *out)
{
    struct ts_android android;
    struct ts_out scatter = {0}, difference = {0};
    const int err = ts_android_of(page->data, page->summary, &android);
    if (err) {
        out->err = out->err ? out->err : err;
        return;
    }
    ts_out_put(out, "<section>\n<h2>Camera against Android</h2>\n");
    if (!android.all.count) {
        ts_out_put(out, "<p>Android gave no number of its own for a launch that counts, so there "
                        "is nothing to compare with.</p>\n</section>\n");
        ts_android_free(&android);
        return;
    }
    const bool draw = page->figures;
    ts_page_figures_begin(out);
    ts_page_figure(draw ? ts_figure_agreement(&android, page->summary, &scatter) : TS_ENOTSUP,
                   "One against the other.",
                   "One point a launch. On the dashed line both numbers are equal; above it the "
                   "screen went on changing after Android took the launch for displayed. Solid: "
                   "the line through all launches.",
                   &scatter, out);
    ts_page_figure(draw ? ts_figure_difference(&android, page->summary, &difference) : TS_ENOTSUP,
                   "How far apart.",
                   "The difference over the mean of both. Solid: the mean difference of all "
                   "launches; dashed: their limits of agreement.",
                   &difference, out);
    ts_page_figures_end(out);
    put_table(&android, page->summary, out);
    ts_out_put(out, "</section>\n");
    ts_android_free(&android);
}
