/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig made of rules: it answers each command with scripted items, so that control can be watched
 * without a bench. What control commands is kept as lines of text:
 *
 *     "shell am force-stop a.b"   "mcu 05 ff28"   "camera on"   "log"   "plate on"
 *     "clock mcu"   "deadline 812.000"  (ms from the item that caused it)
 */
#ifndef TESTS_UNIT_CONTROL_STAGE_H
#define TESTS_UNIT_CONTROL_STAGE_H

#include "control/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS TS_NS_PER_MS

struct stage_line {
    int part;
    int64_t at_ns;
    bool beside; /* a clock reading or a deadline: not a step of the campaign */
    bool reads;  /* a shell command that only asks */
    bool refused;
    char text[420];
};

#define STAGE_ANSWERS 12

struct stage_pending {
    int64_t at_ns;
    uint64_t order;
    struct ts_item item;
};

struct stage {
    struct ts_plan plan;
    struct ts_control *control;
    struct ts_camera_geometry camera;
    struct ts_why why;

    /* Rules, to be set before stage_part(). */
    int shell_status;       /* of every shell command */
    const char *apk_answer; /* of `pm path` */
    struct {
        const char *shell, *text; /* to commands that begin so; the last one counts */
    } answers[STAGE_ANSWERS];
    double charge, charge_per_min; /* of the battery, per cent; 0: it is not told */
    bool dead_mcu;                 /* clock readings are not answered */
    int64_t camera_gone_ns;        /* so long no frame comes after TS_FAULT_CAMERA_LOST */
    enum ts_device_fault fault;
    int fault_part; /* the fault comes in this part, -1: in none */
    int64_t fault_after_ns;
    int64_t displayed_ns; /* from the tap until Android logs that the app is displayed */
    int displayed_uid;    /* by whom: 1000 is the system */
    bool never_held;      /* the arm is stuck */
    bool untold_lift;     /* that message of the MCU is lost */
    bool dead_screen;     /* else it changes ... */
    int64_t changes_ns;   /* ... so long after each tap is sent: a second */
    bool repeated_frames; /* each comes twice */
    bool silent_log;      /* else the phone logs something every 100 ms */

    int64_t now_ns, part_ns; /* the open part began at part_ns */
    bool camera_on, held, latched, log_on;
    int64_t camera_gone_until_ns;
    struct stage_pending *pending; /* owned */
    size_t pending_count, pending_capacity;
    uint64_t order;
    uint32_t frame;
    int64_t change_ns; /* of the screen */
    uint16_t level;
    char displayed[300]; /* that line */
    char battery[60];
    struct stage_line *lines; /* owned */
    size_t line_count, line_capacity;
};

/* Two apps, "One" (a.one/.Main) and "Two" (a.two/.Main), one cold launch each, two plate taps. */
void stage_plan(struct stage *stage);
/* Begins with the host's clock at now_ns. */
void stage_open(struct stage *stage, uint64_t seed, int64_t now_ns);
void stage_close(struct stage *stage);
/* Plays a whole part; TS_EOF after the last, else what control said. */
int stage_part(struct stage *stage);
/* Plays all parts that are left. */
int stage_run(struct stage *stage);

/* The steps' commands of one part, as one text with a '\n' after each; a row of shell commands
 * that only ask is one line "reads". The caller frees it. */
char *stage_text(const struct stage *stage, int part);
/* The same with clock readings and deadlines, of all parts. */
char *stage_everything(const struct stage *stage);
/* Whether a part has this line. */
bool stage_said(const struct stage *stage, int part, const char *text);

#endif
