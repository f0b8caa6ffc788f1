/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gate.h"

#include "cli/json_text.h"

#include <math.h>
#include <stdlib.h>

static bool was_compared(const struct ts_gate_app *app)
{
    return app->comparison.a.count > 0;
}

void ts_gate_put_text(const struct ts_gate *gate, const struct ts_gate_rules *rules,
                      struct ts_text_style style, struct ts_out *out)
{
    struct ts_table table;
    ts_table_begin(&table, 7, 0x3e);
    static const char *const headings[] = {"APP", "N", "BASE", "NEW", "CHANGE", "LOOK", "OUTCOME"};
    for (int i = 0; i < 7; i++)
        ts_table_put(&table, headings[i]);
    for (size_t i = 0; i < gate->count; i++) {
        const struct ts_gate_app *app = &gate->apps[i];
        const struct ts_comparison *of = &app->comparison;
        ts_table_put(&table, app->app);
        ts_table_printf(&table, "%zu/%zu", was_compared(app) ? of->a.count : app->count[0],
                        was_compared(app) ? of->b.count : app->count[1]);
        ts_table_number(&table, was_compared(app) ? of->a.median : NAN, 1);
        ts_table_number(&table, was_compared(app) ? of->b.median : NAN, 1);
        if (was_compared(app))
            ts_table_printf(&table, "%+.1f %%", 100 * (of->ratio - 1));
        else
            ts_table_put(&table, "-");
        ts_table_printf(&table, "%zu/%zu", app->look, rules->looks);
        ts_table_put(&table, ts_gate_outcome_name(app->outcome));
    }
    ts_table_end(&table, style, out);
    ts_out_printf(out, "\n%s: ", ts_gate_outcome_name(gate->outcome));
    switch (gate->outcome) {
    case TS_GATE_PASS:
        ts_out_printf(out, "every app is shown to be slower by less than %.3g %%, if at all\n",
                      100 * rules->max_regression);
        break;
    case TS_GATE_SLOWER:
        ts_out_printf(out, "an app is shown to be slower by more than %.3g %%\n",
                      100 * rules->max_regression);
        break;
    default:
        ts_out_put(out, gate->outcome == TS_GATE_INVALID
                            ? "these measurements cannot be judged\n"
                            : "neither is shown; measure more launches\n");
    }
    if (*gate->why.text)
        ts_out_wrapped(out, gate->why.text, 2, style);
    for (size_t i = 0; i < gate->count && !*gate->why.text; i++) {
        const struct ts_gate_app *app = &gate->apps[i];
        char text[600];
        if (app->outcome == TS_GATE_INVALID)
            snprintf(text, sizeof text, "%.100s: %s", app->app, app->why.text);
        else if (app->outcome == TS_GATE_INCONCLUSIVE && was_compared(app) &&
                 isfinite(app->comparison.needed))
            snprintf(text, sizeof text, "%.100s: it takes about %.0f launches a side", app->app,
                     app->comparison.needed);
        else
            continue;
        ts_out_wrapped(out, text, 2, style);
    }
}

int ts_gate_put_json(const struct ts_gate *gate, const struct ts_gate_rules *rules,
                     struct ts_out *out)
{
    json_t *apps = json_array();
    for (size_t i = 0; i < gate->count; i++) {
        const struct ts_gate_app *app = &gate->apps[i];
        const struct ts_comparison *of = &app->comparison;
        const bool there = was_compared(app);
        json_array_append_new(
            apps,
            json_pack("{s:o, s:s, s:I, s:I, s:I, s:o, s:[o, o], s:o, s:o, s:o, s:o, s:s}", "app",
                      ts_json_name(app->app), "outcome", ts_gate_outcome_name(app->outcome), "look",
                      (json_int_t)app->look, "base_launches", (json_int_t)app->count[0],
                      "new_launches", (json_int_t)app->count[1], "ratio",
                      ts_json_figure(there ? of->ratio : NAN), "ratio_interval",
                      ts_json_figure(there ? of->ratio_interval.low : NAN),
                      ts_json_figure(there ? of->ratio_interval.high : NAN), "p_slower",
                      ts_json_figure(there ? of->p_slower : NAN), "p_not_slower",
                      ts_json_figure(there ? of->p_not_slower : NAN), "base_median_ms",
                      ts_json_figure(there ? of->a.median : NAN), "new_median_ms",
                      ts_json_figure(there ? of->b.median : NAN), "why", app->why.text));
    }
    json_t *root =
        json_pack("{s:s, s:f, s:f, s:I, s:s, s:o}", "outcome", ts_gate_outcome_name(gate->outcome),
                  "max_regression", rules->max_regression, "alpha", rules->alpha, "looks",
                  (json_int_t)rules->looks, "why", gate->why.text, "apps", apps);
    return ts_json_put_line(root, out);
}

static size_t count_of(const struct ts_gate *gate, enum ts_gate_outcome outcome)
{
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++)
        count += gate->apps[i].outcome == outcome;
    return count;
}

void ts_gate_put_junit(const struct ts_gate *gate, const struct ts_gate_rules *rules,
                       struct ts_out *out)
{
    ts_out_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    ts_out_printf(out,
                  "<testsuite name=\"touchstone gate\" tests=\"%zu\" failures=\"%zu\" "
                  "errors=\"%zu\" skipped=\"%zu\">\n",
                  gate->count, count_of(gate, TS_GATE_SLOWER), count_of(gate, TS_GATE_INVALID),
                  count_of(gate, TS_GATE_INCONCLUSIVE));
    for (size_t i = 0; i < gate->count; i++) {
        const struct ts_gate_app *app = &gate->apps[i];
        const double change = 100 * (app->comparison.ratio - 1);
        ts_out_put(out, "  <testcase classname=\"touchstone.gate\" name=\"");
        ts_out_html(out, app->app);
        ts_out_put(out, "\">\n");
        if (app->outcome == TS_GATE_SLOWER)
            ts_out_printf(out,
                          "    <failure message=\"slower by %.1f %%, more than the %.3g %% "
                          "allowed\"/>\n",
                          change, 100 * rules->max_regression);
        else if (app->outcome == TS_GATE_INCONCLUSIVE)
            ts_out_put(out, "    <skipped message=\"inconclusive: too few launches to tell\"/>\n");
        else if (app->outcome == TS_GATE_INVALID) {
            ts_out_put(out, "    <error message=\"");
            ts_out_html(out, app->why.text);
            ts_out_put(out, "\"/>\n");
        }
        ts_out_put(out, "  </testcase>\n");
    }
    ts_out_put(out, "</testsuite>\n");
}
