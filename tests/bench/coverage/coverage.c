/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often the stated 95 % intervals hold the reference value, over all usable launches, per
 * metric and condition; and how wide they are.
 *
 *   coverage everyday|all <LIST      exit 0: the limits hold
 *
 * LIST has a line per session: "CONDITION[,CONDITION...] SESSION TRUTH". `everyday` has too few
 * launches to judge single conditions.
 *
 * Contact and lift may be covered more often than 98 %: they rest on bounds that hold for any rig,
 * how late the contact plate closes, how unlike the two ways through a USB bridge are, how soft a
 * tip nobody calibrated, and no one rig uses up all of them. Lift has a limit of width instead. */
#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES          40000
#define CONDITIONS       48
#define COVERED_LEAST    0.93
#define COVERED_MOST     0.98
#define COVERED_ANYWHERE 0.9
#define COVERED_EVERYDAY 0.87 /* 0.93 less three standard deviations of 200 launches */
#define LAUNCHES_ENOUGH  200
#define LIFT_WIDTH_MS    1.5
#define SETTLED_WIDTH    1.4 /* frame periods */
#define CALIBRATED       "calibrated"

enum metric { CONTACT, LIFT, FIRST, SETTLED, METRICS };
static const char *const metric_names[] = {"contact", "lift", "first change", "settled"};

struct sample {
    enum metric metric;
    unsigned long conditions; /* bit per condition */
    double error_ms, half_ms, period_ms;
};

static struct sample samples[SAMPLES];
static size_t sample_count, launches, unusable, silent;
static char conditions[CONDITIONS][40] = {"all"};
static int condition_count = 1;

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Instants are compared as integers: a double holds no nanoseconds of a long run. */
static double instant_error(const json_t *result, const char *name, const json_t *truth,
                            const char *truth_name, double *half_ms)
{
    const json_t *reference = json_object_get(truth, truth_name);
    const json_t *instant = json_object_get(result, name);
    const json_t *measured = json_object_get(instant, "host_ns");
    *half_ms = number(instant, "half_95_ns") / 1e6;
    if (!json_is_integer(reference) || !json_is_integer(measured))
        return NAN;
    return (double)(json_integer_value(measured) - json_integer_value(reference)) / 1e6;
}

static double metric_error(const json_t *result, const char *name, const json_t *truth,
                           const char *truth_name, double *half_ms)
{
    const json_t *reference = json_object_get(truth, truth_name);
    const json_t *zero = json_object_get(truth, "lift_ns");
    const json_t *metric = json_object_get(json_object_get(result, "metrics"), name);
    *half_ms = number(metric, "half_95");
    if (!json_is_integer(reference) || !json_is_integer(zero))
        return NAN;
    return number(metric, "value") -
           (double)(json_integer_value(reference) - json_integer_value(zero)) / 1e6;
}

/* A usable launch without a value, or with one that there is none of, is silent. */
static void add(enum metric metric, unsigned long bits, double error_ms, double half_ms,
                double period_ms)
{
    if (!isfinite(error_ms) || !isfinite(half_ms))
        silent++;
    else if (sample_count < SAMPLES)
        samples[sample_count++] = (struct sample){metric, bits, error_ms, half_ms, period_ms};
}

static void compare(const json_t *result, const json_t *truth, unsigned long bits)
{
    const double period_ms = number(result, "frame_period_ms");
    double half_ms, error_ms;
    launches++;
    if (!json_is_true(json_object_get(result, "usable"))) {
        unusable++;
        return;
    }
    error_ms = instant_error(result, "contact", truth, "contact_ns", &half_ms);
    add(CONTACT, bits, error_ms, half_ms, period_ms);
    error_ms = instant_error(result, "lift", truth, "lift_ns", &half_ms);
    add(LIFT, bits, error_ms, half_ms, period_ms);
    error_ms =
        metric_error(result, "first_visual_change_ms", truth, "first_visual_change_ns", &half_ms);
    add(FIRST, bits, error_ms, half_ms, period_ms);
    error_ms = metric_error(result, "settled_ms", truth, "settled_ns", &half_ms);
    add(SETTLED, bits, error_ms, half_ms, period_ms);
}

static unsigned long bits_of(char *names)
{
    unsigned long bits = 1;
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        int i = 0;
        while (i < condition_count && strcmp(conditions[i], name) != 0)
            i++;
        if (i == CONDITIONS)
            continue;
        if (i == condition_count)
            snprintf(conditions[condition_count++], sizeof conditions[0], "%s", name);
        bits |= 1ul << i;
    }
    return bits;
}

