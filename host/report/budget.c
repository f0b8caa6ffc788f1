/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/budget.h"

#include "report/sections.h"
#include "store/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_COLUMNS 40
#define PPM         1e6

bool ts_budget_stated(const struct ts_result *result)
{
    return isfinite(result->settled.u) && ts_budget_u_ms(&result->budget) > 0;
}

static int by_share(const void *one, const void *other)
{
    const struct ts_budget_row *a = one, *b = other;
    if (a->share_ms < b->share_ms || a->share_ms > b->share_ms)
        return a->share_ms < b->share_ms ? 1 : -1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

size_t ts_budget_rows(const struct ts_budget *budget, struct ts_budget_row *rows)
{
    const double u = ts_budget_u_ms(budget);
    size_t count = 0;
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const struct ts_term *term = &budget->terms[i];
        const double share = ts_term_share_ms(term);
        const bool rate = i == TS_TERM_CLOCK;
        if (!(share > 0))
            continue;
        rows[count++] = (struct ts_budget_row){.kind = &ts_term_kinds[i],
                                               .u = rate ? term->u * PPM : term->u,
                                               .unit = rate ? "ppm" : "ms",
                                               .sensitivity = rate ? term->sensitivity / PPM
                                                                   : term->sensitivity,
                                               .share_ms = share,
                                               .part = share * share / (u * u),
                                               .dof = term->dof > 0 ? term->dof : INFINITY};
    }
    qsort(rows, count, sizeof *rows, by_share);
    return count;
}

static int by_u(const void *one, const void *other)
{
    const struct ts_launch *a = *(const struct ts_launch *const *)one;
    const struct ts_launch *b = *(const struct ts_launch *const *)other;
    if (a->result.settled.u < b->result.settled.u || a->result.settled.u > b->result.settled.u)
        return a->result.settled.u < b->result.settled.u ? -1 : 1;
    return a->result.launch - b->result.launch;
}

int ts_budget_typical(const struct ts_report_data *data, const char *app,
                      const struct ts_launch **out)
{
    const struct ts_launch **stated = malloc((data->count + 1) * sizeof *stated);
    size_t count = 0;
    *out = NULL;
    if (!stated)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        if (ts_launch_counts(launch) && ts_budget_stated(&launch->result) &&
            (!app || strcmp(launch->result.app, app) == 0))
            stated[count++] = launch;
    }
    qsort(stated, count, sizeof *stated, by_u);
    if (count)
        *out = stated[(count - 1) / 2];
    free(stated);
    return TS_OK;
}

/* ---- in a terminal ---- */

static void put_dof(struct ts_table *table, double dof)
{
    if (isfinite(dof))
        ts_table_printf(table, "%.0f", dof);
    else
        ts_table_put(table, "-");
}

static void put_terms(const struct ts_budget_row *rows, size_t count, struct ts_text_style style,
                      struct ts_out *out)
{
    static const char *const headings[] = {"term", "type", "u", "times", "ms", "of all", "dof"};
    struct ts_table table;
    ts_table_begin(&table, 7, 0x7c);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        ts_table_put(&table, headings[i]);
    for (size_t i = 0; i < count; i++) {
        ts_table_printf(&table, "%s%s", rows[i].kind->words, rows[i].kind->common ? " *" : "");
        ts_table_printf(&table, "%c", rows[i].kind->type);
        ts_table_printf(&table, "%.3g %s", rows[i].u, rows[i].unit);
        ts_table_printf(&table, "%.3g", rows[i].sensitivity);
        ts_table_number(&table, rows[i].share_ms, 3);
        ts_table_printf(&table, "%.1f %%", 100 * rows[i].part);
        put_dof(&table, rows[i].dof);
    }
    ts_table_end(&table, style, out);
}

static void put_bars(const struct ts_budget_row *rows, size_t count, struct ts_text_style style,
                     struct ts_out *out)
{
    ts_out_put(out, "\n");
    for (size_t i = 0; i < count; i++) {
        const long columns = lround(rows[i].part * BAR_COLUMNS);
        ts_out_printf(out, "  %-30s ", rows[i].kind->words);
        for (long k = 0; k < columns; k++)
            ts_out_put(out, style.utf8 ? "\u2588" : "#");
        ts_out_put(out, columns ? "\n" : style.utf8 ? "\u258f\n" : "|\n");
    }
}

