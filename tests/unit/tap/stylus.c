/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stylus.h"

#include "base/rng.h"

#include <math.h>

#define GRAVITY 9.81
#define STEP_S  10e-6
#define RATE_HZ 4000.0

struct body {
    double omega, damping; /* of the stylus on it: rad/s and ratio */
    double exponent;       /* force against depth */
    double softness;       /* 0: damping at once; 1: it grows with depth */
    double depth_m;        /* at which omega holds */
};

struct physics {
    double height_m, speed;  /* of the tip above the glass */
    double arm_m, arm_speed; /* where the arm would hold the tip; going up */
    struct body tip, collar;
    double friction_g;
    bool arm_on;
    bool touching, taken;
};

struct sensor {
    double zero, per_g, sigma, tau_s, output_g;
    double vibration_g, vibration_hz, second_hz, phase;
};

/* A body pressed in: between a linear spring with a dashpot, which answers with a step, and a ball
 * of rubber whose damping grows with its depth (Hunt and Crossley), which begins softly. */
static double spring(const struct body *body, double depth_m, double speed_in)
{
    if (depth_m <= 0)
        return 0;
    const double stiff =
        body->omega * body->omega * depth_m * pow(depth_m / body->depth_m, body->exponent - 1);
    const double dashpot = 2 * body->damping * body->omega * speed_in;
    const double grown = fmin(1, depth_m / body->depth_m);
    return fmax(0, stiff + dashpot * (1 - body->softness + body->softness * grown));
}

/* Advances by STEP_S; returns the specific force along the axis, in g. */
static double advance(struct physics *now)
{
    const double tip = spring(&now->tip, -now->height_m, -now->speed);
    double arm = 0;
    if (now->arm_on)
        arm = spring(&now->collar, now->arm_m - now->height_m, now->arm_speed - now->speed);
    now->touching = tip > 0;
    now->taken = arm > 0;
    double friction = 0;
    if (fabs(now->speed) > 0.01)
        friction = now->speed > 0 ? -now->friction_g * GRAVITY : now->friction_g * GRAVITY;
    const double force = tip + arm + friction;
    now->speed += (force - GRAVITY) * STEP_S;
    now->height_m += now->speed * STEP_S;
    return force / GRAVITY;
}

static double sense(struct sensor *sensor, double force_g, double at_s, bool motor)
{
    const double tau = 2 * acos(-1);
    if (motor)
        force_g +=
            sensor->vibration_g * (0.7 * sin(tau * sensor->vibration_hz * at_s + sensor->phase) +
                                   0.3 * sin(tau * sensor->second_hz * at_s));
    force_g = fmax(-3.6, fmin(3.6, force_g));
    sensor->output_g += (force_g - sensor->output_g) * STEP_S / sensor->tau_s;
    return sensor->output_g;
}

static void build(const struct stylus *stylus, struct ts_rng *rng, struct physics *now,
                  struct sensor *sensor)
{
    now->tip = (struct body){ts_rng_range(rng, 150, 450), ts_rng_range(rng, 0.35, 0.6),
                             ts_rng_range(rng, 1, 1.5), ts_rng_uniform(rng), 0.5e-3};
    now->collar = (struct body){ts_rng_range(rng, 500, 1500), ts_rng_range(rng, 0.2, 0.5),
                                ts_rng_range(rng, 1, 1.3), ts_rng_uniform(rng), 0.1e-3};
    if (stylus->soft_collar)
        now->collar = (struct body){ts_rng_range(rng, 120, 250), 0.3, 1.2, 1, 1e-3};
    now->friction_g = ts_rng_range(rng, 0, 0.08);
    now->height_m = ts_rng_range(rng, 0.5e-3, 2e-3);
    now->arm_on = true;
    if (stylus->damping > 0)
        now->tip.damping = stylus->damping;
    if (stylus->end_stop)
        now->tip.omega = 1200;
    /* It hangs on the collar. */
    while (spring(&now->collar, now->arm_m - now->height_m, 0) < GRAVITY)
        now->arm_m += 1e-7;
    *sensor = (struct sensor){
        .zero = ts_rng_range(rng, 325, 350),
        .per_g = ts_rng_range(rng, 65, 70),
        .sigma = ts_rng_range(rng, 0.4, 1.0),
        .tau_s = ts_rng_range(rng, 0.9, 1.1) / (2 * acos(-1) * 1600),
        .output_g = 1,
        .vibration_g = ts_rng_range(rng, 0.05, 0.1),
        .vibration_hz = ts_rng_range(rng, 90, 400),
        .second_hz = ts_rng_range(rng, 400, 900),
        .phase = ts_rng_range(rng, 0, 6),
    };
    if (stylus->vibration_g > 0)
        sensor->vibration_g = stylus->vibration_g;
}

