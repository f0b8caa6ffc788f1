/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests beside share: an inbox with an MCU before it, and what came out so far. */
#ifndef TEST_LIVE_SERIAL_SESSION_H
#define TEST_LIVE_SERIAL_SESSION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/live/serial.h"
#include "boards.h"
#include "wire/wire.h"

#define COMMANDS_MAX 1024
#define CLOCKS_MAX   256
#define PENDING      1 /* no status is positive */

struct session {
    struct ts_inbox *inbox;
    struct ts_mcu *mcu;
    struct ts_why why;
    uint32_t next_id;
    int64_t give_up_ns, ping_ns;
    bool pings;               /* clock readings go on beside */
    int status[COMMANDS_MAX]; /* by id */
    int64_t last_ns;
    unsigned faults[16], states; /* counted; one bit a state that was entered */
    uint32_t state_ticks[8];     /* when it was entered last */
    unsigned greetings, samples;
    uint8_t board;
    uint32_t boot_id;
    struct ts_item_clock clocks[CLOCKS_MAX];
    size_t clock_count;
};

void session_open(struct session *session, const char *spec);
int session_try(struct session *session, const char *spec); /* fills why */
void session_close(struct session *session);

uint32_t session_send(struct session *session, uint8_t type, const void *body, uint8_t size);
uint32_t session_read_clock(struct session *session);
/* Takes an item; fails the test when none comes for long. */
void session_take(struct session *session);
/* Sends, and takes items until it is done. */
int session_do(struct session *session, uint8_t type, const void *body, uint8_t size);
/* Until the stylus is held. Clock readings go on beside from now on, so that the board does not
 * take the host for lost. */
void session_home(struct session *session);
/* A teardown of cmocka's: all boards as they were before the first test. */
int session_unplug_all(void **state);

#define SESSION_UNTIL(session, condition)                                                          \
    do {                                                                                           \
        (session)->give_up_ns = ts_live_now().ns + 60 * TS_NS_PER_S;                               \
        while (!(condition))                                                                       \
            session_take(session);                                                                 \
    } while (0)

#endif
