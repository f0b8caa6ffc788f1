/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy and charge of a launch, from the pairs of shunt and bus voltage that the board stamped on
 * the clock of the tap. */
#include "measure/parts.h"

#include "base/buf.h"
#include "clock/fit.h"
#include "model/plan.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

#define BUS_LSB_V 1.25e-3
/* INA226, data sheet SBOS547, electrical characteristics, limits at 25 degrees Celsius; taken as
 * half widths of uniform distributions. */
#define GAIN           0.001 /* of shunt and of bus */
#define SHUNT_OFFSET_V 10e-6
#define BUS_OFFSET_V   7.5e-3

/* No phone runs on less: then the part's VBUS is not connected, and every energy would be nought.
 */
#define SUPPLY_LEAST_V 1.0

/* What the loss of one packet leaves out is bridged, a longer silence is not. */
#define BRIDGED_MS 12.0

struct point {
    double ms; /* on the timeline: the middle of what its shunt voltage is the mean of */
    double ampere, volt;
    bool over_range;
};

struct trace {
    struct point *points; /* owned */
    size_t count, capacity;
    bool absent; /* the board says that no part answers */
    double period_ms;
};

static double uniform(double half_width)
{
    return half_width / sqrt(3);
}

/* What turns the shunt's voltage into a current, and how well that is known. */
struct meter {
    double ohm, gain_u; /* relative, of shunt and amplifier together */
    double zero_v, zero_u_v;
};

static struct meter meter_of(const struct ts_plan *plan, const struct ts_calibration *calibration)
{
    if (calibration->shunt_mohm > 0)
        return (struct meter){.ohm = calibration->shunt_mohm / 1e3,
                              .gain_u = calibration->shunt_u_mohm / calibration->shunt_mohm,
                              .zero_v = calibration->shunt_zero_uv / 1e6,
                              .zero_u_v = calibration->shunt_zero_u_uv / 1e6};
    return (struct meter){.ohm = plan->shunt_mohm / 1e3,
                          .gain_u = hypot(uniform(plan->shunt_percent / 100), uniform(GAIN)),
                          .zero_u_v = uniform(SHUNT_OFFSET_V)};
}

static int add(struct trace *trace, const struct ts_timeline *timeline,
               const struct wire_power *power, const struct meter *meter)
{
    int64_t ticks = ts_ticks_unwrap(power->ticks, timeline->base_ticks);
    for (uint8_t i = 0; i < power->count; i++) {
        struct point *point = ts_grow((void **)&trace->points, &trace->count, &trace->capacity,
                                      sizeof *trace->points);
        if (!point)
            return TS_ENOMEM;
        ticks += power->after[i];
        *point = (struct point){
            .ms = ts_timeline_host_ns(timeline, (double)ticks) / (double)TS_NS_PER_MS,
            .ampere = (power->shunt[i] * TS_SHUNT_LSB_V - meter->zero_v) / meter->ohm,
            .volt = power->bus[i] * BUS_LSB_V,
        };
        point->over_range = power->shunt[i] == INT16_MAX || power->shunt[i] == INT16_MIN ||
                            point->volt < SUPPLY_LEAST_V;
    }
    return TS_OK;
}

