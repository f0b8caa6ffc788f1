/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/doctor_findings.h"

#include "report/out.h"
#include "store/json_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_COLUMNS     16
#define MEASURED_COLUMNS 31

const char *const ts_found_names[] = {"ok", "note", "warning", "failure", NULL};

struct ts_finding *ts_found(struct ts_findings *findings, const char *name, double value,
                            const char *limit, const char *format, ...)
{
    /* The last place is taken again and again: nothing is written beyond, and tests see it. */
    if (findings->count < TS_FINDINGS_MOST)
        findings->count++;
    struct ts_finding *finding = &findings->items[findings->count - 1];
    *finding = (struct ts_finding){.level = TS_FOUND_OK, .value = value};
    snprintf(finding->name, sizeof finding->name, "%s", name);
    snprintf(finding->limit, sizeof finding->limit, "%s", limit);
    va_list args;
    va_start(args, format);
    vsnprintf(finding->measured, sizeof finding->measured, format, args);
    va_end(args);
    return finding;
}

void ts_found_worse(struct ts_finding *finding, enum ts_found level, const char *format, ...)
{
    if (level <= finding->level)
        return;
    finding->level = level;
    va_list args;
    va_start(args, format);
    vsnprintf(finding->advice, sizeof finding->advice, format, args);
    va_end(args);
}

enum ts_found ts_found_worst(const struct ts_findings *findings)
{
    enum ts_found worst = TS_FOUND_OK;
    for (int i = 0; i < findings->count; i++)
        worst = findings->items[i].level > worst ? findings->items[i].level : worst;
    return worst;
}

static enum ts_ink ink_of(enum ts_found level)
{
    static const enum ts_ink inks[] = {TS_INK_GOOD, TS_INK_PLAIN, TS_INK_BOLD, TS_INK_BAD};
    return inks[level];
}

static void pad(struct ts_out *out, int used, int columns)
{
    ts_out_printf(out, "%*s", used < columns ? columns - used + 2 : 2, "");
}

static void print_one(const struct ts_finding *finding, struct ts_text_style style,
                      struct ts_out *out)
{
    const char *level = ts_found_names[finding->level];
    ts_out_coloured(out, ink_of(finding->level), level, style);
    pad(out, (int)strlen(level), (int)strlen("failure"));
    pad(out, ts_out_text(out, finding->name, 0, style), NAME_COLUMNS);
    const int used = ts_out_text(out, finding->measured, 0, style);
    if (*finding->limit) {
        pad(out, used, MEASURED_COLUMNS);
        ts_out_text(out, finding->limit, 0, style);
    }
    ts_out_put(out, "\n");
    if (*finding->advice)
        ts_out_wrapped(out, finding->advice, 9, style);
}

void ts_findings_print(const struct ts_findings *findings, struct ts_text_style style,
                       struct ts_out *out)
{
    int counts[4] = {0};
    for (int i = 0; i < findings->count; i++) {
        print_one(&findings->items[i], style, out);
        counts[findings->items[i].level]++;
    }
    if (!counts[TS_FOUND_WARNING] && !counts[TS_FOUND_FAILURE])
        ts_out_put(out, "\nAll well.\n");
    else
        ts_out_printf(out, "\n%d failure%s, %d warning%s.\n", counts[TS_FOUND_FAILURE],
                      counts[TS_FOUND_FAILURE] == 1 ? "" : "s", counts[TS_FOUND_WARNING],
                      counts[TS_FOUND_WARNING] == 1 ? "" : "s");
}

void ts_findings_json(const struct ts_findings *findings, struct ts_out *out)
{
    struct ts_json_out json = {.buf = &out->text, .broken_depth = 2};
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "verdict", ts_found_names[ts_found_worst(findings)]);
    ts_json_open(&json, "findings", '[');
    for (int i = 0; i < findings->count; i++) {
        const struct ts_finding *finding = &findings->items[i];
        ts_json_open(&json, NULL, '{');
        ts_json_text(&json, "name", finding->name);
        ts_json_text(&json, "level", ts_found_names[finding->level]);
        ts_json_number(&json, "value", finding->value);
        ts_json_text(&json, "measured", finding->measured);
        ts_json_text_or_null(&json, "limit", finding->limit);
        ts_json_text_or_null(&json, "advice", finding->advice);
        ts_json_close(&json, '}');
    }
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    out->err = json.err;
    ts_out_put(out, "\n");
}
