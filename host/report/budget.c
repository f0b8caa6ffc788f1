/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/budget.h"

#include "report/page.h"
#include "store/json_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_COLUMNS 40
#define PPM         1e6

struct ts_budget_sum ts_budget_sum(const struct ts_result *result, enum ts_budget_name of)
{
    static const char *const words[TS_BUDGET_COUNT] = {"Contact", "Lift", "Start", "First change",
                                                       "Settled"};
    const double common_ms = ts_budget_common_ms(&result->budgets[of]);
    const double ms = 1e-6;
    const struct ts_instant *const instants[TS_BUDGET_COUNT] = {[TS_BUDGET_CONTACT] =
                                                                    &result->contact,
                                                                [TS_BUDGET_LIFT] = &result->lift,
                                                                [TS_BUDGET_START] = &result->start};
    const struct ts_instant *at = instants[of];
    if (at) {
        return (struct ts_budget_sum){words[of], NAN, ms * at->u_ns,
                                      isfinite(at->u_ns) ? common_ms : (double)NAN,
                                      isfinite(at->u_ns) ? ms * at->half_95_ns : (double)NAN};
    }
    const enum ts_metric_name name =
        of == TS_BUDGET_FIRST ? TS_METRIC_first_visual_change : TS_METRIC_settled;
    const struct ts_metric *metric =
        of == TS_BUDGET_FIRST ? &result->first_visual_change : &result->settled;
    return (struct ts_budget_sum){words[of], metric->value, metric->u, metric->u_common,
                                  result->half_95_ms[name]};
}

/* Android's start is one where nobody taps; contact and lift are where somebody does. */
static bool is_of(const struct ts_result *result, enum ts_budget_name of)
{
    const bool from_am = ts_result_from_am(result);
    return of == TS_BUDGET_START ? from_am
                                 : !from_am || (of != TS_BUDGET_CONTACT && of != TS_BUDGET_LIFT);
}

bool ts_budget_stated(const struct ts_result *result, enum ts_budget_name of)
{
    return isfinite(ts_budget_sum(result, of).u_ms) && ts_budget_u_ms(&result->budgets[of]) > 0;
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

struct stated {
    const struct ts_launch *launch;
};

static int by_u(const void *one, const void *other)
{
    const struct ts_result *a = &((const struct stated *)one)->launch->result;
    const struct ts_result *b = &((const struct stated *)other)->launch->result;
    if (a->settled.u < b->settled.u || a->settled.u > b->settled.u)
        return a->settled.u < b->settled.u ? -1 : 1;
    return a->launch - b->launch;
}

int ts_budget_typical(const struct ts_report_data *data, const char *app,
                      const struct ts_launch **out)
{
    struct stated *stated = malloc((data->count + 1) * sizeof *stated);
    size_t count = 0;
    *out = NULL;
    if (!stated)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        if (ts_launch_counts(launch) && ts_budget_stated(&launch->result, TS_BUDGET_SETTLED) &&
            (!app || strcmp(launch->result.app, app) == 0))
            stated[count++].launch = launch;
    }
    qsort(stated, count, sizeof *stated, by_u);
    if (count)
        *out = stated[(count - 1) / 2].launch;
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

/* "Settled 812.3 ms after lift; u 1.25 ms, 95 % interval +-2.41 ms" */
static void put_sum(const struct ts_budget_sum *sum, const char *zero, struct ts_out *out)
{
    ts_out_printf(out, "\n%s", sum->words);
    if (isfinite(sum->value_ms))
        ts_out_printf(out, " %.1f ms after %s", sum->value_ms, zero);
    if (!isfinite(sum->u_ms)) {
        ts_out_put(out, ": not seen\n");
        return;
    }
    ts_out_printf(out, "; u %.2f ms, 95 %% interval: ", sum->u_ms);
    if (sum->half_95_ms > 0)
        ts_out_printf(out, "+-%.2f ms\n", sum->half_95_ms);
    else
        ts_out_put(out, "not stated\n");
}

static void put_one(const struct ts_result *result, enum ts_budget_name of,
                    struct ts_text_style style, struct ts_out *out)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    const struct ts_budget_sum sum = ts_budget_sum(result, of);
    const struct ts_budget *budget = &result->budgets[of];
    put_sum(&sum, ts_result_zero_words(result), out);
    if (!ts_budget_stated(result, of)) {
        if (isfinite(sum.u_ms))
            ts_out_put(out, "Where it comes from: not stated by the version that measured it; "
                            "`touchstone\nreplay` measures again.\n");
        return;
    }
    const size_t count = ts_budget_rows(budget, rows);
    put_terms(rows, count, style, out);
    if (of == TS_BUDGET_SETTLED)
        put_bars(rows, count, style, out);
    const double dof = ts_budget_dof(budget);
    ts_out_printf(out, "Shared part of u: %.2f ms.", ts_budget_common_ms(budget));
    if (dof < 1000)
        ts_out_printf(out, " Effective degrees of freedom: %.0f.", floor(dof));
    ts_out_put(out, "\n");
}

void ts_text_budget(const struct ts_result *result, struct ts_text_style style, struct ts_out *out)
{
    ts_out_printf(out, "Launch %d  ", result->launch);
    ts_out_text(out, result->app, 40, style);
    ts_out_put(out, "\n");
    for (int of = 0; of < TS_BUDGET_COUNT; of++) {
        if (is_of(result, (enum ts_budget_name)of))
            put_one(result, (enum ts_budget_name)of, style, out);
    }
    ts_out_put(out, "\n");
    ts_out_wrapped(
        out,
        "u: standard uncertainty, the root of the sum of the squares of the terms' ms; "
        "of contact, lift and start on the host's clock. A: found by repetition, B: known "
        "otherwise. times: by how many ms the "
        "value moves with one unit. of all, and bars: share of u squared. dof: how well "
        "u itself is known (degrees of freedom). * shared by all launches of the "
        "session; it cancels when two builds are compared on one rig.",
        0, style);
}

