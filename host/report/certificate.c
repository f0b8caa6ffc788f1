/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/certificate.h"

#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const measurand_words[] = {"First change", "Settled"};

void ts_certificate_date(const struct ts_certificate *certificate, char *text, size_t size)
{
    const time_t seconds = (time_t)certificate->date_s;
    struct tm parts;
    text[0] = '\0';
    if (gmtime_r(&seconds, &parts))
        strftime(text, size, "%Y-%m-%d %H:%M UTC", &parts);
}

void ts_certificate_display(const struct ts_certificate *certificate, char *text, size_t size)
{
    char response[48] = "time constant not said, taken as 0 to 3 ms";
    if (isfinite(certificate->response_ms))
        snprintf(response, sizeof response, "time constant %.2f ms", certificate->response_ms);
    if (isfinite(certificate->refresh_hz))
        snprintf(text, size, "%.0f Hz; %s", certificate->refresh_hz, response);
    else
        snprintf(text, size, "refresh not said, taken as 60 to 120 Hz; %s", response);
}

static const char *kind_name(int kind)
{
    return kind < TS_SCENE_COUNT ? ts_scene_names[kind] : "all";
}

static const char *verdict(bool passed)
{
    return passed ? "pass" : "FAIL";
}

/* ---- what failed ---- */

static void advise_line(const char *measurand, const char *kind,
                        const struct ts_verified_line *line, struct ts_out *out)
{
    ts_out_printf(out, "%s, %s scenes: ", measurand, kind);
    if (line->gross > line->gross_most)
        ts_out_printf(out,
                      "%d of %d are more than 50 ms off, more than %d; look at the launches of the "
                      "session: is the camera's picture of the display whole and still?\n",
                      line->gross, line->n, line->gross_most);
    else if (line->covered < line->covered_least)
        ts_out_printf(out,
                      "the stated 95 %% intervals hold %d of %d, fewer than %d; run `touchstone "
                      "calibrate all`\n",
                      line->covered, line->n - line->gross, line->covered_least);
    else
        ts_out_printf(out,
                      "bias %+.2f ms, more than %.2f ms; run `touchstone calibrate all`, tell "
                      "--response and --refresh of the display if it is a slow one\n",
                      line->bias_ms, line->limit_ms);
}

static void advise_value(const struct ts_verified_value *value, struct ts_out *out)
{
    const bool stylus = strstr(value->name, "lift") || strstr(value->name, "contact");
    const char *kind = stylus ? "stylus" : "camera";
    if (isnan(value->found))
        ts_out_printf(out, "%s: could not be found now; %s\n", value->name,
                      stylus ? "is the contact plate wired, and the phone out of the way?"
                             : "is the camera on, and does it see both sync LEDs?");
    else
        ts_out_printf(out,
                      "%s: the file has %.3f, now it is %.3f, more than %.3f apart; run "
                      "`touchstone calibrate %s`\n",
                      value->name, value->on_file, value->found, value->limit_ms, kind);
}

void ts_certificate_advice(const struct ts_certificate *certificate, struct ts_out *out)
{
    for (int i = 0; i < certificate->value_count; i++) {
        if (!certificate->values[i].passed)
            advise_value(&certificate->values[i], out);
    }
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++) {
            const struct ts_verified_line *line = &certificate->lines[m][kind];
            if (!line->passed)
                advise_line(measurand_words[m], kind_name(kind), line, out);
        }
        if (certificate->lines[m][TS_SCENE_COUNT].n < 2)
            ts_out_printf(out,
                          "%s: no scene was seen by camera and photodiodes both; are both "
                          "photodiodes over their spots, and is the helper app installed?\n",
                          measurand_words[m]);
    }
    if (certificate->usable < certificate->usable_least || !certificate->usable)
        ts_out_printf(out, "usable: %d of %d scenes, fewer than %d; `touchstone doctor` says why\n",
                      certificate->usable, certificate->scene_count, certificate->usable_least);
}

/* ---- terminal ---- */

