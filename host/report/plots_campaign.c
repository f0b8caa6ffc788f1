/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a campaign went on (paper R: Afonso, Almeida, "Rancid: Reliable Benchmarking on Android
 * Platforms", figure 16, with the last median in place of that of a longer run). */
#include "report/axes.h"
#include "report/running.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define HEIGHT          480
#define HEIGHT_PANEL    205 /* of the phone's state: one or two above each other */
#define HEIGHT_FOOT     60
#define DEVIATION_LEAST 2 /* per cent: of less, an axis would show noise alone */

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
    const double foot = (double)(20 * room.rows + 68) / height, middle = (1 + foot) / 2;
    ts_out_put(&script, "set border 3\nset ytics nomirror tc rgb '#020202' scale 0.5\n"
                        "set grid ytics lt 1 lw 1 lc rgb '#030303'\nset multiplot\n"
                        "set lmargin at screen 0.14\nset rmargin at screen 0.98\n");
    ts_axes_put(&script, 'x', &ranges.launches);
    ts_axes_put(&script, 'y', &ranges.deviation);
    ts_out_printf(&script,
                  "set tmargin at screen 0.985\nset bmargin at screen %.4f\n"
                  "set format x ''\nset ylabel 'median, %% off the last' tc rgb '#020202'\n",
                  middle + 0.04);
    plot_rows(summary, 2, &script);
    ts_axes_put(&script, 'y', &ranges.spread);
    ts_axes_put(&script, 'x', &ranges.launches);
    ts_axes_key(&script, summary->app_count, 1);
    ts_out_printf(&script,
                  "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
                  "set xlabel 'launches that count'\n"
                  "set ylabel 'quartile range, %%' tc rgb '#020202'\n",
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

/* What was read before each launch, as "launch value". */
struct track {
    const char *data, *label; /* of the axis */
    size_t offset;            /* in struct ts_conditions */
    double margin;
};

enum track_name { WARMTH, CLOCK, CLOCK_MOST, TRACKS };
static const struct track tracks[TRACKS] = {
    {"warmth", "temperature (\u00b0C)", offsetof(struct ts_conditions, temperature_c), 1.5},
    {"clock", "clock (MHz)", offsetof(struct ts_conditions, cpu_mhz), 100},
    {"most", "", offsetof(struct ts_conditions, cpu_most_mhz), 100},
};

static bool put_track(const struct ts_report_data *data, const struct track *track,
                      struct ts_scale *launches, struct ts_scale *values, struct ts_out *script)
{
    bool any = false;
    ts_out_printf(script, "$%s << EOD\n", track->data);
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *result = &data->launches[i].result;
        double value;
        memcpy(&value, (const char *)&result->conditions + track->offset, sizeof value);
        if (!isfinite(value))
            continue;
        ts_scale_over(launches, result->launch);
        ts_scale_over(values, value);
        ts_out_printf(script, "%d %.2f\n", result->launch, value);
        any = true;
    }
    ts_out_put(script, "EOD\n");
    return any;
}

/* A panel from `low` to `high` of the figure's height; the lowest bears the names of launches. */
static void begin_panel(struct ts_out *script, const struct track *track,
                        const struct ts_scale *values, double low, double high, bool lowest)
{
    ts_axes_put(script, 'y', values);
    ts_out_printf(script,
                  "set bmargin at screen %.4f\nset tmargin at screen %.4f\n"
                  "set ylabel '%s' tc rgb '#020202'\n%s",
                  low, high, track->label, lowest ? "set xlabel 'launch'\n" : "");
}

int ts_figure_phone(const struct ts_report_data *data, const struct ts_summary *summary,
                    struct ts_out *out)
{
    struct ts_scale launches = {INFINITY, -INFINITY, false}, warmth = launches, clock = launches;
    struct ts_out script = {0};
    ts_axes_style(&script);
    const bool warm = put_track(data, &tracks[WARMTH], &launches, &warmth, &script);
    const bool clocked = put_track(data, &tracks[CLOCK], &launches, &clock, &script);
    const bool allowed = put_track(data, &tracks[CLOCK_MOST], &launches, &clock, &script);
    const bool second = clocked || allowed;
    if (!warm && !second) {
        ts_buf_free(&script.text);
        return TS_EOF;
    }
    const int height = HEIGHT_PANEL * (warm + second) + HEIGHT_FOOT;
    const double foot = (double)HEIGHT_FOOT / height, middle = (1 + foot) / 2;
    ts_scale_linear(&launches, 0.5);
    ts_scale_linear(&warmth, tracks[WARMTH].margin);
    ts_scale_linear(&clock, tracks[CLOCK].margin);
    ts_axes_put(&script, 'x', &launches);
    ts_out_put(&script, "set border 3\nset ytics nomirror tc rgb '#020202' scale 0.5\n"
                        "set grid ytics lt 1 lw 1 lc rgb '#030303'\nset multiplot\n"
                        "set lmargin at screen 0.18\nset rmargin at screen 0.98\n");
    if (warm) {
        begin_panel(&script, &tracks[WARMTH], &warmth, second ? middle + 0.04 : foot, 0.98,
                    !second);
        ts_out_put(&script, "plot $warmth with linespoints lw 1.2 pt 7 ps 0.35 lc rgb '#060606'\n");
    }
    if (second) {
        begin_panel(&script, &tracks[CLOCK], &clock, foot, warm ? middle - 0.03 : 0.98, true);
        ts_out_put(&script, "plot NaN lc rgb '#030303' notitle");
        if (allowed)
            ts_out_put(&script, ", $most with steps lw 1.5 dt (6,5) lc rgb '#020202'");
        if (clocked)
            ts_out_put(&script, ", $clock with points pt 7 ps 0.4 lc rgb '#040404'");
        ts_out_put(&script, "\n");
    }
    ts_out_put(&script, "unset multiplot\n");
    const struct ts_figure figure = {
        .id = "fw",
        .label = "Before each launch: the phone's temperature, and the clock of its fastest core "
                 "with the highest one that it was allowed. The ranges stand in the conditions, "
                 "every launch's values in the table of launches.",
        .width = TS_FIGURE_WIDTH,
        .height = height,
        .name_columns = 34,
        .seconds = TS_FIGURE_SECONDS};
    const int err = ts_axes_draw(&figure, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}
