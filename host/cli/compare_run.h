/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of launches against the first of them, app by app. */
#ifndef TS_CLI_COMPARE_RUN_H
#define TS_CLI_COMPARE_RUN_H

#include "cli/compare_data.h"
#include "report/out.h"
#include "report/table.h"
#include "stats/comparison.h"

enum ts_rigs { TS_RIGS_BY_THEMSELVES, TS_RIGS_ONE, TS_RIGS_SEVERAL };

struct ts_compare_options {
    struct ts_compare_rules rules; /* u_common is worked out here */
    enum ts_rigs rigs;
    double u_common_ms; /* of each side; NAN: as the launches say */
    bool anyway;        /* also under conditions that must be alike */
};

struct ts_compared_app {
    size_t index;    /* of the data's apps */
    const char *app; /* borrowed */
    size_t left_out[2][TS_LEFT_OUT_COUNT];
    bool compared;
    struct ts_why why_not;
    struct ts_comparison comparison;
    double p_holm; /* over all apps of all groups */
    double u_common_ms;
};

/* One group against the first. */
struct ts_compared {
    const struct ts_group *a, *b; /* borrowed */
    struct ts_compared_app *apps; /* owned; those that either side has */
    size_t count;
    bool one_rig;
    struct ts_overall overall;
    bool unlike[TS_CONDITION_COUNT];
};

/* The launches of one app that count, in time order; values and places are the caller's to free().
 * left_out[TS_LEFT_OUT_COUNT] counts all. TS_ENOMEM. */
int ts_group_side(const struct ts_group *group, size_t app, double **values,
                  struct ts_place **places, size_t *count, size_t *left_out) TS_MUST_CHECK;

/* out[data->count - 1]. TS_EPROTO: conditions that must be alike are not; *why names them. */
int ts_compare_run(const struct ts_compare_data *data, const struct ts_compare_options *options,
                   struct ts_compared *out, struct ts_why *why) TS_MUST_CHECK;
void ts_compared_free(struct ts_compared *compared, size_t count);

/* "slower", "faster", "same" (within the margin) or "not shown", by Holm's p at 1 - level. */
const char *ts_compared_verdict(const struct ts_compared_app *app, double level);

void ts_compared_put_text(const struct ts_compared *compared, size_t count,
                          const struct ts_compare_options *options, struct ts_text_style style,
                          struct ts_out *out);
int ts_compared_put_json(const struct ts_compared *compared, size_t count,
                         const struct ts_compare_options *options,
                         struct ts_out *out) TS_MUST_CHECK;
void ts_compared_put_csv(const struct ts_compared *compared, size_t count,
                         const struct ts_compare_options *options, struct ts_out *out);

/* Groups as builds in order, app by app: where the medians change for good. */
int ts_compare_history(const struct ts_compare_data *data, const struct ts_compare_options *options,
                       bool json, struct ts_text_style style, struct ts_out *out,
                       struct ts_why *why) TS_MUST_CHECK;

#endif
