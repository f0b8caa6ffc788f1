/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_android.h"

#include "cli/json_text.h"

#include "report/text.h"

#include <math.h>
#include <stdlib.h>

static void put_line(struct ts_out *out, const char *name, const struct ts_line *line)
{
    if (isnan(line->slope)) {
        ts_out_printf(out, "  %-18s does not apply\n", name);
        return;
    }
    ts_out_printf(out, "  %-18s %.2f (%.2f to %.2f) times Android's %+.0f ms (%.0f to %.0f)\n",
                  name, line->slope, line->slope_interval.low, line->slope_interval.high,
                  line->intercept, line->intercept_interval.low, line->intercept_interval.high);
}

static void put_apps(const struct ts_android_agreement *agreement, struct ts_text_style style,
                     struct ts_out *out)
{
    static const char *const headings[] = {"APP", "N", "ANDROID", "RIG", "LATER", "R", "ABOVE", ""};
    struct ts_table table;
    ts_table_begin(&table, 8, 0x7e);
    for (int i = 0; i < 8; i++)
        ts_table_put(&table, headings[i]);
    for (size_t i = 0; i < agreement->count; i++) {
        const struct ts_android_app *app = &agreement->apps[i];
        ts_table_put(&table, app->app);
        ts_table_printf(&table, "%zu", app->bound.count);
        ts_table_number(&table, app->android, 0);
        ts_table_number(&table, app->rig, 0);
        ts_table_number(&table, app->bound.offset, 0);
        ts_table_number(&table, app->pearson, 2);
        ts_table_printf(&table, "%zu", app->bound.above);
        ts_table_put(&table, app->bound.broken ? "no lower bound"
                             : app->lazy       ? "loads lazily"
                                               : "");
    }
    ts_table_end(&table, style, out);
}

void ts_agreement_android_put_text(const struct ts_android_agreement *agreement, struct ts_out *out)
{
    const struct ts_text_style style = ts_text_style_for(stdout);
    const struct ts_agreement *all = &agreement->all;
    put_apps(agreement, style, out);
    ts_out_put(out, "\n");
    ts_out_wrapped(out,
                   "Medians in ms. LATER: how much longer the rig's time is. ABOVE: launches in "
                   "which Android's time is longer by more than twice the uncertainty.",
                   0, style);
    ts_out_printf(out, "\nOver %zu launches (%zu more without a time of Android's):\n", all->count,
                  agreement->untimed);
    ts_out_printf(out,
                  "  rig - Android      %.1f ms on average, limits of agreement %.1f to %.1f\n",
                  all->bias, all->limits.low, all->limits.high);
    ts_out_printf(out, "  relation           Pearson %.3f, Spearman %.3f\n", all->pearson,
                  agreement->spearman);
    if (isnan(agreement->concordance.interval.low))
        ts_out_put(out, "  concordance        does not apply\n");
    else
        ts_out_printf(out, "  concordance        %.3f (%.3f to %.3f)\n",
                      agreement->concordance.coefficient, agreement->concordance.interval.low,
                      agreement->concordance.interval.high);
    put_line(out, "Deming", &agreement->deming);
    put_line(out, "Passing and Bablok", &agreement->passing_bablok);
}

static json_t *line_json(const struct ts_line *line)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "slope", ts_json_figure(line->slope), "slope_interval",
                     ts_json_figures(line->slope_interval.low, line->slope_interval.high),
                     "intercept_ms", ts_json_figure(line->intercept), "intercept_interval_ms",
                     ts_json_figures(line->intercept_interval.low, line->intercept_interval.high));
}

static json_t *app_json(const struct ts_android_app *app)
{
    const struct ts_bound *bound = &app->bound;
    return json_pack(
        "{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:b, s:b}", "app", ts_json_name(app->app),
        "launches", (json_int_t)bound->count, "rig_ms", ts_json_figure(app->rig), "android_ms",
        ts_json_figure(app->android), "later_ms", ts_json_figure(bound->offset),
        "later_interval_ms", ts_json_figures(bound->interval.low, bound->interval.high), "pearson",
        ts_json_figure(app->pearson), "above", (json_int_t)bound->above, "p_above",
        ts_json_figure(bound->p), "bound_broken", bound->broken, "lazy_loading", app->lazy);
}

int ts_agreement_android_put_json(const struct ts_android_agreement *agreement, struct ts_out *out)
{
    const struct ts_agreement *all = &agreement->all;
    json_t *apps = json_array();
    for (size_t i = 0; i < agreement->count; i++)
        json_array_append_new(apps, app_json(&agreement->apps[i]));
    json_t *root = json_pack(
        "{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "apps", apps, "launches",
        (json_int_t)all->count, "untimed", (json_int_t)agreement->untimed, "bias_ms",
        ts_json_figure(all->bias), "limits_ms", ts_json_figures(all->limits.low, all->limits.high),
        "pearson", ts_json_figure(all->pearson), "spearman", ts_json_figure(agreement->spearman),
        "concordance", ts_json_figure(agreement->concordance.coefficient), "concordance_interval",
        ts_json_figures(agreement->concordance.interval.low, agreement->concordance.interval.high),
        "deming", line_json(&agreement->deming), "passing_bablok",
        line_json(&agreement->passing_bablok));
    return ts_json_put_line(root, out);
}
