/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When an app has been launched often enough: rules that compose, judged after every launch on the
 * values so far (paper R: Afonso, Almeida, "Rancid: Reliable Benchmarking on Android Platforms",
 * its stop conditions, and section VI.B).
 *
 *     rule   := both { "or" both }
 *     both   := one { "and" one }
 *     one    := "not" one | "(" rule ")" | test
 *     test   := "launches" "(" N ")"             N launches or more
 *             | "minutes" "(" X ")"              X minutes or more since the app's first
 *             | "variation" "<" P                coefficient of variation, sd / mean
 *             | "width" "(" "median" ")" "<" P   of the median's 95 % interval (stats/interval.h),
 *                                                from end to end, over the median
 *             | "stable" "(" N "," P ")"         over the last N launches the running median moved
 *                                                by less than P of it, and so did the running
 *                                                quartile range
 *             | "last" "(" N "," rule ")"        rule, judged on the last N values alone; not met
 *                                                before there are N
 *
 * N: 1 to TS_STOP_LAUNCHES_MAX. X, P: a number from 1e-6 on, X to 1e6, P to 1000; P may end in %:
 * 5% is 0.05. "and" binds more tightly than "or". Example, which ends in any case:
 *
 *     launches(20) and (width(median) < 5% or stable(10, 2%)) or launches(60) or minutes(30)
 *
 * A rule that looks at spread stops a little too often while the values happen to lie close, which
 * makes intervals a little too narrow: so it belongs behind "launches(N) and". Measured in
 * tests/unit/compare. */
#ifndef TS_STATS_STOP_H
#define TS_STATS_STOP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define TS_STOP_NODES_MAX    64
#define TS_STOP_DEPTH_MAX    16 /* of brackets, "not" and "last" */
#define TS_STOP_LAUNCHES_MAX 9999

enum ts_stop_kind {
    TS_STOP_OR, /* left, right */
    TS_STOP_AND,
    TS_STOP_NOT,  /* left */
    TS_STOP_LAST, /* launches, left */
    TS_STOP_LAUNCHES,
    TS_STOP_MINUTES, /* limit */
    TS_STOP_VARIATION,
    TS_STOP_WIDTH,
    TS_STOP_STABLE, /* launches, limit */
};

struct ts_stop_node {
    enum ts_stop_kind kind;
    int left, right; /* indices; below the node's own */
    int launches;
    double limit; /* a share, or minutes */
};

/* A tree in the order of its making: the last node is its root. Nothing to free. */
struct ts_stop_rule {
    struct ts_stop_node nodes[TS_STOP_NODES_MAX];
    int count;
};

/* text[size] need not be 0. TS_EPROTO: *why says where and what was expected. */
int ts_stop_parse(const char *text, size_t size, struct ts_stop_rule *out,
                  struct ts_why *why) TS_MUST_CHECK;
/* The rule as ts_stop_parse() takes it, cut to size; gives its whole length. */
size_t ts_stop_print(const struct ts_stop_rule *rule, char *text, size_t size);

/* Whether it stops whatever the values are: enough launches, or enough time, meet it. */
bool ts_stop_ends(const struct ts_stop_rule *rule);

/* values: of one app, warm-up and unusable launches left out, in order. 1: stop, and reason (may be
 * NULL) says which tests decided it and how they stand, "launches(20): 24"; 0: go on. TS_ENOMEM. */
struct ts_stop_reason {
    char text[400];
};
int ts_stop_met(const struct ts_stop_rule *rule, const double *values, size_t count, double minutes,
                struct ts_stop_reason *reason) TS_MUST_CHECK;

#endif