void ts_text_budget(const struct ts_result *result, struct ts_text_style style, struct ts_out *out)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    const double half = result->half_95_ms[TS_METRIC_settled];
    ts_out_printf(out, "Launch %d  ", result->launch);
    ts_out_text(out, result->app, 40, style);
    ts_out_put(out, "\n\nSettled ");
    ts_out_number(out, result->settled.value, 1, ts_plain_numbers);
    ts_out_put(out, " ms after lift; 95 % interval: ");
    if (isfinite(half) && half > 0)
        ts_out_printf(out, "+-%.2f ms", half);
    else
        ts_out_put(out, "not stated");
    ts_out_put(out, "\nStandard uncertainty u: ");
    ts_out_number(out, result->settled.u, 2, ts_plain_numbers);
    ts_out_put(out, isfinite(result->settled.u) ? " ms\n\n" : "\n\n");
    if (!ts_budget_stated(result)) {
        ts_out_put(out, "Where it comes from: not stated. The launch did not settle, or it was "
                        "measured\nby a version without budgets; `touchstone replay` measures "
                        "again.\n");
        return;
    }
    const size_t count = ts_budget_rows(&result->budget, rows);
    put_terms(rows, count, style, out);
    put_bars(rows, count, style, out);
    const double dof = ts_budget_dof(&result->budget);
    ts_out_put(out, "\n");
    ts_out_wrapped(out,
                   "A: found by repetition, B: known otherwise. times: by how many ms settled "
                   "moves with one unit. ms: what the term alone would "
                   "make u. of all, and bars: share of u squared. dof: how well u itself is known "
                   "(degrees of freedom). * shared by all launches of the session; it cancels "
                   "when two builds are compared on one rig.",
                   0, style);
    ts_out_printf(out, "Shared part of u: %.2f ms.", ts_budget_common_ms(&result->budget));
    if (dof < 1000)
        ts_out_printf(out, " Effective degrees of freedom: %.0f.", floor(dof));
    ts_out_put(out, "\n");
}

/* ---- as JSON ---- */

static void put_json_terms(const struct ts_result *result, struct ts_json_out *json)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    const size_t count = ts_budget_rows(&result->budget, rows);
    ts_json_open(json, "terms", '[');
    for (size_t i = 0; i < count; i++) {
        const char type[] = {rows[i].kind->type, '\0'};
        ts_json_open(json, NULL, '{');
        ts_json_text(json, "name", rows[i].kind->name);
        ts_json_text(json, "words", rows[i].kind->words);
        ts_json_text(json, "type", type);
        ts_json_text(json, "shape", ts_shape_names[rows[i].kind->shape]);
        ts_json_boolean(json, "shared", rows[i].kind->common);
        ts_json_number(json, "u", rows[i].u);
        ts_json_text(json, "unit", rows[i].unit);
        ts_json_number(json, "ms_per_unit", rows[i].sensitivity);
        ts_json_number(json, "share_ms", rows[i].share_ms);
        ts_json_number(json, "part_of_variance", rows[i].part);
        ts_json_number(json, "dof", rows[i].dof);
        ts_json_close(json, '}');
    }
    ts_json_close(json, ']');
}

void ts_json_budget(const struct ts_result *result, struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 2};
    const bool stated = ts_budget_stated(result);
    if (out->err)
        return;
    ts_json_open(&json, NULL, '{');
    ts_json_integer(&json, "launch", result->launch);
    ts_json_text(&json, "app", result->app);
    ts_json_open(&json, "settled_ms", '{');
    ts_json_number(&json, "value", result->settled.value);
    ts_json_number(&json, "u", result->settled.u);
    ts_json_number(&json, "u_common", result->settled.u_common);
    ts_json_number(&json, "half_95", result->half_95_ms[TS_METRIC_settled]);
    ts_json_number(&json, "dof", stated ? ts_budget_dof(&result->budget) : (double)NAN);
    ts_json_close(&json, '}');
    if (stated)
        put_json_terms(result, &json);
    else
        ts_json_null(&json, "terms");
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}