static int compare_doubles(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The part's own period is the median distance of its stamps. The middle of the shunt's conversion
 * lies before the stamp by the bus's conversion and half of its own, in the same share of it. */
static int place(struct trace *trace)
{
    const double back =
        (WIRE_POWER_BUS_US + WIRE_POWER_SHUNT_US / 2.0) / (WIRE_POWER_BUS_US + WIRE_POWER_SHUNT_US);
    if (trace->count < 2)
        return TS_OK;
    double *steps = malloc((trace->count - 1) * sizeof *steps);
    if (!steps)
        return TS_ENOMEM;
    for (size_t i = 1; i < trace->count; i++)
        steps[i - 1] = trace->points[i].ms - trace->points[i - 1].ms;
    qsort(steps, trace->count - 1, sizeof *steps, compare_doubles);
    trace->period_ms = steps[(trace->count - 1) / 2];
    free(steps);
    for (size_t i = 0; i < trace->count; i++)
        trace->points[i].ms -= back * trace->period_ms;
    return TS_OK;
}

static int read_trace(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct meter *meter, struct trace *trace)
{
    int err = TS_OK;
    for (size_t i = 0; i < evidence->mcu_count && !err; i++) {
        const struct ts_item_mcu *message = &evidence->mcu[i].message;
        struct wire_packet packet = {.type = message->type, .size = message->size};
        struct wire_power power;
        if (message->boot_id != timeline->boot_id || message->size > WIRE_BODY_MAX)
            continue;
        memcpy(packet.body, message->body, message->size);
        if (!wire_get_power(&packet, &power))
            continue;
        trace->absent |= power.count == 0;
        err = add(trace, timeline, &power, meter);
    }
    return err ? err : place(trace);
}

static double watt(const struct point *point)
{
    return point->ampere * point->volt;
}

/* Integrals over the straight lines between points. Quantities are J, C, V s in thousandths. */
struct integral {
    double energy_mj, charge_mc, volt_ms;
    double bridged_mj;     /* what may be wrong where pairs are missing: a standard uncertainty */
    double roughness_w;    /* root mean square of the differences of neighbours */
    double begin_w, end_w; /* at the ends */
    double begin_a, end_a;
    size_t steps;
};

static struct point between(const struct point *a, const struct point *b, double ms)
{
    const double share = (ms - a->ms) / (b->ms - a->ms);
    return (struct point){.ms = ms,
                          .ampere = a->ampere + share * (b->ampere - a->ampere),
                          .volt = a->volt + share * (b->volt - a->volt)};
}

static void add_stretch(const struct point *a, const struct point *b, struct integral *sum)
{
    const double ms = b->ms - a->ms;
    sum->energy_mj += ms * (watt(a) + watt(b)) / 2;
    sum->charge_mc += ms * (a->ampere + b->ampere) / 2;
    sum->volt_ms += ms * (a->volt + b->volt) / 2;
}

static enum ts_supply integrate(const struct trace *trace, double from_ms, double to_ms,
                                struct integral *out)
{
    double rough = 0, covered_ms = from_ms;
    *out = (struct integral){0};
    for (size_t i = 1; i < trace->count; i++) {
        const struct point *a = &trace->points[i - 1], *b = &trace->points[i];
        if (b->ms <= from_ms || a->ms >= to_ms)
            continue;
        if (a->over_range || b->over_range)
            return TS_SUPPLY_OVER_RANGE;
        if (!(b->ms > a->ms) || b->ms - a->ms > BRIDGED_MS || a->ms > covered_ms)
            return TS_SUPPLY_LOST;
        const struct point begin = a->ms < from_ms ? between(a, b, from_ms) : *a;
        const struct point end = b->ms > to_ms ? between(a, b, to_ms) : *b;
        add_stretch(&begin, &end, out);
        const double step_w = watt(b) - watt(a);
        if (b->ms - a->ms > 1.5 * trace->period_ms)
            out->bridged_mj = hypot(out->bridged_mj, (b->ms - a->ms) * uniform(step_w / 2));
        if (out->steps++ == 0) {
            out->begin_w = watt(&begin);
            out->begin_a = begin.ampere;
        }
        rough += step_w * step_w;
        out->end_w = watt(&end);
        out->end_a = end.ampere;
        covered_ms = b->ms;
    }
    if (!out->steps || covered_ms < to_ms)
        return out->steps || !trace->absent ? TS_SUPPLY_LOST : TS_SUPPLY_ABSENT;
    out->roughness_w = sqrt(rough / (double)out->steps);
    return TS_SUPPLY_MEASURED;
}

/* Where the ends are, in ms: what moves time zero, of that what the session shares, and what moves
 * the other end alone. */
struct ends {
    double zero, zero_common, end;
};

static bool moves_zero(int term)
{
    return term == TS_TERM_LIFT_TAP || term == TS_TERM_LIFT_DELAY || term == TS_TERM_PLATE ||
           term == TS_TERM_HOST || term == TS_TERM_PHONE || term == TS_TERM_STAMP;
}

static struct ends ends_of(const struct ts_budget *budget)
{
    struct ends ends = {0};
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const double u = ts_term_share_ms(&budget->terms[i]);
        if (moves_zero(i) && ts_term_kinds[i].common)
            ends.zero_common = hypot(ends.zero_common, u);
        if (moves_zero(i))
            ends.zero = hypot(ends.zero, u);
        else
            ends.end = hypot(ends.end, u);
    }
    return ends;
}

/* Between the pairs' middles the power is taken for a straight line. Where it is not, a pair's own
 * mean is right, so that only the two ends are off, by a part of a step, and the time in which the
 * part looks at the bus, of which nothing is known, in each period. */
static double grid_mj(const struct trace *trace, const struct integral *sum)
{
    const double blind = WIRE_POWER_BUS_US / (double)(WIRE_POWER_BUS_US + WIRE_POWER_SHUNT_US);
    const double step_mj = sum->roughness_w * trace->period_ms;
    return hypot(step_mj * sqrt(2.0 / 4 + blind * blind * (double)sum->steps / 2), sum->bridged_mj);
}