static int read_session(const char *session, const char *truth_path, unsigned long bits)
{
    char line[4096], path[4096];
    int err = 0;
    FILE *file = fopen(truth_path, "r");
    if (!file) {
        perror(truth_path);
        return -1;
    }
    while (!err && fgets(line, sizeof line, file)) {
        json_t *truth = json_loads(line, 0, NULL);
        snprintf(path, sizeof path, "%s/launches/%04d/result.json", session,
                 (int)number(truth, "launch"));
        json_t *result = json_load_file(path, 0, NULL);
        if (truth && result)
            compare(result, truth, bits);
        else
            err = -1;
        json_decref(truth);
        json_decref(result);
    }
    fclose(file);
    if (err)
        fprintf(stderr, "%s: cannot be read\n", path);
    return err;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double q)
{
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, by_value);
    const size_t at = (size_t)ceil(q * (double)count);
    return values[at ? at - 1 : 0];
}

struct row {
    size_t n;
    double covered, width_ms, width_periods, bias_ms, p95_ms; /* covered: of 1; widths: medians */
};

static struct row row_of(enum metric metric, int condition)
{
    static double width[SAMPLES], periods[SAMPLES], error[SAMPLES];
    struct row row = {0};
    size_t covered = 0;
    double sum = 0;
    for (size_t i = 0; i < sample_count; i++) {
        const struct sample *sample = &samples[i];
        if (sample->metric != metric || !(sample->conditions >> condition & 1))
            continue;
        width[row.n] = 2 * sample->half_ms;
        periods[row.n] = 2 * sample->half_ms / sample->period_ms;
        error[row.n++] = fabs(sample->error_ms);
        sum += sample->error_ms;
        covered += fabs(sample->error_ms) <= sample->half_ms;
    }
    row.covered = (double)covered / (double)row.n;
    row.bias_ms = sum / (double)row.n;
    row.width_ms = quantile(width, row.n, 0.5);
    row.width_periods = quantile(periods, row.n, 0.5);
    row.p95_ms = quantile(error, row.n, 0.95);
    return row;
}

static bool check(bool holds, const char *metric, const char *what)
{
    printf("%s  %s: %s\n", holds ? "holds " : "BROKEN", metric, what);
    return holds;
}

static bool judge(enum metric metric, bool all)
{
    const char *name = metric_names[metric];
    bool good = true;
    printf("\n%-13s %-22s %5s  %9s  %16s  %8s  %8s\n", name, "condition", "n", "covered",
           "median width, ms", "bias, ms", "P95, ms");
    for (int i = 0; i < condition_count; i++) {
        const struct row row = row_of(metric, i);
        if (!row.n) {
            good &= i > 0; /* a metric that nobody states */
            continue;
        }
        printf("%-13s %-22s %5zu  %7.1f %%  %8.2f (%.2f T)  %+8.3f  %8.3f\n", "", conditions[i],
               row.n, 100 * row.covered, row.width_ms, row.width_periods, row.bias_ms, row.p95_ms);
        if (i == 0) {
            good &= check(row.covered >= (all ? COVERED_LEAST : COVERED_EVERYDAY), name,
                          "covered often enough");
            good &= check(row.covered <= COVERED_MOST || !all || metric <= LIFT, name,
                          "not covered too often");
        }
        if (all && row.n >= LAUNCHES_ENOUGH && row.covered < COVERED_ANYWHERE)
            good = check(false, name, "90 % covered under this condition");
        if (metric == LIFT && strcmp(conditions[i], CALIBRATED) == 0)
            good &= check(row.width_ms <= LIFT_WIDTH_MS, name, "interval <= 1.5 ms wide");
        if (metric == SETTLED && i == 0)
            good &= check(row.width_periods <= SETTLED_WIDTH, name, "interval <= 1.4 frames wide");
    }
    return good;
}

int main(int argc, char **argv)
{
    char line[4096], names[1024], session[1024], truth[1024];
    if (argc != 2 || (strcmp(argv[1], "all") != 0 && strcmp(argv[1], "everyday") != 0)) {
        fprintf(stderr, "usage: %s everyday|all <LIST\n", argv[0]);
        return 2;
    }
    const bool all = strcmp(argv[1], "all") == 0;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%1023s %1023s %1023s", names, session, truth) != 3 ||
            read_session(session, truth, bits_of(names)))
            return 2;
    }
    printf("%zu launches, %zu of them not usable; %zu numbers without a value or a reference\n",
           launches, unusable, silent);
    bool good = launches - unusable >= (all ? 2000 : 180);
    if (!good)
        printf("BROKEN  there is not enough to judge\n");
    for (int metric = 0; metric < METRICS; metric++)
        good &= judge((enum metric)metric, all);
    return good ? 0 : 1;
}
