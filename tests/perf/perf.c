/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf.h"
#include "vision_accuracy.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct perf_bench benches[] = {
    {"vision-speed", "block kernels, on-line analysis and analyze, against memory and OpenCV",
     perf_vision_speed},
    {"vision-accuracy", "end rules on films of recorded launches with reference values",
     perf_vision_accuracy},
    {"statistics", "outliers, clustering and LOF, against scipy, fastcluster and scikit-learn",
     perf_statistics},
    {"database", "a lab of a million launches (or so many): ingest and compare --db",
     perf_database},
    {"report", "the page of 16 x 10 launches with pictures, and of 5,008", perf_report},
    {"live", "capture and analysis of live cameras, as a share of a core", perf_live},
    {"estimators", "training against XGBoost's own, estimates a second", perf_estimators},
};

#define BENCH_COUNT (sizeof benches / sizeof *benches)

void *perf_alloc(size_t size)
{
    void *memory = malloc(size);
    if (memory)
        return memory;
    fprintf(stderr, "perf: no memory for %zu bytes\n", size);
    exit(1);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void perf_race(struct perf_racer *racers, size_t count, int rounds, void *work)
{
    for (size_t n = 0; n < count; n++)
        racers[n].best_s = INFINITY;
    for (int round = 0; round < rounds; round++) {
        for (size_t n = 0; n < count; n++) {
            const double begin_s = now_s();
            racers[n].pass(work);
            racers[n].best_s = fmin(racers[n].best_s, now_s() - begin_s);
        }
    }
}

void perf_say_ratio(const char *name, double ratio, enum perf_side side, double limit)
{
    const bool holds = side == PERF_AT_MOST ? ratio <= limit : ratio >= limit;
    printf("  %-40s %9.2f x (limit %s %.2f) %s\n", name, ratio,
           side == PERF_AT_MOST ? "<=" : ">=", limit,
           holds                  ? "PASS"
           : side == PERF_AT_MOST ? "over"
                                  : "under");
}

void perf_say_rate(const char *name, double rate, const char *what, double at_least)
{
    printf("  %-40s %9.0f %s/s (limit >= %.0f) %s\n", name, rate, what, at_least,
           rate >= at_least ? "PASS" : "under");
}

static void say_machine(void)
{
    cpu_set_t cpus;
    char model[128] = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    for (char line[256]; file && fgets(line, sizeof line, file);) {
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    }
    if (file)
        fclose(file);
    const bool known = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
    printf("%s, %s\n", model,
           known && CPU_COUNT(&cpus) == 1 ? "pinned to one CPU"
                                          : "not pinned (taskset -c 1 ./dev perf pins)");
}

static int usage(int status)
{
    fprintf(status ? stderr : stdout, "Usage: ./dev perf [NAME [ARGUMENT...]]\n\n");
    for (size_t n = 0; n < BENCH_COUNT; n++)
        fprintf(status ? stderr : stdout, "  %-18s %s\n", benches[n].name, benches[n].what);
    return status;
}

int main(int argc, char **argv)
{
    const bool all = argc < 2;
    if (!all && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return usage(0);
    bool found = false;
    int status = 0;
    for (size_t n = 0; n < BENCH_COUNT; n++) {
        if (!all && strcmp(argv[1], benches[n].name) != 0)
            continue;
        found = true;
        printf("%s: ", benches[n].name);
        say_machine();
        status |= all ? benches[n].run(0, NULL) : benches[n].run(argc - 2, argv + 2);
    }
    return found ? status : usage(2);
}