static void put_text_lines(const struct ts_certificate *certificate, struct ts_text_style style,
                           struct ts_out *out)
{
    static const char *const heads[] = {"scene", "n",   "bias",  "+-",      "limit", "spread",
                                        "P95",   "max", "gross", "covered", ""};
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        struct ts_table table;
        ts_out_printf(out, "\n%s, camera less photodiode, ms\n", measurand_words[m]);
        ts_table_begin(&table, 11, 0x3fe);
        for (int i = 0; i < 11; i++)
            ts_table_put(&table, heads[i]);
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++) {
            const struct ts_verified_line *line = &certificate->lines[m][kind];
            ts_table_put(&table, kind_name(kind));
            ts_table_printf(&table, "%d", line->n);
            ts_table_number(&table, line->bias_ms, 2);
            ts_table_number(&table, line->half_95_ms, 2);
            ts_table_number(&table, line->limit_ms, 2);
            ts_table_number(&table, line->spread_ms, 2);
            ts_table_number(&table, line->p95_ms, 2);
            ts_table_number(&table, line->max_ms, 2);
            ts_table_printf(&table, "%d", line->gross);
            ts_table_printf(&table, "%d/%d", line->covered, line->n - line->gross);
            ts_table_put(&table, verdict(line->passed));
        }
        ts_table_end(&table, style, out);
    }
}

void ts_certificate_text(const struct ts_certificate *certificate, struct ts_text_style style,
                         struct ts_out *out)
{
    struct ts_table table;
    ts_out_printf(out, "%s: %s\n\nCalibration files against what was found now\n",
                  certificate->identity.rig, certificate->passed ? "passed" : "FAILED");
    ts_table_begin(&table, 5, 0xe);
    ts_table_put(&table, "value");
    ts_table_put(&table, "file");
    ts_table_put(&table, "now");
    ts_table_put(&table, "limit");
    ts_table_put(&table, "");
    for (int i = 0; i < certificate->value_count; i++) {
        const struct ts_verified_value *value = &certificate->values[i];
        ts_table_put(&table, value->name);
        ts_table_number(&table, value->on_file, 3);
        ts_table_number(&table, value->found, 3);
        ts_table_number(&table, value->limit_ms, 3);
        ts_table_put(&table, verdict(value->passed));
    }
    ts_table_end(&table, style, out);
    put_text_lines(certificate, style, out);
    ts_out_printf(out, "\nUsable: %d of %d scenes (%d or more are needed)\n", certificate->usable,
                  certificate->scene_count, certificate->usable_least);
}

/* ---- page ---- */

static void put_fact(const char *name, const char *text, struct ts_out *out)
{
    ts_out_printf(out, "<tr><th scope=\"row\">%s</th><td>", name);
    ts_html_name(out, *text ? text : "not said");
    ts_out_put(out, "</td></tr>\n");
}

static void put_facts(const struct ts_certificate *certificate, struct ts_out *out)
{
    const struct ts_identity *identity = &certificate->identity;
    char text[160];
    ts_html_table_begin(out, "Instrument and conditions", "");
    put_fact("Rig", identity->rig, out);
    ts_certificate_date(certificate, text, sizeof text);
    put_fact("Date", text, out);
    put_fact("Operator", certificate->who, out);
    snprintf(text, sizeof text, "%s, firmware %s", identity->board, identity->firmware);
    put_fact("Board", text, out);
    put_fact("Camera", identity->camera, out);
    put_fact("Phone", identity->phone, out);
    snprintf(text, sizeof text, "Touchstone %s, detector %s", certificate->touchstone,
             certificate->detector);
    put_fact("Software", text, out);
    snprintf(text, sizeof text,
             "%d scenes, %d taps on the contact plate, %d edges of the sync LEDs",
             certificate->scene_count, certificate->plate_taps, certificate->camera_edges);
    put_fact("Basis", text, out);
    ts_certificate_display(certificate, text, sizeof text);
    put_fact("Display", text, out);
    ts_html_table_end(out);
}

static void put_verdict_cell(bool passed, struct ts_out *out)
{
    ts_out_printf(out, "<td>%s</td></tr>\n", passed ? "pass" : "<strong>FAIL</strong>");
}

