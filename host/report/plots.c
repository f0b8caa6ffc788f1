/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the launches of each app spread. */
#include "report/axes.h"

#include "stats/order.h"

#include <math.h>
#include <string.h>

#define ROW_HEIGHT       50
#define ROW_HEIGHT_WIDE  66 /* for a handful of apps */
#define APPS_WIDE        6
#define BOX_LAUNCHES_MIN 5 /* quartiles of fewer are single launches */

/* A spread that looks random and is not: multiples of the golden ratio fill -0.5..0.5 evenly. */
static double jitter(size_t index)
{
    return fmod(0.5 + 0.6180339887498949 * (double)index, 1.0) - 0.5;
}

static void distribution_rows(const struct ts_summary *summary, struct ts_out *script)
{
    ts_out_put(script, "$box << EOD\n");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        const size_t n = app->settled.count;
        if (n >= BOX_LAUNCHES_MIN)
            ts_out_printf(script, "%.3f %zu %.3f %.3f %.3f %.3f\n", app->settled.median, i,
                          ts_quantile(app->settled_ms, n, 0.25),
                          ts_quantile(app->settled_ms, n, 0.75), (double)i - 0.2, (double)i + 0.2);
    }
    ts_out_put(script, "EOD\n$median << EOD\n");
    for (size_t i = 0; i < summary->app_count; i++) {
        if (summary->apps[i].settled.count)
            ts_out_printf(script, "%.3f %.3f 0 0.48\n", summary->apps[i].settled.median,
                          (double)i - 0.24);
    }
    ts_out_put(script, "EOD\n$android << EOD\n");
    for (size_t i = 0; i < summary->app_count; i++) {
        if (summary->apps[i].initial_display.count)
            ts_out_printf(script, "%.3f %zu\n", summary->apps[i].initial_display.median, i);
    }
    ts_out_put(script, "EOD\n");
    for (int beyond = 0; beyond < 2; beyond++) {
        ts_out_put(script, beyond ? "$beyond << EOD\n" : "$within << EOD\n");
        for (size_t i = 0; i < summary->app_count; i++) {
            const struct ts_app_summary *app = &summary->apps[i];
            const struct ts_fences fences = ts_tukey_fences(app->settled_ms, app->settled.count);
            for (size_t j = 0; j < app->settled.count; j++) {
                if (ts_beyond(fences, app->settled_ms[j]) == (beyond == 1))
                    ts_out_printf(script, "%.3f %.4f\n", app->settled_ms[j],
                                  (double)i + 0.34 * jitter(j));
            }
        }
        ts_out_put(script, "EOD\n");
    }
}

int ts_figure_distribution(const struct ts_summary *summary, struct ts_out *out)
{
    struct ts_scale scale = {INFINITY, -INFINITY, false};
    size_t counted = 0;
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        counted += app->settled.count;
        for (size_t j = 0; j < app->settled.count; j++)
            ts_scale_over(&scale, app->settled_ms[j]);
        ts_scale_over(&scale, app->initial_display.median);
    }
    if (!counted)
        return TS_EOF;
    ts_scale_choose(&scale);
    struct ts_out script = {0};
    ts_axes_style(&script);
    ts_axes_put(&script, 'x', &scale);
    ts_out_printf(&script,
                  "set margins 1.5,2.5,3,0.5\nunset ytics\nset xlabel 'milliseconds%s'\n"
                  "set yrange [%.2f:-0.75]\n",
                  scale.logarithmic ? ", logarithmic" : "", (double)summary->app_count - 0.6);
    for (size_t i = 0; i < summary->app_count; i++)
        ts_out_printf(&script,
                      "set label '" TS_FIGURE_NAME
                      "%zu' at graph 0, first %.2f left front tc rgb '#010101'\n",
                      i, (double)i - 0.47);
    distribution_rows(summary, &script);
    ts_out_put(&script, "plot $box using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder "
                        "fc rgb '#050505', "
                        "$within with points pt 7 ps 0.42 lc rgb '#020202', "
                        "$beyond with points pt 6 ps 0.5 lc rgb '#020202', "
                        "$median with vectors nohead lw 3 lc rgb '#040404', "
                        "$android with points pt 13 ps 0.8 lc rgb '#060606'\n");
    const int row_height = summary->app_count <= APPS_WIDE ? ROW_HEIGHT_WIDE : ROW_HEIGHT;
    const struct ts_figure figure = {
        .id = "fd",
        .label = "Launch times of each app: box from first to third quartile, bar at the median, a "
                 "point for each launch, a diamond for Android's own median. The table below gives "
                 "the numbers.",
        .width = TS_FIGURE_WIDTH,
        .height = 60 + row_height * (int)summary->app_count,
        .name_columns = 34,
        .seconds = TS_FIGURE_SECONDS};
    const int err = ts_axes_draw(&figure, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}
