/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what the detector remembers. Times are on the stream's axis; results are told
 * from tap_ms. */
#ifndef TS_VISION_DETECTOR_STATE_H
#define TS_VISION_DETECTOR_STATE_H

#include "vision/creep.h"
#include "vision/drift.h"
#include "vision/endless.h"
#include "vision/flicker.h"
#include "vision/light.h"
#include "vision/literal.h"
#include "vision/losses.h"
#include "vision/mask.h"
#include "vision/pool.h"
#include "vision/progress.h"
#include "vision/scenes.h"
#include "vision/story.h"

#define TS_FIRST_ROOM_MS       500.0 /* of rest before the first change must still be in the window */
#define TS_EDGES_MANY          12    /* of so many blocks that change, ... */
#define TS_EDGES_SUPPORT       3     /* ... fewer at one time may be noise, ... */
#define TS_EDGES_SURE          6.0   /* ... but for what is so many standard deviations */
#define TS_STYLUS_REST_MS      150.0 /* at rest for so long, it is out of view */
#define TS_STYLUS_SHADOW_CODES 30.0  /* its shadow takes no more */
#define TS_STYLUS_RINGS_MS     40.0  /* so long after its motor stopped */

struct ts_detector {
    struct ts_camera_geometry camera;
    struct ts_vision_view view;   /* points to what is owned here */
    uint8_t *ignore, *status_bar; /* [blocks], owned, never NULL */
    enum ts_rule rule;
    size_t blocks;
    double base_ms; /* start of the first frame: times inside count from there */
    double tap_ms;
    struct ts_losses losses;
    struct ts_literal literal; /* the literal rule has this, the robust one the rest */

    struct ts_window window;
    struct ts_track track;
    struct ts_flicker flicker;
    struct ts_drift drift;
    struct ts_creep creep;
    struct ts_story_reader reader;
    struct ts_light *light;
    struct ts_scenes scenes;
    struct ts_progress *progress;
    struct ts_story *stories;     /* [blocks] */
    struct ts_story *uncrept;     /* [blocks] as told before they crept; see detector_crept.c */
    uint8_t *crept;               /* [blocks] not 0: uncrept[] is told */
    uint8_t *pending;             /* [blocks] 1: has moved since its story was last told */
    uint8_t *endless, *stylus;    /* [blocks] as known now */
    uint8_t *stylus_way;          /* [blocks] 1: it may come there yet */
    uint8_t *scratch;             /* [4][blocks] */
    uint8_t *counts;              /* [blocks] */
    uint8_t *kept[2];             /* [blocks] pending and endless, while a result is told */
    uint16_t *values;             /* [blocks] for progress */
    uint16_t *calm;               /* [blocks] sums of a frame without flicker */
    const struct ts_edge **edges; /* [blocks] */
    struct ts_display display;    /* as the events told so far show it */
    bool not_quiet, light_changed;
    bool changed, app_changed; /* something did after the tap; outside the status bar too */
    double stylus_ms;          /* it was last seen to move */
    double moved_ms;           /* latest move that counts */
    double under_ms;   /* the screen first changed where the stylus may be; INFINITY: never */
    double trigger_ms; /* first move that may be the first change; NAN: none */
    float *endless_ms; /* [blocks] since then known to go on; INFINITY: it does not */
    size_t endless_count;
    double unsure_ms;        /* latest move of anything but what is sure to go on */
    double certain_ms;       /* the verdict was certain for the first time; INFINITY: not yet */
    double masked_ms;        /* endless regions were last looked for */
    double due_ms;           /* stories are to be told then; INFINITY: nothing is pending */
    double doubted_ms;       /* latest change left out as too small, if hardly; -INFINITY: none */
    double doubted_first_ms; /* earliest first change left out so; INFINITY: none */
    bool flicker_left;       /* not all of it could be taken off what was before the first change */
    bool drifted;            /* the exposure moved at some time */
    bool first_known;        /* stories[].first are told */
};

/* The sums of a frame in the window, without what is known of the flicker: valid until the next
 * call. */
