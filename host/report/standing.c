/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/standing.h"

#include "report/certificate.h"
#include "report/page.h"
#include "store/files.h"
#include "store/verify_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORCED_MOST ((size_t)64 << 10)
#define ALL         TS_SCENE_COUNT

static const char *const words[TS_MEASURAND_COUNT] = {"First change", "Settled"};

/* ---- reading ---- */

/* What is missing is fine, what is damaged becomes a remark. */
static int excuse(int err, const struct ts_why *reason, struct ts_standing *standing)
{
    if (err == TS_ENOMEM)
        return err;
    if (err && err != TS_EOF && !*standing->damage.text)
        standing->damage = *reason;
    return TS_OK;
}

static int load_certificate(const char *dir, struct ts_standing *standing)
{
    struct ts_why reason = {""};
    struct ts_certificate *certificate = malloc(sizeof *certificate);
    if (!certificate)
        return TS_ENOMEM;
    const int err = ts_certificate_load_attached(dir, certificate, &reason);
    if (err)
        free(certificate);
    else
        standing->certificate = certificate;
    return excuse(err, &reason, standing);
}

static int load_forced(const char *dir, struct ts_standing *standing)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why reason = {""};
    int err = ts_path_format(&path, &reason, "%s/rig/forced.txt", dir);
    if (err || !ts_file_exists(path.text))
        return excuse(err, &reason, standing);
    err = ts_file_read(path.text, FORCED_MOST, &bytes, &reason);
    if (err)
        return excuse(err, &reason, standing);
    char *text = (char *)bytes.data; /* ends with a NUL */
    for (size_t end = strlen(text); end && text[end - 1] == '\n'; end--)
        text[end - 1] = '\0';
    standing->forced = text;
    return TS_OK;
}

int ts_standing_load(const char *session_dir, struct ts_standing *out, struct ts_why *why)
{
    struct ts_why reason = {""};
    *out = (struct ts_standing){.certificate = NULL};
    int err = load_certificate(session_dir, out);
    if (!err) {
        err = ts_check_verdict_load(session_dir, &out->check, &reason);
        out->checked = err == TS_OK;
        err = excuse(err, &reason, out);
    }
    if (!err)
        err = load_forced(session_dir, out);
    if (err) {
        ts_standing_free(out);
        ts_fail(why, err, "out of memory");
    }
    return err;
}

void ts_standing_free(struct ts_standing *standing)
{
    free(standing->certificate);
    free(standing->forced);
    *standing = (struct ts_standing){.certificate = NULL};
}

bool ts_standing_doubtful(const struct ts_standing *standing)
{
    const bool failed = standing->certificate && !standing->certificate->passed;
    const bool out_of_control =
        standing->checked && standing->check.judged && !standing->check.in_control;
    return standing->forced || *standing->damage.text || failed || out_of_control;
}

/* ---- the check standard in a sentence ---- */

static void put_check(const struct ts_standing *standing, struct ts_out *out)
{
    const struct ts_check_verdict *check = &standing->check;
    if (!standing->checked)
        ts_out_put(out, "not played");
    else if (!check->judged)
        ts_out_put(out, "in control before; none was played after the campaign");
    else if (check->in_control)
        ts_out_put(out, "in control before and after");
    else
        ts_out_put(out, "OUT OF CONTROL");
}

/* ---- page ---- */

static void put_notice(const char *title, const char *text, struct ts_out *out)
{
    ts_out_printf(out, "<p class=\"notice alarm\"><b>%s</b><br>\n", title);
    ts_html_lines(out, text);
    ts_out_put(out, "</p>\n");
}

void ts_standing_notices(const struct ts_standing *standing, struct ts_out *out)
{
    const struct ts_certificate *certificate = standing->certificate;
    if (standing->forced)
        put_notice("Measured with --force, against these objections:", standing->forced, out);
    if (certificate && !certificate->passed)
        put_notice("The rig had failed its verification.",
                   "Do not believe these numbers; run `touchstone verify` and see what it advises.",
                   out);
    if (standing->checked && standing->check.judged && !standing->check.in_control)
        put_notice("The check standard is out of control:", standing->check.why, out);
    if (*standing->damage.text)
        put_notice("What the session keeps of its rig cannot be read:", standing->damage.text, out);
}

