/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `touchstone agreement` says of one end (first change, or settled) of all launches. */
#ifndef TS_CLI_AGREEMENT_SUMMARY_H
#define TS_CLI_AGREEMENT_SUMMARY_H

#include "agreement/agreement.h"
#include "cli/agreement_pairs.h"

/* Two values of the same launch. */
struct ts_pair {
    double a, b;
    const char *launch; /* borrowed */
};

struct ts_pairs {
    struct ts_pair *items; /* owned */
    size_t count, capacity;
};

struct ts_person {
    const char *by;                 /* borrowed */
    size_t marked;                  /* launches that they marked at this end */
    struct ts_agreement automatic;  /* automatic minus theirs */
    struct ts_repeatability repeat; /* their later marks against their earlier ones */
};

struct ts_two_people {
    size_t first, second; /* indices of persons */
    struct ts_agreement agreement;
};

struct ts_end_summary {
    struct ts_pairs automatic;       /* automatic, mean of the people who marked the launch */
    struct ts_agreement agreement;   /* of these */
    struct ts_agreement against_one; /* automatic, each single person */
    struct ts_agreement between;     /* one person, another: every two of each launch. Only its
                                        absolute values mean anything: who is first is chance */
    struct ts_repeatability repeat;  /* all people against themselves */
    struct ts_person *persons;       /* owned */
    size_t person_count, person_capacity;
    struct ts_two_people *twos; /* owned */
    size_t two_count, two_capacity;
    int not_usable, untold; /* launches without a usable automatic value; marked by nobody */
};

int ts_end_summarize(const struct ts_judged *judged, enum ts_end end,
                     struct ts_end_summary *out) TS_MUST_CHECK;
void ts_end_summary_free(struct ts_end_summary *summary);

#endif
