/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `getevent -lt`: what the touch screen told the kernel, stamped by it (CLOCK_MONOTONIC). */
#ifndef TS_ANDROID_GETEVENT_H
#define TS_ANDROID_GETEVENT_H

#include "base/err.h"
#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_getevent {
    struct ts_phone_up at;
    char device[32]; /* "/dev/input/event2"; "" when only one was watched */
    char type[16];   /* "EV_ABS", or four hexadecimal digits for one without a name */
    char code[32];   /* "ABS_MT_TRACKING_ID" */
    uint32_t value;  /* of keys: 1 DOWN, 0 UP, 2 REPEAT */
};

/* One line. TS_EPROTO: it is no event ("add device 1: ...", "  name: ..."). */
int ts_getevent_parse(const char *text, size_t size, struct ts_getevent *event) TS_MUST_CHECK;

#define TS_TOUCH_SLOTS 16

/* Whether anything touches one screen. Zeroed: nothing does. */
struct ts_touch {
    unsigned slot;                /* that the next values are about */
    bool in_slot[TS_TOUCH_SLOTS]; /* protocol B: a contact has an id */
    bool key;                     /* BTN_TOUCH */
    bool touching;                /* as of the latest report */
};

/* Whether ts_touch_follow() can make anything of it. */
bool ts_getevent_is_touch(const struct ts_getevent *event);

/* True when with this event (the SYN_REPORT that ends a report) touching began or ended:
 * touch->touching says which, event->at when. */
bool ts_touch_follow(struct ts_touch *touch, const struct ts_getevent *event);

#endif
