/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares sessions with the reference values of the worlds behind them, over all of them at once.
 *
 *   live_judge [SESSION TRUTH LAUNCHES SPOILT]...      exit 0: all limits hold
 *
 * Broken is launch SPOILT (0: none), and each of which the reference says that something befell it.
 * A broken launch is flagged for it, or what befell it came to nothing: all its numbers are right.
 */
#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES_MOST 100
#define MANY          50
#define CHANCE        0.005
#define HALVES_MOST   3

/* What is compared. Instants count from world time, spans from the lift. */
static const struct quantity {
    const char *name, *truth;
    bool span;
} quantities[] = {
    {"contact", "contact_ns", false},
    {"lift", "lift_ns", false},
    {"start", "start_ns", false}, /* of a launch that nobody taps */
    {"first_visual_change_ms", "first_visual_change_ns", true},
    {"last_visual_change_ms", "last_any_change_ns", true},
    {"settled_ms", "settled_ns", true},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities, SETTLED = QUANTITIES - 1 };

static struct {
    size_t count, inside;
    double sum_ms, worst_ms, worst_halves;
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
        const json_t *zero = json_object_get(truth, "lift_ns");
        if (!json_is_integer(zero)) /* nobody tapped */
            zero = json_object_get(truth, "start_ns");
        const json_int_t span = json_integer_value(reference) - json_integer_value(zero);
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

static struct {
    int launches, healthy, flagged; /* flagged: of the healthy ones */
    int broken, unnoticed;
} counts;

/* Whether nothing that is said of a launch is further off than chance takes it, which leaves one
 * interval in twenty but hardly ever is twice as far off. */
static bool judge_numbers(const json_t *result, const json_t *truth)
{
    bool right = true;
    for (size_t i = 0; i < QUANTITIES; i++) {
        double error_ms, half_ms;
        if (!compare(&quantities[i], result, truth, &error_ms, &half_ms))
            continue;
        const bool inside = fabs(error_ms) <= half_ms; /* no value is not inside */
        errors[i].count++;
        errors[i].inside += inside;
        errors[i].sum_ms += isnan(error_ms) ? INFINITY : fabs(error_ms);
        errors[i].worst_ms = fmax(errors[i].worst_ms, fabs(error_ms));
        errors[i].worst_halves = fmax(errors[i].worst_halves, fabs(error_ms) / half_ms);
        right &= fabs(error_ms) <= 2 * half_ms;
        if (!inside)
            printf("  launch %d: %s is off by %.3f ms, stated +-%.3f\n",
                   (int)number(truth, "launch"), quantities[i].name, error_ms, half_ms);
    }
    return right;
}

static bool holds(const json_t *list, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        if (!strcmp(json_string_value(one), name))
            return true;
    }
    return false;
}

/* Every flag that an honest instrument raises for what befell the launch; of a board that was late,
 * any. */
static bool is_noticed(const json_t *flags, const json_t *truth)
{
    const json_t *expected = json_object_get(truth, "expected_flags"), *one;
    const bool late = holds(json_object_get(truth, "injected_faults"), "world_late");
    size_t i;
    if (!json_array_size(flags))
        return false;
    json_array_foreach(expected, i, one)
    {
        if (!late && !holds(flags, json_string_value(one)))
            return false;
    }
    return true;
}

static void judge_launch(const json_t *result, const json_t *truth, bool spoilt)
{
    const json_t *flags = json_object_get(result, "flags");
    const bool usable = json_is_true(json_object_get(result, "usable"));
    const bool right = usable && judge_numbers(result, truth);
    counts.launches++;
    if (spoilt || json_array_size(json_object_get(truth, "expected_flags"))) {
        const bool unnoticed = !is_noticed(flags, truth) && !right;
        counts.broken++;
        counts.unnoticed += unnoticed;
        if (unnoticed)
            printf("  launch %d: nobody noticed what befell it\n", (int)number(truth, "launch"));
        return;
    }
    counts.healthy++;
    counts.flagged += !usable;
    if (!usable) {
        char *text = json_dumps(flags, 0);
        printf("  launch %d is not usable: %s\n", (int)number(truth, "launch"), text);
        free(text);
    }
}

