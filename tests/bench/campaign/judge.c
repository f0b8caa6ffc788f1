/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge: the only program that reads the simulated bench's reference values. Compares a
 * session with them over all launches, flagged ones included, prints the errors and says whether
 * the stated limits hold.
 *
 *   judge SESSION TRUTH [SESSION TRUTH ...]      exit 0: all limits hold */
#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 20000

struct errors {
    const char *name;
    double value[LAUNCHES]; /* absolute, ms; INFINITY where the session has no value */
    size_t count;
    double sum_signed;
    size_t covered; /* within 1.96 u */
};

static struct errors contact = {.name = "contact"}, lift = {.name = "lift"},
                     start = {.name = "Android's start"}, first = {.name = "first visual change"},
                     last = {.name = "last change"}, settled = {.name = "settled"},
                     literal = {.name = "settled, literal rule"};
static size_t literal_silent, healthy, wronged, broken, recognised, false_null_last;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(struct errors *errors, double q)
{
    if (!errors->count)
        return NAN;
    qsort(errors->value, errors->count, sizeof errors->value[0], by_value);
    size_t at = (size_t)ceil(q * (double)errors->count);
    return errors->value[at ? at - 1 : 0];
}

static double mean(const struct errors *errors)
{
    double sum = 0;
    for (size_t i = 0; i < errors->count; i++)
        sum += errors->value[i];
    return errors->count ? sum / (double)errors->count : NAN;
}

static void add(struct errors *errors, double error, double u)
{
    if (errors->count == LAUNCHES)
        return;
    errors->value[errors->count++] = isnan(error) ? INFINITY : fabs(error);
    if (isnan(error))
        return;
    errors->sum_signed += error;
    errors->covered += fabs(error) <= 1.96 * u;
}

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const json_t *metric(const json_t *result, const char *name)
{
    return json_object_get(json_object_get(result, "metrics"), name);
}

/* Instants are compared as integers: a double holds no nanoseconds of a long run. */
static void compare_instant(struct errors *errors, const json_t *result, const char *name,
                            const json_t *truth, const char *truth_name)
{
    const json_t *reference = json_object_get(truth, truth_name);
    const json_t *instant = json_object_get(result, name);
    const json_t *measured = json_object_get(instant, "host_ns");
    if (!json_is_integer(reference))
        return;
    if (!json_is_integer(measured)) {
        add(errors, NAN, NAN);
        return;
    }
    const json_int_t difference = json_integer_value(measured) - json_integer_value(reference);
    add(errors, (double)difference / 1e6, number(instant, "u_ns") / 1e6);
}

static void compare_metric(struct errors *errors, const json_t *result, const char *name,
                           const json_t *truth, const char *truth_name)
{
    const json_t *reference = json_object_get(truth, truth_name);
    const json_t *zero = json_object_get(truth, "lift_ns");
    if (!json_is_integer(zero)) /* nobody tapped */
        zero = json_object_get(truth, "start_ns");
    if (!json_is_integer(reference) || !json_is_integer(zero))
        return;
    const json_int_t span = json_integer_value(reference) - json_integer_value(zero);
    const json_t *measured = metric(result, name);
    add(errors, number(measured, "value") - (double)span / 1e6, number(measured, "u"));
}

static bool has_flag(const json_t *result, const char *flag)
{
    size_t index;
    json_t *value;
    json_array_foreach(json_object_get(result, "flags"), index, value)
    {
        if (strcmp(json_string_value(value), flag) == 0)
            return true;
    }
    return false;
}

static void print_flags(const json_t *result)
{
    size_t index;
    json_t *value;
    json_array_foreach(json_object_get(result, "flags"), index, value)
        printf(" %s", json_string_value(value));
}

static void judge_broken(const json_t *result, const json_t *truth)
{
    size_t index;
    json_t *value;
    bool found = false;
    json_array_foreach(json_object_get(truth, "expected_flags"), index, value) found |=
        has_flag(result, json_string_value(value));
    broken++;
    recognised += found;
    if (found)
        return;
    printf("  launch %d: fault %s was not recognised; flags:", (int)number(truth, "launch"),
           json_string_value(json_array_get(json_object_get(truth, "injected_faults"), 0)));
    print_flags(result);
    printf("\n");
}

