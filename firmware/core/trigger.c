/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/trigger.h"

#include <string.h>

#define QUARTER_G 17u

#define FREE_FALL (2 * QUARTER_G) /* below rest */
#define LANDED    (2 * QUARTER_G) /* above the level of free fall */
/* Either side of rest. What is not quiet upwards is a shock: were there a band between the two, a
 * sample on the flank would end the quiet and hide the shock of the next one. */
#define SHOCK (2 * QUARTER_G)

#define FALL_SAMPLES  16u /* 4 ms: a drop of 1 mm takes 14 ms */
#define QUIET_SAMPLES 80u /* 20 ms: bounces are over */
#define REST_SAMPLES  256u

void fw_trigger_reset(struct fw_trigger *trigger)
{
    memset(trigger, 0, sizeof *trigger);
}

void fw_trigger_learn(struct fw_trigger *trigger, uint16_t value)
{
    trigger->rest_sum += value;
    if (++trigger->rest_count < REST_SAMPLES)
        return;
    trigger->rest = (uint16_t)(trigger->rest_sum / REST_SAMPLES);
    trigger->rest_sum = 0;
    trigger->rest_count = 0;
}

bool fw_trigger_quiet(const struct fw_trigger *trigger)
{
    return trigger->quiet >= QUIET_SAMPLES;
}

void fw_trigger_take(struct fw_trigger *trigger, uint16_t value)
{
    const uint16_t rest = trigger->rest;
    const bool falls = value + FREE_FALL < rest;
    /* Free fall reads 1 g below rest, so this is the free-fall level + half a g. */
    const bool landed = trigger->falling >= FALL_SAMPLES && value + 4 * QUARTER_G > rest + LANDED;
    const bool shock = value > rest + SHOCK;
    trigger->contact = landed;
    trigger->pickup = shock && fw_trigger_quiet(trigger);
    if (falls && !landed) {
        if (trigger->falling < UINT8_MAX)
            trigger->falling++;
    } else {
        trigger->falling = 0;
    }
    if (shock || value + SHOCK < rest)
        trigger->quiet = 0;
    else if (trigger->quiet < UINT8_MAX)
        trigger->quiet++;
}
