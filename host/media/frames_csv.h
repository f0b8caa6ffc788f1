/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the frames of a video arrived, as text: a line `frame,seq,arrival_ns` per frame. An optional
 * heading, empty lines, CRLF and a BOM are taken. `frame` counts from 0, `seq` rises, `arrival_ns`
 * does not fall. */
#ifndef TS_MEDIA_FRAMES_CSV_H
#define TS_MEDIA_FRAMES_CSV_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct ts_frames_csv_row {
    uint32_t sequence; /* a step of more than 1: frames were lost */
    int64_t arrival_ns;
};

/* Row by row, from a file or a pipe. */
struct ts_frames_csv;

int ts_frames_csv_open(const char *path, struct ts_frames_csv **out,
                       struct ts_why *why) TS_MUST_CHECK;
void ts_frames_csv_close(struct ts_frames_csv *csv); /* NULL is fine */
/* 1: *row is the next frame's; 0: that was all. TS_EPROTO (with the line's number), TS_EIO. */
int ts_frames_csv_next(struct ts_frames_csv *csv, struct ts_frames_csv_row *row,
                       struct ts_why *why) TS_MUST_CHECK;

/* All at once: row i is frame i of the video. *rows is the caller's, to be freed with free().
 * Returns the number of rows (at least 1), TS_EPROTO (with the line's number), TS_ENOMEM. */
long ts_frames_csv_parse(const char *text, size_t size, struct ts_frames_csv_row **rows,
                         struct ts_why *why) TS_MUST_CHECK;

#endif
