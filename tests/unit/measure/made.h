/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence made by hand, one kind at a time, so that each can be left out or spoilt. Host time
 * begins at MADE_ZERO_NS; the MCU's clock runs MADE_PPM fast and read zero then. */
#ifndef TESTS_UNIT_MEASURE_MADE_H
#define TESTS_UNIT_MEASURE_MADE_H

#include "base/rng.h"
#include "measure/measure.h"

#define MADE_ZERO_NS   (5 * TS_NS_PER_S)
#define MADE_EPOCH_NS  (1700000000 * TS_NS_PER_S) /* the phone's date at MADE_ZERO_NS */
#define MADE_PPM       250.0
#define MADE_FRAMES    400
#define MADE_FRAME_NS  (8 * TS_NS_PER_MS)
#define MADE_BLOCKS_X  16
#define MADE_BLOCKS_Y  12
#define MADE_CHANGE_MS 320.0 /* from pick-up until the screen changes, at once and all of it */

struct made {
    struct ts_plan plan;
    struct ts_calibration calibration;
    struct ts_evidence evidence;
    double pickup_ms, contact_ms; /* true, from MADE_ZERO_NS */
};

/* A launch of two seconds and more: clock readings, a tap, frames. */
void made_launch(struct made *made);
/* The same with nothing but the plan, the picture's size and the intent. */
void made_empty(struct made *made);
void made_free(struct made *made);

void made_clocks(struct made *made);
void made_tap(struct made *made);
void made_frames(struct made *made);
void made_mcu(struct made *made, uint8_t type, const void *body, size_t size);
void made_line(struct made *made, const char *text);
void made_fault(struct made *made, enum ts_device_fault fault);

/* Measures twice and checks that both results are the same in every field. */
struct ts_result made_measure(const struct made *made);
/* What any result must be, whatever the evidence: finite or unknown, never negative spreads. */
void made_check(const struct ts_result *result);

#endif