static void put_row(const char *name, const char *text, struct ts_out *out)
{
    ts_out_printf(out, "<div><dt>%s</dt><dd>", name);
    ts_html_name(out, *text ? text : ts_fine_numbers.unknown);
    ts_out_put(out, "</dd></div>\n");
}

static void put_conditions(const struct ts_certificate *certificate, struct ts_out *out)
{
    const struct ts_identity *identity = &certificate->identity;
    char text[200];
    ts_out_put(out, "<dl class=\"narrow\">\n");
    put_row("Rig", identity->rig, out);
    ts_certificate_date(certificate, text, sizeof text);
    put_row("Verified", text, out);
    put_row("By", certificate->who, out);
    snprintf(text, sizeof text, "%s, firmware %s", identity->board, identity->firmware);
    put_row("Board", text, out);
    put_row("Camera", identity->camera, out);
    put_row("Phone", identity->phone, out);
    ts_certificate_display(certificate, text, sizeof text);
    put_row("Display", text, out);
    snprintf(text, sizeof text, "%s, detector %s", certificate->touchstone, certificate->detector);
    put_row("Touchstone", text, out);
    snprintf(text, sizeof text, "%d of %d", certificate->usable, certificate->scene_count);
    put_row("Usable scenes", text, out);
    ts_out_put(out, "</dl>\n");
}

static void put_lines(const struct ts_certificate *certificate, struct ts_out *out)
{
    ts_html_table_begin(
        out, "Camera less photodiodes over all scenes, in ms",
        "Instant|#Scenes|#Bias|#\u00b1\u00a095\u00a0%|#Limit|#Spread|#Largest|#Stated 95\u00a0% "
        "hold|#Off by more than 50");
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        const struct ts_verified_line *line = &certificate->lines[m][ALL];
        const int fine = line->n - line->gross;
        ts_out_printf(out, "<tr><th scope=\"row\">%s</th>", words[m]);
        ts_html_number(out, line->n, 0);
        ts_html_number(out, line->bias_ms, 2);
        ts_html_number(out, line->half_95_ms, 2);
        ts_html_number(out, line->limit_ms, 2);
        ts_html_number(out, line->spread_ms, 2);
        ts_html_number(out, line->max_ms, 1);
        ts_out_printf(out, "<td class=\"number\">%d of %d</td><td class=\"number\">%d</td></tr>\n",
                      line->covered, fine, line->gross);
    }
    ts_html_table_end(out);
}

static void put_point(const char *when, const struct ts_check_values *values, struct ts_out *out)
{
    ts_out_printf(out, "<tr><th scope=\"row\">%s</th>", when);
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        ts_html_number(out, values->value_ms[m], 2);
        ts_html_number(out, values->limit_ms[m], 2);
    }
    ts_out_put(out, "</tr>\n");
}

static void put_check_table(const struct ts_check_verdict *check, struct ts_out *out)
{
    ts_html_table_begin(out, "Check standard: away from the certificate, in ms",
                        "The campaign|#First change|#Limit, \u00b1|#Settled|#Limit, \u00b1");
    put_point("Before", &check->before, out);
    if (check->over)
        put_point("After", &check->after, out);
    ts_html_table_end(out);
}

void ts_standing_section(const struct ts_standing *standing, struct ts_out *out)
{
    const struct ts_certificate *certificate = standing->certificate;
    ts_out_put(out, "<section id=\"instrument\">\n<h2>How far the instrument is to be "
                    "trusted</h2>\n");
    if (!certificate) {
        ts_out_put(out, "<p><b>Not verified.</b> No independent instrument has looked at this rig: "
                        "the uncertainties are what it says of itself. <code>touchstone verify "
                        "</code> plays scenes before camera and photodiodes and writes a "
                        "certificate.</p>\n");
    } else {
        ts_out_printf(out,
                      "<p><b>Verification %s.</b> Photodiodes on the clock of the board watched "
                      "scenes like launches; the camera judged the same scenes. Check standard: ",
                      certificate->passed ? "passed" : "failed");
        put_check(standing, out);
        ts_out_put(out, ".</p>\n");
        put_lines(certificate, out);
        if (standing->checked)
            put_check_table(&standing->check, out);
        put_conditions(certificate, out);
    }
    ts_out_put(out, "</section>\n");
}

/* ---- terminal ---- */

