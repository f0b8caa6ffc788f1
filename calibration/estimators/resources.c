/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_MOST_MS  50.0 /* 20 readings a second */
#define PROCESSORS_MOST 64

double ts_ram_stable_ms(const struct ts_resource_sample *samples, size_t count, double tolerance)
{
    size_t first = count;
    while (first && fabs(samples[first - 1].available_kb - samples[count - 1].available_kb) <=
                        tolerance * samples[count - 1].available_kb)
        first--;
    return first + 1 < count ? samples[first].at_ms : NAN;
}

double ts_cpu_idle_ms(const struct ts_resource_sample *samples, size_t count, double threshold)
{
    double peak = -1;
    size_t top = 0, first = count;
    if (count < 2 ||
        samples[count - 1].at_ms - samples[0].at_ms > PERIOD_MOST_MS * (double)(count - 1))
        return NAN;
    for (size_t i = 0; i < count; i++) {
        if (samples[i].load > peak) {
            peak = samples[i].load;
            top = i;
        }
    }
    while (first > top + 1 && samples[first - 1].load < threshold)
        first--;
    return peak >= threshold && first < count ? samples[first].at_ms : NAN;
}

/* "cpu  1 2 3 4 ...": user nice system idle iowait irq softirq steal. */
static void read_ticks(const char *line, size_t size, struct ts_resource_reading *out)
{
    char *end;
    double total = 0, idle = 0;
    int found = 0;
    for (const char *at = line + 4; found < 8; found++, at = end) {
        const double ticks = (double)strtoull(at, &end, 10);
        if (end == at || end > line + size)
            break;
        total += ticks;
        idle += found == 3 || found == 4 ? ticks : 0; /* idle, and idle for a disk */
    }
    if (found < 4)
        return;
    out->total = total;
    out->busy = total - idle;
}

/* The first half of the numbers that stand alone are frequencies, the others the highest ones. */
static void take_frequencies(const double *values, size_t count, struct ts_resource_reading *out)
{
    if (!count || count % 2)
        return;
    out->frequency = out->frequency_most = 0;
    for (size_t i = 0; i < count / 2; i++) {
        out->frequency += values[i];
        out->frequency_most += values[count / 2 + i];
    }
}

int ts_resource_read(const char *text, struct ts_resource_reading *out)
{
    double frequencies[2 * PROCESSORS_MOST];
    size_t count = 0;
    *out = (struct ts_resource_reading){NAN, NAN, NAN, NAN, NAN};
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const size_t size = strcspn(line, "\r\n");
        if (strncmp(line, "cpu ", 4) == 0)
            read_ticks(line, size, out);
        else if (strncmp(line, "MemAvailable:", 13) == 0)
            out->available_kb = (double)strtoull(line + 13, NULL, 10);
        else if (size && strspn(line, "0123456789") == size && count < 2 * PROCESSORS_MOST)
            frequencies[count++] = (double)strtoull(line, NULL, 10);
    }
    take_frequencies(frequencies, count, out);
    return isnan(out->total) && isnan(out->available_kb) ? TS_EPROTO : TS_OK;
}

double ts_resource_load(const struct ts_resource_reading *before,
                        const struct ts_resource_reading *now)
{
    const double total = now->total - before->total;
    const double share = now->frequency / now->frequency_most;
    return total > 0 ? (now->busy - before->busy) / total * (isfinite(share) ? share : 1)
                     : (double)NAN;
}
