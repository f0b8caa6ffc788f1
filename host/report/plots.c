/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripts of the report's two figures. Colours: 1 ink, 2 quiet ink, 3 lines, 4 our number,
 * 5 its box, 6 Android's number; 4, 6..9 tell apps apart. */
#include "report/figure.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH            480
#define ROW_HEIGHT       50
#define ROW_HEIGHT_WIDE  66 /* for a handful of apps */
#define APPS_WIDE        6
#define BOX_LAUNCHES_MIN 5 /* quartiles of fewer are single launches */
#define APPS_TOLD_APART  10
#define KEY_ROWS         5
#define SECONDS          20 /* either figure takes a fraction of one */

/* Of an axis. Logarithmic where the largest value is several times the smallest: on a linear scale
 * the spread of a fast app beside a slow one would be a sliver. */
struct scale {
    double low, high;
    bool logarithmic;
};

static void common_style(struct ts_out *script)
{
    ts_out_put(script, "set encoding utf8\n"
                       "set border 1 lc rgb '#030303'\n"
                       "set xtics nomirror tc rgb '#020202' scale 0.5\n"
                       "set grid xtics lt 1 lw 1 lc rgb '#030303'\n"
                       "set xlabel offset 0,0.5 tc rgb '#020202'\n"
                       "unset key\n");
}

static void scale_over(struct scale *scale, double value)
{
    scale->low = fmin(scale->low, value); /* fmin and fmax pass over NAN */
    scale->high = fmax(scale->high, value);
}

static void scale_choose(struct scale *scale)
{
    scale->logarithmic = scale->low >= 10 && scale->high >= 4 * scale->low;
    if (scale->logarithmic) {
        const double margin = pow(scale->high / scale->low, 0.05);
        scale->low /= margin;
        scale->high *= margin;
        return;
    }
    const double margin = fmax(0.05 * (scale->high - scale->low), 5);
    scale->low -= margin;
    scale->high += margin;
}

static void put_tick(struct ts_out *script, const struct scale *scale, double at, bool *any)
{
    if (at < scale->low || at > scale->high)
        return;
    ts_out_printf(script, "%s'%.0f' %.0f", *any ? "," : "", at, at);
    *any = true;
}

static void put_logarithmic_ticks(struct ts_out *script, const struct scale *scale)
{
    static const struct {
        double up_to; /* highest over lowest */
        int count;
        double steps[4]; /* within a decade */
    } choices[] = {{20, 4, {1, 2, 3, 5}}, {60, 3, {1, 2, 5}}, {INFINITY, 2, {1, 3}}};
    size_t choice = 0;
    bool any = false;
    while (scale->high >= choices[choice].up_to * scale->low)
        choice++;
    for (double decade = 1; decade <= scale->high; decade *= 10)
        for (int i = 0; i < choices[choice].count; i++)
            put_tick(script, scale, choices[choice].steps[i] * decade, &any);
}

static void put_linear_ticks(struct ts_out *script, const struct scale *scale)
{
    static const double steps[] = {1, 2, 5};
    double step = 1, decade = 1;
    bool any = false;
    for (int i = 1; (scale->high - scale->low) / step > 6; i++) {
        decade *= i % 3 ? 1 : 10;
        step = steps[i % 3] * decade;
    }
    for (double at = ceil(scale->low / step) * step; at <= scale->high; at += step)
        put_tick(script, scale, at, &any);
}

/* gnuplot's own choice of ticks runs their labels into each other. */
static void put_axis(struct ts_out *script, char axis, const struct scale *scale)
{
    ts_out_printf(script, "set %crange [%.3f:%.3f]\nset %ctics (", axis, scale->low, scale->high,
                  axis);
    if (scale->logarithmic)
        put_logarithmic_ticks(script, scale);
    else
        put_linear_ticks(script, scale);
    ts_out_put(script, ")\n");
    if (scale->logarithmic)
        ts_out_printf(script, "set logscale %c\n", axis);
}

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

static int draw_with_apps(const struct ts_figure *figure, const struct ts_out *script,
                          const struct ts_summary *summary, struct ts_out *out)
{
    if (script->err)
        return script->err;
    const char **names = calloc(summary->app_count + 1, sizeof *names);
    if (!names)
        return TS_ENOMEM;
    for (size_t i = 0; i < summary->app_count; i++)
        names[i] = summary->apps[i].app;
    const int err = ts_figure_draw(figure, &script->text, names, summary->app_count, out);
    free(names);
    return err;
}

