/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One app's launches on two sides (devices, builds, conditions): a is what b is held against. All
 * that stats/ says of two samples, and which of it to go by.
 *
 * Measured on 10,000 simulated campaigns a figure (tests/unit/compare/test_coverage.c: skewed times
 * with a tail, 4 % slow launches). 95 % intervals hold, by launches on each side:
 *
 *     launches                   6     8    10    15    20    30    50   100
 *     ratio, Hodges-Lehmann   96.3  95.1  94.6  94.9  95.1  95.3  95.1  95.2
 *     difference of medians   98.2  96.9  97.4  96.2  96.0  95.5  95.4  95.3
 *     ratio of medians        98.0  96.6  97.2  95.9  95.7  95.3  95.2  95.3
 *     Cliff's delta           99.4  98.3  97.4  96.9  96.6  96.5  95.8  95.6
 *     a side's median         95.3  94.6  94.8  94.6  94.9  95.2  94.9  94.9
 *
 * and campaigns without a difference are told apart at 5 % in 5.0 % (30 and 50 independent
 * launches), 4.1 to 5.0 % (30 to 100 whose neighbours' correlation is 0.3), 4.4 to 4.7 % (30 to
 * 200, 0.5), 4.6 to 5.2 % (30 to 200, 0.7), 4.9 % (-0.3), 4.3 to 5.1 % (both drift by 1.5 or 3
 * standard deviations), 4.1 to 5.8 % (with stop rules, also where neighbours resemble each other or
 * all drifts); with 6 sessions a side in 4.0 to 4.9 %, whatever goes on in them, with 3 in 3.4 %
 * (Welch's test is careful with so few). Each of these
 * shares is uncertain by 0.2. Of 30 independent launches a side a difference of 10 % is told in
 * 41 %, while both drift by 1.5 standard deviations in 33 %.
 *
 * Launches alone do not tell a build from a session: shifts from one session to the next, or from
 * some launch of a session on, are taken for differences unless each side has several sessions.
 *
 * Builds that took turns within sessions (stats/turns.h) are told apart by chance in 5.3 and 5.0 %
 * (ABBA, 30 and 50 independent launches of each; tests/unit/compare/test_turn_rates.c), 4.8, 4.6
 * and 4.1 % (30 whose neighbours' correlation is 0.3, 0.5, 0.7), 5.2 % (100, 0.7), 4.8 to 5.2 %
 * (drift of 1.5 or 3 standard deviations), 4.5 to 4.9 % (a shift of one from some launch on), 4.4
 * and 5.1 % (3 sessions of 10), 4.3 to 4.7 % (ABAB and shuffled, also at 0.7 and with drift), 4.6
 * to 5.8 % (30 in blocks of 5, up to 0.5; 6.3 % at 0.7 where six blocks a side know little of what
 * lasts). Intervals of 50 and more hold in 94.2 to 95.5 %. A difference of 10 % is told in 46 % by
 * 30 independent launches of each in turns, and in 61 and 76 % where the correlation is 0.5 and
 * 0.7, of which sides by themselves would tell 41, 21 and 11 %. */
#ifndef TS_STATS_COMPARISON_H
#define TS_STATS_COMPARISON_H

#include "base/err.h"
#include "stats/improvement.h"
#include "stats/medians.h"
#include "stats/sessions.h"
#include "stats/turns.h"

#define TS_COMPARE_LEAST   6  /* launches on each side */
#define TS_COMPARE_PERMUTE 10 /* below that many on a side, p is by permutation */
#define TS_COMPARE_DRAWS   9999

/* Times > 0 in the order in which they were measured, and of which session each is; NULL: all are
 * of one. A session has the same number on both sides; whether both took turns in it shows where
 * launches have their numbers in it. Borrowed. */
struct ts_side {
    const double *values;
    const struct ts_place *places;
    size_t count;
};

struct ts_compare_rules {
    double level;    /* of every interval */
    double margin;   /* for not slower, slower and equal: as a share, 0.05 for 5 % */
    double u_common; /* standard uncertainty of the difference that no launch makes smaller (two
                        rigs), in the values' unit; 0 on one rig, where it cancels. It is added to
                        what the launches say as JCGM 100:2008 (GUM), 5.1.2, adds */
    uint64_t seed;
};

/* Launches that took turns (stats/turns.h) go before sessions, and these before launches. */
enum ts_compare_unit { TS_COMPARE_LAUNCHES, TS_COMPARE_SESSIONS, TS_COMPARE_TURNS };
enum ts_compare_test {
    TS_COMPARE_STUDENT,
    TS_COMPARE_PERMUTED,
    TS_COMPARE_WELCH,
    TS_COMPARE_RANKS_IN_TURNS
};

struct ts_side_summary {
    size_t count, sessions, outliers; /* beyond Tukey's fences: marked, and in every figure */
    double median, iqr;
    struct ts_interval interval;   /* of the median */
    double correlation, effective; /* stats/serial.h */
};

struct ts_comparison {
    struct ts_side_summary a, b;
    /* What to go by: b over a as a factor, by Hodges and Lehmann; with several sessions on each
     * side the ratio of their geometric means of medians. Interval and all p are of one test. */
    enum ts_compare_unit unit;
    enum ts_compare_test test;
    size_t in_turns[2], blocks, shared_sessions; /* of TS_COMPARE_TURNS: launches of a and b, rows
                                                    of one side, sessions; else 0 */
    double ratio;
    struct ts_interval ratio_interval;
    double p;            /* two-sided, that they are the same */
    double p_not_slower; /* small: b is slower by less than the margin */
    double p_slower;     /* small: b is slower by more than the margin */
    double p_equal;      /* small: within the margin either way */
    /* Beside it, over launches. */
    struct ts_hodges_lehmann difference; /* b - a, the values' unit */
    struct ts_medians medians;
    struct ts_delta delta;
    struct ts_relative relative;
    struct ts_improvement improvement; /* of the medians of sessions, when each side has several */
    double session_spread; /* sd of sessions' medians as a share; NAN with one session a side */
    /* The smallest share that as many launches show, and launches on each side that show the margin
     * (stats/power.h); in turns by the interval's standard error, and that it falls with the root
     * of the launches. */
    double detectable, needed;
};

/* A side sorted and ranked once, for many comparisons. TS_EINVAL: fewer than TS_COMPARE_LEAST
 * launches, or a time <= 0: *why says so of `name`. TS_ENOMEM. */
struct ts_compare_side;
int ts_compare_side_of(struct ts_side given, const char *name, struct ts_compare_side **out,
                       struct ts_why *why) TS_MUST_CHECK;
void ts_compare_side_free(struct ts_compare_side *side); /* NULL is let pass */
/* TS_ENOMEM. */
int ts_compare_sides(const struct ts_compare_side *a, const struct ts_compare_side *b,
                     const struct ts_compare_rules *rules, struct ts_comparison *out) TS_MUST_CHECK;
/* Both at once; *why says which of them it is, "the first" or "the second". */
int ts_compare(struct ts_side a, struct ts_side b, const struct ts_compare_rules *rules,
               struct ts_comparison *out, struct ts_why *why) TS_MUST_CHECK;

/* Several apps: the geometric mean of their ratios, each app counting alike (P. Fleming, J.
 * Wallace, "How not to lie with statistics: the correct way to summarize benchmark results",
 * Communications of the ACM 29 (1986) 218-221); its interval from theirs on the logarithmic scale,
 * taken as independent and normal. NAN of none. */
struct ts_overall {
    size_t count;
    double ratio;
    struct ts_interval interval;
    double p;
};
struct ts_overall ts_compare_overall(const struct ts_comparison *apps, size_t count,
                                     const struct ts_compare_rules *rules);

#endif
