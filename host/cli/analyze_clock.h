/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When each frame of a film began to be exposed: by a CSV of arrivals or by the container. What is
 * needed of all frames is learnt before the first one is placed, and kept in bounded memory. */
#ifndef TS_CLI_ANALYZE_CLOCK_H
#define TS_CLI_ANALYZE_CLOCK_H

#include "cli/analyze_times.h"
#include "cli/analyze_video.h"
#include "media/decode.h"
#include "media/frames_line.h"

struct ts_film_clock {
    const struct ts_analyze_options *options;
    struct ts_frames_schedule *schedule; /* owned; NULL: the container's stamps */
    struct ts_frames_line line;
    struct ts_times times; /* of the container */
    bool known;            /* false: the packets give no times; decode and ts_film_clock_set() */
    bool fixed;            /* the times are not to be doubted */
    bool recording;        /* of a screen: gaps are rests, not lost frames */
    bool misfit;           /* a frame is not where an even film has it */
    size_t frames;         /* how many there should be; 0: nobody knows */

    double period_ms, exposure_ms, readout_ms;
    double start_u_ms, exposure_u_ms, readout_u_ms;

    size_t placed;
    double first_number, zero_ms, last_ms;
    uint32_t sequence;
};

struct ts_film_place {
    uint32_t sequence;
    double start_ms; /* from the tap */
};

/* Reads the CSV, or all packets of the film. options are borrowed. */
int ts_film_clock_learn(struct ts_film_clock *clock, const struct ts_analyze_options *options,
                        const struct ts_decode_about *about, struct ts_why *why) TS_MUST_CHECK;
void ts_film_clock_free(struct ts_film_clock *clock); /* zeroed is fine */
/* Takes these times of the container; the next frame to be placed is the first. */
void ts_film_clock_set(struct ts_film_clock *clock, const struct ts_times *times);
/* The next frame. TS_EPROTO: the times cannot be. */
int ts_film_clock_place(struct ts_film_clock *clock, int64_t pts_ns, struct ts_film_place *place,
                        struct ts_why *why) TS_MUST_CHECK;
/* All frames are placed: were those all of the CSV? */
int ts_film_clock_end(const struct ts_film_clock *clock, struct ts_why *why) TS_MUST_CHECK;

#endif
