/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/certificate.h"

#include "instrument/camera.h"
#include "instrument/chances.h"
#include "instrument/chart.h"
#include "instrument/stylus.h"
#include "stats/order.h"

#include <math.h>
#include <stdio.h>

#define ALL          TS_SCENE_COUNT
#define FADE         1
#define CODES_MS     10.0 /* what the camera's codes do to a fade */
#define COVERED      0.95
#define PERIOD_LEAST (1000.0 / 120)
#define PERIOD_MOST  (1000.0 / 60)
#define SCAN_LEAST   0.8
/* Rows: of the first change above spot 0; of the last one from spot 1. */
#define FIRST_ABOVE 0.08
#define LAST_ABOVE  0.1
#define LAST_BELOW  0.08

/* How often, at most, a good instrument takes a scene of this kind grossly wrong: next to never,
 * but for ends that are harder to tell. A carousel may come to rest for good; a splash screen may
 * rest for as long as an end does; a slow fade begins and ends below the noise. */
static const double gross_rates[TS_MEASURAND_COUNT][TS_SCENE_COUNT] = {
    {0.02, 0.02, 0.02, 0.02, 0.02, 0.02},
    {0.02, 0.05, 0.02, 0.02, 0.05, 0.05},
};

struct ts_display_share ts_display_share(enum ts_measurand measurand, int kind, double refresh_ms,
                                         double response_ms)
{
    const double scan_most = isfinite(refresh_ms) ? refresh_ms : PERIOD_MOST;
    const double tau_least = isfinite(response_ms) ? 0.8 * response_ms : 0;
    const double tau_most = isfinite(response_ms) ? 1.2 * response_ms : TS_RESPONSE_MOST_MS;
    double low, high;
    if (measurand == TS_MEASURAND_FIRST) {
        low = -FIRST_ABOVE * scan_most - 0.4 * tau_most;
        high = 0.2 * tau_most;
    } else {
        const double above = kind == FADE ? 0.92 : LAST_ABOVE;
        low = -above * scan_most + 2.1 * tau_least;
        high = LAST_BELOW * scan_most + 3.0 * tau_most;
    }
    const double codes = kind == FADE ? CODES_MS : 0;
    return (struct ts_display_share){(low + high) / 2, (high - low) / 2 + codes};
}

/* ---- one line ---- */

struct sums {
    double errors[TS_CERTIFICATE_SCENES_MOST]; /* those that are not gross */
    double amounts[TS_CERTIFICATE_SCENES_MOST];
    double shares; /* half widths of the comparison */
    double stated; /* standard uncertainties */
    double rates;  /* of gross errors, as they may be */
    int fine;
};

static void take(const struct ts_certificate *certificate, const struct ts_scene_pair *pair,
                 enum ts_measurand measurand, struct ts_verified_line *line, struct sums *sums)
{
    const struct ts_display_share share =
        ts_display_share(measurand, pair->kind, pair->refresh_ms, certificate->response_ms);
    const double error = pair->difference_ms[measurand] - share.middle_ms;
    if (!pair->usable || !isfinite(error))
        return;
    sums->amounts[line->n++] = fabs(error);
    sums->rates += gross_rates[measurand][pair->kind];
    if (fabs(error) > TS_GROSS_MS) {
        line->gross++;
        return;
    }
    line->covered += fabs(error) <= pair->half_95_ms[measurand] + share.half_width_ms;
    sums->errors[sums->fine++] = error;
    sums->shares += share.half_width_ms;
    sums->stated += pair->u_ms[measurand];
}

static double deviation(const double *values, int count, double mean)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (count - 1));
}

/* The fewest of n that an instrument still has once in a thousand, when it should have `share`. */
static int fewest(int n, double share)
{
    int k = 0;
    while (k < n && ts_chance_binomial(k, n, share) < 1 - TS_CERTAINTY)
        k++;
    return k;
}

/* A bias may be as large as the comparison's own, by chance what n scenes leave, and, in scenes of
 * one kind, what the camera itself says that it does not know of them. */
static void judge_line(struct ts_verified_line *line, struct sums *sums, bool one_kind)
{
    const int n = sums->fine;
    line->bias_ms = line->half_95_ms = line->spread_ms = line->limit_ms = NAN;
    line->p95_ms = line->max_ms = NAN;
    ts_sort(sums->amounts, (size_t)line->n);
    if (line->n) {
        line->p95_ms = ts_quantile(sums->amounts, (size_t)line->n, 0.95);
        line->max_ms = sums->amounts[line->n - 1];
    }
    line->covered_least = fewest(n, COVERED);
    line->gross_most = line->n ? line->n - fewest(line->n, 1 - sums->rates / line->n) : 0;
    line->passed = line->covered >= line->covered_least && line->gross <= line->gross_most;
    if (n)
        line->bias_ms = ts_mean(sums->errors, (size_t)n);
    if (n < 2)
        return;
    line->spread_ms = deviation(sums->errors, n, line->bias_ms);
    const double of_mean = line->spread_ms / sqrt(n);
    line->half_95_ms = ts_chance_t(0.95, n - 1) * of_mean;
    line->limit_ms = sums->shares / n + ts_chance_t(TS_CERTAINTY, n - 1) * of_mean;
    if (one_kind)
        line->limit_ms += ts_chance_t(TS_CERTAINTY, INFINITY) * sums->stated / n;
    line->limit_ms = fmin(line->limit_ms, TS_GROSS_MS); /* of two or three scenes it says nothing */
    line->passed = line->passed && fabs(line->bias_ms) <= line->limit_ms;
}

