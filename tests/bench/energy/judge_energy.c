/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the costs that sessions state against the reference values, over all launches: energy and
 * charge within what their uncertainty says, counts of the phone exactly.
 *
 *   judge_energy SESSION TRUTH [SESSION TRUTH ...]     exit 0: all limits hold */
#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES 20000
#define TICK_MS  10.0 /* steps of Android's processor time */

struct errors {
    const char *name, *reference;
    double z[LAUNCHES], relative[LAUNCHES];
    size_t count, covered;
};

static struct errors all[] = {{.name = "energy_mj", .reference = "energy_mj"},
                              {.name = "energy_first_change_mj", .reference = "energy_first_mj"},
                              {.name = "charge_mc", .reference = "charge_mc"}};
#define ALL (sizeof all / sizeof *all)
static size_t launches, silent, miscounted;

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void compare_energy(struct errors *errors, const json_t *costs, const json_t *truth)
{
    const json_t *stated = json_object_get(costs, errors->name);
    const double value = number(stated, "value"), u = number(stated, "u");
    const double reference = number(truth, errors->reference);
    if (isnan(reference) || errors->count == LAUNCHES)
        return;
    if (isnan(value) || !(u > 0)) {
        silent++;
        return;
    }
    errors->relative[errors->count] = fabs(value - reference) / reference;
    errors->z[errors->count] = (value - reference) / u;
    errors->covered += fabs(errors->z[errors->count++]) <= 1.96;
}

static void compare(const json_t *result, const json_t *truth)
{
    const json_t *costs = json_object_get(result, "costs");
    if (!json_is_true(json_object_get(result, "usable")))
        return;
    launches++;
    for (size_t i = 0; i < ALL; i++)
        compare_energy(&all[i], costs, truth);
    const double cpu_ms = number(costs, "cpu_ms") - number(truth, "cpu_ms");
    if (number(costs, "memory_kb") != number(truth, "memory_kb") ||
        number(costs, "network_bytes") != number(truth, "network_bytes") ||
        !(fabs(cpu_ms) <= TICK_MS)) {
        printf("launch %.0f: memory, network or processor time is wrong\n",
               number(result, "launch"));
        miscounted++;
    }
}

static bool judge(const char *session, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool any = false;
    while (file && getline(&line, &capacity, file) > 0) {
        char name[4096];
        json_t *truth = json_loads(line, 0, NULL);
        snprintf(name, sizeof name, "%s/launches/%04d/result.json", session,
                 (int)number(truth, "launch"));
        json_t *result = json_load_file(name, 0, NULL);
        if (result && truth) {
            compare(result, truth);
            any = true;
        }
        json_decref(result);
        json_decref(truth);
    }
    free(line);
    if (file)
        fclose(file);
    return any;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool holds(struct errors *errors)
{
    double squares = 0;
    for (size_t i = 0; i < errors->count; i++)
        squares += errors->z[i] * errors->z[i];
    const double rms = sqrt(squares / (double)errors->count);
    const double share = (double)errors->covered / (double)errors->count;
    qsort(errors->relative, errors->count, sizeof *errors->relative, by_value);
    const double p95 = errors->relative[(errors->count * 95 + 99) / 100 - 1];
    printf("%-24s %5zu launches, 95 %% of errors below %.2f %%, within 1.96 u %.1f %%, rms of "
           "error / u %.2f\n",
           errors->name, errors->count, 100 * p95, 100 * share, rms);
    /* Most of u is the shunt's, one draw a rig: few rigs say little about its size from below. */
    return errors->count && share >= 0.9 && rms < 1.3 && rms > 0.15;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = 1; i + 1 < argc; i += 2)
        good &= judge(argv[i], argv[i + 1]);
    for (size_t i = 0; i < ALL; i++)
        good &= all[i].count && holds(&all[i]);
    printf("%zu launches, %zu energies missing, %zu miscounted\n", launches, silent, miscounted);
    return good && launches && !silent && !miscounted ? 0 : 1;
}