/* When the arm does what, in seconds. */
struct schedule {
    double motor_s, release_s, contact_s, return_s, stop_s, rise;
};

static void steer(struct stylus *stylus, const struct schedule *plan, struct physics *now,
                  double at_s)
{
    now->arm_speed = 0;
    if (stylus->motionless || at_s < plan->motor_s)
        return;
    if (at_s < plan->release_s) {
        now->arm_speed = 0.03 * fmin(1, (at_s - plan->motor_s) / 0.02);
    } else if (at_s < plan->return_s || plan->contact_s == 0) {
        now->arm_on = false;
        now->arm_m = -1.5e-3;
        return;
    } else if (at_s < plan->stop_s) {
        now->arm_on = true;
        now->arm_speed = plan->rise;
    }
    now->arm_m += now->arm_speed * STEP_S;
}

/* Notes the true instants; `seen_s` follows the force on the glass. */
static void witness(struct stylus *stylus, struct schedule *plan, const struct physics *now,
                    struct ts_rng *rng, double at_s, double *without_s)
{
    const double ticks = at_s * 2e6;
    if (stylus->pickup_ticks > 0 || at_s < plan->release_s)
        return;
    if (now->touching) {
        if (plan->contact_s == 0) {
            plan->contact_s = at_s;
            stylus->contact_ticks = ticks;
            const double rest_ms =
                stylus->rest_ms > 0 ? stylus->rest_ms : ts_rng_range(rng, 80, 300);
            plan->return_s = at_s + rest_ms * 1e-3;
            plan->stop_s = plan->return_s + 0.08;
        } else {
            stylus->gaps_sure += *without_s >= 5e-3;
            stylus->gaps_hinted += *without_s >= 1.5e-3;
            stylus->gap_ms = fmax(stylus->gap_ms, *without_s * 1e3);
        }
        *without_s = 0;
    } else {
        *without_s += STEP_S;
    }
    if (now->taken && plan->contact_s > 0 && at_s > plan->return_s)
        stylus->pickup_ticks = ticks;
}

void stylus_tap(struct stylus *stylus)
{
    struct ts_rng rng;
    struct physics now = {0};
    struct sensor sensor;
    ts_rng_seed(&rng, stylus->seed, 40);
    build(stylus, &rng, &now, &sensor);
    const double before_s = ts_rng_range(&rng, 0.01, 0.05);
    struct schedule plan = {.motor_s = before_s,
                            .release_s = before_s + ts_rng_range(&rng, 0.03, 0.08),
                            .return_s = 1e9,
                            .stop_s = 1e9,
                            .rise = ts_rng_range(&rng, 0.1, 0.3)};
    const double start_s = (stylus->late_start ? before_s : 0) + ts_rng_range(&rng, 0, 1 / RATE_HZ);
    const double until_s = plan.release_s + 0.6;
    double without_s = 0;
    stylus->motor_on_ticks = (int64_t)(plan.motor_s * 2e6);
    stylus->contact_ticks = stylus->pickup_ticks = stylus->gap_ms = 0;
    stylus->gaps_sure = stylus->gaps_hinted = 0;
    stylus->count = 0;
    for (int step = 0; step * STEP_S < until_s; step++) {
        const double at_s = step * STEP_S;
        steer(stylus, &plan, &now, at_s);
        const double force_g = advance(&now);
        witness(stylus, &plan, &now, &rng, at_s, &without_s);
        const double output_g = sense(&sensor, force_g, at_s, at_s > plan.motor_s);
        if (at_s < start_s + (double)stylus->count / RATE_HZ)
            continue;
        const double value =
            round(sensor.zero + sensor.per_g * output_g + sensor.sigma * ts_rng_normal(&rng));
        stylus->samples[stylus->count].ticks = llround(at_s * 2e6);
        stylus->samples[stylus->count++].value = (uint16_t)fmax(0, fmin(1023, value));
    }
}
