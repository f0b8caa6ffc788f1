/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A host that taps, looks and writes down: no measuring, no deciding. */
#ifndef TESTS_BENCH_WHOLE_DRIVE_H
#define TESTS_BENCH_WHOLE_DRIVE_H

#include "bench/bench.h"
#include "bench/benches.h"
#include "wire/wire.h"

#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS           TS_NS_PER_MS
#define DRIVE_EDGES  4096
#define DRIVE_SCENES 16

struct drive {
    struct ts_bench *bench;
    char truth_path[200];
    uint32_t id;
    int64_t now_ns, longest_pause_ns; /* between two items */
    int64_t frame_ns;                 /* the last one's arrival */
    struct drive_edge {
        struct wire_edge edge;
        int64_t arrival_ns;
    } edges[DRIVE_EDGES];
    int edge_count;
    struct ts_item_clock readings[2]; /* of the MCU: the first and the last since drive_forget() */
    int reading_count;
    int64_t phone_less_host_ns; /* by the last reading of the phone's real time */
    int resets, touches, frames;
    int starts;     /* lines of ActivityManager about the helper app */
    json_t *truths; /* after drive_close(): array of the reference values */
};

/* Opens the bench and picks the stylus up; name makes the truth file's name. */
void drive_open(struct drive *drive, const char *name, uint64_t seed, const char *options);
/* Closes it and reads the reference values. */
void drive_close(struct drive *drive);
void drive_free(struct drive *drive);
void drive_forget(struct drive *drive);
/* Each ends when its command has ended; its status is TS_OK. */
void drive_wait(struct drive *drive, double ms);
void drive_shell(struct drive *drive, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void drive_camera(struct drive *drive, bool on);
void drive_read(struct drive *drive, enum ts_clock_domain clock);
void drive_stream(struct drive *drive, enum ts_stream stream);
/* A whole tap, and watch_ms more of watching. */
void drive_tap(struct drive *drive, double watch_ms);
/* One scene: shown, tapped, watched for watch_ms, camera off again. */
void drive_scene(struct drive *drive, const char *kind, unsigned seed, double watch_ms);
/* The host's time of an MCU instant between the two readings. */
int64_t drive_host_ns(const struct drive *drive, uint32_t ticks);
/* An instant of a line of reference values, 0 for null. */
int64_t drive_truth(const struct drive *drive, int line, const char *name);

#endif
