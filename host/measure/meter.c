/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power meter against a load whose current is known. */
#include "measure/measure.h"

#include "measure/parts.h"
#include "wire/wire.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST      500                  /* readings in a stretch */
#define SILENCE_NS (500 * TS_NS_PER_MS) /* at least so long a person takes to change the load */
#define SEEN       100                  /* standard errors: a load that shows less is none */
#define UV_PER_LSB (1e6 * TS_SHUNT_LSB_V)

struct stretch {
    double sum, squares; /* of the readings, uV */
    int count;
    bool over_range;
};

static void add(struct stretch *stretch, const struct wire_power *power)
{
    for (uint8_t i = 0; i < power->count; i++) {
        const double uv = power->shunt[i] * UV_PER_LSB;
        stretch->sum += uv;
        stretch->squares += uv * uv;
        stretch->count++;
        stretch->over_range |= power->shunt[i] == INT16_MAX || power->shunt[i] == INT16_MIN;
    }
}

/* How many there are; out[] has the first two. */
static int read_stretches(const struct ts_evidence *evidence, struct stretch out[2])
{
    int count = 0;
    int64_t heard_ns = INT64_MIN;
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const struct ts_item_mcu *message = &evidence->mcu[i].message;
        struct wire_packet packet = {.type = message->type, .size = message->size};
        struct wire_power power;
        if (message->size > WIRE_BODY_MAX)
            continue;
        memcpy(packet.body, message->body, message->size);
        if (!wire_get_power(&packet, &power) || power.count == 0)
            continue;
        if (count == 0 || evidence->mcu[i].arrival.ns - heard_ns > SILENCE_NS)
            count++;
        heard_ns = evidence->mcu[i].arrival.ns;
        if (count <= 2)
            add(&out[count - 1], &power);
    }
    return count;
}

/* The standard error of a mean. Noise of half a step and more makes the converter's steps vanish in
 * it; less leaves it somewhere within one. */
static double mean_of(const struct stretch *stretch, double *u)
{
    const double n = stretch->count, mean = stretch->sum / n;
    const double sd = sqrt(fmax(0, stretch->squares / n - mean * mean) * n / (n - 1));
    *u = sd / sqrt(n);
    if (sd < UV_PER_LSB / 2)
        *u = hypot(*u, UV_PER_LSB / sqrt(12));
    return mean;
}

int ts_measure_meter(const struct ts_evidence *evidence, double load_ma, double load_u_ma,
                     struct ts_record *record, struct ts_why *why)
{
    struct stretch found[2] = {{0}};
    double rest_u, loaded_u;
    *record = (struct ts_record){.kind = TS_RECORD_POWER};
    const int count = read_stretches(evidence, found);
    if (count != 2 || found[0].count < LEAST || found[1].count < LEAST)
        return ts_fail(why, TS_EPROTO,
                       "the power meter was heard %d times (%d and %d readings) in place of once "
                       "at rest and once under load: check its leads (hardware/WIRING.md), and "
                       "try again",
                       count, found[0].count, found[1].count);
    if (found[0].over_range || found[1].over_range)
        return ts_fail(why, TS_EPROTO,
                       "that is more than the power meter can tell: take a smaller "
                       "load");
    const double rest_uv = mean_of(&found[0], &rest_u), loaded_uv = mean_of(&found[1], &loaded_u);
    const double shunt = (loaded_uv - rest_uv) / load_ma, both_u = hypot(rest_u, loaded_u);
    if (loaded_uv - rest_uv < SEEN * both_u)
        return ts_fail(why, TS_EPROTO,
                       "the load does not show: %.1f uV at the shunt without it, %.1f with it; is "
                       "it behind the shunt, and not the other way round?",
                       rest_uv, loaded_uv);
    record->n = found[0].count + found[1].count;
    ts_record_add(record, "shunt_mohm", shunt, hypot(both_u / load_ma, shunt * load_u_ma / load_ma),
                  INFINITY);
    ts_record_add(record, "shunt_zero_uv", rest_uv, rest_u, found[0].count - 1);
    snprintf(record->method, sizeof record->method,
             "mean shunt voltage without a load, and under one of %g mA (u %.3g)", load_ma,
             load_u_ma);
    return TS_OK;
}
