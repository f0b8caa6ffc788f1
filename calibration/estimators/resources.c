/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/resources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PERIOD_MOST_MS 50.0 /* 20 readings a second */

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

int ts_cpu_ticks_parse(const char *text, struct ts_cpu_ticks *out)
{
    unsigned long long t[8] = {0};
    if (strncmp(text, "cpu ", 4) != 0 || text[strspn(text, "cpu 0123456789\r\n")])
        return TS_EPROTO;
    const int found = sscanf(text + 4, "%llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1],
                             &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]);
    if (found < 4)
        return TS_EPROTO;
    *out = (struct ts_cpu_ticks){0};
    for (int i = 0; i < found; i++) {
        out->total += t[i];
        out->busy += i == 3 || i == 4 ? 0 : t[i]; /* idle, and idle for a disk */
    }
    return TS_OK;
}

double ts_cpu_load(struct ts_cpu_ticks before, struct ts_cpu_ticks now, double khz, double most_khz)
{
    const double total = (double)(now.total - before.total);
    return now.total > before.total ? (double)(now.busy - before.busy) / total * khz / most_khz
                                    : NAN;
}
