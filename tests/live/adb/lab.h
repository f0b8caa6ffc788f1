/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real adb server on a port of its own, in a home folder of its own, and simulated phones that it
 * connects to. */
#ifndef LAB_H
#define LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/live/phone.h"
#include "sim_adb/real_phone.h"

#define MS TS_NS_PER_MS

/* For a whole test program: environment; kills the server and removes the folder. */
int lab_open(void **state);
int lab_close(void **state);
/* Ends the adb server as `adb kill-server` does. */
void lab_kill_server(void);
/* Waits until the server lists the device in this state ("device", "unauthorized"). */
void lab_connect(const char *serial, const char *state);
void lab_disconnect(const char *serial);
void lab_sleep(int64_t ms);

/* A phone, its peer, and what the host has of it. */
struct lab {
    struct sim_real_phone *real;
    struct sim_adb_peer *peer;
    char serial[40];
    struct ts_inbox *inbox;
    struct ts_phone *phone;
    uint32_t last_id;

    char **lines; /* owned copies, of the log */
    size_t line_count, line_capacity;
    char **events; /* of the accessibility stream */
    size_t event_count, event_capacity;
    int lost, reboots, stream_ends; /* faults */
    struct ts_item_clock clock;     /* the latest reading */
    int clocks;
    struct ts_item_done done; /* the latest; its text is `text` */
    char *text;
};

/* All but the host's end; config may be NULL. */
void lab_phone_make(struct lab *lab, uint64_t seed, const struct sim_adb_config *config);
void lab_phone_open(struct lab *lab, uint64_t seed, const struct sim_adb_config *config);
void lab_phone_close(struct lab *lab);

/* Hands a command in; its id. */
uint32_t lab_submit(struct lab *lab, enum ts_command_kind kind, int what);
uint32_t lab_submit_shell(struct lab *lab, const char *command);
/* Takes what comes until that command is done; fails the test after 30 s. */
const struct ts_item_done *lab_wait(struct lab *lab, uint32_t id);
/* Takes what comes for so long. */
void lab_take_for(struct lab *lab, int64_t ms);
/* Takes what comes until the log has so many lines with these words, or 30 s have passed. */
void lab_take_lines(struct lab *lab, const char *words, size_t count);
/* How many lines have these words. */
size_t lab_count(const struct lab *lab, const char *words);

/* Runs a command: its output, which stays until the next one. */
const char *lab_shell(struct lab *lab, const char *command, int *status, int *exit_code);
void lab_stream(struct lab *lab, enum ts_stream stream, bool on);

/* A line of the log, stamped now, that tells of launch `number`. */
void lab_log_launch(struct lab *lab, int number);
/* Lines of launches 0 ... count-1 are there, each once and in their order. */
void lab_assert_launches(const struct lab *lab, int count);

#endif