static void judge_healthy(const json_t *result, const json_t *truth)
{
    healthy++;
    if (!json_is_true(json_object_get(result, "usable"))) {
        wronged++;
        printf("  launch %d (%s) is healthy but", (int)number(truth, "launch"),
               json_string_value(json_object_get(truth, "app")));
        print_flags(result);
        printf("\n");
    }
    compare_instant(&contact, result, "contact", truth, "contact_ns");
    compare_instant(&lift, result, "lift", truth, "lift_ns");
    compare_instant(&start, result, "start", truth, "start_ns");
    compare_metric(&first, result, "first_visual_change_ms", truth, "first_visual_change_ns");
    if (json_is_integer(json_object_get(truth, "last_any_change_ns")))
        compare_metric(&last, result, "last_visual_change_ms", truth, "last_any_change_ns");
    else if (!isnan(number(metric(result, "last_visual_change_ms"), "value")))
        false_null_last++;
    const size_t before = settled.count;
    compare_metric(&settled, result, "settled_ms", truth, "settled_ns");
    if (settled.count > before && settled.value[before] > 25)
        printf("  launch %d (%s): settled off by %.1f ms (measured %.1f)\n",
               (int)number(truth, "launch"), json_string_value(json_object_get(truth, "app")),
               settled.value[before], number(metric(result, "settled_ms"), "value"));
    /* The paper's rule has no answer for a screen that never rests; that is counted apart. */
    if (isnan(number(metric(result, "literal_settled_ms"), "value")))
        literal_silent++;
    else
        compare_metric(&literal, result, "literal_settled_ms", truth, "settled_ns");
}

static int judge_session(const char *session, const char *truth_path)
{
    FILE *file = fopen(truth_path, "r");
    if (!file) {
        perror(truth_path);
        return -1;
    }
    char line[4096], path[4096];
    printf("%s\n", session);
    while (fgets(line, sizeof line, file)) {
        json_t *truth = json_loads(line, 0, NULL);
        snprintf(path, sizeof path, "%s/launches/%04d/result.json", session,
                 (int)number(truth, "launch"));
        json_t *result = json_load_file(path, 0, NULL);
        if (!truth || !result) {
            fprintf(stderr, "%s: cannot be read\n", path);
            fclose(file);
            return -1;
        }
        if (json_array_size(json_object_get(truth, "injected_faults")))
            judge_broken(result, truth);
        else
            judge_healthy(result, truth);
        json_decref(truth);
        json_decref(result);
    }
    fclose(file);
    return 0;
}

static void print_errors(struct errors *errors)
{
    printf("%-22s n %4zu  mean |error| %7.3f  median %7.3f  P95 %7.3f  P99 %7.3f  max %8.3f ms"
           "  bias %+7.3f  in 95%% interval %5.1f%%\n",
           errors->name, errors->count, mean(errors), quantile(errors, 0.5), quantile(errors, 0.95),
           quantile(errors, 0.99), quantile(errors, 1), errors->sum_signed / (double)errors->count,
           100.0 * (double)errors->covered / (double)errors->count);
}

/* By chance a few launches more may lie outside. */
static bool is_covered(const struct errors *errors, double share)
{
    return (double)errors->covered >= share * (double)errors->count - 2;
}

static bool check(bool holds, const char *what)
{
    printf("%s  %s\n", holds ? "holds " : "BROKEN", what);
    return holds;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc % 2 == 0) {
        fprintf(stderr, "usage: %s SESSION TRUTH [SESSION TRUTH ...]\n", argv[0]);
        return 2;
    }
    for (int i = 1; i + 1 < argc; i += 2) {
        if (judge_session(argv[i], argv[i + 1]))
            return 2;
    }
    if (start.count) {
        print_errors(&start);
    } else {
        print_errors(&contact);
        print_errors(&lift);
    }
    print_errors(&first);
    print_errors(&last);
    print_errors(&settled);
    print_errors(&literal);
    printf("%zu launches without an injected fault, %zu of them not usable; %zu faults, %zu "
           "recognised; %zu endless screens said to rest; the literal rule gave no end %zu times\n",
           healthy, wronged, broken, recognised, false_null_last, literal_silent);
    bool good = check(healthy > 0 && settled.count > healthy * 9 / 10, "there is enough to judge");
    if (start.count) {
        good &= check(contact.count + lift.count == 0, "nobody tapped");
        good &= check(quantile(&start, 0.99) <= 5.5, /* half a step of the coarsest log clock */
                      "Android's start within 5.5 ms for 99 %");
        good &=
            check(is_covered(&start, 0.95) && is_covered(&first, 0.9) && is_covered(&settled, 0.9),
                  "within their 95 % intervals: start in 95 %, first change and settled in 90 %");
    } else {
        good &= check(quantile(&contact, 0.99) <= 0.5, "contact within 0.5 ms for 99 %");
        good &= check(quantile(&lift, 0.99) <= 1.5, "lift within 1.5 ms for 99 %");
    }
    good &= check(mean(&settled) <= 8, "settled: mean absolute error <= 8 ms");
    good &= check(quantile(&settled, 1) <= 50, "settled: none over 50 ms");
    good &= check((double)wronged <= 0.03 * (double)healthy, "<= 3 % healthy launches flagged");
    good &= check((double)recognised >= 0.95 * (double)broken, ">= 95 % of faults recognised");
    good &= check(mean(&literal) >= 40, "the literal rule errs by 40 ms or more");
    return good ? 0 : 1;
}
