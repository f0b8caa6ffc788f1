/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded evidence of one launch: everything that came up through the seam between two
 * journaled bounds, sorted by kind. measure is a function of this and of the calibration. */
#ifndef TS_MODEL_EVIDENCE_H
#define TS_MODEL_EVIDENCE_H

#include "model/item.h"
#include "model/result.h"

struct ts_evidence_frame {
    uint32_t sequence;
    struct ts_host_time arrival;
    const uint16_t *blocks; /* borrowed from the evidence's owner */
};

struct ts_evidence_mcu {
    struct ts_host_time arrival;
    struct ts_item_mcu message;
};

struct ts_evidence_line {
    struct ts_host_time arrival;
    enum ts_stream stream;
    char *text; /* owned */
};

struct ts_evidence_fault {
    struct ts_host_time arrival;
    struct ts_item_fault fault;
};

/* What control knew and did; written to the journal as its own lines. */
struct ts_evidence_intent {
    int launch; /* from 1; 0 for the calibration at the start */
    char app[128];
    char component[160];
    enum ts_start_type start;
    struct ts_host_time observed_from; /* its streams were open; 0 unknown */
    struct ts_host_time tap_sent;      /* the TAP command was given; or `am start`, in its stead */
    struct ts_host_time watch_ended;   /* control stopped watching the screen */
    bool timed_out;                    /* the screen had not come to rest by then */
    int app_uid, app_pid;              /* of the app before the tap; 0 unknown or not running */
    struct ts_conditions conditions;
    bool metered; /* the plan asks for what the phone says of its costs */
    struct ts_meter_readings readings;
    char phone[96]; /* its model and build, as part 0 asked for them; "" unknown */
    char focus_before[160], focus_after[160]; /* focused window, "" when unknown */
};

struct ts_evidence {
    struct ts_camera_geometry camera;
    struct ts_evidence_intent intent;
    struct ts_evidence_frame *frames; /* owned array */
    size_t frame_count, frame_capacity;
    struct ts_evidence_mcu *mcu; /* owned array */
    size_t mcu_count, mcu_capacity;
    struct ts_evidence_line *lines; /* owned array */
    size_t line_count, line_capacity;
    struct ts_item_clock *clocks; /* owned array */
    size_t clock_count, clock_capacity;
    struct ts_evidence_fault *faults; /* owned array */
    size_t fault_count, fault_capacity;
    void **kept; /* block storage, freed with the evidence */
    size_t kept_count, kept_capacity;
};

/* Copies what the item holds (block sums included; they must be filled in). */
int ts_evidence_add(struct ts_evidence *evidence, const struct ts_item *item) TS_MUST_CHECK;
void ts_evidence_free(struct ts_evidence *evidence);

#endif
