/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ours against another's number of each launch, and how far they are apart. */
#include "report/axes.h"
#include "report/versus.h"

#include <math.h>
#include <stdio.h>

#define LINE_POINTS 60 /* a straight line is a curve on logarithmic axes */

static void begin_square(struct ts_out *script, size_t key_rows)
{
    ts_out_printf(script,
                  "set border 3\nset ytics nomirror tc rgb '#020202' scale 0.5\n"
                  "set grid ytics lt 1 lw 1 lc rgb '#030303'\n"
                  "set margins 9.5,1.5,%zu,0.5\n",
                  key_rows + 3);
}

/* $app0, $app1 ...: every launch as a point, the other's time across and ours up; or, with
 * `differences`, their mean across and ours less the other's up. */
static void put_apps(const struct ts_versus *versus, const struct ts_summary *summary,
                     bool differences, struct ts_scale *x_scale, struct ts_scale *y_scale,
                     struct ts_out *script)
{
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_versus_side *side = &versus->rows[i];
        ts_out_printf(script, "$app%zu << EOD\n", i);
        for (size_t j = 0; j < side->count; j++) {
            const double other = side->other[j], settled = side->settled[j];
            const double x = differences ? (other + settled) / 2 : other;
            const double y = differences ? settled - other : settled;
            ts_out_printf(script, "%.3f %.3f\n", x, y);
            ts_scale_over(x_scale, x);
            ts_scale_over(y_scale, y);
        }
        ts_out_put(script, "EOD\n");
    }
}

/* ", $app0 with points ..." of every row that has pairs. */
static void plot_apps(const struct ts_versus *versus, const struct ts_summary *summary,
                      struct ts_out *script)
{
    const bool told_apart = summary->app_count <= TS_APPS_TOLD_APART;
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_look look = ts_axes_look(i, summary->app_count);
        if (!versus->rows[i].count)
            continue;
        ts_out_printf(script, ", $app%zu with points pt %d ps 0.6 lc rgb '#%02d%02d%02d'", i,
                      look.point, look.colour, look.colour, look.colour);
        if (told_apart)
            ts_out_printf(script, " title '" TS_FIGURE_NAME "%zu'", i);
        else
            ts_out_put(script, " notitle");
    }
    ts_out_put(script, "\n");
}

static int draw(const char *id, const char *label, struct ts_key_room key,
                const struct ts_out *script, const struct ts_summary *summary, struct ts_out *out)
{
    const struct ts_figure figure = {.id = id,
                                     .label = label,
                                     .width = TS_FIGURE_WIDTH,
                                     .height = 480 + 20 * (int)key.rows,
                                     .name_columns = key.two_columns ? 18 : 34,
                                     .seconds = TS_FIGURE_SECONDS};
    return ts_axes_draw(&figure, script, summary, out);
}

static void put_line(struct ts_out *script, const struct ts_line *line,
                     const struct ts_scale *scale)
{
    ts_out_put(script, "$line << EOD\n");
    for (int i = 0; i <= LINE_POINTS && isfinite(line->slope); i++) {
        const double share = (double)i / LINE_POINTS;
        const double x = scale->logarithmic ? scale->low * pow(scale->high / scale->low, share)
                                            : scale->low + share * (scale->high - scale->low);
        const double y = line->intercept + line->slope * x;
        if (y >= scale->low && y <= scale->high)
            ts_out_printf(script, "%.3f %.3f\n", x, y);
    }
    ts_out_put(script, "EOD\n");
}

int ts_figure_scatter(const struct ts_versus *versus, const struct ts_versus_words *words,
                      const struct ts_summary *summary, struct ts_out *out)
{
    struct ts_scale scale = {INFINITY, -INFINITY, false};
    struct ts_out script = {0};
    if (!versus->all.count)
        return TS_EOF;
    ts_axes_style(&script);
    put_apps(versus, summary, false, &scale, &scale, &script);
    ts_scale_choose(&scale);
    ts_axes_put(&script, 'x', &scale);
    ts_axes_put(&script, 'y', &scale);
    const struct ts_key_room key = ts_axes_key(&script, summary->app_count, 1);
    begin_square(&script, key.rows);
    put_line(&script, &versus->all.line, &scale);
    ts_out_printf(&script,
                  "set size square\nset xlabel '%s (ms%s)'\n"
                  "set ylabel 'settled, camera (ms%s)' tc rgb '#020202'\n"
                  "$equal << EOD\n%.3f %.3f\n%.3f %.3f\nEOD\n"
                  "plot $equal with lines dt (6,5) lw 1.5 lc rgb '#020202' notitle",
                  words->axis, scale.logarithmic ? ", logarithmic" : "",
                  scale.logarithmic ? ", logarithmic" : "", scale.low, scale.low, scale.high,
                  scale.high);
    if (isfinite(versus->all.line.slope))
        ts_out_put(&script, ", $line with lines lw 1.5 lc rgb '#010101' notitle");
    plot_apps(versus, summary, &script);
    char label[300];
    snprintf(label, sizeof label,
             "Each launch as a point: %s across, the camera's settled time up, with the line where "
             "both are equal and the line through all launches. The table below gives the numbers.",
             words->axis);
    const int err = draw(words->scatter_id, label, key, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}

static void put_level(struct ts_out *script, const struct ts_scale *x, double level,
                      const char *look)
{
    if (isfinite(level))
        ts_out_printf(script, "set arrow from %.3f,%.3f to %.3f,%.3f nohead back %s\n", x->low,
                      level, x->high, level, look);
}

int ts_figure_difference(const struct ts_versus *versus, const struct ts_versus_words *words,
                         const struct ts_summary *summary, struct ts_out *out)
{
    struct ts_scale x = {INFINITY, -INFINITY, false}, y = {0, 0, false};
    struct ts_out script = {0};
    if (!versus->all.count)
        return TS_EOF;
    ts_axes_style(&script);
    put_apps(versus, summary, true, &x, &y, &script);
    const struct ts_agreement *agreement = &versus->all.agreement;
    ts_scale_over(&y, agreement->limits.low);
    ts_scale_over(&y, agreement->limits.high);
    ts_scale_choose(&x);
    ts_scale_linear(&y, 5);
    ts_axes_put(&script, 'x', &x);
    ts_axes_put(&script, 'y', &y);
    const struct ts_key_room key = ts_axes_key(&script, summary->app_count, 1);
    begin_square(&script, key.rows);
    put_level(&script, &x, agreement->bias, "lw 1.5 lc rgb '#010101'");
    put_level(&script, &x, agreement->limits.low, "dt (6,5) lw 1.5 lc rgb '#020202'");
    put_level(&script, &x, agreement->limits.high, "dt (6,5) lw 1.5 lc rgb '#020202'");
    ts_out_printf(&script,
                  "set xlabel 'mean of settled and %s (ms%s)'\n"
                  "set ylabel 'settled minus %s (ms)' tc rgb '#020202'\n"
                  "plot NaN lc rgb '#030303' notitle",
                  words->name, x.logarithmic ? ", logarithmic" : "", words->name);
    plot_apps(versus, summary, &script);
    const int err =
        draw(words->difference_id,
             "Each launch as a point: the mean of both numbers across, their difference up, with "
             "the mean difference and the limits of agreement. The table below gives the numbers.",
             key, &script, summary, out);
    ts_buf_free(&script.text);
    return err;
}
