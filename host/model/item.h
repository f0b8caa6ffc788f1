/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What crosses the seam: stamped items coming up, primitive commands going down.
 *
 * Items arrive in order of `arrival` and carry one sequence number over all sources. Every command
 * has an id (chosen by control, from 1 upwards) and ends in exactly one TS_ITEM_DONE. */
#ifndef TS_MODEL_ITEM_H
#define TS_MODEL_ITEM_H

#include "base/time.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_MCU_BODY_MAX 48

enum ts_item_kind {
    TS_ITEM_FRAME = 1, /* a camera frame */
    TS_ITEM_MCU,       /* a message of the MCU (an event, not an answer to the link itself) */
    TS_ITEM_LINE,      /* a line of a phone stream: log, accessibility event, ... */
    TS_ITEM_CLOCK,     /* a clock reading */
    TS_ITEM_DONE,      /* a command has ended; a deadline has passed */
    TS_ITEM_FAULT,     /* a device misbehaved: unplugged, reset, stream ended */
};

enum ts_clock_domain { TS_CLOCK_MCU = 1, TS_CLOCK_PHONE_REAL = 2, TS_CLOCK_PHONE_UP = 3 };

/* input: what the touch screen told the phone's kernel, as `getevent -lt` prints it. */
enum ts_stream { TS_STREAM_LOG = 1, TS_STREAM_ACCESSIBILITY = 2, TS_STREAM_INPUT = 3 };
#define TS_STREAM_COUNT 3

enum ts_device_fault {
    TS_FAULT_MCU_RESET = 1, /* a new boot id */
    TS_FAULT_MCU_LOST,      /* no answer after retransmission, or unplugged */
    TS_FAULT_MCU_GAP,       /* a message of the MCU is missing (sequence number) */
    TS_FAULT_CAMERA_LOST,
    TS_FAULT_PHONE_LOST,
    TS_FAULT_STREAM_ENDED,
    TS_FAULT_MCU_LATCHED, /* the firmware latched a fault; detail = enum wire_fault_code */
};

struct ts_item_mcu {
    uint8_t type; /* enum wire_type */
    uint8_t size;
    uint8_t body[TS_MCU_BODY_MAX];
    uint32_t boot_id;
};

struct ts_item_line {
    enum ts_stream stream;
    const char *text; /* borrowed, NUL-terminated, without line end */
};

/* The four times of a reading: t1 host sends, t2 the other side receives, t3 it answers, t4 host
 * receives. t1 and t4 are corrected for known wire time, so that with equal delays the midpoints
 * coincide. t2, t3 are in the domain's own unit: MCU half microseconds (32-bit, wrapping; the
 * reader unwraps), phone nanoseconds. Where the other side has one stamp only, t2 == t3. */
struct ts_item_clock {
    enum ts_clock_domain domain;
    uint32_t boot_id; /* MCU only */
    struct ts_host_time t1, t4;
    int64_t t2, t3;
};

struct ts_item_done {
    uint32_t command; /* its id */
    int status;       /* TS_OK or enum ts_err; for a shell command that ran, TS_OK */
    int exit_code;    /* of a shell command */
    const char *text; /* output of a shell command, else ""; borrowed, NUL-terminated */
};

struct ts_item_fault {
    enum ts_device_fault fault;
    int detail;
};

struct ts_item {
    uint64_t sequence;
    struct ts_host_time arrival;
    enum ts_item_kind kind;
    union {
        struct ts_frame *frame; /* borrowed: retain to keep */
        struct ts_item_mcu mcu;
        struct ts_item_line line;
        struct ts_item_clock clock;
        struct ts_item_done done;
        struct ts_item_fault fault;
    } u;
};

enum ts_command_kind {
    TS_COMMAND_MCU_SEND = 1, /* done when acknowledged */
    TS_COMMAND_PHONE_SHELL,  /* done when it has ended, with output and exit code */
    TS_COMMAND_PHONE_STREAM, /* start a stream; done at once, lines follow as items */
    TS_COMMAND_CAMERA_SET,   /* frames on or off */
    TS_COMMAND_CLOCK_READ,   /* a TS_ITEM_CLOCK, then done */
    TS_COMMAND_DEADLINE,     /* done when the host clock reaches `at` */
    TS_COMMAND_OPERATOR,     /* the person at the bench changes the rig; done when it is so */
    TS_COMMAND_STREAM_END,   /* end a phone stream; done when nobody watches the phone by it */
};

enum ts_operator_task {
    TS_OPERATOR_PLATE_ON = 1, /* lay the contact plate over the phone */
    TS_OPERATOR_PLATE_OFF,
    TS_OPERATOR_METER_FREE,  /* nothing is at the power meter's output */
    TS_OPERATOR_METER_LOAD,  /* a load whose current is known is there */
    TS_OPERATOR_METER_PHONE, /* the phone is there again */
};

struct ts_command {
    uint32_t id;
    enum ts_command_kind kind;
    union {
        struct {
            uint8_t type; /* enum wire_type, host -> MCU */
            uint8_t size;
            uint8_t body[TS_MCU_BODY_MAX];
        } mcu;
        const char *shell; /* borrowed for the call */
        enum ts_stream stream;
        bool camera_on;
        enum ts_clock_domain clock;
        struct ts_host_time at;
        enum ts_operator_task operator_task;
    } u;
};

#endif
