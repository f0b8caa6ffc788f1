/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The even schedule of a camera behind the arrivals of its frames. Memory grows with the corners of
 * their lower envelope and the gaps in their numbers, not with the frames. */
#ifndef TS_MEDIA_FRAMES_LINE_H
#define TS_MEDIA_FRAMES_LINE_H

#include "media/frames_csv.h"

/* Frame of number `sequence` was due at start + period * (sequence - first sequence), from the
 * first arrival. That is the lower envelope of the arrivals: of all lines that no frame beats, the
 * one with the least total lateness, since frames are held up and never early. */
struct ts_frames_line {
    double start_ns, period_ns;
};

struct ts_frames_schedule;

int ts_frames_schedule_open(struct ts_frames_schedule **out) TS_MUST_CHECK;
void ts_frames_schedule_close(struct ts_frames_schedule *schedule); /* NULL is fine */
/* The next frame. TS_ENOMEM. */
int ts_frames_schedule_add(struct ts_frames_schedule *schedule,
                           const struct ts_frames_csv_row *row) TS_MUST_CHECK;
size_t ts_frames_schedule_count(const struct ts_frames_schedule *schedule);
/* The first frame that was added; one was. */
struct ts_frames_csv_row ts_frames_schedule_first(const struct ts_frames_schedule *schedule);
/* TS_EPROTO: fewer than two frames. */
int ts_frames_schedule_line(const struct ts_frames_schedule *schedule,
                            struct ts_frames_line *line) TS_MUST_CHECK;
/* The number of frame n (from 0, below the count) of the film. Quick when n rises from call to
 * call. */
uint32_t ts_frames_schedule_sequence(struct ts_frames_schedule *schedule, size_t n);

#endif
