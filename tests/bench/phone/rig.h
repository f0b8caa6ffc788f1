/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulated phone in the hand: helpers for the tests of this folder. */
#ifndef TEST_PHONE_RIG_H
#define TEST_PHONE_RIG_H

#include "base/time.h"
#include "sim_phone/sim_phone.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define RIG_LINES_MAX 4000

struct rig {
    struct sim_scene scene;
    struct sim_phone *phone;
    int64_t now_ns;
    char *lines[RIG_LINES_MAX]; /* owned */
    int64_t seen_ns[RIG_LINES_MAX];
    int count;
    int mark; /* rig_has() and rig_find() look at lines from here on */
    int launch;
};

void rig_open(struct rig *rig, uint64_t seed, int android);
void rig_close(struct rig *rig);
/* Steps the phone as a bench does and takes its lines. */
void rig_run(struct rig *rig, double ms);
/* Returns the exit code; output (may be NULL) is the caller's, in its own storage. */
int rig_shell(struct rig *rig, char *output, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Force on for contact_ms, and then after_ms of watching; sets the mark before. */
void rig_press(struct rig *rig, double contact_ms, double after_ms);
/* NEXT, the button, and a press of 150 ms, watched for 9 s. */
struct sim_phone_truth rig_launch(struct rig *rig, const char *component, enum sim_fault fault);
/* The index of the next line since `from` that holds every one of the words given (NULL ends
 * them), -1 for none. */
int rig_find(const struct rig *rig, int from, ...);
#define rig_has(rig, ...)        (rig_find((rig), (rig)->mark, __VA_ARGS__, (char *)NULL) >= 0)
#define rig_line(rig, from, ...) rig_find((rig), (from), __VA_ARGS__, (char *)NULL)
/* The stamp of a line, real time of the phone. */
int64_t rig_stamp_ns(const struct rig *rig, int line);

#endif
