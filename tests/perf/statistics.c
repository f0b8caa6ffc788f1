/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf.h"

#include "corpus.h"
#include "stats/medcouple.h"
#include "stats/order.h"
#include "stats/outliers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUERIES      5000
#define MILLION      1000000
#define SLOPE_SIZES  5 /* from 2^12 values on, each four times as many */
#define SLOPE_ROUNDS 7

static double pipeline_limit_s = 0.010, million_limit_s = 2;

struct sample {
    double *values, *sorted;
    size_t count;
    double kept; /* keeps the compiler honest */
};

/* continuous: every value another one, the worst case of clustering. */
static struct sample make_sample(size_t count, bool continuous)
{
    struct sample out = {perf_alloc(count * sizeof(double)), perf_alloc(count * sizeof(double)),
                         count, 0};
    struct ts_rng rng;
    ts_rng_seed(&rng, count, 1);
    corpus_queries(&rng, out.values, count);
    for (size_t i = 0; continuous && i < count; i++)
        out.values[i] += ts_rng_uniform(&rng) * CORPUS_TICK_NS;
    memcpy(out.sorted, out.values, count * sizeof(double));
    ts_sort(out.sorted, count);
    return out;
}

static void free_sample(struct sample *sample)
{
    free(sample->values);
    free(sample->sorted);
}

static void run_rules(struct sample *sample, const struct ts_outlier_rules *rules)
{
    struct ts_outliers found;
    struct ts_why why = {""};
    if (ts_outliers_of(sample->values, sample->count, rules, &found, &why)) {
        fprintf(stderr, "perf: %s\n", why.text);
        exit(1);
    }
    sample->kept += (double)found.count;
    ts_outliers_free(&found);
}

static void full(void *work)
{
    run_rules(work, &(struct ts_outlier_rules){.full = true, .tick = CORPUS_TICK_NS, .floor = NAN});
}

static void simplified(void *work)
{
    run_rules(work, &(struct ts_outlier_rules){.tick = CORPUS_TICK_NS, .floor = NAN});
}

/* Of sorted values, with the distinct ones found in it, as the peers are given sorted values. */
static void linkage(void *work)
{
    struct sample *sample = work;
    struct ts_distinct distinct;
    struct ts_linkage out;
    if (ts_distinct_of(sample->sorted, sample->count, &distinct) || ts_linkage_of(&distinct, &out))
        exit(1);
    sample->kept += (double)out.count;
    ts_linkage_free(&out);
    ts_distinct_free(&distinct);
}

static void lof(void *work)
{
    struct sample *sample = work;
    struct ts_distinct distinct;
    double *out = perf_alloc(sample->count * sizeof *out);
    if (ts_distinct_of(sample->sorted, sample->count, &distinct) ||
        ts_lof_of(&distinct, TS_LOF_NEIGHBOURS, 0, out))
        exit(1);
    sample->kept += out[0];
    free(out);
    ts_distinct_free(&distinct);
}

static void medcouple(void *work)
{
    struct sample *sample = work;
    double out;
    if (ts_medcouple(sample->sorted, sample->count, &out))
        exit(1);
    sample->kept += out;
}

static void sort(void *work)
{
    struct sample *sample = work;
    double *copy = perf_alloc(sample->count * sizeof *copy);
    memcpy(copy, sample->values, sample->count * sizeof *copy);
    ts_sort(copy, sample->count);
    sample->kept += copy[0];
    free(copy);
}

static double time_of(void (*pass)(void *), struct sample *sample, int rounds)
{
    struct perf_racer racer = {"", pass, 0};
    perf_race(&racer, 1, rounds, sample);
    return racer.best_s;
}

/* ---- peers ---- */

/* `name seconds` lines of the Python peers; the first interpreter that has numpy is asked, since
 * the first on the path may be none of Debian's. */
static FILE *ask_peers(const char *path, bool ticks)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    for (size_t n = 0; n < sizeof pythons / sizeof *pythons; n++) {
        char command[600];
        snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null", pythons[n]);
        if (system(command) != 0)
            continue;
        snprintf(command, sizeof command, "%s '%s/tests/perf/statistics_peers.py' '%s' %s",
                 pythons[n], TS_SOURCE_DIR, path, ticks ? "pipeline" : "");
        return popen(command, "r");
    }
    return NULL;
}

static bool write_values(const struct sample *sample, char *path)
{
    const int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        return false;
    for (size_t i = 0; i < sample->count; i++)
        fprintf(file, "%.17g\n", sample->values[i]);
    return fclose(file) == 0;
}

struct peer {
    const char *name, *what, *packages;
    void (*ours)(void *work);
    double at_least, s; /* s: NAN when it is not installed */
};

