/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The camera against ActivityManager (figure 3 of Bissig et al.). */
#include "report/page.h"
#include "report/versus.h"

#include <stdlib.h>

const struct ts_versus_words ts_versus_android_words = {
    .scatter_id = "fa",
    .difference_id = "fl",
    .axis = "time to initial display, Android",
    .name = "initial display",
};

int ts_versus_android(const struct ts_report_data *data, const struct ts_summary *summary,
                      struct ts_versus *out)
{
    double *android = calloc(data->count + 1, sizeof *android);
    *out = (struct ts_versus){0};
    if (!android)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count; i++)
        android[i] = data->launches[i].result.time_to_initial_display_ms;
    const int err = ts_versus_of(data, summary, android, out);
    free(android);
    return err;
}

void ts_section_android(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_versus_words *words = &ts_versus_android_words;
    struct ts_versus android;
    struct ts_out scatter = {0}, difference = {0};
    const int err = ts_versus_android(page->data, page->summary, &android);
    if (err) {
        out->err = out->err ? out->err : err;
        return;
    }
    ts_out_put(out, "<section id=\"android\">\n<h2>Camera against Android</h2>\n");
    if (!android.all.count) {
        ts_out_put(out, "<p>Android gave no number of its own for a launch that counts, so there "
                        "is nothing to compare with.</p>\n</section>\n");
        ts_versus_free(&android);
        return;
    }
    const bool draw = page->figures;
    ts_page_figures_begin(out);
    ts_page_figure(draw ? ts_figure_scatter(&android, words, page->summary, &scatter) : TS_ENOTSUP,
                   "One against the other.",
                   "One point a launch. On the dashed line both numbers are equal; above it the "
                   "screen went on changing after Android took the launch for displayed. Solid: "
                   "the line through all launches.",
                   &scatter, out);
    ts_page_figure(draw ? ts_figure_difference(&android, words, page->summary, &difference)
                        : TS_ENOTSUP,
                   "How far apart.",
                   "The difference over the mean of both. Solid: the mean difference of all "
                   "launches; dashed: their limits of agreement.",
                   &difference, out);
    ts_page_figures_end(out);
    ts_versus_table(&android, page->summary,
                    "Settled against Android\u2019s initial display, in milliseconds", out);
    ts_out_printf(out,
                  "<p class=\"quiet\">Difference: settled \u2212 Android. Limits of agreement: "
                  "between them lie 95\u00a0%% of normal differences (Bland and Altman). Slope and "
                  "intercept: Deming\u2019s line, which lets both sides err alike; two ways of "
                  "measuring the same have 1 and 0. From %d pairs on. Android\u2019s number ends "
                  "with the first frame, so it is a lower bound: a large difference tells an app "
                  "that loads after it.</p>\n",
                  TS_PAIRS_MIN);
    ts_out_put(out, "</section>\n");
    ts_versus_free(&android);
}
