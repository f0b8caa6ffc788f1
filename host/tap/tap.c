/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tap/tap.h"
#include "tap/onset.h"

#include <math.h>
#include <string.h>

#define COUNTS_PER_G    67.6 /* ADXL335 at 3.3 V, ADC reference 5 V */
#define SAMPLES_LEAST   64
#define REST_LEAST      16 /* else the first REST_INSTEAD samples, motor or not */
#define REST_INSTEAD    32
#define NOISE_LEAST     0.4   /* a step of the ADC as sd, and a little */
#define FALL_TICKS      10000 /* free fall lasts at least 5 ms */
#define GAP_TICKS       6000  /* contact is lost when force is gone for 3 ms */
#define LEVEL_SAMPLES   24    /* the level before a rise is taken from so many */
#define SETTLED_SAMPLES 16    /* at rest for 4 ms, then a sudden rise: the arm's collar */
#define LONG_SAMPLES    48    /* at rest for 12 ms, then any rise: a soft collar */

struct trace {
    const struct ts_tap_sample *samples;
    size_t count;
    double rest, noise;
};

struct level {
    double mean, sd;
};

static struct level level_of(const struct trace *trace, size_t from, size_t to)
{
    double sum = 0, squares = 0;
    for (size_t i = from; i < to; i++) {
        const double value = trace->samples[i].value - trace->rest;
        sum += value;
        squares += value * value;
    }
    const double n = (double)(to - from);
    const double mean = sum / n;
    return (struct level){trace->rest + mean, sqrt(fmax(0, squares / n - mean * mean))};
}

static double above_rest_g(const struct trace *trace, size_t i)
{
    return (trace->samples[i].value - trace->rest) / COUNTS_PER_G;
}

static int check(const struct ts_tap_sample *samples, size_t count, struct ts_why *why)
{
    if (count < SAMPLES_LEAST)
        return ts_fail(why, TS_EPROTO, "only %zu accelerometer samples of the tap", count);
    const double step =
        ((double)samples[count - 1].ticks - (double)samples[0].ticks) / (double)(count - 1);
    for (size_t i = 1; i < count; i++) {
        const double distance = (double)samples[i].ticks - (double)samples[i - 1].ticks;
        if (!(distance > 0.5 * step && distance < 1.5 * step))
            return ts_fail(why, TS_EPROTO,
                           "the accelerometer samples have a hole after sample %zu of %zu", i,
                           count);
    }
    return TS_OK;
}

static struct level rest_level(struct trace *trace, int64_t motor_on_ticks)
{
    size_t quiet = 0;
    while (quiet < trace->count && trace->samples[quiet].ticks < motor_on_ticks)
        quiet++;
    return level_of(trace, 0, quiet >= REST_LEAST ? quiet : REST_INSTEAD);
}

/* The first sample after a free fall that shows force again; 0: none. The level of the fall is
 * measured, not taken as rest - 1 g: guide friction and the part's tolerance are in it. */
static size_t find_contact(const struct trace *trace, struct level *fall)
{
    size_t from = 0;
    for (size_t i = 0; i < trace->count; i++) {
        if (above_rest_g(trace, i) < -0.6)
            continue;
        if (i > from + 8 && trace->samples[i].ticks - trace->samples[from].ticks >= FALL_TICKS) {
            const size_t length = i - from;
            *fall = level_of(trace, length > LEVEL_SAMPLES + 4 ? i - LEVEL_SAMPLES - 4 : from + 4,
                             i - 4);
            fall->sd = fmax(fall->sd, trace->noise);
            const double threshold = fall->mean + fmax(0.35 * COUNTS_PER_G, 6 * fall->sd);
            while (i > from && trace->samples[i - 1].value > threshold)
                i--;
            while (i < trace->count && trace->samples[i].value <= threshold)
                i++;
            return i < trace->count ? i : 0;
        }
        from = i + 1;
    }
    return 0;
}