/* ---- on the report page ---- */

static void put_page_terms(const struct ts_launch *launch, struct ts_out *out)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    const size_t count = ts_budget_rows(&launch->result.budget, rows);
    ts_html_table_begin(out, "Terms of a typical launch, the one with the median u",
                        "Term|Type|Shared|#<i>u</i>|#ms per unit|#Share, ms|#Degrees of "
                        "freedom|#Of <i>u</i>\u00b2|");
    for (size_t i = 0; i < count; i++) {
        ts_out_printf(out,
                      "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td class=\"number\">"
                      "%.3g\u00a0%s</td><td class=\"number\">%.3g</td>",
                      rows[i].kind->words, rows[i].kind->type == 'A' ? "A: repetition" : "B: known",
                      rows[i].kind->common ? "by the session" : "no", rows[i].u, rows[i].unit,
                      rows[i].sensitivity);
        ts_html_number(out, rows[i].share_ms, 3);
        ts_html_number(out, isfinite(rows[i].dof) ? rows[i].dof : (double)NAN, 0);
        ts_out_printf(out,
                      "<td class=\"number\">%.1f\u00a0%%</td><td><span class=\"bar rig\" "
                      "style=\"width:%.1f%%\"></span></td></tr>\n",
                      100 * rows[i].part, 100 * rows[i].part);
    }
    ts_html_table_end(out);
}

/* One row: how sure one launch of the app is, and what that hangs on most. */
static void put_page_app(const struct ts_launch *launch, const char *app, struct ts_out *out)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    ts_out_put(out, "<tr><th scope=\"row\">");
    ts_html_name(out, app);
    ts_out_put(out, "</th>");
    if (!launch) {
        ts_out_put(out, "<td class=\"number\">not stated</td><td></td><td></td><td></td></tr>\n");
        return;
    }
    ts_budget_rows(&launch->result.budget, rows);
    ts_html_number(out, launch->result.settled.u, 2);
    ts_html_number(out, launch->result.half_95_ms[TS_METRIC_settled], 2);
    ts_out_printf(out,
                  "<td>%s, %.0f\u00a0%%</td><td><span class=\"bar rig\" style=\"width:%.1f%%\">"
                  "</span></td></tr>\n",
                  rows[0].kind->words, 100 * rows[0].part, 100 * rows[0].part);
}

void ts_section_budget(const struct ts_report_data *data, const struct ts_summary *summary,
                       struct ts_out *out)
{
    const struct ts_launch *typical;
    int err = ts_budget_typical(data, NULL, &typical);
    ts_out_put(out, "<section>\n<h2>Where the uncertainty comes from</h2>\n");
    if (!err && !typical)
        ts_out_put(out, "<p>Not stated: no launch that counts has a budget. Sessions of earlier "
                        "versions have none; <code>touchstone replay</code> measures again.</p>\n");
    if (!err && typical) {
        ts_out_put(out, "<p>The standard uncertainty <i>u</i> of one launch\u2019s settled is the "
                        "root of the sum of its terms\u2019 squares. What the session shares stays "
                        "however many launches there are, and cancels when two builds are compared "
                        "on one rig.</p>\n");
        put_page_terms(typical, out);
        ts_html_table_begin(out, "A typical launch of each app, in milliseconds",
                            "App|#<i>u</i>|#95\u00a0% interval, \u00b1|Greatest term, of "
                            "<i>u</i>\u00b2|");
        for (size_t i = 0; i < summary->app_count && !err; i++) {
            const struct ts_launch *launch;
            err = ts_budget_typical(data, summary->apps[i].app, &launch);
            if (!err)
                put_page_app(launch, summary->apps[i].app, out);
        }
        ts_html_table_end(out);
    }
    ts_out_put(out, "</section>\n");
    out->err = out->err ? out->err : err;
}
