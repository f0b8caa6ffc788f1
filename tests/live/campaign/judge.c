/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a session of the live bench with the reference values of the world behind it. In real
 * time another program may take the processor away, so that what is asked for is honesty: whatever
 * is said to be usable lies within its stated interval.
 *
 *   live_judge SESSION TRUTH LAUNCHES [SPOILT]      exit 0: all limits hold
 *
 * SPOILT: so many launches are flagged, by what was broken in them. Such campaigns are short, so
 * that a third of the few errors may lie outside by chance. */
#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is compared. Instants count from world time, spans from the lift. */
static const struct quantity {
    const char *name, *truth;
    bool span;
} quantities[] = {
    {"contact", "contact_ns", false},
    {"lift", "lift_ns", false},
    {"first_visual_change_ms", "first_visual_change_ns", true},
    {"last_visual_change_ms", "last_any_change_ns", true},
    {"settled_ms", "settled_ns", true},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities, SETTLED = QUANTITIES - 1 };

static struct {
    size_t count, inside;
    double sum_ms, worst_ms;
} errors[QUANTITIES];

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Of one quantity, in ms: the error and half of the stated interval. False: there is none to have,
 * as of a screen that never comes to rest. Instants are compared as integers: a double holds no
 * nanoseconds of a long uptime. */
static bool compare(const struct quantity *quantity, const json_t *result, const json_t *truth,
                    double *error_ms, double *half_ms)
{
    const json_t *reference = json_object_get(truth, quantity->truth);
    if (!json_is_integer(reference))
        return false;
    if (quantity->span) {
        const json_t *metric = json_object_get(json_object_get(result, "metrics"), quantity->name);
        const json_int_t span =
            json_integer_value(reference) - json_integer_value(json_object_get(truth, "lift_ns"));
        *error_ms = number(metric, "value") - (double)span / 1e6;
        *half_ms = number(metric, "half_95");
        return true;
    }
    const json_t *instant = json_object_get(result, quantity->name);
    const json_t *measured = json_object_get(instant, "host_ns");
    const json_int_t apart = json_integer_value(measured) - json_integer_value(reference);
    *error_ms = json_is_integer(measured) ? (double)apart / 1e6 : NAN;
    *half_ms = number(instant, "half_95_ns") / 1e6;
    return true;
}

static void judge_launch(const json_t *result, const json_t *truth)
{
    for (size_t i = 0; i < QUANTITIES; i++) {
        double error_ms, half_ms;
        if (!compare(&quantities[i], result, truth, &error_ms, &half_ms))
            continue;
        const bool inside = fabs(error_ms) <= half_ms; /* no value is not inside */
        errors[i].count++;
        errors[i].inside += inside;
        errors[i].sum_ms += isnan(error_ms) ? INFINITY : fabs(error_ms);
        errors[i].worst_ms = fmax(errors[i].worst_ms, fabs(error_ms));
        if (!inside)
            printf("  launch %d: %s is off by %.3f ms, stated +-%.3f\n",
                   (int)number(truth, "launch"), quantities[i].name, error_ms, half_ms);
    }
}

/* Returns how many launches are usable, or -1. */
static int judge_session(const char *session, FILE *file, int *launches)
{
    char line[4096], path[4096];
    int usable = 0;
    while (fgets(line, sizeof line, file)) {
        json_t *truth = json_loads(line, 0, NULL);
        snprintf(path, sizeof path, "%s/launches/%04d/result.json", session,
                 (int)number(truth, "launch"));
        json_t *result = json_load_file(path, 0, NULL);
        if (!truth || !result) {
            fprintf(stderr, "%s: cannot be read\n", path);
            return -1;
        }
        ++*launches;
        if (json_is_true(json_object_get(result, "usable"))) {
            usable++;
            judge_launch(result, truth);
        } else {
            char *flags = json_dumps(json_object_get(result, "flags"), 0);
            printf("  launch %d is not usable: %s\n", (int)number(truth, "launch"), flags);
            free(flags);
        }
        json_decref(truth);
        json_decref(result);
    }
    return usable;
}

static bool check(bool holds, const char *what)
{
    printf("%s  %s\n", holds ? "holds " : "BROKEN", what);
    return holds;
}

int main(int argc, char **argv)
{
    int launches = 0;
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: %s SESSION TRUTH LAUNCHES [SPOILT]\n", argv[0]);
        return 2;
    }
    FILE *file = fopen(argv[2], "r");
    if (!file) {
        perror(argv[2]);
        return 2;
    }
    const int usable = judge_session(argv[1], file, &launches);
    fclose(file);
    if (usable < 0)
        return 2;
    size_t count = 0, inside = 0;
    for (size_t i = 0; i < QUANTITIES; i++) {
        printf("%-22s n %3zu  mean |error| %7.3f  max %8.3f ms  in the stated interval %3zu\n",
               quantities[i].name, errors[i].count, errors[i].sum_ms / (double)errors[i].count,
               errors[i].worst_ms, errors[i].inside);
        count += errors[i].count;
        inside += errors[i].inside;
    }
    printf("%d launches, %d usable\n", launches, usable);
    bool good = check(launches == atoi(argv[3]), "every launch has its result");
    const int spoilt = argc == 5 ? atoi(argv[4]) : 0;
    good &= check(10 * (launches - spoilt - usable) <= launches,
                  "<= 10 % of the launches are flagged, but for those that were spoilt");
    const size_t least = argc == 5 ? 66 : 90;
    good &= check(count && 100 * inside >= least * count,
                  argc == 5 ? ">= 66 % of the errors are in their interval"
                            : ">= 90 % of the errors are in their interval");
    good &= check(errors[SETTLED].sum_ms <= 8 * (double)errors[SETTLED].count,
                  "settled: mean absolute error <= 8 ms");
    return good ? 0 : 1;
}
