/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What launches looked like: of each app a typical one and the slowest, in six pictures. */
#include "footage/strip.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_MOST 16 /* about 60 kB each */

/* Launches of one row of the summary whose video was kept; -1: none. */
struct choice {
    long typical, slowest;
    size_t counted, kept;
};

static struct choice choose(const struct ts_page *page, size_t row)
{
    const struct ts_report_data *data = page->data;
    const double median = page->summary->apps[row].settled.median;
    struct choice choice = {-1, -1, 0, 0};
    for (size_t i = 0; i < data->count; i++) {
        const double settled = data->launches[i].result.settled.value;
        if (page->summary->row_of[i] != row || !ts_launch_counts(&data->launches[i]) ||
            !isfinite(settled))
            continue;
        choice.counted++;
        if (!ts_footage_kept(data->session, data->launches[i].result.launch))
            continue;
        choice.kept++;
        if (choice.typical < 0 ||
            fabs(settled - median) <
                fabs(data->launches[choice.typical].result.settled.value - median))
            choice.typical = (long)i;
        if (choice.slowest < 0 || settled > data->launches[choice.slowest].result.settled.value)
            choice.slowest = (long)i;
    }
    return choice;
}

static void put_picture(const struct ts_result *result, const struct ts_strip_picture *picture,
                        struct ts_out *out)
{
    ts_out_printf(out, "<figure><img width=\"%d\" height=\"%d\" alt=\"", picture->width_px,
                  picture->height_px);
    ts_out_html(out, result->app);
    ts_out_printf(out, ", launch %d, %s, ", result->launch, picture->name);
    ts_out_number(out, picture->at_ms, 0, ts_plain_numbers);
    ts_out_printf(out, " ms after %s\" src=\"data:image/jpeg;base64,",
                  ts_result_zero_words(result));
    ts_out_base64(out, &picture->jpeg);
    ts_out_put(out, "\"><figcaption><b>");
    ts_out_number(out, picture->at_ms, 0, ts_fine_numbers);
    ts_out_printf(out, "\u00a0ms</b> %s</figcaption></figure>\n", picture->name);
}

static void put_strip(const struct ts_page *page, const char *which, long index, struct ts_out *out)
{
    const struct ts_result *result = &page->data->launches[index].result;
    struct ts_strip strip;
    struct ts_why why = {""};
    const int err = ts_strip_make(page->data->session, result->launch, &strip, &why);
    ts_out_printf(out, "<p class=\"quiet label\">%s: launch %d, settled after ", which,
                  result->launch);
    ts_out_number(out, result->settled.value, 0, ts_fine_numbers);
    ts_out_put(out, "\u00a0ms</p>\n");
    if (err == TS_ENOMEM)
        out->err = out->err ? out->err : err;
    if (err) {
        ts_out_put(out, "<p class=\"notice\">Its pictures cannot be shown: ");
        ts_out_html(out, why.text);
        ts_out_put(out, "</p>\n");
        return;
    }
    ts_out_put(out, "<div class=\"strip\">\n");
    for (int i = 0; i < strip.count; i++)
        put_picture(result, &strip.pictures[i], out);
    ts_out_put(out, "</div>\n");
    ts_strip_free(&strip);
}

static void put_row(const struct ts_page *page, size_t row, struct ts_out *out)
{
    const struct choice choice = choose(page, row);
    if (!choice.counted)
        return;
    ts_out_put(out, "<h3>");
    ts_html_name(out, page->summary->apps[row].label);
    ts_out_put(out, "</h3>\n");
    if (choice.typical < 0) {
        ts_out_put(out, "<p class=\"quiet\">No video of a launch that counts was kept.</p>\n");
        return;
    }
    const bool all = choice.kept == choice.counted;
    if (choice.typical == choice.slowest) {
        put_strip(page,
                  choice.counted == 1 ? "The one launch"
                  : choice.kept == 1  ? "The one whose video was kept"
                                      : "Nearest to the median and slowest of those kept",
                  choice.typical, out);
        return;
    }
    put_strip(page, all ? "Nearest to the median" : "Nearest to the median of those kept",
              choice.typical, out);
    put_strip(page, all ? "Slowest" : "Slowest of those kept", choice.slowest, out);
}

static bool any_kept(const struct ts_report_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        if (ts_launch_counts(&data->launches[i]) &&
            ts_footage_kept(data->session, data->launches[i].result.launch))
            return true;
    }
    return false;
}

void ts_section_strips(const struct ts_page *page, struct ts_out *out)
{
    size_t rows = page->summary->app_count;
    if (!page->data->session || !page->summary->usable)
        return;
    if (!any_kept(page->data)) {
        ts_out_put(out, "<section id=\"pictures\">\n<h2>What a launch looks like</h2>\n<p>No video "
                        "of a launch that counts is in the session, so there are no pictures: the "
                        "plan\u2019s <code>keep_video</code> says which are kept.</p>\n"
                        "</section>\n");
        return;
    }
    ts_out_put(out, "<section id=\"pictures\">\n<h2>What a launch looks like</h2>\n<p>Each picture "
                    "is the camera\u2019s first one from that instant on: when the stylus leaves "
                    "the glass, at the first change, when 25, 50 and 85\u00a0% of the way to the "
                    "final picture are gone, and settled.");
    if (rows > ROWS_MOST) {
        ts_out_printf(out, " The first %d of %zu apps are shown.", ROWS_MOST, rows);
        rows = ROWS_MOST;
    }
    if (page->data->plan->keep_video != TS_VIDEO_ALL)
        ts_out_put(out, " The plan\u2019s <code>keep_video</code> says of which launches a video "
                        "is kept.");
    ts_out_put(out, "</p>\n");
    for (size_t row = 0; row < rows; row++)
        put_row(page, row, out);
    ts_out_put(out, "</section>\n");
}
