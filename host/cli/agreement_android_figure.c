/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 3 of paper E: the rig against Android's own times, and how far apart they are for each app
 * (its Calculator close, Spotify and Gmail, which load lazily, apart). */
#include "cli/agreement_android.h"
#include "cli/agreement_figure.h"

#include <stdlib.h>

#define APPS_MOST 24 /* that have room */
#define WIDTH     1040
#define HEIGHT    520

/* $plain and $lazy: Android's time, the rig's. */
static void put_launches(const struct ts_android_agreement *agreement, bool lazy,
                         struct ts_range *range, struct ts_out *script)
{
    ts_out_printf(script, "$%s << EOD\n", lazy ? "lazy" : "plain");
    for (size_t i = 0; i < agreement->count; i++) {
        const struct ts_android_pairs *pairs = &agreement->apps[i].pairs;
        for (size_t j = 0; j < pairs->count && agreement->apps[i].lazy == lazy; j++) {
            ts_out_printf(script, "%.3f %.3f\n", pairs->android[j], pairs->rig[j]);
            ts_range_include(range, pairs->android[j]);
            ts_range_include(range, pairs->rig[j]);
        }
    }
    ts_out_put(script, "NaN NaN\nEOD\n"); /* an empty block is an error of gnuplot's */
}

static void put_scatter(struct ts_range range, struct ts_out *script)
{
    ts_panel_square(script, range);
    ts_out_put(script, "set xlabel 'Android, time to initial display (ms)'\n"
                       "set ylabel 'rig, settled (ms)'\n"
                       "plot $plain using 1:2 with points pt 7 ps 0.5 lc rgb '#040404', "
                       "$lazy using 1:2 with points pt 5 ps 0.5 lc rgb '#060606'\n"
                       "unset arrow\n");
}

/* Each app's median of rig minus Android with its interval, one below the other. */
static void put_offsets(const struct ts_android_agreement *agreement, size_t count,
                        struct ts_out *script)
{
    struct ts_range x = {0, 0};
    ts_out_put(script, "$offsets << EOD\n");
    for (size_t i = 0; i < count; i++) {
        const struct ts_bound *bound = &agreement->apps[i].bound;
        const bool known = bound->interval.coverage > 0;
        const double low = known ? bound->interval.low : bound->offset;
        const double high = known ? bound->interval.high : bound->offset;
        if (!bound->count)
            continue;
        ts_out_printf(script, "%.3f %zu %.3f %.3f %d\n", bound->offset, count - i, low, high,
                      agreement->apps[i].lazy ? 0x060606 : 0x040404);
        ts_range_include(&x, low);
        ts_range_include(&x, high);
    }
    ts_out_put(script, "EOD\n");
    ts_panel_axis(script, 'x', ts_range_widened(x));
    ts_out_printf(script, "set yrange [0.4:%zu.6]\nset ytics (", count);
    for (size_t i = 0; i < count; i++)
        ts_out_printf(script, "%s'" TS_FIGURE_NAME "%zu' %zu", i ? ", " : "", i, count - i);
    ts_out_printf(script,
                  ") scale 0\nset arrow from 0,0.4 to 0,%zu.6 nohead dt (6,5) lw 1.5 lc rgb "
                  "'#020202'\nset xlabel 'rig minus Android, median (ms)'\nunset ylabel\n"
                  "plot $offsets using 1:2:3:4:5 with xerrorbars pt 7 ps 0.6 lw 1.5 lc rgb "
                  "variable\n",
                  count);
}

int ts_agreement_android_draw(const struct ts_android_agreement *agreement, struct ts_out *out)
{
    static const struct ts_figure figure = {
        .id = "fg",
        .label = "Left: each launch as a point, Android's time to initial display across and the "
                 "rig's time up, with the line where both are equal; apps that go on loading "
                 "after Android counts them as displayed are squares. Right: each app's median "
                 "of the rig's time minus Android's, with its 95 % interval.",
        .width = WIDTH,
        .height = HEIGHT,
        .name_columns = 18,
        .seconds = 20};
    const size_t count = agreement->count < APPS_MOST ? agreement->count : APPS_MOST;
    struct ts_range range = {INFINITY, -INFINITY};
    const char *names[APPS_MOST] = {NULL};
    struct ts_out script = {0};
    for (size_t i = 0; i < count; i++)
        names[i] = agreement->apps[i].app;
    put_launches(agreement, false, &range, &script);
    put_launches(agreement, true, &range, &script);
    ts_panels_begin(&script);
    put_scatter(range, &script);
    put_offsets(agreement, count, &script);
    const int err = ts_panels_draw(&figure, &script, names, count, out);
    ts_buf_free(&script.text);
    return err;
}
