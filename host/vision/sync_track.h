/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both halves of sync need: when a LED was lit, and when frames arrived. For sync.c and
 * sync_find.c alone. */
#ifndef TS_VISION_SYNC_TRACK_H
#define TS_VISION_SYNC_TRACK_H

#include "vision/sync.h"

/* A LED's light over time. Before the first edge its state is not known. */
struct ts_led_track {
    size_t count;
    double *at_ms;  /* owned: [count] changes of this LED; the first: where its state is known */
    double *sum_ms; /* [count], same allocation: how long it had been lit by then */
    bool first_on;  /* after at_ms[0]; changes alternate from there */
};

int ts_led_track_open(struct ts_led_track *track, const struct ts_sync_edge *edges,
                      size_t edge_count, int led) TS_MUST_CHECK;
void ts_led_track_close(struct ts_led_track *track);
/* Share of from .. from + length that the LED was lit; NAN where that is not known. *hint: where
 * the last question was answered; questions in order of time are then quick. */
double ts_led_track_share(const struct ts_led_track *track, double from_ms, double length_ms,
                          size_t *hint);
bool ts_led_track_on(const struct ts_led_track *track, double at_ms, size_t *hint);

/* Arrivals as a straight line over sequence numbers, at their median lateness. */
struct ts_arrival_line {
    double first_ms, period_ms, period_u_ms; /* first_ms: of frames->sequence[0] */
};
int ts_arrival_line(const struct ts_sync_frames *frames, struct ts_arrival_line *line,
                    struct ts_why *why) TS_MUST_CHECK;

/* Order of doubles, for qsort(). */
int ts_sync_by_value(const void *left, const void *right);

static inline double ts_frame_number(const struct ts_sync_frames *frames, size_t i)
{
    return (double)frames->sequence[i] - (double)frames->sequence[0];
}

#endif
