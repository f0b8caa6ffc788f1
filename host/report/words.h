/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a flag means and what the person at the bench can do about it. One table, for the report
 * page and for the terminal. */
#ifndef TS_REPORT_WORDS_H
#define TS_REPORT_WORDS_H

#include "model/care.h"
#include "model/result.h"

struct ts_flag_words {
    const char *title;   /* "The log lost lines" */
    const char *meaning; /* one sentence */
    const char *advice;  /* one sentence */
};

/* Static storage; flag < TS_FLAG_COUNT. */
const struct ts_flag_words *ts_flag_words(enum ts_flag flag);

/* The measurand in one sentence, for the top of everything that shows numbers. */
const char *ts_measurand_words(enum ts_launch_from from);

#endif
