/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/trigger.h"

#include <string.h>

#define HALF_G 34u

#define FREE_FALL HALF_G /* below rest */
/* Either side of rest. What is not quiet upwards is a shock: were there a band between the two, a
 * sample on the flank would end the quiet and hide the shock of the next one. */
#define SHOCK HALF_G

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
    const bool shock = value > rest + SHOCK;
    /* The end of free fall: 0.5 g above its level, which is 1 g below rest. */
    trigger->contact = !falls && trigger->falling >= FALL_SAMPLES;
    trigger->pickup = shock && fw_trigger_quiet(trigger);
    if (!falls)
        trigger->falling = 0;
    else if (trigger->falling < UINT8_MAX)
        trigger->falling++;
    if (shock || value + SHOCK < rest)
        trigger->quiet = 0;
    else if (trigger->quiet < UINT8_MAX)
        trigger->quiet++;
}