static void make_line(struct ts_certificate *certificate, enum ts_measurand measurand, int kind)
{
    struct ts_verified_line *line = &certificate->lines[measurand][kind];
    struct sums sums = {.fine = 0};
    *line = (struct ts_verified_line){0};
    for (int i = 0; i < certificate->scene_count; i++) {
        const struct ts_scene_pair *pair = &certificate->scenes[i];
        if (kind == ALL || pair->kind == kind)
            take(certificate, pair, measurand, line, &sums);
    }
    judge_line(line, &sums, kind != ALL);
}

/* ---- control limits ---- */

/* Medians and 1.4826 MAD: one scene that the camera took wrongly must not widen the chart. */
static void make_limits(struct ts_certificate *certificate, enum ts_measurand measurand)
{
    struct ts_control_limits *control = &certificate->control[measurand];
    double off[TS_CERTIFICATE_SCENES_MOST], of_kind[TS_CERTIFICATE_SCENES_MOST];
    size_t count = 0, kinds = 0;
    *control = (struct ts_control_limits){.spread_ms = NAN};
    for (int kind = 0; kind < TS_SCENE_COUNT; kind++) {
        int n = 0;
        for (int i = 0; i < certificate->scene_count; i++) {
            const struct ts_scene_pair *pair = &certificate->scenes[i];
            if (pair->kind == kind && pair->usable && isfinite(pair->difference_ms[measurand]))
                of_kind[n++] = pair->difference_ms[measurand];
        }
        ts_sort(of_kind, (size_t)n);
        control->n[kind] = n;
        control->mean_ms[kind] = ts_median(of_kind, (size_t)n);
        if (!TS_CONTROL_KIND(kind) || !n)
            continue;
        kinds++;
        for (int i = 0; i < n; i++)
            off[count++] = of_kind[i] - control->mean_ms[kind];
    }
    if (count < kinds + 2)
        return;
    ts_sort(off, count);
    control->dof = (int)(count - kinds);
    control->spread_ms =
        fmax(1.4826 * ts_mad(off, count) * sqrt((double)count / control->dof), TS_CONTROL_LEAST_MS);
}

void ts_certificate_judge(struct ts_certificate *certificate)
{
    certificate->usable = 0;
    for (int i = 0; i < certificate->scene_count; i++)
        certificate->usable += certificate->scenes[i].usable;
    certificate->usable_least = fewest(certificate->scene_count, TS_USABLE_SHARE);
    bool passed = certificate->usable && certificate->usable >= certificate->usable_least;
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++) {
            make_line(certificate, (enum ts_measurand)m, kind);
            passed = passed && certificate->lines[m][kind].passed;
        }
        passed = passed && certificate->lines[m][ALL].n >= 2;
        make_limits(certificate, (enum ts_measurand)m);
    }
    certificate->passed = certificate->passed && passed;
}

/* ---- calibration files ---- */

static void compare(struct ts_certificate *certificate, const char *name, const double values[2],
                    const double u[2], const double dof[2], double resolved)
{
    struct ts_verified_value *value = &certificate->values[certificate->value_count++];
    const double both = hypot(u[0], u[1]);
    const double fourth = pow(u[0], 4) / dof[0] + pow(u[1], 4) / dof[1];
    const double freedom = fourth > 0 ? pow(both, 4) / fourth : (double)INFINITY;
    snprintf(value->name, sizeof value->name, "%s", name);
    value->on_file = values[0];
    value->found = values[1];
    value->limit_ms = ts_chance_t(TS_CERTAINTY, fmax(freedom, 1)) * both + resolved;
    value->passed = fabs(value->found - value->on_file) <= value->limit_ms;
    certificate->passed = certificate->passed && value->passed;
}

/* Less the part that is the same in both, and cancels. */
static double without(double u, double same)
{
    return u > same ? sqrt(u * u - same * same) : 0;
}

void ts_certificate_compare(struct ts_certificate *certificate, const struct ts_calibration *given,
                            const struct ts_calibration *found)
{
    const double taps[2] = {given->plate_taps - 1, found->plate_taps - 1};
    const double edges[2] = {given->camera_edges - 5, found->camera_edges - 5};
    const bool felt = found->plate_taps > 1 && given->plate_taps > 1;
    const bool seen = found->camera_known && found->camera_edges > 5 && given->camera_edges > 5;
    certificate->passed = true;
    certificate->value_count = 0;
    certificate->plate_taps = found->plate_taps;
    certificate->camera_edges = found->camera_edges;
#define VALUE(name, known, freedom, value, u, same, resolved)                                      \
    compare(certificate, name, (double[]){given->value, (known) ? found->value : (double)NAN},     \
            (double[]){without(given->u, same), without(found->u, same)}, freedom, resolved)
    VALUE("lift_delay_ms", felt, taps, lift_delay_ms, lift_common_u_ms, TS_PLATE_OPENS_U_MS, 0.02);
    VALUE("contact_offset_ms", felt, taps, contact_offset_ms, contact_common_u_ms,
          TS_PLATE_CLOSES_U_MS, 0.02);
    VALUE("exposure_ms", seen, edges, exposure_ms, exposure_u_ms, TS_CAMERA_CURVE_U_MS, 0.02);
    VALUE("readout_ms", seen, edges, readout_ms, readout_u_ms, 0, 0.05);
    VALUE("period_ms", seen, edges, period_ms, period_u_ms, 0, 0.002);
    VALUE("latency_ms", seen, edges, latency_ms, latency_u_ms, 0, 0.05);
#undef VALUE
}
