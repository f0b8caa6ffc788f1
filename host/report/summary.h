/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session says of each app: medians, how sure they are, and Android's own number. */
#ifndef TS_REPORT_SUMMARY_H
#define TS_REPORT_SUMMARY_H

#include "report/data.h"
#include "stats/interval.h"

/* The median of the launches that count and have this number; milliseconds. */
struct ts_estimate {
    size_t count;
    double median; /* NAN when count is 0 */
    struct ts_interval interval;
};

#define TS_PAIRS_MIN 6

struct ts_app_summary {
    const char *app;   /* borrowed from the data */
    char *label;       /* owned: the app, where it stands apart with its start type */
    const char *build; /* borrowed, as stop: which of the plan's it is; NULL: it names none */
    const char *stop;  /* why its last launch was the last, by the plan's rule; NULL: that
                        * had no part in it */
    enum ts_start_type start; /* of the launches that count */
    bool apart;               /* launches of the app that started otherwise have their own row */
    int launches;             /* finished, of every kind */
    int usable;               /* those that count */
    int warm_up, excluded;    /* usable ones left out for that reason (warm-up first) */
    struct ts_estimate settled;
    struct ts_estimate first_change;
    struct ts_estimate initial_display; /* time to initial display, Android's own number */
    struct ts_estimate difference; /* settled minus time to initial display, launch by launch */
    struct ts_estimate literal;    /* what the paper's end rule says of the same frames */
    /* Standard uncertainty that all launches of the session share, so that no number of launches
     * makes it smaller: the median of the launches' u_common of `settled`. */
    double u_common;
    double u; /* standard uncertainty of one launch: the median of the launches' u of `settled` */
    /* Pearson, settled against time to initial display. NAN below TS_PAIRS_MIN pairs: of four
     * launches that have nothing to do with each other, one set in twenty passes 0.9. */
    double correlation;
    int android_longer; /* launches where Android's number is longer than ours by more than 2 u */
    int never_rests;    /* launches that settled while a part of the screen went on changing */
    int beyond_fences;  /* of `settled`, by Tukey's fences; marked, never removed */
    double *settled_ms; /* owned, sorted, settled.count of them */
};

/* Cold, warm and hot starts are different things, and a median over them is of none: an app whose
 * launches that count started in several ways has a row for each of them. */
struct ts_summary {
    struct ts_app_summary *apps; /* owned; in the plan's order */
    size_t app_count;
    size_t *row_of;       /* owned, [data->count]: where in apps each launch is */
    int launches, usable; /* sums over the apps */
    double u_common;      /* the greatest of the apps'; NAN when there is none */
};

/* TS_ENOMEM. */
int ts_summarize(const struct ts_report_data *data, struct ts_summary *out) TS_MUST_CHECK;
/* The settled of a row's launches that count, in the order of the launches; values has room for
 * apps[row].settled.count. Returns how many there are. */
size_t ts_summary_settled(const struct ts_report_data *data, const struct ts_summary *summary,
                          size_t row, double *values);
void ts_summary_free(struct ts_summary *summary);

#endif
