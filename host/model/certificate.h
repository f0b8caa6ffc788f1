/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a verification found: the camera's word on scenes against the photodiodes', and the
 * calibration files' values against what the instrument says of itself today. */
#ifndef TS_MODEL_CERTIFICATE_H
#define TS_MODEL_CERTIFICATE_H

#include "model/record.h"
#include "model/scene.h"

enum ts_measurand { TS_MEASURAND_FIRST, TS_MEASURAND_SETTLED, TS_MEASURAND_COUNT };
extern const char *const ts_measurand_names[]; /* "first_visual_change", ...; NULL ends the row */

#define TS_CERTIFICATE_SCENES_MOST 600
#define TS_CERTIFICATE_VALUES_MOST 8

/* One scene. What the camera stated is without the lift delay, which the photodiodes' times have
 * too, so that it is not in the difference. */
struct ts_scene_pair {
    int kind; /* of ts_scene_names[] */
    bool usable;
    double difference_ms[TS_MEASURAND_COUNT]; /* camera - photodiode; NAN: one did not see it */
    double u_ms[TS_MEASURAND_COUNT];          /* standard uncertainty that the camera stated */
    double half_95_ms[TS_MEASURAND_COUNT];    /* half of the 95 % interval that it stated */
    double refresh_ms;                        /* of the display; NAN unknown */
};

/* One measurand over scenes of one kind, or of all. Errors are differences less what the display
 * itself makes of them (instrument/certificate.h). */
struct ts_verified_line {
    int n;
    double bias_ms;        /* mean error, gross ones left out */
    double half_95_ms;     /* of the bias's 95 % interval, by the spread alone */
    double spread_ms;      /* standard deviation of one error, gross ones left out */
    double p95_ms, max_ms; /* of the errors' amounts */
    int gross;             /* errors of more than TS_GROSS_MS */
    int covered;     /* of those not gross: within the stated interval and the comparison's own */
    double limit_ms; /* of |bias| */
    int covered_least, gross_most;
    bool passed;
};

/* A value of a calibration file against what was found now. */
struct ts_verified_value {
    char name[32];
    double on_file, found, limit_ms; /* limit of their distance */
    bool passed;
};

/* What the scenes that begin at once say when all is well: the control chart's limits. */
struct ts_control_limits {
    int dof;                        /* of spread_ms; 0: there are none */
    double spread_ms;               /* of one scene within its kind */
    double mean_ms[TS_SCENE_COUNT]; /* difference, by kind; NAN unknown */
    int n[TS_SCENE_COUNT];
};

struct ts_certificate {
    struct ts_identity identity;
    char who[64]; /* operator; "" not said */
    char touchstone[32], detector[32];
    int64_t date_s;
    uint64_t seed;
    double refresh_hz, response_ms; /* of the display; NAN unknown */
    int plate_taps, camera_edges;
    struct ts_verified_value values[TS_CERTIFICATE_VALUES_MOST];
    int value_count;
    /* Last: all kinds together. */
    struct ts_verified_line lines[TS_MEASURAND_COUNT][TS_SCENE_COUNT + 1];
    struct ts_control_limits control[TS_MEASURAND_COUNT];
    int usable, usable_least;
    bool passed;
    struct ts_scene_pair scenes[TS_CERTIFICATE_SCENES_MOST];
    int scene_count;
};

#endif
