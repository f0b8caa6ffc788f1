/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurements of a sync fit: block rows of LEDs in frames that were exposed near an edge. For
 * sync.c alone. */
#ifndef TS_VISION_SYNC_ROWS_H
#define TS_VISION_SYNC_ROWS_H

#include "vision/sync_track.h"

#define TS_SYNC_CHANNELS 16

/* The blocks of one LED in one row of blocks: they are exposed together. */
struct ts_sync_channel {
    int led;
    double row; /* 0..1 of the picture's height */
    int block_count, blocks[12];
    float *level; /* [frames] summed */
};

struct ts_sync_row {
    int led;
    size_t hint;   /* for its LED's track */
    double number; /* of the frame, from the first */
    double row;
    double level, dark; /* shares of the lit level; those of dark and lit are taken near by */
};

struct ts_sync_rows {
    int channel_count;
    struct ts_sync_channel channels[TS_SYNC_CHANNELS];
    const struct ts_sync_channel *strongest[TS_LED_COUNT]; /* NULL: that LED is not in view */
    double rows_per_edge;
    size_t count;
    struct ts_sync_row *rows; /* owned, like all below */
    float *levels;
    double *scratch; /* [frames * channels] */
    size_t *full;    /* [frames] */
    char *state;     /* [frames] */
};

struct ts_sync_timing {
    double origin_ms; /* of frames->sequence[0] */
    double period_ms, exposure_ms, readout_ms;
    double margin_ms; /* how far it may be wrong */
};

int ts_sync_rows_open(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                      const struct ts_calibration *calibration, struct ts_why *why) TS_MUST_CHECK;
void ts_sync_rows_close(struct ts_sync_rows *rows);
/* Takes the rows that may show an edge if the timing is right to margin_ms. What dark and lit look
 * like is taken from the frames next to each one that surely are dark or lit, because the light
 * that falls on a LED's blocks changes with the screen beside it. */
void ts_sync_rows_choose(struct ts_sync_rows *rows, const struct ts_sync_frames *frames,
                         const struct ts_led_track *tracks, const struct ts_sync_timing *timing);

#endif