/* The last line counts: a launch that a campaign which was cut off had begun is done again. */
static int judge_session(const char *session, FILE *file, int launches, int spoilt)
{
    json_t *truths[LAUNCHES_MOST + 1] = {NULL};
    char line[4096], path[4096];
    int result = 0;
    while (fgets(line, sizeof line, file)) {
        json_t *truth = json_loads(line, 0, NULL);
        const int launch = truth ? (int)number(truth, "launch") : 0;
        if (launch < 1 || launch > LAUNCHES_MOST) {
            json_decref(truth);
            continue;
        }
        json_decref(truths[launch]);
        truths[launch] = truth;
    }
    for (int i = 1; i <= LAUNCHES_MOST; i++) {
        snprintf(path, sizeof path, "%s/launches/%04d/result.json", session, i);
        json_t *found = i <= launches ? json_load_file(path, 0, NULL) : NULL;
        if (found && truths[i])
            judge_launch(found, truths[i], i == spoilt);
        else if (i <= launches)
            result = fprintf(stderr, "%s: cannot be read\n", path);
        json_decref(found);
        json_decref(truths[i]);
    }
    return result;
}

static bool check(bool holds, const char *what)
{
    printf("%s  %s\n", holds ? "holds " : "BROKEN", what);
    return holds;
}

/* Of MANY numbers one in ten may be outside. Of few, as many as are no less likely than CHANCE
 * where one in ten is (binomial). */
static bool is_covered(size_t count, size_t outside)
{
    double one = pow(0.9, (double)count), fewer = 0;
    if (count >= MANY)
        return 10 * outside <= count;
    for (size_t i = 0; i < QUANTITIES; i++) {
        if (errors[i].worst_halves > HALVES_MOST)
            return false;
    }
    for (size_t k = 0; k < outside; k++) {
        fewer += one;
        one *= (double)(count - k) / (double)(k + 1) / 9;
    }
    return 1 - fewer >= CHANCE;
}

static int read_all(int argc, char **argv)
{
    for (int i = 1; i + 3 < argc; i += 4) {
        FILE *file = fopen(argv[i + 1], "r");
        if (!file) {
            perror(argv[i + 1]);
            return 1;
        }
        printf("%s\n", argv[i]);
        const int bad = judge_session(argv[i], file, atoi(argv[i + 2]), atoi(argv[i + 3]));
        fclose(file);
        if (bad)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    size_t count = 0, inside = 0;
    if (argc < 5 || argc % 4 != 1) {
        fprintf(stderr, "usage: %s [SESSION TRUTH LAUNCHES SPOILT]...\n", argv[0]);
        return 2;
    }
    if (read_all(argc, argv))
        return 2;
    for (size_t i = 0; i < QUANTITIES; i++) {
        if (!errors[i].count)
            continue;
        printf("%-22s n %3zu  mean |error| %7.3f  max %8.3f ms  in the stated interval %3zu\n",
               quantities[i].name, errors[i].count, errors[i].sum_ms / (double)errors[i].count,
               errors[i].worst_ms, errors[i].inside);
        count += errors[i].count;
        inside += errors[i].inside;
    }
    printf("%d launches: %d healthy, %d of them flagged; %d broken, %d of them not noticed\n",
           counts.launches, counts.healthy, counts.flagged, counts.broken, counts.unnoticed);
    bool good = check(10 * counts.flagged <= counts.healthy,
                      "<= 10 % of the launches that nothing befell are flagged");
    good &=
        check(!counts.unnoticed, "every broken launch is flagged for it, or right all the same");
    good &= check(is_covered(count, count - inside),
                  count >= MANY
                      ? ">= 90 % of the errors are in their interval"
                      : "the errors are in their interval but for what chance leaves outside");
    good &=
        check(errors[SETTLED].sum_ms <= (count >= MANY ? 8 : 12) * (double)errors[SETTLED].count,
              count >= MANY ? "settled: mean absolute error <= 8 ms"
                            : "settled: mean absolute error <= 12 ms");
    return good ? 0 : 1;
}
