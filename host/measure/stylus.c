/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/parts.h"

#include "instrument/stylus.h"
#include "measure/budget.h"
#include "wire/wire.h"

#include <stdlib.h>

#define LONG_PRESS_MS     400.0 /* Android's own limit is 400-500 ms, by version and setting */
#define DOUBLE_CONTACT_MS 3.0   /* a gap this long can fire the click */

static double ticks_to_ms(const struct ts_timeline *timeline, double ticks)
{
    return ticks * timeline->mcu.rate * (double)TS_MCU_TICK_NS / (double)TS_NS_PER_MS;
}

void ts_measure_plate_terms(int plate_taps, double spread_ms, double mean_u_ms, double plate_u_ms,
                            struct ts_budget *budget)
{
    const double dof = plate_taps ? ts_plate_dof(plate_taps) : (double)INFINITY;
    const double plate = plate_taps ? plate_u_ms : 0; /* the mean's holds it, once there is one */
    const double mean = mean_u_ms > plate ? sqrt(mean_u_ms * mean_u_ms - plate * plate) : 0;
    budget->terms[TS_TERM_LIFT_TAP] = (struct ts_term){spread_ms, 1, dof};
    budget->terms[TS_TERM_LIFT_DELAY] = (struct ts_term){mean, 1, dof};
    budget->terms[TS_TERM_PLATE] = (struct ts_term){plate, 1, INFINITY};
}

/* On the host's clock: what ties the MCU's to it comes to the terms of *budget. It is uniform where
 * it weighs: behind a bridge whose two ways differ nothing is known but the hard bounds. */
static struct ts_instant instant(const struct ts_timeline *timeline, double ms,
                                 struct ts_budget *budget)
{
    const double ns = (double)TS_NS_PER_MS;
    budget->terms[TS_TERM_HOST] = (struct ts_term){timeline->mcu.u_ns / ns, 1, INFINITY};
    return (struct ts_instant){
        .host_ns = ts_ns_after(timeline->zero_ns, llround(ms * ns)),
        .u_ns = ts_budget_u_ms(budget) * ns,
        .half_95_ns = ts_budget_half_ms(budget, 0.95) * ns,
    };
}

static double on_timeline(const struct ts_timeline *timeline, double ticks)
{
    return ts_timeline_host_ns(timeline, ticks) / (double)TS_NS_PER_MS;
}

static void judge_tap(const struct ts_tap *tap, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, struct ts_begin_times *times,
                      struct ts_result *result)
{
    struct ts_budget contact = {0}, lift = {0}, pickup = {0};
    if (tap->contact_seen) {
        times->contact_ms =
            on_timeline(timeline, tap->contact_ticks) + calibration->contact_offset_ms;
        ts_measure_plate_terms(calibration->plate_taps, calibration->contact_u_ms,
                               calibration->contact_common_u_ms, TS_PLATE_CLOSES_U_MS, &contact);
        result->contact = instant(timeline, times->contact_ms, &contact);
        result->budgets[TS_BUDGET_CONTACT] = contact;
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
    pickup.terms[TS_TERM_CHANGE] =
        (struct ts_term){ticks_to_ms(timeline, tap->pickup_u_ticks), 1, INFINITY};
    result->pickup = instant(timeline, pickup_ms, &pickup);
    /* lift = pick-up + the delay against the contact plate (facts of the stylus page). The spread
     * of the delay was found with the same detector, so pick-up's own noise is inside it. */
    times->pickup_ms = pickup_ms;
    times->lift_ms = times->zero_ms = pickup_ms + calibration->lift_delay_ms;
    ts_measure_plate_terms(calibration->plate_taps, calibration->lift_delay_u_ms,
                           calibration->lift_common_u_ms, TS_PLATE_OPENS_U_MS, &lift);
    result->lift = instant(timeline, times->lift_ms, &lift);
    result->budgets[TS_BUDGET_LIFT] = lift;
    if (tap->contact_seen && times->lift_ms - times->contact_ms > LONG_PRESS_MS)
        ts_result_flag(result, TS_FLAG_LONG_PRESS);
}

int ts_measure_stylus(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, struct ts_begin_times *times,
                      struct ts_result *result)
{
    struct ts_tap_sample *samples = NULL;
    size_t count;
    int64_t motor_on, held;
    struct ts_tap tap;
    if (!timeline->mcu_known) {
        ts_result_flag(result, TS_FLAG_CLOCK_UNSURE);
        return TS_OK;
    }
    int err = ts_timeline_tap(timeline, evidence, 0, &samples, &count, &motor_on);
    if (err == TS_OK) {
        times->motor_ms = on_timeline(timeline, (double)motor_on);
        if (ts_timeline_held(timeline, evidence, 0, &held))
            times->held_ms = on_timeline(timeline, (double)held);
        err = ts_tap_analyse(samples, count, motor_on, &tap, NULL);
    }
    if (err == TS_OK)
        judge_tap(&tap, timeline, calibration, times, result);
    else if (err != TS_ENOMEM)
        ts_result_flag(result, TS_FLAG_RIG_FAULT);
    free(samples);
    return err == TS_ENOMEM ? err : TS_OK;
}
