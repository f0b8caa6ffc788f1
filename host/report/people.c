/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The camera against people who marked the same launches by eye (`touchstone annotate`): figure 2
 * of Bissig et al., "Towards Measuring Real-World Performance of Android Devices". */
#include "report/page.h"
#include "report/versus.h"
#include "store/annotations_file.h"
#include "store/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE_MOST 64
#define PAPER_MS    90 /* mean |difference| there, 160 launches of 16 apps */

const struct ts_versus_words ts_versus_people_words = {
    .scatter_id = "fp",
    .difference_id = "fq",
    .axis = "settled, marked by people",
    .name = "people\u2019s mark",
};

/* What people say of each launch: the mean of those who marked it. */
struct marked {
    double *first, *settled; /* owned, [launches]; NAN: nobody marked it */
    const char *people[PEOPLE_MOST];
    size_t people_count;
    int damaged; /* a launch whose marks cannot be read; 0: none */
};

static void count_person(struct marked *marked, const char *by)
{
    for (size_t i = 0; i < marked->people_count; i++) {
        if (strcmp(marked->people[i], by) == 0)
            return;
    }
    char *copy = marked->people_count < PEOPLE_MOST ? strdup(by) : NULL;
    if (copy)
        marked->people[marked->people_count++] = copy;
}

/* Marks that count from elsewhere than the launch's time zero say nothing of ours. */
static void take(struct marked *marked, size_t launch, const struct ts_annotations *annotations,
                 const char *zero)
{
    double first = 0, settled = 0;
    int firsts = 0, settleds = 0;
    for (size_t i = 0; i < annotations->count; i++) {
        const struct ts_annotation *one = &annotations->items[i];
        if (*one->superseded || strcmp(one->zero, zero) != 0)
            continue;
        count_person(marked, one->by);
        if (isfinite(one->first_change_ms)) {
            first += one->first_change_ms;
            firsts++;
        }
        if (isfinite(one->settled_ms)) {
            settled += one->settled_ms;
            settleds++;
        }
    }
    marked->first[launch] = firsts ? first / firsts : (double)NAN;
    marked->settled[launch] = settleds ? settled / settleds : (double)NAN;
}

static int gather(const struct ts_report_data *data, struct marked *marked)
{
    *marked = (struct marked){.first = calloc(data->count + 1, sizeof(double)),
                              .settled = calloc(data->count + 1, sizeof(double))};
    if (!marked->first || !marked->settled)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count; i++) {
        struct ts_annotations annotations = {0};
        struct ts_path path;
        const int launch = data->launches[i].result.launch;
        marked->first[i] = marked->settled[i] = NAN;
        if (!data->session || ts_layout_file(ts_session_get_folder(data->session), launch,
                                             "annotations.json", &path, NULL))
            continue;
        if (ts_annotations_load(path.text, &annotations, NULL))
            marked->damaged = launch;
        else
            take(marked, i, &annotations, ts_result_zero_words(&data->launches[i].result));
        ts_annotations_free(&annotations);
    }
    return TS_OK;
}

static void marked_free(struct marked *marked)
{
    for (size_t i = 0; i < marked->people_count; i++)
        free((char *)(uintptr_t)marked->people[i]);
    free(marked->first);
    free(marked->settled);
}

/* Mean |difference| of first change, and of how many launches. */
static double first_apart(const struct ts_report_data *data, const double *first, size_t *count)
{
    double sum = 0;
    *count = 0;
    for (size_t i = 0; i < data->count; i++) {
        const double off = data->launches[i].result.first_visual_change.value - first[i];
        if (!ts_launch_counts(&data->launches[i]) || !isfinite(off))
            continue;
        sum += fabs(off);
        ++*count;
    }
    return *count ? sum / (double)*count : (double)NAN;
}

static void put_words(const struct ts_page *page, const struct marked *marked,
                      const struct ts_versus *people, struct ts_out *out)
{
    size_t firsts;
    const double first = first_apart(page->data, marked->first, &firsts);
    ts_out_printf(out,
                  "<p>%zu %s marked %zu of the launches that count, frame by frame and without "
                  "seeing any result. Mean |difference| of settled: <b>",
                  marked->people_count, marked->people_count == 1 ? "person" : "people",
                  people->all.count);
    ts_out_number(out, people->all.agreement.mean_absolute, 0, ts_fine_numbers);
    ts_out_printf(out, "\u00a0ms</b>, untrimmed (the original rig\u2019s: %d\u00a0ms)", PAPER_MS);
    if (firsts) {
        ts_out_put(out, "; of first change: ");
        ts_out_number(out, first, 0, ts_fine_numbers);
        ts_out_printf(out, "\u00a0ms over %zu launch%s", firsts, firsts == 1 ? "" : "es");
    }
    ts_out_put(out, ".</p>\n");
}

static void put_section(const struct ts_page *page, const struct marked *marked,
                        const struct ts_versus *people, struct ts_out *out)
{
    const struct ts_versus_words *words = &ts_versus_people_words;
    struct ts_out scatter = {0}, difference = {0};
    const bool draw = page->figures;
    ts_out_put(out, "<section id=\"people\">\n<h2>Camera against people</h2>\n");
    if (marked->damaged)
        ts_out_printf(out,
                      "<p class=\"notice\">What people marked in launch %d cannot be read and is "
                      "left out; <code>touchstone annotate --list</code> says why.</p>\n",
                      marked->damaged);
    if (people->all.count) {
        put_words(page, marked, people, out);
        ts_page_figures_begin(out);
        ts_page_figure(
            draw ? ts_figure_scatter(people, words, page->summary, &scatter) : TS_ENOTSUP,
            "One against the other.",
            "One point a launch. On the dashed line both are equal; below it the program had "
            "found the end before people did. Solid: the line through all launches.",
            &scatter, out);
        ts_page_figure(
            draw ? ts_figure_difference(people, words, page->summary, &difference) : TS_ENOTSUP,
            "How far apart.",
            "The difference over the mean of both. Solid: the mean difference of all launches; "
            "dashed: their limits of agreement.",
            &difference, out);
        ts_page_figures_end(out);
        ts_versus_table(people, page->summary,
                        "Settled, the program\u2019s against people\u2019s, in milliseconds", out);
        ts_out_put(
            out, "<p class=\"quiet\">Difference: the program\u2019s \u2212 the mean of those who "
                 "marked the launch. People can tell a frame from the next, so theirs is known to "
                 "about half a frame. <code>touchstone agreement --annotations</code> says more: "
                 "each person, and people among themselves.</p>\n");
    }
    ts_out_put(out, "</section>\n");
}

void ts_section_people(const struct ts_page *page, struct ts_out *out)
{
    struct marked marked;
    struct ts_versus people = {0};
    int err = gather(page->data, &marked);
    if (!err)
        err = ts_versus_of(page->data, page->summary, marked.settled, &people);
    if (!err && (people.all.count || marked.damaged))
        put_section(page, &marked, &people, out);
    out->err = out->err ? out->err : err;
    ts_versus_free(&people);
    marked_free(&marked);
}
