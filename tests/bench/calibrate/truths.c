/* SPDX-License-Identifier: GPL-3.0-or-later */
/* truths RIG...: what calibration files of simulated rigs say, against what those rigs are. The
 * lift delay's reference is that of many taps, from the pick-up as the accelerometer shows it. */
#include "sim_bench/sim_bench.h"
#include "stats/order.h"
#include "store/rig.h"
#include "tap/tap.h"

#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LATENCY_SD_MOST    0.05 /* ms, from 300 edges at 125 frames/s */
#define ROWS_MOST          0.02 /* share */
#define EXPOSURE_BIAS_MOST 0.04
#define TAPS               60   /* for the reference: as many as the calibration itself took */
#define REFERENCE_U        0.03 /* ms, of their median; allowed for */
#define SAMPLES            8000
#define T_59               2.001 /* Student, 0.975 */
#define RIGS_TO_COUNT      60    /* fewer say nothing of a coverage */

struct sums {
    int rigs, latency_covered, exposure_covered, lift_covered;
    double latency_squares, latency_bias, rows_most, lift_squares, lift_bias, lift_u;
    double exposure_squares, exposure_bias;
};

static double value(const struct ts_rig *rig, enum ts_record_kind kind, const char *name, double *u)
{
    const struct ts_known *known =
        rig->known[kind] ? ts_record_find(&rig->records[kind], name) : NULL;
    *u = known ? known->u : NAN;
    return known ? known->value : NAN;
}

/* One tap of the board without a host program; false: something of it was not seen. */
static bool lift_delay(struct rig *rig, double *ms)
{
    static struct ts_tap_sample samples[SAMPLES];
    size_t count = 0;
    int64_t motor_on = 0;
    struct ts_tap tap;
    rig_run(rig, 100 * MS);
    rig_forget(rig);
    if (!rig_tap(rig))
        return false;
    for (size_t i = 0; i < rig->count; i++) {
        struct wire_samples block;
        struct wire_state state;
        const struct wire_packet *packet = &rig->packets[i].packet;
        if (packet->type == WIRE_STATE && wire_get_state(packet, &state) &&
            state.state == WIRE_DROPPING)
            motor_on = state.ticks;
        if (packet->type != WIRE_SAMPLES || !wire_get_samples(packet, &block))
            continue;
        for (unsigned k = 0; k < block.count && count < SAMPLES; k++)
            samples[count++] = (struct ts_tap_sample){
                (int64_t)block.ticks + (int64_t)k * WIRE_SAMPLE_TICKS, block.value[k]};
    }
    if (ts_tap_analyse(samples, count, motor_on, &tap, NULL) || !tap.pickup_seen ||
        !rig->force_count || rig->forces[rig->force_count - 1].on)
        return false;
    const int64_t lift_ns = rig->forces[rig->force_count - 1].at_ns;
    *ms = (sim_mcu_true_ticks(rig->mcu, lift_ns) - tap.pickup_ticks) / 2000;
    return true;
}

static double reference_ms(const struct sim_mcu_config *config)
{
    struct rig rig;
    double delays[TAPS];
    size_t count = 0;
    struct wire_hello hello;
    rig_open(&rig, config, false);
    rig_hello(&rig, &hello);
    for (int i = 0; i < TAPS && (i || rig_home(&rig)); i++)
        count += lift_delay(&rig, &delays[count]);
    rig_close(&rig);
    ts_sort(delays, count);
    return ts_median(delays, count);
}

/* Of a rig with a number the seed draws nothing but the day. */
static int read_truth(const char *options, struct sim_camera_config *camera, double *lift_ms,
                      struct ts_why *why)
{
    const struct sim_camera_view no_view = {NULL, NULL, NULL, NULL};
    struct sim_options parsed;
    struct sim_scene scene = {0};
    struct sim_camera *sim = NULL;
    int err = sim_options_parse(options, 77, &parsed, why);
    if (!err)
        err = sim_camera_open(&parsed.camera, &no_view, &scene, 60, &sim, why);
    if (err)
        return err;
    *camera = *sim_camera_true(sim);
    *lift_ms = reference_ms(&parsed.mcu);
    sim_camera_close(sim);
    sim_scene_free(&scene);
    return TS_OK;
}

