/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate_noise.h"

#include "measure/health.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define NS_PER_US    1e3
#define CORES_LISTED 16 /* a record has room for so many values */

/* x86 has "model name" in /proc/cpuinfo; Arm boards name themselves in the device tree. */
static bool read_name(const char *path, const char *key, char *name, size_t size)
{
    char line[256];
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *value = line;
        if (*key) {
            value = strchr(line, ':');
            if (strncmp(line, key, strlen(key)) != 0 || !value)
                continue;
            value++;
        }
        value += strspn(value, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
        found = *name != '\0';
    }
    if (file)
        fclose(file);
    return found;
}

void ts_noise_name_host(char *name, size_t size)
{
    struct utsname system;
    *name = '\0';
    if (!read_name("/proc/cpuinfo", "model name", name, size) &&
        !read_name("/proc/device-tree/model", "", name, size) && uname(&system) == 0)
        snprintf(name, size, "%s", system.machine);
    for (char *c = name; *c; c++) {
        if (iscntrl((unsigned char)*c) || (unsigned char)*c >= 0x80)
            *c = ' ';
    }
}

/* deltas_ns: [runs][TS_PROBE_DELTAS]. What is rare on a core shows in all its runs together: an
 * interrupt of a few microseconds comes once in twenty runs. */
static int probe_core(int core, enum ts_probe_memory memory, int runs, double *deltas_ns,
                      struct ts_noise *noise, struct ts_why *why)
{
    for (int run = 0; run < runs; run++) {
        const int err = ts_probe_run(core, memory, deltas_ns + run * TS_PROBE_DELTAS, why);
        if (err)
            return err;
    }
    return ts_noise_of(deltas_ns, (size_t)runs * TS_PROBE_DELTAS, noise, why);
}

static void take(const struct ts_noise *noise, enum ts_probe_memory memory, int at,
                 struct ts_host_noise *out)
{
    const double p999_us = noise->p999_ns / NS_PER_US;
    out->core_p999_us[at] = fmax(out->core_p999_us[at], p999_us);
    out->core_lost[at] = fmax(out->core_lost[at], noise->lost);
    out->memory_p999_us[memory] = fmax(out->memory_p999_us[memory], p999_us);
    out->median_us = fmax(out->median_us, noise->median_ns / NS_PER_US);
    out->most_us = fmax(out->most_us, noise->largest_ns / NS_PER_US);
    out->cut_us = fmax(out->cut_us, noise->cut_ns / NS_PER_US);
    out->lost = fmax(out->lost, noise->lost);
    out->deltas += (int)noise->count;
}

/* How much the figure of one run differs from the next. */
static int spread_of(int core, int runs, double *deltas_ns, double *u_us, struct ts_why *why)
{
    double sum = 0, squares = 0;
    *u_us = NAN;
    for (int run = 0; run < runs; run++) {
        struct ts_noise noise;
        int err = ts_probe_run(core, TS_PROBE_PLAIN, deltas_ns, why);
        if (!err)
            err = ts_noise_of(deltas_ns, TS_PROBE_DELTAS, &noise, why);
        if (err)
            return err;
        sum += noise.p999_ns / NS_PER_US;
        squares += noise.p999_ns * noise.p999_ns / (NS_PER_US * NS_PER_US);
    }
    if (runs > 1)
        *u_us = sqrt(fmax(0, squares - sum * sum / runs) / (runs - 1) / runs);
    return TS_OK;
}

int ts_noise_probe(int runs, struct ts_host_noise *out, struct ts_why *why)
{
    double *deltas_ns = malloc((size_t)runs * TS_PROBE_DELTAS * sizeof *deltas_ns);
    *out = (struct ts_host_noise){0};
    if (!deltas_ns)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    int err = TS_OK, worst = 0;
    out->cores = ts_probe_cores(out->core, why);
    if (out->cores < 0)
        err = out->cores;
    for (int i = 0; i < out->cores && !err; i++) {
        for (int memory = 0; memory < TS_PROBE_MEMORY_COUNT && !err; memory++) {
            struct ts_noise noise;
            err = probe_core(out->core[i], (enum ts_probe_memory)memory, runs, deltas_ns, &noise,
                             why);
            if (!err)
                take(&noise, (enum ts_probe_memory)memory, i, out);
        }
        if (out->core_p999_us[i] > out->core_p999_us[worst])
            worst = i;
    }
    if (!err) {
        out->worst_core = out->core[worst];
        out->p999_us = out->core_p999_us[worst];
        err = spread_of(out->worst_core, runs, deltas_ns, &out->p999_u_us, why);
    }
    free(deltas_ns);
    return err;
}

static void add_host(const struct ts_host_noise *noise, int runs, struct ts_record *record)
{
    const double dof = runs - 1;
    ts_record_add(record, "p999_us", noise->p999_us, noise->p999_u_us, dof);
    ts_record_add(record, "lost_share", noise->lost, NAN, NAN);
    ts_record_add(record, "cutoff_us", noise->cut_us, NAN, NAN);
    ts_record_add(record, "largest_us", noise->most_us, NAN, NAN);
    ts_record_add(record, "median_us", noise->median_us, NAN, NAN);
    ts_record_add(record, "cores", noise->cores, NAN, NAN);
    ts_record_add(record, "worst_core", noise->worst_core, NAN, NAN);
    for (int memory = 0; memory < TS_PROBE_MEMORY_COUNT; memory++) {
        char name[32];
        snprintf(name, sizeof name, "memory_%.15s_p999_us", ts_probe_memory_names[memory]);
        for (char *c = name; *c; c++)
            *c = *c == '-' || *c == ' ' ? '_' : *c;
        ts_record_add(record, name, noise->memory_p999_us[memory], NAN, NAN);
    }
    for (int i = 0; i < noise->cores && i < CORES_LISTED; i++) {
        char name[32];
        snprintf(name, sizeof name, "core_%d_p999_us", noise->core[i]);
        ts_record_add(record, name, noise->core_p999_us[i], NAN, NAN);
    }
}

static int add_mcu(const struct ts_evidence *evidence, struct ts_record *record, struct ts_why *why)
{
    double *deltas_ns;
    size_t count;
    struct ts_noise noise;
    int err = ts_health_mcu_noise(evidence, &deltas_ns, &count, why);
    if (err)
        return err;
    err = ts_noise_of(deltas_ns, count, &noise, why);
    free(deltas_ns);
    if (err)
        return err;
    ts_record_add(record, "mcu_p999_us", noise.p999_ns / NS_PER_US, NAN, NAN);
    ts_record_add(record, "mcu_largest_us", noise.largest_ns / NS_PER_US, NAN, NAN);
    ts_record_add(record, "mcu_median_us", noise.median_ns / NS_PER_US, NAN, NAN);
    ts_record_add(record, "mcu_lost_share", noise.lost, NAN, NAN);
    return TS_OK;
}

int ts_noise_record(const struct ts_evidence *evidence, int runs, struct ts_record *record,
                    struct ts_why *why)
{
    struct ts_host_noise noise;
    *record = (struct ts_record){.kind = TS_RECORD_NOISE};
    int err = ts_noise_probe(runs, &noise, why);
    if (err)
        return err;
    record->n = noise.deltas;
    ts_noise_name_host(record->identity.host, sizeof record->identity.host);
    snprintf(record->method, sizeof record->method,
             "fixed work quantum: readings of a clock in unrolled code, worst core and memory");
    if (evidence)
        err = add_mcu(evidence, record, why);
    add_host(&noise, runs, record);
    return err;
}
