/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/parts.h"

#include "wire/wire.h"

#include <stdlib.h>

#define LONG_PRESS_MS     400.0 /* Android's own limit is 400-500 ms, by version and setting */
#define DOUBLE_CONTACT_MS 3.0   /* a gap this long can fire the click */

static double ticks_to_ms(const struct ts_timeline *timeline, double ticks)
{
    return ticks * timeline->mcu.rate * (double)TS_MCU_TICK_NS / (double)TS_NS_PER_MS;
}

static struct ts_instant instant(const struct ts_timeline *timeline, double ms, double u_ms)
{
    const double clock_u_ns = timeline->mcu.u_ns;
    const double u_ns = u_ms * (double)TS_NS_PER_MS;
    return (struct ts_instant){
        .host_ns = ts_ns_after(timeline->zero_ns, llround(ms * (double)TS_NS_PER_MS)),
        .u_ns = sqrt(u_ns * u_ns + clock_u_ns * clock_u_ns),
    };
}

static double on_timeline(const struct ts_timeline *timeline, double ticks)
{
    return ts_timeline_host_ns(timeline, ticks) / (double)TS_NS_PER_MS;
}

static void judge_tap(const struct ts_tap *tap, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, struct ts_stylus_times *times,
                      struct ts_result *result)
{
    if (tap->contact_seen) {
        times->contact_ms =
            on_timeline(timeline, tap->contact_ticks) + calibration->contact_offset_ms;
        result->contact =
            instant(timeline, times->contact_ms,
                    hypot(calibration->contact_u_ms, calibration->contact_common_u_ms));
    } else {
        ts_result_flag(result, TS_FLAG_NO_CONTACT);
    }
    if (tap->contacts > 1 && tap->longest_gap_ms >= DOUBLE_CONTACT_MS)
        ts_result_flag(result, TS_FLAG_DOUBLE_CONTACT);
    if (!tap->pickup_seen) {
        ts_result_flag(result, TS_FLAG_RIG_FAULT);
        return;
    }
    const double pickup_ms = on_timeline(timeline, tap->pickup_ticks);
    const double pickup_u_ms = ticks_to_ms(timeline, tap->pickup_u_ticks);
    result->pickup = instant(timeline, pickup_ms, pickup_u_ms);
    /* lift = pick-up + the delay against the contact plate (facts of the stylus page). The spread
     * of the delay was found with the same detector, so pick-up's own noise is inside it. */
    times->pickup_ms = pickup_ms;
    times->lift_ms = pickup_ms + calibration->lift_delay_ms;
    times->lift_common_u_ms = calibration->lift_common_u_ms;
    times->lift_u_ms = hypot(calibration->lift_delay_u_ms, calibration->lift_common_u_ms);
    result->lift = instant(timeline, times->lift_ms, times->lift_u_ms);
    if (tap->contact_seen && times->lift_ms - times->contact_ms > LONG_PRESS_MS)
        ts_result_flag(result, TS_FLAG_LONG_PRESS);
}

int ts_measure_stylus(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, struct ts_stylus_times *times,
                      struct ts_result *result)
{
    struct ts_tap_sample *samples = NULL;
    size_t count;
    int64_t motor_on;
    struct ts_tap tap;
    *times = (struct ts_stylus_times){NAN, NAN, NAN, NAN, NAN, NAN};
    if (!timeline->mcu_known) {
        ts_result_flag(result, TS_FLAG_CLOCK_UNSURE);
        return TS_OK;
    }
    int err = ts_timeline_tap(timeline, evidence, 0, &samples, &count, &motor_on);
    if (err == TS_OK) {
        times->motor_ms = on_timeline(timeline, (double)motor_on);
        err = ts_tap_analyse(samples, count, motor_on, &tap, NULL);
    }
    if (err == TS_OK)
        judge_tap(&tap, timeline, calibration, times, result);
    else if (err != TS_ENOMEM)
        ts_result_flag(result, TS_FLAG_RIG_FAULT);
    free(samples);
    return err == TS_ENOMEM ? err : TS_OK;
}
