/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simple triggers on the accelerometer, only to control the motor; the host finds contact and
 * pick-up again in the streamed samples, with more care.
 *
 * ADXL335 at 3.3 V, ADC reference 5 V: 67.6 counts per g. At rest the axis shows 1 g, in free fall
 * almost nothing; an impact and the arm's taking the collar both show as a jump upwards, so what
 * went before tells them apart: an impact follows free fall, a pick-up follows rest. */
#ifndef CORE_TRIGGER_H
#define CORE_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

struct fw_trigger {
    uint32_t rest_sum;
    uint16_t rest_count;
    uint16_t rest;          /* 0 until enough samples have been seen */
    uint8_t falling, quiet; /* samples in a row */
    bool contact, pickup;
};

void fw_trigger_reset(struct fw_trigger *trigger);
/* At rest: learns the level. */
void fw_trigger_learn(struct fw_trigger *trigger, uint16_t value);
/* Under way: contact and pickup tell of this sample. */
void fw_trigger_take(struct fw_trigger *trigger, uint16_t value);
/* Nothing but rest for 20 ms. */
bool fw_trigger_quiet(const struct fw_trigger *trigger);

#endif
