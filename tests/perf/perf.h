/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks: what Touchstone does, raced in one run against a peer or against what the machine can
 * do at best, so that the ratios mean something on any machine, busy or not. They are no tests:
 * a limit that is passed over is said, not failed. */
#ifndef TESTS_PERF_H
#define TESTS_PERF_H

#include <stddef.h>

/* A row of the table in perf.c. argv: what follows the name on the command line. run() gives 0, or
 * 1 when it could not run and has said why on standard error. */
struct perf_bench {
    const char *name, *what;
    int (*run)(int argc, char **argv);
};

int perf_vision_speed(int argc, char **argv);
int perf_statistics(int argc, char **argv);
int perf_database(int argc, char **argv);
int perf_report(int argc, char **argv);
int perf_live(int argc, char **argv);
int perf_estimators(int argc, char **argv);

/* One of those that race; pass() does its work once. */
struct perf_racer {
    const char *name;
    void (*pass)(void *work);
    double best_s; /* filled in by perf_race(): the shortest pass */
};

/* All of them in turn, `rounds` times over, so that a busy neighbour meets every one; work is
 * handed to each pass. */
void perf_race(struct perf_racer *racers, size_t count, int rounds, void *work);

enum perf_side { PERF_AT_MOST, PERF_AT_LEAST };
/* Prints "  name  value x (limit ...)" and on which side of the limit the value lies. */
void perf_say_ratio(const char *name, double ratio, enum perf_side side, double limit);
/* The same for a rate, per second. */
void perf_say_rate(const char *name, double rate, const char *what, double at_least);

/* malloc() that ends the program when there is no memory. */
void *perf_alloc(size_t size);

#endif