static void put_page_lines(const struct ts_certificate *certificate, struct ts_out *out)
{
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        char caption[80];
        snprintf(caption, sizeof caption, "%s: camera less photodiode, in ms", measurand_words[m]);
        ts_html_table_begin(out, caption,
                            "Scenes|#n|#Bias|#\u00b1\u00a095\u00a0%|#Limit|#Spread|#P95|#Largest|#"
                            "Gross|#Covered|Verdict");
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++) {
            const struct ts_verified_line *line = &certificate->lines[m][kind];
            const double numbers[] = {line->bias_ms,   line->half_95_ms, line->limit_ms,
                                      line->spread_ms, line->p95_ms,     line->max_ms};
            ts_out_printf(out, "<tr><th scope=\"row\">%s</th>", kind_name(kind));
            ts_html_number(out, line->n, 0);
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
                ts_html_number(out, numbers[i], 2);
            ts_html_number(out, line->gross, 0);
            ts_out_printf(out, "<td class=\"number\">%d of %d</td>", line->covered,
                          line->n - line->gross);
            put_verdict_cell(line->passed, out);
        }
        ts_html_table_end(out);
    }
}

static void put_page_values(const struct ts_certificate *certificate, struct ts_out *out)
{
    ts_html_table_begin(out, "Calibration files against what was found now, in ms",
                        "Value|#On file|#Now|#Limit|Verdict");
    for (int i = 0; i < certificate->value_count; i++) {
        const struct ts_verified_value *value = &certificate->values[i];
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_out_html(out, value->name);
        ts_out_put(out, "</th>");
        ts_html_number(out, value->on_file, 3);
        ts_html_number(out, value->found, 3);
        ts_html_number(out, value->limit_ms, 3);
        put_verdict_cell(value->passed, out);
    }
    ts_html_table_end(out);
}

static void put_advice(const struct ts_certificate *certificate, struct ts_out *out)
{
    struct ts_out advice = {0};
    ts_certificate_advice(certificate, &advice);
    ts_out_bytes(&advice, "", 1);
    if (!advice.err && advice.text.size > 1) {
        ts_out_put(out, "<p class=\"notice alarm\">");
        ts_html_lines(out, (const char *)advice.text.data);
        ts_out_put(out, "</p>\n");
    }
    out->err = out->err ? out->err : advice.err;
    ts_buf_free(&advice.text);
}

void ts_certificate_page(const struct ts_certificate *certificate, struct ts_out *out)
{
    ts_out_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    ts_out_html(out, certificate->identity.rig);
    ts_out_put(out, " \u2013 Touchstone certificate</title>\n<style>\n");
    ts_out_put(out, ts_report_style);
    /* Its columns of one word, beside ten numbers; and it is to fit on one sheet. */
    ts_out_put(out, ".number~td{min-width:3rem}tbody th{min-width:4.5rem}\n"
                    "@media print{body{padding:0;font-size:.72rem}h1{font-size:1.3rem}"
                    ".scroll{margin:.4rem 0}th,td{padding:.12rem .4rem}@page{margin:12mm}}\n"
                    "</style>\n</head>\n<body>\n<header>\n<p class=\"mark\">Touchstone</p>\n<h1>");
    ts_html_name(out, certificate->identity.rig);
    ts_out_printf(out, ": verification %s</h1>\n", certificate->passed ? "passed" : "failed");
    ts_out_put(out,
               "<p class=\"quiet\">Two photodiodes on the clock of the board that taps watched the "
               "display while scenes like launches were played; the camera judged the same scenes "
               "without seeing the photodiodes\u2019 spots. Fresh taps on the contact plate and "
               "fresh edges of the sync LEDs are held against the calibration files.</p>\n");
    put_advice(certificate, out);
    ts_out_put(out, "</header>\n<main>\n");
    put_facts(certificate, out);
    put_page_values(certificate, out);
    put_page_lines(certificate, out);
    ts_out_printf(out,
                  "<p class=\"quiet\">Usable: %d of %d scenes; %d or more are needed. Gross: more "
                  "than 50 ms off; such errors are in no bias, spread or coverage. Covered: within "
                  "the stated 95 %% interval and what the display itself may add. Limits fail a "
                  "good instrument once in a thousand each.</p>\n</main>\n</body>\n</html>\n",
                  certificate->usable, certificate->scene_count, certificate->usable_least);
}