/* The collar is met from rest on the glass. A bounce's impact follows a flight at 0 g and ringing
 * on the tip is slower, so neither looks like it. */
static size_t find_pickup(const struct trace *trace, size_t contact, struct level *settled)
{
    size_t quiet = 0, quiet_end = 0; /* length of the latest quiet run, and where it ended */
    size_t run = 0;
    for (size_t i = contact + 1; i + 2 < trace->count; i++) {
        const double now_g = above_rest_g(trace, i);
        run = fabs(now_g) < 0.35 ? run + 1 : 0;
        if (run >= SETTLED_SAMPLES) {
            quiet = run;
            quiet_end = i + 1;
        }
        if (now_g < 0.5 || quiet == 0)
            continue;
        const double rise_g = fmax(now_g, above_rest_g(trace, i + 2)) - above_rest_g(trace, i - 2);
        const bool sudden = i - quiet_end <= 4 && rise_g > 0.5;
        const bool soft = i - quiet_end <= 80 && quiet >= LONG_SAMPLES;
        if (!sudden && !soft)
            continue;
        const size_t length = quiet < LEVEL_SAMPLES ? quiet : LEVEL_SAMPLES;
        *settled = level_of(trace, quiet_end - length, quiet_end - 2);
        settled->sd = fmax(settled->sd, trace->noise);
        if (trace->samples[i].value > settled->mean + 6 * settled->sd)
            return i;
    }
    return 0;
}

/* Flights between contacts: the level of the free fall again. Three samples are taken together, so
 * that the motor's vibration does not break a flight in two. */
static void find_gaps(const struct trace *trace, size_t contact, size_t end, struct level fall,
                      struct ts_tap *out)
{
    const double limit = 3 * (fall.mean + fmax(0.12 * COUNTS_PER_G, 2 * fall.sd));
    const struct ts_tap_sample *samples = trace->samples;
    out->contacts = 1;
    size_t from = contact;
    for (size_t i = contact + 1; i + 1 < end; i++) {
        if (samples[i - 1].value + samples[i].value + samples[i + 1].value < limit)
            continue;
        const double ticks = (double)(samples[i].ticks - samples[from].ticks);
        if (i > from + 1 && ticks >= GAP_TICKS) {
            out->contacts++;
            out->longest_gap_ms = fmax(out->longest_gap_ms, ticks / 2000);
        }
        from = i;
    }
}

int ts_tap_analyse(const struct ts_tap_sample *samples, size_t count, int64_t motor_on_ticks,
                   struct ts_tap *out, struct ts_why *why)
{
    memset(out, 0, sizeof *out);
    const int err = check(samples, count, why);
    if (err)
        return err;
    struct trace trace = {.samples = samples, .count = count};
    const struct level rest = rest_level(&trace, motor_on_ticks);
    trace.rest = out->rest_level = rest.mean;
    trace.noise = out->noise = fmax(rest.sd, NOISE_LEAST);
    struct level fall, settled;
    const size_t contact = find_contact(&trace, &fall);
    if (contact == 0)
        return TS_OK;
    const struct ts_onset touched = ts_onset_fit(samples, count, contact, fall.mean, fall.sd);
    out->contact_seen = true;
    out->contact_ticks = touched.ticks;
    out->contact_u_ticks = touched.u_ticks;
    const size_t pickup = find_pickup(&trace, contact, &settled);
    find_gaps(&trace, contact, pickup ? pickup : count, fall, out);
    if (pickup == 0)
        return TS_OK;
    const struct ts_onset taken = ts_onset_fit(samples, count, pickup, settled.mean, settled.sd);
    out->pickup_seen = true;
    out->pickup_ticks = taken.ticks;
    out->pickup_u_ticks = taken.u_ticks;
    out->contact_to_pickup_ms = (taken.ticks - touched.ticks) / 2000;
    return TS_OK;
}
