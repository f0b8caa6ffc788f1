/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html.h"

#include "report/figure.h"
#include "report/sections.h"
#include "report/words.h"
#include "store/files.h"

#include <stdio.h>
#include <string.h>

void ts_html_number(struct ts_out *out, double value, int decimals)
{
    ts_out_put(out, "<td class=\"number\">");
    ts_out_number(out, value, decimals, ts_fine_numbers);
    ts_out_put(out, "</td>");
}

void ts_html_name(struct ts_out *out, const char *name)
{
    ts_out_put(out, "<bdi>");
    ts_out_html(out, name);
    ts_out_put(out, "</bdi>");
}

void ts_html_lines(struct ts_out *out, const char *text)
{
    bool any = false;
    for (size_t size; *text; text += size + (text[size] == '\n')) {
        char line[512];
        size = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)size, text);
        if (!size)
            continue;
        ts_out_put(out, any ? "<br>\n" : "");
        ts_out_html(out, line);
        any = true;
    }
}

void ts_html_table_begin(struct ts_out *out, const char *caption, const char *headings)
{
    /* tabindex: a box that scrolls must be reachable from the keyboard. */
    ts_out_put(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    ts_out_html(out, caption);
    ts_out_put(out, "\"><table><caption>");
    ts_out_html(out, caption);
    ts_out_put(out, *headings ? "</caption>\n<thead><tr>" : "</caption>\n<tbody>\n");
    if (!*headings)
        return;
    while (*headings) {
        const bool number = *headings == '#';
        headings += number;
        const size_t size = strcspn(headings, "|");
        ts_out_put(out, number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
        ts_out_bytes(out, headings, size);
        ts_out_put(out, "</th>");
        headings += size;
        headings += *headings == '|';
    }
    ts_out_put(out, "</tr></thead>\n<tbody>\n");
}

void ts_html_table_end(struct ts_out *out)
{
    ts_out_put(out, "</tbody></table></div>\n");
}

static void put_head(const struct ts_report_data *data, struct ts_out *out)
{
    const char *name = data->plan->name && *data->plan->name ? data->plan->name : "Launch times";
    ts_out_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    ts_out_html(out, name);
    ts_out_put(out, " \u2013 Touchstone report</title>\n<style>\n");
    ts_out_put(out, ts_report_style);
    ts_out_put(out, "</style>\n</head>\n<body>\n<header>\n<p class=\"mark\">Touchstone</p>\n<h1>");
    ts_html_name(out, name);
    ts_out_put(out, "</h1>\n<p class=\"lede\">How long each app takes to launch. ");
    ts_out_html(out, ts_measurand_words);
    ts_out_put(out, "</p>\n");
    ts_section_facts(data, out);
    ts_standing_notices(&data->standing, out);
    ts_out_put(out, "</header>\n<main>\n");
}

static void put_figure(const char *title, const char *caption, const struct ts_out *drawing,
                       struct ts_out *out)
{
    ts_out_printf(out, "<figure>\n<figcaption><strong>%s</strong> %s</figcaption>\n", title,
                  caption);
    ts_out_bytes(out, (const char *)drawing->text.data, drawing->text.size);
    ts_out_put(out, "</figure>\n");
    out->err = out->err ? out->err : drawing->err;
}

static void put_missing(int err, struct ts_out *out)
{
    if (err == TS_OK || err == TS_EOF)
        return;
    ts_out_put(out, "<p class=\"notice\">");
    if (err == TS_ENOTSUP)
        ts_out_put(out, "The figures are left out because gnuplot is not installed.");
    else if (err == TS_ETIMEOUT)
        ts_out_put(out, "A figure is left out because gnuplot did not finish in time.");
    else
        ts_out_put(out, "A figure is left out because gnuplot failed to draw it.");
    ts_out_put(out, " The tables hold the same numbers.</p>\n");
}

/* A figure is decoration where gnuplot is missing: the tables say the same. */
static void put_figures(const struct ts_report_data *data, const struct ts_summary *summary,
                        bool figures, struct ts_out *out)
{
    struct ts_out distribution = {0}, agreement = {0};
    const int err = figures ? ts_figure_distribution(summary, &distribution) : TS_ENOTSUP;
    const int other = figures ? ts_figure_agreement(data, summary, &agreement) : TS_ENOTSUP;
    if (err == TS_ENOMEM || other == TS_ENOMEM)
        out->err = TS_ENOMEM;
    ts_out_put(out, "<section>\n<h2>Launch by launch</h2>\n");
    put_missing(err == TS_OK || err == TS_EOF ? other : err, out);
    ts_out_put(out, "<div class=\"figures\">\n");
    if (err == TS_OK)
        put_figure("How far launches spread.",
                   "Points: single launches, hollow where they lie far from the rest (beyond "
                   "Tukey\u2019s fences; marked, not removed). Bar: median. Box: middle half, from "
                   "5 launches on. Diamond: Android\u2019s median.",
                   &distribution, out);
    if (other == TS_OK)
        put_figure("Camera against Android.",
                   "One point a launch. On the dashed line both numbers are equal; above it the "
                   "screen went on changing after Android took the launch for displayed.",
                   &agreement, out);
    ts_out_put(out, "</div>\n");
    if (err == TS_EOF)
        ts_out_put(out, "<p>No launch counts, so there is nothing to draw.</p>\n");
    else if (other == TS_EOF)
        ts_out_put(out, "<p>Android gave no number of its own for a launch that counts, so there "
                        "is nothing to compare with.</p>\n");
    ts_section_distribution_table(summary, out);
    ts_section_launches(data, out);
    ts_out_put(out, "</section>\n");
    ts_buf_free(&distribution.text);
    ts_buf_free(&agreement.text);
}

int ts_report_page(const struct ts_report_data *data, bool figures, struct ts_out *out)
{
    struct ts_summary summary;
    const int err = ts_summarize(data, &summary);
    if (err)
        return err;
    put_head(data, out);
    ts_section_answer(data, &summary, out);
    ts_section_apps(&summary, out);
    put_figures(data, &summary, figures, out);
    ts_standing_section(&data->standing, out);
    ts_section_budget(data, &summary, out);
    ts_section_left_out(data, out);
    ts_section_conditions(data, &summary, out);
    ts_section_glossary(out);
    ts_out_put(out, "</main>\n</body>\n</html>\n");
    ts_summary_free(&summary);
    return out->err;
}

int ts_report_write(const char *session_dir, const char *path, struct ts_why *why)
{
    struct ts_report_data data;
    int err = ts_report_data_load(session_dir, &data, why);
    if (err)
        return err;
    struct ts_out out = {0};
    err = ts_report_page(&data, true, &out);
    if (err)
        ts_fail(why, err, "cannot make the report: %s", ts_err_text(err));
    else
        err = ts_file_write(path, &out.text, why);
    ts_buf_free(&out.text);
    ts_report_data_free(&data);
    return err;
}
