/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people marked in a film, kept beside it: VIDEO.annotations.json, in a session
 * launches/NNNN/annotations.json. One JSON array, in the order in which marks were made:
 *
 *   by                  who, as they call themselves
 *   when                UTC, "2026-03-01T09:30:00Z"
 *   first_change_frame  the FIRST frame that shows a change, counted from 0; null: not marked
 *   settled_frame       the FIRST frame from which nothing changes any more; null: not marked
 *   first_change_ms     the middle between the last instant at which frame first_change_frame - 1
 *                       collected light and the last one of frame first_change_frame: the change
 *                       showed in between. In the middle row of the picture
 *   settled_ms          likewise with the first instants of settled_frame - 1 and settled_frame,
 *                       since a frame that looks settled holds no light from before
 *   zero                where both ..._ms count from: "lift" (of a session's launch), "tap", or
 *                       "first frame" (when it began)
 *   tap_ns, frames_csv, latency_ms, exposure_ms, readout_ms
 *                       what the options of these names said; null: nothing
 *   frames              how many frames the film had
 *   cannot_tell         true: the person was not sure, or there is no such frame
 *   note                what they wrote; "" is nothing
 *   touchstone          version of the program that kept it
 *   superseded          when the same person marked the film again; null: these marks count
 *
 * Members that a reader does not know stay as they are. */
#ifndef TS_STORE_ANNOTATIONS_FILE_H
#define TS_STORE_ANNOTATIONS_FILE_H

#include "base/buf.h"
#include "model/marks.h"

#include <stddef.h>
#include <stdint.h>

#define TS_ANNOTATIONS_MOST 1000

struct ts_annotation {
    char by[TS_MARKS_BY_MAX];
    char when[24], superseded[24]; /* superseded "": counts */
    struct ts_marks marks;
    double first_change_ms, settled_ms; /* NAN: not marked */
    char zero[16];
    bool tap_given;
    int64_t tap_ns;
    char frames_csv[1024];                      /* "": none */
    double latency_ms, exposure_ms, readout_ms; /* NAN: not said */
    int frames;
};

struct ts_annotations {
    struct ts_annotation *items; /* owned */
    size_t count, capacity;
};

/* The text of such a file. TS_EPROTO: damaged, and where. */
int ts_annotations_parse(const char *text, size_t size, struct ts_annotations *out,
                         struct ts_why *why) TS_MUST_CHECK;
/* No such file: no annotations. */
int ts_annotations_load(const char *path, struct ts_annotations *out,
                        struct ts_why *why) TS_MUST_CHECK;
void ts_annotations_free(struct ts_annotations *annotations);
/* The marks of this person that count; NULL: none. */
const struct ts_annotation *ts_annotations_by(const struct ts_annotations *annotations,
                                              const char *by);
/* Both count from one instant, so that their times can be compared. */
bool ts_annotations_alike(const struct ts_annotation *one, const struct ts_annotation *other);
/* The text of such a file, made by this version. TS_ENOMEM. */
int ts_annotations_print(const struct ts_annotations *annotations, const char *touchstone,
                         struct ts_buf *out) TS_MUST_CHECK;
/* Adds to the file at `path` and supersedes the same person's earlier marks. Other programs that do
 * the same wait for each other at a lock on `film`. A damaged file is left as it is. */
int ts_annotations_add(const char *path, const char *film, const struct ts_annotation *added,
                       const char *touchstone, struct ts_why *why) TS_MUST_CHECK;

#endif
