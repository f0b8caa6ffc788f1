/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's settled beside another's word for the same launches, launch by launch: how far they are
 * apart, and the line through them (agreement/agreement.h, agreement/regression.h). */
#ifndef TS_REPORT_VERSUS_H
#define TS_REPORT_VERSUS_H

#include "agreement/agreement.h"
#include "agreement/regression.h"
#include "report/summary.h"

struct ts_versus_side {
    const double *settled, *other; /* [count], ms; of the launches that count and have both */
    size_t count;
    struct ts_agreement agreement; /* of settled - other */
    struct ts_line line;           /* settled = intercept + slope other; NAN below TS_PAIRS_MIN */
};

struct ts_versus {
    struct ts_versus_side *rows; /* owned; of each row of the summary */
    struct ts_versus_side all;
    double *values; /* owned */
};

/* other: [data->count], NAN: it says nothing of that launch. TS_ENOMEM. */
int ts_versus_of(const struct ts_report_data *data, const struct ts_summary *summary,
                 const double *other, struct ts_versus *out) TS_MUST_CHECK;
/* Of Android's time to initial display. */
int ts_versus_android(const struct ts_report_data *data, const struct ts_summary *summary,
                      struct ts_versus *out) TS_MUST_CHECK;
void ts_versus_free(struct ts_versus *versus);

/* Who the other is. */
struct ts_versus_words {
    const char *scatter_id, *difference_id; /* report/figure.h */
    const char *axis;                       /* "time to initial display, Android" */
    const char *name;                       /* short: "initial display" */
};
extern const struct ts_versus_words ts_versus_android_words, ts_versus_people_words;

/* One point a launch: the other's number across, ours up; and their difference over their mean. As
 * the figures of figure.h. */
int ts_figure_scatter(const struct ts_versus *versus, const struct ts_versus_words *words,
                      const struct ts_summary *summary, struct ts_out *out) TS_MUST_CHECK;
int ts_figure_difference(const struct ts_versus *versus, const struct ts_versus_words *words,
                         const struct ts_summary *summary, struct ts_out *out) TS_MUST_CHECK;
/* The numbers of both as a table of the page. */
void ts_versus_table(const struct ts_versus *versus, const struct ts_summary *summary,
                     const char *caption, struct ts_out *out);

#endif
