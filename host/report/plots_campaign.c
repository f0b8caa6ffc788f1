/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a campaign went on (paper R: Afonso, Almeida, "Rancid: Reliable Benchmarking on Android
 * Platforms", figure 16, with the last median in place of that of a longer run). */
#include "report/axes.h"
#include "report/running.h"

#include <math.h>

#define HEIGHT             480
#define HEIGHT_TEMPERATURE 260
#define DEVIATION_LEAST    2 /* per cent: of less, an axis would show noise alone */

struct ranges {
    struct ts_scale launches, deviation, spread;
};

/* "number deviation spread" of one row, in per cent. */
static int put_row(const struct ts_report_data *data, const struct ts_summary *summary, size_t row,
                   struct ts_out *script, struct ranges *ranges)
{
    struct ts_running running;
    const int err = ts_running_of(data, summary, row, &running);
    if (err)
        return err;
    ts_out_printf(script, "$app%zu << EOD\n", row);
    for (size_t i = 0; i < running.count; i++) {
        const double last = running.medians[running.count - 1];
        const double deviation = 100 * (running.medians[i] / last - 1);
        const double spread = 100 * running.iqrs[i] / running.medians[i];
        ts_out_printf(script, "%zu %.3f %.3f\n", i + 1, deviation, spread);
        ts_scale_over(&ranges->launches, (double)(i + 1));
        ts_scale_over(&ranges->deviation, deviation);
        ts_scale_over(&ranges->spread, spread);
    }
    ts_out_put(script, "EOD\n");
    ts_running_free(&running);
    return TS_OK;
}

static void plot_rows(const struct ts_summary *summary, int column, struct ts_out *script)
{
    const bool told_apart = summary->app_count <= TS_APPS_TOLD_APART;
    ts_out_put(script, "plot NaN lc rgb '#030303' notitle");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_look look = ts_axes_look(i, summary->app_count);
        if (!summary->apps[i].settled.count)
            continue;
        ts_out_printf(script,
                      ", $app%zu using 1:%d with linespoints lw 1.2 pt %d ps 0.35 lc "
                      "rgb '#%02d%02d%02d'",
                      i, column, look.point, look.colour, look.colour, look.colour);
        if (told_apart)
            ts_out_printf(script, " title '" TS_FIGURE_NAME "%zu'", i);
        else
            ts_out_put(script, " notitle");
    }
    ts_out_put(script, "\n");
}

int ts_figure_running(const struct ts_report_data *data, const struct ts_summary *summary,
                      struct ts_out *out)
{
    struct ranges ranges = {
        {1, 2, false}, {-DEVIATION_LEAST, DEVIATION_LEAST, false}, {0, DEVIATION_LEAST, false}};
    struct ts_out script = {0};
    size_t most = 0;
    int err = TS_OK;
    for (size_t i = 0; i < summary->app_count; i++)
        most = summary->apps[i].settled.count > most ? summary->apps[i].settled.count : most;
    if (most < 2)
        return TS_EOF;
    ts_axes_style(&script);
    for (size_t row = 0; row < summary->app_count && !err; row++)
        err = put_row(data, summary, row, &script, &ranges);
    ts_scale_linear(&ranges.launches, 0.3);
    ts_scale_linear(&ranges.deviation, 0);
    ts_scale_linear(&ranges.spread, 0);
    ranges.spread.low = 0;
    const size_t apps = summary->app_count <= TS_APPS_TOLD_APART ? summary->app_count : 0;
    const struct ts_key_room room = {apps > 5 ? (apps + 1) / 2 : apps, apps > 5};
    const int height = HEIGHT + 20 * (int)room.rows;
    const double foot = (double)(20 * room.rows + 55) / height, middle = (1 + foot) / 2;
    ts_out_put(&script, "set border 3\nset ytics nomirror tc rgb '#020202' scale 0.5\n"
                        "set grid ytics lt 1 lw 1 lc rgb '#030303'\nset multiplot\n"
                        "set lmargin at screen 0.14\nset rmargin at screen 0.98\n");
    ts_axes_put(&script, 'x', &ranges.launches);
    ts_axes_put(&script, 'y', &ranges.deviation);
    ts_out_printf(&script,
                  "set tmargin at screen 0.985\nset bmargin at screen %.4f\n"
                  "set format x ''\nset ylabel 'median, %% off the last' tc rgb '#020202'\n",
                  middle + 0.03);
    plot_rows(summary, 2, &script);
    ts_axes_put(&script, 'y', &ranges.spread);
    ts_axes_put(&script, 'x', &ranges.launches);
    ts_axes_key(&script, summary->app_count, 1);
    ts_out_printf(&script,
                  "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
                  "set xlabel 'launches that count'\n"
                  "set ylabel 'quartile range, %% of median' tc rgb '#020202'\n",
                  middle - 0.03, foot);
    plot_rows(summary, 3, &script);
    ts_out_put(&script, "unset multiplot\n");
    const struct ts_figure figure = {
        .id = "fr",
        .label = "Running median of each app against its last one, and its quartile range, over "
                 "the launches that count. The table below gives the numbers.",
        .width = TS_FIGURE_WIDTH,
        .height = height,
        .name_columns = room.two_columns ? 18 : 34,
        .seconds = TS_FIGURE_SECONDS};
    if (!err)
        err = ts_axes_draw(&figure, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}

int ts_figure_temperature(const struct ts_report_data *data, const struct ts_summary *summary,
                          struct ts_out *out)
{
    struct ts_scale launches = {INFINITY, -INFINITY, false}, warmth = launches;
    struct ts_out script = {0};
    ts_axes_style(&script);
    ts_out_put(&script, "$warmth << EOD\n");
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *result = &data->launches[i].result;
        if (!isfinite(result->conditions.temperature_c))
            continue;
        ts_scale_over(&launches, result->launch);
        ts_scale_over(&warmth, result->conditions.temperature_c);
        ts_out_printf(&script, "%d %.2f\n", result->launch, result->conditions.temperature_c);
    }
    ts_out_put(&script, "EOD\n");
    if (!isfinite(warmth.low)) {
        ts_buf_free(&script.text);
        return TS_EOF;
    }
    ts_scale_linear(&launches, 0.5);
    ts_scale_linear(&warmth, 1.5);
    ts_axes_put(&script, 'x', &launches);
    ts_axes_put(&script, 'y', &warmth);
    ts_out_put(&script, "set border 3\nset ytics nomirror tc rgb '#020202' scale 0.5\n"
                        "set grid ytics lt 1 lw 1 lc rgb '#030303'\n"
                        "set margins 7,1.5,3,0.5\nset xlabel 'launch'\n"
                        "set ylabel 'temperature (\u00b0C)' tc rgb '#020202'\n"
                        "plot $warmth with linespoints lw 1.2 pt 7 ps 0.35 lc rgb '#060606'\n");
    const struct ts_figure figure = {
        .id = "fw",
        .label = "The phone's temperature before each launch. The range stands in the conditions, "
                 "every launch's in the table of launches.",
        .width = TS_FIGURE_WIDTH,
        .height = HEIGHT_TEMPERATURE,
        .name_columns = 34,
        .seconds = TS_FIGURE_SECONDS};
    const int err = ts_axes_draw(&figure, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}
