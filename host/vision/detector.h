/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds in a stream of block sums when a launch began to show and when it had settled. The same
 * code serves on-line (a launch ends as soon as the verdict is certain) and off-line; memory does
 * not grow with the number of frames. All times are milliseconds from t0 (the lift); the light of
 * a frame's row r of H is collected from start_ms + r * readout / H for exposure_ms. */
#ifndef TS_VISION_DETECTOR_H
#define TS_VISION_DETECTOR_H

#include "base/err.h"
#include "model/frame.h"
#include "model/result.h"

#include <stddef.h>

#define TS_DETECTOR_VERSION "robust-42"
#define TS_LITERAL_VERSION  "literal-1"

/* What is known before the first frame. */
struct ts_vision_view {
    const struct ts_camera_geometry *camera;
    double period_ms;               /* measured */
    double exposure_ms, readout_ms; /* best knowledge */
    double gamma;                   /* code = 255 * light^(1/gamma); 1 when unknown */
    double start_u_ms;              /* standard uncertainty of start_ms, common to all frames */
    double exposure_u_ms, readout_u_ms;
    const uint8_t *ignore;     /* [blocks] 1: not the phone (LEDs, outside the screen); or NULL */
    const uint8_t *status_bar; /* [blocks] 1: status bar: seen as change, never for settled; or
                                  NULL */
    double stylus_from_ms;     /* the stylus begins to move (< 0); NAN: not known; INFINITY: nothing
                                  but the screen ever moves */
    double stylus_down_ms;     /* contact, and ... */
    double stylus_up_ms;   /* pick-up: in between it rests, what changes is the screen; or NAN */
    double stylus_held_ms; /* its motor stops (> 0): soon nothing but the screen moves; 0 or NAN:
                              not known */
    double quiet_ms;       /* the end is believed after this much rest */
    double refresh_ms;     /* of the display, > 0; 0 or NAN: not known */
};

/* A stretch of visible change between two rests of the screen. */
struct ts_vision_episode {
    double begin_ms, end_ms; /* first block half way, last block settled */
    double share;            /* of the screen's blocks that changed, 0..1 */
    double gain;             /* visual progress after it minus before it, -1..1 */
    int x0, y0, x1, y1;      /* box of what changed, blocks; x1 and y1 are the last inside */
    bool endless;            /* nothing but regions that go on changing */
};

#define TS_EPISODES_MOST 24  /* of more, some in the middle are joined */
#define TS_PROGRESS_MOST 128 /* points of the visual progress curve */

struct ts_vision_changes {
    struct ts_metric first, last, settled; /* u_common left 0: the caller knows it */
    struct ts_metric visually_complete_85; /* visual progress (progress.h) passes 85 % for good */
    struct ts_metric speed_index;          /* ms: area above the progress curve, progress.h */
    struct ts_metric splash, first_app_frame, main_content; /* episodes.h says which is which; NAN:
                                                               there was none */
    /* Bits of enum ts_flag: no_change, never_settled, barely_visible, overexposed,
     * screen_not_quiet, light_changed, frames_dropped (only losses that matter to the result). */
    uint32_t flags;
    size_t endless_blocks; /* that go on changing until the end */
    struct ts_vision_episode episodes[TS_EPISODES_MOST];
    size_t episode_count;
    struct {
        double ms, share;
    } progress[TS_PROGRESS_MOST]; /* visual progress, rising in ms */
    size_t progress_count;
};

struct ts_detector;

/* Copies what view points to. TS_EINVAL: a value that cannot be; TS_ENOMEM. */
int ts_detector_open(const struct ts_vision_view *view, enum ts_rule rule,
                     struct ts_detector **out) TS_MUST_CHECK;
void ts_detector_close(struct ts_detector *detector); /* NULL is fine */
/* start_ms rises from frame to frame; so does sequence, and a step of more than 1 says that frames
 * were lost. blocks: blocks_y * blocks_x sums, borrowed for the call. TS_EINVAL, TS_ENOMEM. */
int ts_detector_frame(struct ts_detector *detector, uint32_t sequence, double start_ms,
                      const uint16_t *blocks) TS_MUST_CHECK;
/* Moves t0 from 0 to tap_ms of the stream's time axis, on which start_ms is; before the frames that
 * show it. On-line, INFINITY holds until the lift. Results are told from t0. */
void ts_detector_tap(struct ts_detector *detector, double tap_ms);
/* Something changed after t0. */
bool ts_detector_has_changed(const struct ts_detector *detector);
/* Something changed after t0, and everything outside regions that go on changing has rested for
 * quiet_ms since, and for longer where something small came last, which may be the first second of
 * a clock: looking on would change the result only if the app changes once more. */
bool ts_detector_is_certain(const struct ts_detector *detector);
/* The result over all frames given so far; the detector can go on. TS_EINVAL: fewer than two. */
int ts_detector_result(struct ts_detector *detector, struct ts_vision_changes *out) TS_MUST_CHECK;

/* All at once. */
struct ts_vision_frames {
    struct ts_vision_view view;
    size_t count;
    const uint16_t *const *blocks; /* [count] -> blocks_y * blocks_x sums */
    const double *start_ms;        /* [count] */
    const uint32_t *sequence;      /* [count] */
};

int ts_detect(const struct ts_vision_frames *frames, enum ts_rule rule,
              struct ts_vision_changes *out) TS_MUST_CHECK;

#endif