/* ---- as JSON ---- */

static void put_json_terms(const struct ts_budget *budget, struct ts_json_out *json)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    const size_t count = ts_budget_rows(budget, rows);
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
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 3};
    if (out->err)
        return;
    ts_json_open(&json, NULL, '{');
    ts_json_integer(&json, "launch", result->launch);
    ts_json_text(&json, "app", result->app);
    for (int i = 0; i < TS_BUDGET_COUNT; i++) {
        const enum ts_budget_name of = (enum ts_budget_name)i;
        const struct ts_budget_sum sum = ts_budget_sum(result, of);
        const bool stated = ts_budget_stated(result, of);
        if (!is_of(result, of))
            continue;
        ts_json_open(&json, ts_budget_names[i], '{');
        ts_json_number(&json, "value_ms", sum.value_ms);
        ts_json_number(&json, "u_ms", sum.u_ms);
        ts_json_number(&json, "u_common_ms", sum.u_common_ms);
        ts_json_number(&json, "half_95_ms", sum.half_95_ms);
        ts_json_number(&json, "dof", stated ? ts_budget_dof(&result->budgets[of]) : (double)NAN);
        if (stated)
            put_json_terms(&result->budgets[of], &json);
        else
            ts_json_null(&json, "terms");
        ts_json_close(&json, '}');
    }
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}

/* ---- on the report page ---- */

static void put_page_terms(const struct ts_launch *launch, struct ts_out *out)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    const size_t count = ts_budget_rows(&launch->result.budgets[TS_BUDGET_SETTLED], rows);
    ts_html_table_begin(out, "Settled: terms of a typical launch, the one with the median u",
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

/* One row: how sure it is, and what that hangs on most. result NULL: nothing is stated. */
static void put_page_row(const struct ts_result *result, enum ts_budget_name of, const char *name,
                         struct ts_out *out)
{
    struct ts_budget_row rows[TS_TERM_COUNT];
    ts_out_put(out, "<tr><th scope=\"row\">");
    ts_html_name(out, name);
    ts_out_put(out, "</th>");
    if (!result || !ts_budget_stated(result, of)) {
        ts_out_put(out, "<td class=\"number\">not stated</td><td></td><td></td><td></td></tr>\n");
        return;
    }
    const struct ts_budget_sum sum = ts_budget_sum(result, of);
    ts_budget_rows(&result->budgets[of], rows);
    ts_html_number(out, sum.u_ms, 2);
    ts_html_number(out, sum.half_95_ms, 2);
    ts_out_printf(out,
                  "<td>%s, %.0f\u00a0%%</td><td><span class=\"bar rig\" style=\"width:%.1f%%\">"
                  "</span></td></tr>\n",
                  rows[0].kind->words, 100 * rows[0].part, 100 * rows[0].part);
}

static void put_page_others(const struct ts_launch *launch, struct ts_out *out)
{
    ts_html_table_begin(out, "The same launch\u2019s other instants, in milliseconds",
                        "Instant|#<i>u</i>|#95\u00a0% interval, \u00b1|Greatest term, of "
                        "<i>u</i>\u00b2|");
    for (int of = 0; of < TS_BUDGET_SETTLED; of++) {
        if (is_of(&launch->result, (enum ts_budget_name)of))
            put_page_row(&launch->result, (enum ts_budget_name)of,
                         ts_budget_sum(&launch->result, (enum ts_budget_name)of).words, out);
    }
    ts_html_table_end(out);
}

void ts_section_budget(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    const struct ts_summary *summary = page->summary;
    const struct ts_launch *typical;
    int err = ts_budget_typical(data, NULL, &typical);
    ts_out_put(out, "<section id=\"budget\">\n<h2>Where the uncertainty comes from</h2>\n");
    if (!err && !typical)
        ts_out_put(out, "<p>Not stated: no launch that counts has a budget. Sessions of earlier "
                        "versions have none; <code>touchstone replay</code> measures again.</p>\n");
    if (!err && typical) {
        ts_out_put(out, "<p>The standard uncertainty <i>u</i> of one launch\u2019s settled is the "
                        "root of the sum of its terms\u2019 squares. What the session shares stays "
                        "however many launches there are, and cancels when two builds are compared "
                        "on one rig.</p>\n");
        put_page_terms(typical, out);
        put_page_others(typical, out);
        ts_html_table_begin(out, "Settled: a typical launch of each app, in milliseconds",
                            "App|#<i>u</i>|#95\u00a0% interval, \u00b1|Greatest term, of "
                            "<i>u</i>\u00b2|");
        for (size_t i = 0; i < summary->app_count && !err; i++) {
            const struct ts_launch *launch;
            if (i > 0 && summary->apps[i].app == summary->apps[i - 1].app)
                continue; /* a row for another start type */
            err = ts_budget_typical(data, summary->apps[i].app, &launch);
            if (!err)
                put_page_row(launch ? &launch->result : NULL, TS_BUDGET_SETTLED,
                             summary->apps[i].app, out);
        }
        ts_html_table_end(out);
    }
    ts_out_put(out, "</section>\n");
    out->err = out->err ? out->err : err;
}