/* What moves a quantity, in its own unit. */
struct effects {
    double value;
    double gain_u;     /* relative standard uncertainty by what it is multiplied with */
    double offsets;    /* standard uncertainty by both offsets */
    double begin, end; /* by a millisecond's shift of that end */
    double grid;
};

static struct ts_metric state(const struct effects *effects, const struct ends *ends)
{
    const double zero_own =
        sqrt(fmax(0, ends->zero * ends->zero - ends->zero_common * ends->zero_common));
    const double common = hypot(hypot(effects->value * effects->gain_u, effects->offsets),
                                effects->begin * ends->zero_common);
    const double own =
        hypot(hypot(effects->begin * zero_own, effects->end * ends->end), effects->grid);
    return (struct ts_metric){effects->value, hypot(common, own), common};
}

static struct ts_metric energy_of(const struct trace *trace, const struct integral *sum,
                                  const struct ends *ends, const struct meter *meter)
{
    const struct effects effects = {
        .value = sum->energy_mj,
        .gain_u = hypot(meter->gain_u, uniform(GAIN)),
        .offsets = hypot(sum->volt_ms * meter->zero_u_v / meter->ohm,
                         sum->charge_mc * uniform(BUS_OFFSET_V)),
        .begin = sum->begin_w,
        .end = sum->end_w,
        .grid = grid_mj(trace, sum),
    };
    return state(&effects, ends);
}

/* And the mean current, which a shift of an end changes only by how far the current there is from
 * the mean. */
static void put_charge(const struct trace *trace, const struct integral *sum,
                       const struct ends *ends, double ms, const struct meter *meter,
                       struct ts_costs *costs)
{
    const double offset_a = meter->zero_u_v / meter->ohm;
    const double grid_mc = grid_mj(trace, sum) * ms / sum->volt_ms, mean = sum->charge_mc / ms;
    const struct effects charge = {.value = sum->charge_mc,
                                   .gain_u = meter->gain_u,
                                   .offsets = offset_a * ms,
                                   .begin = sum->begin_a,
                                   .end = sum->end_a,
                                   .grid = grid_mc};
    const struct effects current = {.value = mean * 1e3,
                                    .gain_u = meter->gain_u,
                                    .offsets = offset_a * 1e3,
                                    .begin = (sum->begin_a - mean) / ms * 1e3,
                                    .end = (sum->end_a - mean) / ms * 1e3,
                                    .grid = grid_mc / ms * 1e3};
    costs->charge_mc = state(&charge, ends);
    costs->mean_current_ma = state(&current, ends);
}

static void cut(const struct trace *trace, double zero_ms, const struct meter *meter,
                struct ts_result *result)
{
    struct ts_costs *costs = &result->costs;
    struct integral sum;
    const double first_ms = result->first_visual_change.value, ms = result->settled.value;
    if (isfinite(first_ms) && first_ms > 0) {
        costs->supply = integrate(trace, zero_ms, zero_ms + first_ms, &sum);
        const struct ends ends = ends_of(&result->budgets[TS_BUDGET_FIRST]);
        if (costs->supply == TS_SUPPLY_MEASURED)
            costs->energy_first_change_mj = energy_of(trace, &sum, &ends, meter);
    }
    if (!(isfinite(ms) && ms > 0))
        return;
    costs->supply = integrate(trace, zero_ms, zero_ms + ms, &sum);
    if (costs->supply != TS_SUPPLY_MEASURED)
        return;
    const struct ends ends = ends_of(&result->budgets[TS_BUDGET_SETTLED]);
    costs->energy_mj = energy_of(trace, &sum, &ends, meter);
    put_charge(trace, &sum, &ends, ms, meter, costs);
}

int ts_measure_power(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                     const struct ts_calibration *calibration, const struct ts_plan *plan,
                     const struct ts_begin_times *times, struct ts_result *result)
{
    const struct meter meter = meter_of(plan, calibration);
    struct trace trace = {0};
    int err = TS_OK;
    if (!(plan->meters & TS_METER_ENERGY))
        return TS_OK;
    if (timeline->mcu_known)
        err = read_trace(evidence, timeline, &meter, &trace);
    if (!err) {
        result->costs.supply = trace.count ? TS_SUPPLY_MEASURED : TS_SUPPLY_ABSENT;
        if (isfinite(times->zero_ms) && trace.count)
            cut(&trace, times->zero_ms, &meter, result);
        if (result->costs.supply != TS_SUPPLY_MEASURED)
            ts_result_flag(result, TS_FLAG_POWER_UNKNOWN);
    }
    free(trace.points);
    return err;
}