static void read_peers(struct peer *peers, size_t count, const struct sample *sample, bool ticks)
{
    char path[] = "/tmp/touchstone-perf-XXXXXX", name[40], seconds[40];
    FILE *answers = write_values(sample, path) ? ask_peers(path, ticks) : NULL;
    while (answers && fscanf(answers, "%39s %39s", name, seconds) == 2) {
        for (size_t n = 0; n < count; n++) {
            if (strcmp(name, peers[n].name) == 0 && strcmp(seconds, "-") != 0)
                peers[n].s = atof(seconds);
        }
    }
    if (answers)
        pclose(answers);
    unlink(path);
}

/* ticks: the pipeline too, which with thousands of cut heights takes Python minutes. */
static void race_peers(struct sample *sample, bool ticks)
{
    struct peer peers[] = {
        {"python-pipeline", "full pipeline: scipy + scikit-learn", "python3-scipy python3-sklearn",
         full, 100, NAN},
        {"scipy-linkage", "linkage: scipy", "python3-scipy", linkage, 1, NAN},
        {"fastcluster-linkage", "linkage: fastcluster", "python3-fastcluster", linkage, 1, NAN},
        {"scikit-learn-lof", "LOF: scikit-learn", "python3-sklearn", lof, 1, NAN},
    };
    const size_t count = sizeof peers / sizeof *peers;
    read_peers(peers, count, sample, ticks);
    for (size_t n = !ticks; n < count; n++) {
        if (isnan(peers[n].s))
            printf("  %-40s not installed (Debian: %s)\n", peers[n].what, peers[n].packages);
        else
            perf_say_ratio(peers[n].what, peers[n].s / time_of(peers[n].ours, sample, 20),
                           PERF_AT_LEAST, peers[n].at_least);
    }
}

/* ---- growth ---- */

#define SLOPE_LIMIT 0.05 /* what else runs here takes of the caches */

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The median of the processor's time in this thread: who else is at work bears little on it. */
static double cpu_time_of(void (*pass)(void *), struct sample *sample)
{
    double times[SLOPE_ROUNDS];
    for (int i = 0; i < SLOPE_ROUNDS; i++) {
        const double begin_s = cpu_s();
        pass(sample);
        times[i] = cpu_s() - begin_s;
    }
    ts_sort(times, SLOPE_ROUNDS);
    return ts_median(times, SLOPE_ROUNDS);
}

/* The exponent of n in time / (n log n), from the least squares line through logarithms: 0 for what
 * grows as n log n. */
static void say_slope(const char *name, void (*pass)(void *), bool limited)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    size_t count = 1 << 12;
    printf("  %-24s", name);
    for (int n = 0; n < SLOPE_SIZES; n++, count *= 4) {
        struct sample sample = make_sample(count, true);
        const double size = (double)count, s = cpu_time_of(pass, &sample);
        const double x = log(size), y = log(s / (size * log2(size)));
        printf(" %6.2f", 1e9 * exp(y));
        free_sample(&sample);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double slope = (SLOPE_SIZES * sxy - sx * sy) / (SLOPE_SIZES * sxx - sx * sx);
    printf("  %+.2f", slope);
    if (limited)
        printf(" (limit <= %.2f) %s", SLOPE_LIMIT, slope <= SLOPE_LIMIT ? "PASS" : "over");
    printf("\n");
}

static void say_time(const char *name, double s, double limit_s)
{
    printf("  %-40s %9.2f ms (limit <= %.0f ms) %s\n", name, s * 1e3, limit_s * 1e3,
           s <= limit_s ? "PASS" : "over");
}

int perf_statistics(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct sample small = make_sample(QUERIES, false), large = make_sample(MILLION, false);
    printf(" 5,000 readings of a clock in ticks:\n");
    say_time("full pipeline", time_of(full, &small, 20), pipeline_limit_s);
    race_peers(&small, true);
    struct sample continuous = make_sample(QUERIES, true);
    printf(" 5,000 values, all of them different:\n");
    race_peers(&continuous, false);
    printf(" 1,000,000 readings:\n");
    say_time("simplified", time_of(simplified, &large, 3), million_limit_s);
    say_time("full", time_of(full, &large, 3), million_limit_s);
    printf(
        " ns of processor time / (n log2 n) for 4,096, 16,384 ... 1,048,576 different values, and "
        "its slope:\n");
    say_slope("sorting, for comparison", sort, false);
    say_slope("linkage", linkage, true);
    say_slope("LOF", lof, true);
    say_slope("medcouple", medcouple, false);
    free_sample(&small);
    free_sample(&large);
    free_sample(&continuous);
    return 0;
}