int ts_figure_distribution(const struct ts_summary *summary, struct ts_out *out)
{
    struct scale scale = {INFINITY, -INFINITY, false};
    size_t counted = 0;
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        counted += app->settled.count;
        for (size_t j = 0; j < app->settled.count; j++)
            scale_over(&scale, app->settled_ms[j]);
        scale_over(&scale, app->initial_display.median);
    }
    if (!counted)
        return TS_EOF;
    scale_choose(&scale);
    struct ts_out script = {0};
    common_style(&script);
    put_axis(&script, 'x', &scale);
    ts_out_printf(&script,
                  "set margins 1.5,2.5,3,0.5\nunset ytics\nset xlabel 'milliseconds after lift%s'\n"
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
        .width = WIDTH,
        .height = 60 + row_height * (int)summary->app_count,
        .name_columns = 34,
        .seconds = SECONDS};
    const int err = draw_with_apps(&figure, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}

/* One data block per app; returns the number of pairs. */
static size_t agreement_rows(const struct ts_report_data *data, const struct ts_summary *summary,
                             struct ts_out *script, struct scale *scale)
{
    size_t pairs = 0;
    for (size_t i = 0; i < summary->app_count; i++) {
        if (!summary->apps[i].difference.count)
            continue;
        ts_out_printf(script, "$app%zu << EOD\n", i);
        for (size_t j = 0; j < data->count; j++) {
            const struct ts_result *result = &data->launches[j].result;
            const double difference = result->settled.value - result->time_to_initial_display_ms;
            if (!ts_launch_counts(&data->launches[j]) || !isfinite(difference) ||
                strcmp(result->app, summary->apps[i].app) != 0)
                continue;
            ts_out_printf(script, "%.3f %.3f\n", result->time_to_initial_display_ms,
                          result->settled.value);
            scale_over(scale, result->time_to_initial_display_ms);
            scale_over(scale, result->settled.value);
            pairs++;
        }
        ts_out_put(script, "EOD\n");
    }
    return pairs;
}

static void agreement_plot(const struct ts_summary *summary, struct ts_out *script)
{
    static const struct {
        int colour, point;
    } looks[APPS_TOLD_APART] = {{4, 7},  {6, 13}, {7, 5}, {8, 9}, {9, 11},
                                {7, 12}, {8, 4},  {4, 8}, {6, 6}, {9, 10}};
    const bool told_apart = summary->app_count <= APPS_TOLD_APART;
    ts_out_put(script, "plot $equal with lines dt (6,5) lw 1.5 lc rgb '#020202' notitle");
    for (size_t i = 0; i < summary->app_count; i++) {
        if (!summary->apps[i].difference.count)
            continue;
        const size_t look = told_apart ? i : 0;
        ts_out_printf(script, ", $app%zu with points pt %d ps 0.6 lc rgb '#%02d%02d%02d'", i,
                      looks[look].point, looks[look].colour, looks[look].colour,
                      looks[look].colour);
        if (told_apart)
            ts_out_printf(script, " title '" TS_FIGURE_NAME "%zu'", i);
        else
            ts_out_put(script, " notitle");
    }
    ts_out_put(script, "\n");
}

int ts_figure_agreement(const struct ts_report_data *data, const struct ts_summary *summary,
                        struct ts_out *out)
{
    struct scale scale = {INFINITY, -INFINITY, false};
    struct ts_out script = {0};
    common_style(&script);
    const size_t pairs = agreement_rows(data, summary, &script, &scale);
    if (!pairs) {
        ts_buf_free(&script.text);
        return TS_EOF;
    }
    scale_choose(&scale);
    const size_t apps = summary->app_count <= APPS_TOLD_APART ? summary->app_count : 0;
    const bool two_columns = apps > KEY_ROWS;
    const size_t rows = two_columns ? (apps + 1) / 2 : apps;
    put_axis(&script, 'x', &scale);
    put_axis(&script, 'y', &scale);
    /* The key's width is reckoned from the names' placeholders, which are shorter than names. */
    ts_out_printf(
        &script,
        "set size square\nset border 3\nset ytics nomirror tc rgb '#020202' scale 0.5\n"
        "set grid ytics lt 1 lw 1 lc rgb '#030303'\n"
        "set key at screen 0.08,0.015 bottom left vertical maxrows %zu Left reverse "
        "tc rgb '#010101' samplen 0.5 width %d\nset margins 9.5,1.5,%zu,0.5\n"
        "set xlabel 'time to initial display, Android (ms%s)'\n"
        "set ylabel 'settled, camera (ms%s)' tc rgb '#020202'\n"
        "$equal << EOD\n%.3f %.3f\n%.3f %.3f\nEOD\n",
        rows ? rows : 1, two_columns ? 10 : 0, rows + 3, scale.logarithmic ? ", logarithmic" : "",
        scale.logarithmic ? ", logarithmic" : "", scale.low, scale.low, scale.high, scale.high);
    agreement_plot(summary, &script);
    const struct ts_figure figure = {
        .id = "fa",
        .label = "Each launch as a point: Android's time to initial display across, the camera's "
                 "settled time up, with the line where both are equal. The table below gives the "
                 "numbers.",
        .width = WIDTH,
        .height = 480 + 20 * (int)rows,
        .name_columns = two_columns ? 18 : 34,
        .seconds = SECONDS};
    const int err = draw_with_apps(&figure, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}
