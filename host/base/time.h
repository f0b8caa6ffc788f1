/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One type per clock domain, so that mixing two clocks does not compile. */
#ifndef TS_BASE_TIME_H
#define TS_BASE_TIME_H

#include <stdint.h>

#define TS_NS_PER_US 1000LL
#define TS_NS_PER_MS 1000000LL
#define TS_NS_PER_S  1000000000LL

/* The MCU counts half microseconds (timer 1 at 2 MHz); ticks are unwrapped to 64 bits on the host
 * and belong to one boot of the board. */
#define TS_MCU_TICK_NS 500LL

struct ts_host_time { /* CLOCK_MONOTONIC of the host */
    int64_t ns;
};

struct ts_mcu_tick {
    uint32_t boot_id;
    int64_t ticks;
};

struct ts_cam_time { /* the camera's own stamp, when it has one */
    int64_t ns;
};

struct ts_phone_real { /* CLOCK_REALTIME of the phone: log lines */
    int64_t ns;
};

struct ts_phone_up { /* CLOCK_MONOTONIC of the phone: uptimeMillis, kernel input stamps */
    int64_t ns;
};

/* a - b and a + ns, wrapping: numbers from outside can be anything, and must not be undefined
 * behaviour. */
static inline int64_t ts_ns_between(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t ts_ns_after(int64_t a, int64_t ns)
{
    return (int64_t)((uint64_t)a + (uint64_t)ns);
}

#endif
