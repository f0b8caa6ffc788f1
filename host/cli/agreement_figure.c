/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_figure.h"

#include "cli/agreement.h"

#include <string.h>

#define WIDTH      960
#define HEIGHT     480
#define SECONDS    20
#define TICKS_MOST 6

/* The page's colours --f1.. of report/figure.h, for a file that stands alone. */
static const char style[] =
    "<style>svg{--f1:#1b1d1c;--f2:#585d5a;--f3:#dcded8;--f4:#0b6b62;--f6:#95530a;"
    "background:#fcfcfa;font-family:system-ui,sans-serif}@media (prefers-color-scheme:dark){svg{"
    "--f1:#e9ebe8;--f2:#a6aca8;--f3:#343a37;--f4:#56c5b6;--f6:#e3a557;background:#141716}}"
    "[id*=gpPt]{stroke-width:.4}</style>";

struct ts_range ts_range_widened(struct ts_range range)
{
    const double margin = fmax(0.06 * (range.high - range.low), 1);
    return (struct ts_range){range.low - margin, range.high + margin};
}

/* gnuplot's own choice of ticks runs their labels into each other. */
void ts_panel_axis(struct ts_out *script, char axis, struct ts_range range)
{
    static const double steps[] = {1, 2, 5};
    double step = 1, decade = 1;
    for (int i = 1; (range.high - range.low) / step > TICKS_MOST; i++) {
        decade *= i % 3 ? 1 : 10;
        step = steps[i % 3] * decade;
    }
    ts_out_printf(script, "set %crange [%.3f:%.3f]\nset %ctics %.0f\n", axis, range.low, range.high,
                  axis, step);
}

static void put_line(struct ts_out *script, double y, struct ts_range x, const char *look)
{
    if (isfinite(y))
        ts_out_printf(script, "set arrow from %.3f,%.3f to %.3f,%.3f nohead %s\n", x.low, y, x.high,
                      y, look);
}

void ts_panels_begin(struct ts_out *script)
{
    ts_out_put(script, "set encoding utf8\nset border 3 lc rgb '#030303'\nunset key\n"
                       "set grid xtics ytics lt 1 lw 1 lc rgb '#030303'\n"
                       "set xtics nomirror tc rgb '#020202' scale 0.5\n"
                       "set ytics nomirror tc rgb '#020202' scale 0.5\n"
                       "set xlabel tc rgb '#020202'\nset ylabel tc rgb '#020202'\n"
                       "set multiplot layout 1,2\n");
}

void ts_panel_square(struct ts_out *script, struct ts_range range)
{
    range = ts_range_widened(range);
    ts_panel_axis(script, 'x', range);
    ts_panel_axis(script, 'y', range);
    ts_out_printf(script,
                  "set arrow from %.3f,%.3f to %.3f,%.3f nohead dt (6,5) lw 1.5 lc rgb "
                  "'#020202'\n",
                  range.low, range.low, range.high, range.high);
}

static void put_points(const struct ts_pairs *pairs, struct ts_out *script)
{
    ts_out_put(script, "$pairs << EOD\n");
    for (size_t i = 0; i < pairs->count; i++)
        ts_out_printf(script, "%.3f %.3f\n", pairs->items[i].b, pairs->items[i].a);
    ts_out_put(script, "EOD\n");
    ts_panels_begin(script);
}

static void put_scatter(const struct ts_pairs *pairs, struct ts_out *script)
{
    struct ts_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < pairs->count; i++) {
        ts_range_include(&range, pairs->items[i].a);
        ts_range_include(&range, pairs->items[i].b);
    }
    ts_panel_square(script, range);
    ts_out_put(script, "set xlabel 'people (ms)'\nset ylabel 'automatic (ms)'\n"
                       "plot $pairs using 1:2 with points pt 7 ps 0.5 lc rgb '#040404'\n"
                       "unset arrow\n");
}

static void put_bland_altman(const struct ts_end_summary *summary, struct ts_out *script)
{
    const struct ts_pairs *pairs = &summary->automatic;
    const struct ts_agreement *agreement = &summary->agreement;
    struct ts_range x = {INFINITY, -INFINITY}, y = {0, 0};
    for (size_t i = 0; i < pairs->count; i++) {
        ts_range_include(&x, (pairs->items[i].a + pairs->items[i].b) / 2);
        ts_range_include(&y, pairs->items[i].a - pairs->items[i].b);
    }
    ts_range_include(&y, agreement->limits.low);
    ts_range_include(&y, agreement->limits.high);
    x = ts_range_widened(x);
    ts_panel_axis(script, 'x', x);
    ts_panel_axis(script, 'y', ts_range_widened(y));
    put_line(script, 0, x, "dt (6,5) lw 1.5 lc rgb '#020202'");
    put_line(script, agreement->bias, x, "lw 2 lc rgb '#060606'");
    put_line(script, agreement->limits.low, x, "dt (8,6) lw 2 lc rgb '#060606'");
    put_line(script, agreement->limits.high, x, "dt (8,6) lw 2 lc rgb '#060606'");
    ts_out_put(script, "set xlabel 'mean of automatic and people (ms)'\n"
                       "set ylabel 'automatic minus people (ms)'\n"
                       "plot $pairs using (($1+$2)/2):($2-$1) with points pt 7 ps 0.5 "
                       "lc rgb '#040404'\n");
}

/* report/figure.h draws for the inside of a page; a file needs name spaces and colours too. */
static int stand_alone(const struct ts_out *drawing, struct ts_out *out)
{
    static const char opening[] = "<svg ";
    const char *text = (const char *)drawing->text.data;
    const char *inside = memchr(text, '>', drawing->text.size);
    if (!inside || strncmp(text, opening, sizeof opening - 1) != 0)
        return TS_EIO;
    inside++;
    ts_out_put(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                    "xmlns:xlink=\"http://www.w3.org/1999/xlink\" ");
    ts_out_bytes(out, text + sizeof opening - 1, (size_t)(inside - text) - (sizeof opening - 1));
    ts_out_put(out, style);
    ts_out_bytes(out, inside, drawing->text.size - (size_t)(inside - text));
    return out->err;
}

int ts_panels_draw(const struct ts_figure *figure, struct ts_out *script, const char *const *names,
                   size_t name_count, struct ts_out *out)
{
    struct ts_out drawing = {0};
    ts_out_put(script, "unset multiplot\n");
    int err = script->err ? script->err
                          : ts_figure_draw(figure, &script->text, names, name_count, &drawing);
    if (!err)
        err = drawing.err ? drawing.err : stand_alone(&drawing, out);
    ts_buf_free(&drawing.text);
    return err;
}

int ts_agreement_draw(const struct ts_end_summary *summary, struct ts_out *out)
{
    static const struct ts_figure figure = {
        .id = "fg",
        .label =
            "Left: each launch as a point, people across and automatic up, with the line where "
            "both are equal. Right: automatic minus people across their mean, with the bias "
            "and the 95 % limits of agreement.",
        .width = WIDTH,
        .height = HEIGHT,
        .name_columns = 0,
        .seconds = SECONDS};
    struct ts_out script = {0};
    if (!summary->automatic.count)
        return TS_EOF;
    put_points(&summary->automatic, &script);
    put_scatter(&summary->automatic, &script);
    put_bland_altman(summary, &script);
    const int err = ts_panels_draw(&figure, &script, NULL, 0, out);
    ts_buf_free(&script.text);
    return err;
}