static void compare(const struct ts_rig *rig, const struct sim_camera_config *truth, double lift_ms,
                    struct sums *sums)
{
    double u, lift_u;
    /* Latency is the median over frames, and frames are late by an exponential jitter. */
    const double latency = value(rig, TS_RECORD_CAMERA, "latency_ms", &u) - truth->latency_ms -
                           log(2) * truth->jitter_ms;
    sums->rigs++;
    sums->latency_squares += latency * latency;
    sums->latency_bias += latency;
    sums->latency_covered += fabs(latency) <= 1.96 * u;
    const double exposure = value(rig, TS_RECORD_CAMERA, "exposure_ms", &u) - truth->exposure_ms;
    sums->exposure_squares += exposure * exposure;
    sums->exposure_bias += exposure;
    sums->exposure_covered += fabs(exposure) <= 1.96 * u;
    const double rows = value(rig, TS_RECORD_CAMERA, "readout_ms", &u) / truth->readout_ms - 1;
    sums->rows_most = fmax(sums->rows_most, fabs(rows));
    const double lift = value(rig, TS_RECORD_STYLUS, "lift_delay_ms", &lift_u) - lift_ms;
    sums->lift_squares += lift * lift;
    sums->lift_bias += lift;
    sums->lift_u += lift_u;
    sums->lift_covered += fabs(lift) <= T_59 * hypot(lift_u, REFERENCE_U);
    printf("%-8s latency %+.4f, exposure %+.4f ms, rows %+.2f %%, lift delay %+.4f (u %.4f)\n",
           rig->name, latency, exposure, 100 * rows, lift, lift_u);
}

static int judge(const struct sums *sums)
{
    const double n = sums->rigs, latency_rms = sqrt(sums->latency_squares / n);
    const double covered = sums->lift_covered / n;
    printf("%d rigs: latency rms %.4f (bias %+.4f, %.0f %% within 1.96 u), exposure rms %.4f (bias "
           "%+.4f, "
           "%.0f %% within 1.96 u), rows at most %.2f %%, lift delay rms %.4f (bias %+.4f, mean u "
           "%.4f), %.1f %% within its "
           "interval\n",
           sums->rigs, latency_rms, sums->latency_bias / n, 100 * sums->latency_covered / n,
           sqrt(sums->exposure_squares / n), sums->exposure_bias / n,
           100 * sums->exposure_covered / n, 100 * sums->rows_most, sqrt(sums->lift_squares / n),
           sums->lift_bias / n, sums->lift_u / n, 100 * covered);
    int failures = 0;
    if (!(latency_rms <= LATENCY_SD_MOST))
        failures += printf("camera latency: more than %.2f ms\n", LATENCY_SD_MOST) > 0;
    if (!(fabs(sums->exposure_bias / n) <= EXPOSURE_BIAS_MOST))
        failures +=
            printf("camera exposure: a bias of more than %.2f ms\n", EXPOSURE_BIAS_MOST) > 0;
    if (sums->rigs >= RIGS_TO_COUNT && !(sums->exposure_covered >= 0.9 * n))
        failures += printf("camera exposure: less than 90 %% covered\n") > 0;
    if (!(sums->rows_most <= ROWS_MOST))
        failures += printf("row time: more than 2 %%\n") > 0;
    /* Not at most 98 %: how early the plate opens is taken to be the rig's own, the same in all
     * taps, and so uncertain however many there are. The simulated plate draws it for each tap. */
    if (sums->rigs >= RIGS_TO_COUNT && !(covered >= 0.93))
        failures += printf("lift delay: less than 93 %% covered\n") > 0;
    return failures;
}

int main(int argc, char **argv)
{
    struct sums sums = {0};
    for (int i = 1; i < argc; i++) {
        struct ts_rig rig;
        struct ts_why why = {""};
        struct sim_camera_config camera;
        double lift_ms = NAN;
        int err = ts_rig_open(argv[i], 0, &rig, &why);
        if (!err)
            err = read_truth(rig.options, &camera, &lift_ms, &why);
        if (err) {
            fprintf(stderr, "truths: %s: %s\n", argv[i], why.text);
            return 1;
        }
        compare(&rig, &camera, lift_ms, &sums);
        ts_rig_free(&rig);
    }
    return !sums.rigs || judge(&sums) > 0;
}
