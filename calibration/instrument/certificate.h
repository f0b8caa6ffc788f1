/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenes that camera and photodiodes saw, and calibration files beside today's values -> whether
 * the instrument is what it claims to be.
 *
 * What the photodiodes see is not what the camera judges. A scene lights the spot in the same
 * display frame in which something first changes (or the last has settled); the two then differ by
 *   scan-out  a display lights its rows one after the other, from the top, in 0.8 to 1 of its
 *             period. The first row that changes is at or above spot 0, the last one between 0.1 of
 *             the height above the middle of spot 1 and the lower edge;
 *   response  light follows the display's code exponentially with some time constant. The
 * photodiode switches at half of the light, first change is at half of the code, settled within 2 %
 * of full scale: -0.4 to +0.2, and 2.1 to 3.0 time constants later; fade: half of its begin, and
 * its last 2 %, hang on the codes that the camera makes of it: 10 ms either way, and any row may be
 * the last. So a difference lies in an interval even if the camera makes no error. Its middle is
 * taken off (that is the error), its half width is the comparison's own uncertainty, the same in
 * all scenes of a kind: it is added to limits and intervals as it is, since it does not average
 * out. It shrinks with what is known of the display.
 *
 * The lift is in the camera's and in the photodiodes' times alike: no difference shows a wrong lift
 * delay. That is what fresh taps on the contact plate are for.
 *
 * An error of more than TS_GROSS_MS is no matter of uncertainty but a wrong instant: gross errors
 * are counted and judged apart, and are in no bias, spread or coverage. A sound rig has next to
 * none; where the detector is known to miss ends, a kind may have so many (certificate.c).
 *
 * Every limit fails a good instrument once in a thousand. */
#ifndef TS_INSTRUMENT_CERTIFICATE_H
#define TS_INSTRUMENT_CERTIFICATE_H

#include "model/calibration.h"
#include "model/certificate.h"

#define TS_GROSS_MS         50.0
#define TS_USABLE_SHARE     0.8 /* at least */
#define TS_CERTAINTY        0.999
#define TS_RESPONSE_MOST_MS 3.0 /* when nothing is known: OLED, and fast LCD */

/* What a difference may be without any error of the camera. refresh_ms, response_ms: NAN unknown,
 * then 60 to 120 Hz and 0 to TS_RESPONSE_MOST_MS; a known response is good to a fifth. */
struct ts_display_share {
    double middle_ms, half_width_ms;
};
struct ts_display_share ts_display_share(enum ts_measurand measurand, int kind, double refresh_ms,
                                         double response_ms);

/* From scenes[] and response_ms: lines, control limits, usable share. Adds to what
 * ts_certificate_compare() said whether all is passed. */
void ts_certificate_judge(struct ts_certificate *certificate);

/* Stylus and camera, as the files gave them and as they are now; by JCGM 100:2008, G.4, at
 * TS_CERTAINTY. The uncertainty of the contact plate itself, and of the LEDs' curve, is in both and
 * cancels. Sets passed. */
void ts_certificate_compare(struct ts_certificate *certificate, const struct ts_calibration *given,
                            const struct ts_calibration *found);

#endif
