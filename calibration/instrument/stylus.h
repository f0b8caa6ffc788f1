/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taps on the contact plate -> how long after the pick-up the tip leaves the glass.
 *
 * The plate (copper foil on the glass, conductive tip) closes a circuit on an MCU capture pin, so
 * its instants and the accelerometer's are on one clock. Per tap
 *     delay = plate opened + opens_early - pick-up,  offset = plate closed - closes_late - contact.
 * The values are medians; the spread of one tap is 1.4826 * MAD (P. Rousseeuw, C. Croux,
 * "Alternatives to the median absolute deviation", JASA 88 (1993), section 1); the median of n
 * taps has the standard uncertainty sqrt(pi / 2) * spread / sqrt(n) (JCGM 100:2008, 4.2, for the
 * mean; the factor is the median's for normal spread), to which the plate's own is added. */
#ifndef TS_INSTRUMENT_STYLUS_H
#define TS_INSTRUMENT_STYLUS_H

#include "base/err.h"
#include "model/calibration.h"

#include <stddef.h>

#define TS_PLATE_TAPS_MIN 5

/* Degrees of freedom of the spread of so many taps: 0.37 (taps - 1), since the MAD of n taps knows
 * a normal spread no better than the standard deviation of 0.37 n does (Rousseeuw and Croux,
 * section 1; JCGM 100:2008, E.4.3). With taps - 1 of 12 taps, 95 % intervals held 92 %. */
double ts_plate_dof(int taps);

/* The plate opens before the last of the force is gone, 0.11 to 0.25 ms early, and may close only
 * when the force has broken through the film on it, 0 to 0.25 ms late. Both are taken as uniform:
 * the middle is corrected, the width / sqrt(12) is uncertainty. */
#define TS_PLATE_OPENS_EARLY_MS 0.18
#define TS_PLATE_OPENS_U_MS     0.04
#define TS_PLATE_CLOSES_LATE_MS 0.12
#define TS_PLATE_CLOSES_U_MS    0.07

/* One element per tap in each array; milliseconds on the MCU clock from any zero; NAN where the
 * instant was not seen. */
struct ts_plate_taps {
    size_t count;
    const double *contact_ms; /* accelerometer: ts_tap.contact_ticks */
    const double *pickup_ms;  /* accelerometer: ts_tap.pickup_ticks */
    const double *closed_ms;  /* plate: first time it closed in this tap */
    const double *opened_ms;  /* plate: last time it opened in this tap */
    /* Of the plate itself; the values above unless better ones are known. */
    double opens_early_ms, opens_u_ms, closes_late_ms, closes_u_ms;
};

struct ts_plate_report {
    size_t used;
    size_t not_seen; /* rejected: accelerometer or plate missed an instant */
    size_t not_sane; /* rejected: instants that do not fit one tap */
};

/* Fills the stylus part of *calibration. TS_EPROTO: fewer than TS_PLATE_TAPS_MIN good taps;
 * *calibration is left as it was (nominal), *why says so, *report is filled all the same. */
int ts_stylus_calibrate(const struct ts_plate_taps *taps, struct ts_calibration *calibration,
                        struct ts_plate_report *report, struct ts_why *why) TS_MUST_CHECK;

#endif
