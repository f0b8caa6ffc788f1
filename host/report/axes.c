/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/axes.h"

#include <math.h>
#include <stdlib.h>

#define KEY_ROWS 5

void ts_axes_style(struct ts_out *script)
{
    ts_out_put(script, "set encoding utf8\n"
                       "set border 1 lc rgb '#030303'\n"
                       "set xtics nomirror tc rgb '#020202' scale 0.5\n"
                       "set grid xtics lt 1 lw 1 lc rgb '#030303'\n"
                       "set xlabel offset 0,0.5 tc rgb '#020202'\n"
                       "unset key\n");
}

void ts_scale_over(struct ts_scale *scale, double value)
{
    scale->low = fmin(scale->low, value); /* fmin and fmax pass over NAN */
    scale->high = fmax(scale->high, value);
}

void ts_scale_choose(struct ts_scale *scale)
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

static void put_tick(struct ts_out *script, const struct ts_scale *scale, double at, bool *any)
{
    if (at < scale->low || at > scale->high)
        return;
    ts_out_printf(script, "%s'%.0f' %.0f", *any ? "," : "", at, at);
    *any = true;
}

static void put_logarithmic_ticks(struct ts_out *script, const struct ts_scale *scale)
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

static void put_linear_ticks(struct ts_out *script, const struct ts_scale *scale)
{
    static const double steps[] = {1, 2, 5};
    double step = 1, decade = 1;
    bool any = false;
    for (int i = 1; (scale->high - scale->low) / step > 6; i++) {
        decade *= i % 3 ? 1 : 10;
        step = steps[i % 3] * decade;
    }
    for (double at = ceil(scale->low / step) * step; at <= scale->high; at += step)
        put_tick(script, scale, at + 0.0, &any); /* and no "-0" */
}

/* gnuplot's own choice of ticks runs their labels into each other. */
void ts_axes_put(struct ts_out *script, char axis, const struct ts_scale *scale)
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

void ts_scale_linear(struct ts_scale *scale, double margin)
{
    const double more = fmax(0.05 * (scale->high - scale->low), margin);
    scale->logarithmic = false;
    scale->low -= more;
    scale->high += more;
}

struct ts_look ts_axes_look(size_t index, size_t count)
{
    static const struct ts_look looks[TS_APPS_TOLD_APART] = {
        {4, 7}, {6, 13}, {7, 5}, {8, 9}, {9, 11}, {7, 12}, {8, 4}, {4, 8}, {6, 6}, {9, 10}};
    return looks[count <= TS_APPS_TOLD_APART ? index : 0];
}

struct ts_key_room ts_axes_key(struct ts_out *script, size_t apps, int width)
{
    const size_t told_apart = apps <= TS_APPS_TOLD_APART ? apps : 0;
    const bool two_columns = told_apart > KEY_ROWS;
    const size_t rows = two_columns ? (told_apart + 1) / 2 : told_apart;
    /* The key's width is reckoned from the names' placeholders, which are shorter than names. */
    ts_out_printf(script,
                  "set key at screen 0.08,0.015 bottom left vertical maxrows %zu Left reverse "
                  "tc rgb '#010101' samplen %d width %d\n",
                  rows ? rows : 1, width, two_columns ? 10 : 0);
    return (struct ts_key_room){rows, two_columns};
}

int ts_axes_draw(const struct ts_figure *figure, const struct ts_out *script,
                 const struct ts_summary *summary, struct ts_out *out)
{
    if (script->err)
        return script->err;
    const char **names = calloc(summary->app_count + 1, sizeof *names);
    if (!names)
        return TS_ENOMEM;
    for (size_t i = 0; i < summary->app_count; i++)
        names[i] = summary->apps[i].label;
    const int err = ts_figure_draw(figure, &script->text, names, summary->app_count, out);
    free(names);
    return err;
}
