/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the frames of a video arrived, as text: a line `frame,seq,arrival_ns` per frame. */
#ifndef TS_MEDIA_FRAMES_CSV_H
#define TS_MEDIA_FRAMES_CSV_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct ts_frames_csv_row {
    uint32_t sequence; /* a step of more than 1: frames were lost */
    int64_t arrival_ns;
};

/* Row i is frame i of the video. An optional heading, empty lines, CRLF and a BOM are taken.
 * `frame` counts from 0, `seq` rises, `arrival_ns` does not fall. *rows is the caller's, to be
 * freed with free(). Returns the number of rows (at least 1), TS_EPROTO (with the line's number),
 * TS_ENOMEM. */
long ts_frames_csv_parse(const char *text, size_t size, struct ts_frames_csv_row **rows,
                         struct ts_why *why) TS_MUST_CHECK;

/* start + period * (sequence - rows[0].sequence) is the lower envelope of the arrivals: the line
 * that no frame beats and that lies nearest to them, since frames are held up and never early.
 * Times are from rows[0].arrival_ns. TS_EPROTO: fewer than two frames. */
struct ts_frames_line {
    double start_ns, period_ns;
    double late_ns; /* median lateness of the frames against the line */
};
int ts_frames_csv_line(const struct ts_frames_csv_row *rows, size_t count,
                       struct ts_frames_line *line) TS_MUST_CHECK;

#endif
