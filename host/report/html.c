/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html.h"

#include "report/page.h"
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

static void put_words(struct ts_out *out, const char *text, size_t size)
{
    const char *end = text + size, *mark;
    bool code = false;
    for (; (mark = memchr(text, '`', (size_t)(end - text))); text = mark + 1) {
        ts_out_html_part(out, text, (size_t)(mark - text));
        if (code || memchr(mark + 1, '`', (size_t)(end - mark - 1))) {
            code = !code;
            ts_out_put(out, code ? "<code>" : "</code>");
        } else {
            ts_out_put(out, "`");
        }
    }
    ts_out_html_part(out, text, (size_t)(end - text));
}

void ts_html_words(struct ts_out *out, const char *text)
{
    put_words(out, text, strlen(text));
}

void ts_html_lines(struct ts_out *out, const char *text)
{
    bool any = false;
    for (size_t size; *text; text += size + (text[size] == '\n')) {
        size = strcspn(text, "\n");
        if (!size)
            continue;
        ts_out_put(out, any ? "<br>\n" : "");
        put_words(out, text, size);
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

/* The policy lets the page ask for nothing, whatever may have got into it. */
struct ts_page_words ts_page_after_zero(const struct ts_page *page, const char *what)
{
    struct ts_page_words words;
    snprintf(words.text, sizeof words.text, "%s, in milliseconds after %s", what,
             ts_launch_zero_words(page->data->plan->care.launch_from));
    return words;
}

static void put_head(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    const char *name = data->plan->name && *data->plan->name ? data->plan->name : "Launch times";
    ts_out_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                    "'none'; img-src data:; style-src 'unsafe-inline'\">\n<title>");
    ts_out_html(out, name);
    ts_out_put(out, " \u2013 Touchstone report</title>\n<style>\n");
    ts_out_put(out, ts_report_style);
    ts_out_put(out, "</style>\n</head>\n<body>\n<header>\n<p class=\"mark\">Touchstone</p>\n<h1>");
    ts_html_name(out, name);
    ts_out_put(out, "</h1>\n<p class=\"lede\">How long each app takes to launch. ");
    ts_html_words(out, ts_measurand_words(page->data->plan->care.launch_from));
    ts_out_put(out, "</p>\n");
    ts_page_facts(page, out);
    ts_standing_notices(&data->standing, out);
    ts_out_put(out, "</header>\n<main>\n");
}

void ts_page_figures_begin(struct ts_out *out)
{
    ts_out_put(out, "<div class=\"figures\">\n");
}

void ts_page_figures_end(struct ts_out *out)
{
    ts_out_put(out, "</div>\n");
}

/* A figure is decoration where gnuplot is missing: the tables say the same. */
void ts_page_figure(int err, const char *title, const char *caption, struct ts_out *drawing,
                    struct ts_out *out)
{
    if (err == TS_OK) {
        ts_out_printf(out, "<figure>\n<figcaption><strong>%s</strong> ", title);
        ts_out_put(out, caption);
        ts_out_put(out, "</figcaption>\n");
        ts_out_bytes(out, (const char *)drawing->text.data, drawing->text.size);
        ts_out_put(out, "</figure>\n");
        out->err = out->err ? out->err : drawing->err;
    } else if (err == TS_ENOMEM) {
        out->err = out->err ? out->err : err;
    } else if (err != TS_EOF) {
        ts_out_printf(out, "<p class=\"notice\">\u201c%s\u201d is left out because ", title);
        ts_out_put(out, err == TS_ENOTSUP    ? "gnuplot is not installed."
                        : err == TS_ETIMEOUT ? "gnuplot did not finish in time."
                                             : "gnuplot failed to draw it.");
        ts_out_put(out, " The tables hold the same numbers.</p>\n");
    }
    ts_buf_free(&drawing->text);
}

static ts_section *const sections[] = {
    ts_section_answer,     ts_section_apps,     ts_section_costs,      ts_section_strips,
    ts_section_launches,   ts_section_android,  ts_section_people,     ts_section_campaign,
    ts_section_budget,     ts_section_left_out, ts_section_instrument, ts_section_glossary,
    ts_section_conditions,
};

int ts_report_page(const struct ts_report_data *data, const struct ts_base *base, bool figures,
                   struct ts_out *out)
{
    struct ts_summary summary;
    const int err = ts_summarize(data, &summary);
    if (err)
        return err;
    const struct ts_page page = {data, &summary, base, figures};
    put_head(&page, out);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        sections[i](&page, out);
    ts_out_put(out, "</main>\n</body>\n</html>\n");
    ts_summary_free(&summary);
    return out->err;
}

void ts_section_instrument(const struct ts_page *page, struct ts_out *out)
{
    ts_standing_section(&page->data->standing, out);
}

int ts_report_write(const char *session_dir, const char *base_dir, const char *path,
                    struct ts_why *why)
{
    struct ts_report_data data;
    struct ts_base base = {.name = ""};
    struct ts_out out = {0};
    int err = ts_report_data_load(session_dir, &data, why);
    if (err)
        return err;
    if (base_dir)
        err = ts_base_open(base_dir, &data, &base, why);
    if (!err) {
        err = ts_report_page(&data, base_dir ? &base : NULL, true, &out);
        if (err)
            ts_fail(why, err, "cannot make the report: %s", ts_err_text(err));
    }
    if (!err)
        err = ts_file_write(path, &out.text, why);
    ts_buf_free(&out.text);
    ts_base_close(&base);
    ts_report_data_free(&data);
    return err;
}
