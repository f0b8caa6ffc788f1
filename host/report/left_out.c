/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What did not count, and why, in words. */
#include "report/page.h"

#include "report/words.h"

#include <string.h>

/* As the verdict or as a remark. */
static bool marks(enum ts_flag flag, const struct ts_result *result)
{
    return ts_flag_disqualifies(flag) ? ts_result_verdict_flag(result) == flag
                                      : ts_result_has(result, flag);
}

/* "Maps 3, 7; Mail 12" of the launches that `flag` marks. */
static void put_launches(const struct ts_report_data *data, enum ts_flag flag, struct ts_out *out)
{
    const char *last = NULL;
    /* By app: launches of different apps alternate, and a list that did so too would be longer. */
    for (size_t first = 0; first < data->count; first++) {
        const char *app = data->launches[first].result.app;
        bool seen = false;
        for (size_t i = 0; i < first && !seen; i++)
            seen = strcmp(data->launches[i].result.app, app) == 0;
        for (size_t i = first; i < data->count && !seen; i++) {
            const struct ts_result *result = &data->launches[i].result;
            if (!marks(flag, result) || strcmp(result->app, app) != 0)
                continue;
            if (last == app) {
                ts_out_put(out, ", ");
            } else {
                ts_out_put(out, last ? "; " : "");
                ts_html_name(out, app);
                ts_out_put(out, " ");
                last = app;
            }
            ts_out_printf(out, "%d", result->launch);
        }
    }
}

/* One entry a flag. A list and not a table: its sentences would not fit beside each other on a
 * phone. */
static void put_flags(const struct ts_report_data *data, bool disqualifying, const char *heading,
                      struct ts_out *out)
{
    bool any = false;
    for (int i = 0; i < TS_FLAG_COUNT; i++) {
        const enum ts_flag flag = (enum ts_flag)i;
        const struct ts_flag_words *words = ts_flag_words(flag);
        int count = 0;
        for (size_t j = 0; j < data->count; j++)
            count += marks(flag, &data->launches[j].result);
        if (!count || ts_flag_disqualifies(flag) != disqualifying)
            continue;
        if (!any)
            ts_out_printf(out, "<h3>%s</h3>\n<ul class=\"flags\">\n", heading);
        any = true;
        ts_out_printf(out, "<li><p><b>%s</b> <code>%s</code><span>%d launch%s</span></p><p>",
                      words->title, ts_flag_name(flag), count, count == 1 ? "" : "es");
        ts_html_words(out, words->meaning);
        ts_out_put(out, "</p><p><i>What to do:</i> ");
        ts_html_words(out, words->advice);
        ts_out_put(out, "</p><p class=\"quiet\">Launches: ");
        put_launches(data, flag, out);
        ts_out_put(out, "</p></li>\n");
    }
    if (any)
        ts_out_put(out, "</ul>\n");
}

static void put_excluded(const struct ts_report_data *data, struct ts_out *out)
{
    bool any = false;
    for (size_t i = 0; i < data->count; i++)
        any |= data->launches[i].excluded != NULL;
    if (!any)
        return;
    ts_html_table_begin(out, "Excluded by hand", "App|#Launch|Why");
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        if (!launch->excluded)
            continue;
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, launch->result.app);
        ts_out_printf(out, "</th><td class=\"number\">%d</td><td>", launch->result.launch);
        ts_html_name(out, launch->excluded);
        ts_out_put(out, "</td></tr>\n");
    }
    ts_html_table_end(out);
}

void ts_section_left_out(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    int left_out = 0, warm_up = 0;
    for (size_t i = 0; i < data->count; i++) {
        left_out += !ts_launch_counts(&data->launches[i]);
        warm_up += data->launches[i].warm_up;
    }
    ts_out_put(out, "<section id=\"left-out\">\n<h2>What does not count</h2>\n<p>");
    if (left_out) {
        ts_out_printf(out,
                      "%d of %zu launches are kept in the session but enter no summary. Each that "
                      "is not usable has one verdict: the first that applies.",
                      left_out, data->count);
        if (warm_up)
            ts_out_printf(out, " %d launches are warm-up, as the plan asks.", warm_up);
        ts_out_put(out, " <code>touchstone show DIR LAUNCH</code> tells everything about one.");
    } else {
        ts_out_put(out, data->count ? "Every launch counts." : "No launch is finished.");
    }
    ts_out_put(out, "</p>\n");
    put_flags(data, true, "Not usable", out);
    put_excluded(data, out);
    put_flags(data, false, "Remarks that do not disqualify a launch", out);
    ts_out_put(out, "</section>\n");
}
