/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/thermal.h"

#include "android/device.h"
#include "android/scan.h"

#include <math.h>
#include <string.h>

/* "Temperature{mValue=31.4, mType=3, mName=skin, mStatus=0}"; what the HAL says now comes after
 * what is cached, so the last one counts. */
double ts_thermal_read_skin_c(const char *text)
{
    static const char words[] = "Temperature{mValue=";
    double skin_c = (double)NAN;
    for (const char *at = strstr(text, words); at; at = strstr(at, words)) {
        at += sizeof words - 1;
        const size_t size = strcspn(at, "}\n");
        const char *type = strstr(at, "mType=3,");
        const double value = ts_device_read_number(at);
        /* Sensors that are not there say 0 or absurd values. */
        if (type && type < at + size && value > 1 && value < 120)
            skin_c = value;
    }
    return skin_c;
}

bool ts_thermal_is_charging(const char *text)
{
    const char *status = strstr(text, "  status: ");
    if (!status)
        return false;
    status += strlen("  status: ");
    return (*status == '2' || *status == '5') && !(status[1] >= '0' && status[1] <= '9');
}

/* The greatest number of the lines; -1: there is none. */
static int64_t fastest(struct ts_scan text)
{
    int64_t most = -1;
    while (text.at < text.end) {
        const struct ts_scan line = ts_scan_word(&text, "\r\n");
        int64_t value;
        if (ts_scan_is_number(line, &value) && value > most)
            most = value;
        text.at += text.at < text.end;
    }
    return most;
}

int ts_thermal_at_full_clock(const char *text)
{
    struct ts_scan rest = ts_scan_of(text, strlen(text)), now;
    if (!ts_scan_until(&rest, "max", &now))
        return -1;
    const int64_t runs = fastest(now), can = fastest(rest);
    if (runs <= 0 || can <= 0 || can > INT64_MAX / 100 || runs > INT64_MAX / 100)
        return -1;
    return runs * 100 >= can * 98;
}

static double fastest_mhz(struct ts_scan text)
{
    const int64_t khz = fastest(text);
    return khz > 0 ? (double)khz / 1000 : (double)NAN;
}

void ts_thermal_read_clocks(const char *text, double *now_mhz, double *most_mhz)
{
    struct ts_scan rest = ts_scan_of(text, strlen(text)), now;
    *now_mhz = *most_mhz = NAN;
    if (!ts_scan_past_last(&rest, "clocks") || !ts_scan_until(&rest, "most", &now))
        return;
    *now_mhz = fastest_mhz(now);
    *most_mhz = fastest_mhz(rest);
}
