/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/stylus.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

/* What one tap on a plate can look like. A delay up to 20 ms is a soft collar's. */
#define CONTACT_APART_MS 3.0
#define DELAY_MOST_MS    20.0
#define DELAY_LEAST_MS   (-0.5)
#define REST_LEAST_MS    30.0
#define REST_MOST_MS     1000.0
#define SPREAD_LEAST_MS  0.02 /* no rig is better than its 0.25 ms samples allow */
#define MAD_EFFICIENCY   0.37
#define MEDIAN_FACTOR    1.2533 /* sqrt(pi / 2) */

/* Median, and 1.4826 MAD about it; values are sorted. */
static double middle(double *values, size_t count, double *spread)
{
    ts_sort(values, count);
    *spread = fmax(1.4826 * ts_mad(values, count), SPREAD_LEAST_MS);
    return ts_median(values, count);
}

double ts_plate_dof(int taps)
{
    return MAD_EFFICIENCY * (taps > 2 ? taps - 1 : 1);
}

static bool sane(const struct ts_plate_taps *taps, size_t i)
{
    const double rest = taps->pickup_ms[i] - taps->contact_ms[i];
    const double delay = taps->opened_ms[i] - taps->pickup_ms[i];
    return fabs(taps->closed_ms[i] - taps->contact_ms[i]) <= CONTACT_APART_MS &&
           rest >= REST_LEAST_MS && rest <= REST_MOST_MS && delay >= DELAY_LEAST_MS &&
           delay <= DELAY_MOST_MS;
}

int ts_stylus_calibrate(const struct ts_plate_taps *taps, struct ts_calibration *calibration,
                        struct ts_plate_report *report, struct ts_why *why)
{
    *report = (struct ts_plate_report){0};
    double *delays = malloc((2 * taps->count + 1) * sizeof *delays);
    if (!delays)
        return TS_ENOMEM;
    double *offsets = delays + taps->count;
    for (size_t i = 0; i < taps->count; i++) {
        if (!isfinite(taps->contact_ms[i]) || !isfinite(taps->pickup_ms[i]) ||
            !isfinite(taps->closed_ms[i]) || !isfinite(taps->opened_ms[i])) {
            report->not_seen++;
            continue;
        }
        if (!sane(taps, i)) {
            report->not_sane++;
            continue;
        }
        delays[report->used] = taps->opened_ms[i] - taps->pickup_ms[i] + taps->opens_early_ms;
        offsets[report->used++] = taps->closed_ms[i] - taps->closes_late_ms - taps->contact_ms[i];
    }
    const size_t n = report->used;
    int err = TS_OK;
    if (n < TS_PLATE_TAPS_MIN) {
        err = taps->count
                  ? ts_fail(why, TS_EPROTO,
                            "only %zu of %zu taps on the contact plate are good (%zu not seen, "
                            "%zu not sane), %d are needed",
                            n, taps->count, report->not_seen, report->not_sane, TS_PLATE_TAPS_MIN)
                  : ts_fail(why, TS_EPROTO, "no taps on the contact plate");
        goto end;
    }
    const double of_median = MEDIAN_FACTOR / sqrt((double)n);
    double spread;
    calibration->plate_taps = (int)n;
    calibration->lift_delay_ms = middle(delays, n, &spread);
    calibration->lift_delay_u_ms = spread;
    calibration->lift_common_u_ms = hypot(of_median * spread, taps->opens_u_ms);
    calibration->contact_offset_ms = middle(offsets, n, &spread);
    calibration->contact_u_ms = spread;
    calibration->contact_common_u_ms = hypot(of_median * spread, taps->closes_u_ms);
end:
    free(delays);
    return err;
}