static void put_text_line(const struct ts_certificate *certificate, int m, struct ts_out *out)
{
    const struct ts_verified_line *line = &certificate->lines[m][ALL];
    ts_out_printf(out, "  %-12s  bias ", words[m]);
    ts_out_number(out, line->bias_ms, 2, ts_plain_numbers);
    ts_out_put(out, " +-");
    ts_out_number(out, line->half_95_ms, 2, ts_plain_numbers);
    ts_out_put(out, ", spread ");
    ts_out_number(out, line->spread_ms, 2, ts_plain_numbers);
    ts_out_printf(out, " ms; covered %d/%d; gross %d/%d\n", line->covered, line->n - line->gross,
                  line->gross, line->n);
}

static void put_alarm(const char *title, const char *text, struct ts_text_style style,
                      struct ts_out *out)
{
    ts_out_coloured(out, TS_INK_BAD, title, style);
    ts_out_put(out, "\n");
    for (size_t size; *text; text += size + (text[size] == '\n')) {
        char line[512];
        size = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)size, text);
        ts_out_wrapped(out, line, 2, style);
    }
}

void ts_standing_text(const struct ts_standing *standing, struct ts_text_style style,
                      struct ts_out *out)
{
    const struct ts_certificate *certificate = standing->certificate;
    if (standing->forced)
        put_alarm("Measured with --force, against these objections:", standing->forced, style, out);
    if (*standing->damage.text)
        put_alarm("What the session keeps of its rig cannot be read:", standing->damage.text, style,
                  out);
    if (!certificate) {
        ts_out_put(out, "Rig: not verified.\n");
        return;
    }
    char date[40], display[120], text[200];
    ts_certificate_date(certificate, date, sizeof date);
    ts_certificate_display(certificate, display, sizeof display);
    ts_out_put(out, "Rig ");
    ts_out_text(out, certificate->identity.rig, 30, style);
    ts_out_printf(out, ": verification of %s ", date);
    ts_out_coloured(out, certificate->passed ? TS_INK_GOOD : TS_INK_BAD,
                    certificate->passed ? "passed" : "FAILED", style);
    ts_out_put(out, "\n");
    for (int m = 0; m < TS_MEASURAND_COUNT; m++)
        put_text_line(certificate, m, out);
    snprintf(text, sizeof text, "Display: %s. %d of %d scenes usable.", display,
             certificate->usable, certificate->scene_count);
    ts_out_wrapped(out, text, 2, style);
    ts_out_put(out, "  Check standard: ");
    put_check(standing, out);
    ts_out_put(out, "\n");
    if (standing->checked && *standing->check.why)
        ts_out_wrapped(out, standing->check.why, 2, style);
}

/* ---- JSON ---- */

static void put_json_certificate(const struct ts_certificate *certificate, struct ts_json_out *json)
{
    ts_json_open(json, "certificate", '{');
    ts_json_text(json, "rig", certificate->identity.rig);
    ts_json_boolean(json, "passed", certificate->passed);
    ts_json_integer(json, "date_s", certificate->date_s);
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        const struct ts_verified_line *line = &certificate->lines[m][ALL];
        ts_json_open(json, ts_measurand_names[m], '{');
        ts_json_integer(json, "n", line->n);
        ts_json_number(json, "bias_ms", line->bias_ms);
        ts_json_number(json, "bias_half_95_ms", line->half_95_ms);
        ts_json_number(json, "spread_ms", line->spread_ms);
        ts_json_integer(json, "covered", line->covered);
        ts_json_integer(json, "gross", line->gross);
        ts_json_close(json, '}');
    }
    ts_json_close(json, '}');
}

void ts_standing_json(const struct ts_standing *standing, struct ts_json_out *json)
{
    ts_json_open(json, "instrument", '{');
    if (standing->certificate)
        put_json_certificate(standing->certificate, json);
    else
        ts_json_null(json, "certificate");
    if (standing->checked && standing->check.judged)
        ts_json_boolean(json, "in_control", standing->check.in_control);
    else
        ts_json_null(json, "in_control");
    ts_json_text_or_null(json, "out_of_control", standing->checked ? standing->check.why : "");
    ts_json_text_or_null(json, "forced", standing->forced ? standing->forced : "");
    ts_json_text_or_null(json, "damaged", standing->damage.text);
    ts_json_close(json, '}');
}
