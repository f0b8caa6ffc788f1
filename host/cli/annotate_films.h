/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The films that a command line names, where their annotations stand, and when their frames were
 * taken. */
#ifndef TS_CLI_ANNOTATE_FILMS_H
#define TS_CLI_ANNOTATE_FILMS_H

#include "cli/analyze_video.h"
#include "store/annotations_file.h"
#include "store/files.h"
#include "store/session.h"
#include "web/site.h"

struct ts_shown_film {
    struct ts_path video, annotations;
    struct ts_path session; /* "": a video of its own */
    int launch;             /* of the session */
    struct ts_site_film view;
};

struct ts_shown_films {
    struct ts_shown_film **items; /* owned, and each of them */
    size_t count, capacity;
    int without_video; /* launches of sessions */
};

/* `path`: a session folder (all its launches that have a video), SESSION/launches/NNNN/video.mkv,
 * or any other video file. */
int ts_shown_films_add(struct ts_shown_films *films, const char *path,
                       struct ts_why *why) TS_MUST_CHECK;
/* By path, so that the order of the arguments does not matter; the same film twice is once. */
void ts_shown_films_sort(struct ts_shown_films *films);
void ts_shown_films_free(struct ts_shown_films *films);

/* Measures a video as its annotations were timed. one: any of them; NULL: as it is. */
int ts_shown_video_analyze(const char *video, const struct ts_annotation *one,
                           struct ts_analyze_result *result, struct ts_why *why) TS_MUST_CHECK;
/* Fills in zero, first_change_ms, settled_ms and what they rest on from one->marks. stamps_ns:
 * [frames] of the container. A session's launch is timed as it was measured: by its sync LEDs,
 * from the lift. */
int ts_annotation_time(const struct ts_shown_film *film, const struct ts_film_given *given,
                       const int64_t *stamps_ns, int frames, struct ts_annotation *one,
                       struct ts_why *why) TS_MUST_CHECK;

#endif