const uint16_t *ts_detector_see_calm(struct ts_detector *detector, size_t frame);
/* More is known of the flicker; other_lights: one was found, or was none. */
void ts_detector_see_again(struct ts_detector *detector, bool other_lights);
/* Before the tap's frame is tracked. */
void ts_detector_begin_at_rest(struct ts_detector *detector);
/* Tells the stories of pending blocks that have rested since ms or longer. */
void ts_detector_tell(struct ts_detector *detector, double since_ms);
/* Tells the stories of blocks that crept, and have come to rest. */
void ts_detector_tell_crept(struct ts_detector *detector);
/* [blocks] 1: the lens shows the light of what goes on there. Valid while scratch is. */
const uint8_t *ts_detector_lit_by_endless(struct ts_detector *detector);
/* The block's story is about to be told because it crept. */
void ts_detector_keep_uncrept(struct ts_detector *detector, size_t block);
/* What crept near what goes on is told as before it crept, until it is taken back. Uses scratch. */
void ts_detector_leave_crept(struct ts_detector *detector);
void ts_detector_take_crept(struct ts_detector *detector);
/* Finds the first change; the frames around it must still be in the window. */
void ts_detector_tell_first(struct ts_detector *detector);
/* The stylus may still move: until its motor has stopped, or as long as it has been seen to. */
static inline bool ts_detector_stylus_goes_on(const struct ts_detector *detector, double now_ms)
{
    const struct ts_vision_view *view = &detector->view;
    if (view->stylus_held_ms > 0)
        return now_ms <
               detector->tap_ms + view->stylus_held_ms + TS_STYLUS_RINGS_MS + 2 * view->period_ms;
    return now_ms < detector->stylus_ms + TS_STYLUS_REST_MS;
}
/* What moves in this block at now_ms may be the stylus, which has not left the view yet. */
static inline bool ts_detector_is_stylus(const struct ts_detector *detector, size_t block,
                                         double now_ms)
{
    return detector->stylus[block] && ts_detector_stylus_goes_on(detector, now_ms);
}
/* A move of this block at now_ms counts: it is neither the stylus nor in an endless region. */
static inline bool ts_detector_counts(const struct ts_detector *detector, size_t block,
                                      double now_ms)
{
    return !detector->endless[block] && !ts_detector_is_stylus(detector, block, now_ms);
}
/* What fades faintly and slowly is hard to cut into steps: it only counts where nothing else has
 * changed. */
bool ts_detector_is_faint(const struct ts_edge *edge);
/* A stylus that is still in view by then leaves so slowly that it needs some frames to cover or
 * uncover anything. Before, nothing that one place shows tells it from the screen. */
bool ts_detector_stylus_is_slow(const struct ts_detector *detector, double ms);
/* The edges' blocks are few coarse blocks apart. */
bool ts_detector_is_near(const struct ts_detector *detector, const struct ts_edge *a,
                         const struct ts_edge *b);
/* Notes of an edge whose frames are still known, and that comes while the stylus leaves slowly,
 * what it has to do with that. */
void ts_detector_note_stylus(const struct ts_detector *detector, struct ts_edge *edge);
/* Of edges[from .. count - 1], which lie where the stylus may be, keeps those that are the screen's
 * doing; returns how many edges[] holds then. Uses counts[]. */
size_t ts_detector_keep_screen(struct ts_detector *detector, size_t from, size_t count);
/* While the stylus is known to move, its rim shows where nothing of it was seen before: what is
 * faint and by itself then is no first change. Returns how many of the first changes found are
 * left. Uses edges[] and scratch[]. */
size_t ts_detector_drop_rim(struct ts_detector *detector, size_t found);
/* Fills edges[] with the first changes that are believed; returns how many there are. */
size_t ts_detector_first_edges(struct ts_detector *detector);
/* Fill edges[] with what the screen, not the stylus, did last in each block, and with when it came
 * to its final value where that counts for `settled`; return how many there are. They use counts[]
 * and scratch[]. */
size_t ts_detector_last_edges(struct ts_detector *detector);
size_t ts_detector_settled_edges(struct ts_detector *detector);
/* When the blocks of edges[0 .. count - 1] were last out of bounds as wide as those that count may
 * be; -INFINITY: there are none. */
double ts_detector_surely_changed_ms(const struct ts_detector *detector, size_t count);
/* By how many codes a first change hardly larger than what is visible would show without noise: as
 * many as its neighbours that change alike, on average. INFINITY: it is larger, or has none. */
double ts_detector_alike_codes(const struct ts_detector *detector, const struct ts_edge *edge);
/* Whether `settled`, of edges that surely changed until sure_ms, would be another by more than 50
 * ms if what is visible were a little less or more than TS_VISIBLE_CODES; or may be, since it fades
 * so slowly. */
bool ts_detector_hangs_on_limit(const struct ts_detector *detector, double sure_ms,
                                const struct ts_metric *settled);
/* The same of first_ms, if what was left out for being faint or by itself counted. */
bool ts_detector_first_hangs_on_limit(const struct ts_detector *detector, double first_ms);
/* What changed was white in the camera until much later than settled_ms, while its exposure moved:
 * whether it changed again cannot be seen. */
bool ts_detector_is_overexposed(const struct ts_detector *detector, double settled_ms);
/* What changed but once since settled_ms, beside what goes on, is not of that after all if it came
 * before the launch was over. True when there is any. Uses scratch[]. */
bool ts_detector_free_stayed(struct ts_detector *detector, double settled_ms);
/* A part of the screen changed after a rest that was longer than what one has looked on for since:
 * it may be the next page of a carousel as well as the end. Who may look on asks more, so that what
 * he ends by suffices afterwards too, when times, masks and stylus are better known. */
enum ts_detector_asks { TS_DETECTOR_LIVE, TS_DETECTOR_AFTER };
bool ts_detector_may_change_again(const struct ts_detector *detector, double end_ms,
                                  enum ts_detector_asks asks);
void ts_detector_judge(struct ts_detector *detector, struct ts_vision_changes *out);

#endif
