/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every frame goes through the tracker, which knows coarsely which blocks move. Once a block has
 * rested long enough, its story is told finely from the frames kept; what one sees in the end is
 * pooled from the blocks' stories. So nothing is ever looked at twice, and only the frames of the
 * last seconds are kept. */
#include "vision/detector.h"

#include "vision/belong.h"
#include "vision/detector_state.h"
#include "vision/memory.h"
#include "vision/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_BACK_MS  2200.0 /* beyond the quiet time: the longest passage that is seen whole */
#define SURE_TIMES    2.0    /* quiet times of going on make it sure to go on */
#define MASK_EVERY_MS 90.0
#define TELL_LATE_MS  1000.0 /* beyond the quiet time: later is better while frames are kept */
#define FIRST_REST_MS 300.0  /* the first change has come to rest */
#define FIRST_MOST_MS 2500.0 /* a fade of two seconds has, too */
#define HAND_GONE_MS  2500.0 /* after the tap, at the latest, a hand is out of view */
#define LIGHTS_UP     0.25   /* of the blocks that the stylus may cover */
#define RIM_NEAR      2      /* coarse blocks */
#define SUM_MOST      (TS_PROGRESS_VALUE_MOST / 4)
#define ARM_LEAST     3    /* blocks that an arm moves in at once; fewer are noise */
#define AGAIN_MS      50.0 /* after the screen changed, the stylus is seen to move again */
#define UNDER_LEAST   12   /* blocks that an arm does not newly move into at once */

static bool view_is_valid(const struct ts_vision_view *view)
{
    return view->camera->blocks_x > 0 && view->camera->blocks_y > 0 && view->period_ms > 0 &&
           view->exposure_ms >= 0 && view->readout_ms >= 0 && view->gamma > 0 &&
           view->quiet_ms > 0 && isfinite(view->quiet_ms) && isfinite(view->period_ms);
}

static uint8_t *copy_mask(const uint8_t *mask, size_t blocks)
{
    uint8_t *copy = calloc(blocks, 1);
    if (copy && mask)
        memcpy(copy, mask, blocks);
    return copy;
}

static int open_robust(struct ts_detector *detector)
{
    const size_t blocks = detector->blocks;
    const struct ts_vision_view *view = &detector->view;
    detector->stories = ts_memory_zeroed(blocks, sizeof *detector->stories);
    detector->uncrept = ts_memory_zeroed(blocks, sizeof *detector->uncrept);
    detector->crept = ts_memory_zeroed(blocks, 1);
    detector->pending = ts_memory_zeroed(blocks, 1);
    detector->endless = ts_memory_zeroed(blocks, 1);
    detector->stylus = ts_memory_zeroed(blocks, 1);
    detector->stylus_way = ts_memory_zeroed(blocks, 1);
    detector->scratch = ts_memory_zeroed(4 * blocks, 1);
    detector->counts = ts_memory_zeroed(blocks, 1);
    detector->kept[0] = ts_memory_zeroed(blocks, 1);
    detector->kept[1] = ts_memory_zeroed(blocks, 1);
    detector->endless_ms = ts_memory_zeroed(blocks, sizeof *detector->endless_ms);
    detector->values = ts_memory_zeroed(blocks, sizeof *detector->values);
    detector->calm = ts_memory_zeroed(blocks, sizeof *detector->calm);
    detector->edges = ts_memory_zeroed(blocks, sizeof(void *));
    if (!detector->stories || !detector->uncrept || !detector->crept || !detector->pending ||
        !detector->endless || !detector->stylus || !detector->stylus_way || !detector->scratch ||
        !detector->counts || !detector->kept[0] || !detector->kept[1] || !detector->endless_ms ||
        !detector->values || !detector->calm || !detector->edges)
        return TS_ENOMEM;
    for (size_t block = 0; block < blocks; block++)
        detector->endless_ms[block] = INFINITY;
    int err = ts_window_open(&detector->window, view, view->quiet_ms + LOOK_BACK_MS);
    if (!err)
        err = ts_track_open(&detector->track, view, detector->ignore);
    if (!err)
        err = ts_flicker_open(&detector->flicker, &detector->window);
    if (!err)
        err = ts_drift_open(&detector->drift, &detector->window);
    if (!err)
        err = ts_creep_open(&detector->creep, blocks);
    if (!err)
        err = ts_story_open(&detector->reader, &detector->window);
    if (!err)
        err = ts_light_open(&detector->light);
    if (!err)
        err = ts_scenes_open(&detector->scenes, blocks);
    if (!err)
        err = ts_progress_open(blocks, &detector->progress);
    return err;
}

int ts_detector_open(const struct ts_vision_view *view, enum ts_rule rule, struct ts_detector **out)
{
    if (!view_is_valid(view))
        return TS_EINVAL;
    struct ts_detector *detector = calloc(1, sizeof *detector);
    if (!detector)
        return TS_ENOMEM;
    detector->camera = *view->camera;
    detector->blocks = (size_t)view->camera->blocks_x * (size_t)view->camera->blocks_y;
    detector->rule = rule;
    detector->ignore = copy_mask(view->ignore, detector->blocks);
    detector->status_bar = copy_mask(view->status_bar, detector->blocks);
    detector->view = *view;
    detector->view.camera = &detector->camera;
    detector->view.ignore = view->ignore ? detector->ignore : NULL;
    detector->view.status_bar = view->status_bar ? detector->status_bar : NULL;
    detector->moved_ms = detector->unsure_ms = detector->masked_ms = -INFINITY;
    detector->certain_ms = INFINITY;
    detector->due_ms = INFINITY;
    detector->trigger_ms = NAN;
    detector->doubted_first_ms = detector->under_ms = INFINITY;
    int err = detector->ignore && detector->status_bar ? TS_OK : TS_ENOMEM;
    if (!err)
        err = rule == TS_RULE_LITERAL ? ts_literal_open(&detector->literal, &detector->view)
                                      : open_robust(detector);
    if (err) {
        ts_detector_close(detector);
        return err;
    }
    *out = detector;
    return TS_OK;
}

void ts_detector_close(struct ts_detector *detector)
{
    if (!detector)
        return;
    ts_literal_close(&detector->literal);
    ts_window_close(&detector->window);
    ts_track_close(&detector->track);
    ts_flicker_close(&detector->flicker);
    ts_drift_close(&detector->drift);
    ts_creep_close(&detector->creep);
    ts_story_close(&detector->reader);
    ts_light_close(detector->light);
    ts_scenes_close(&detector->scenes);
    ts_progress_close(detector->progress);
    free(detector->ignore);
    free(detector->status_bar);
    free(detector->stories);
    free(detector->uncrept);
    free(detector->crept);
    free(detector->pending);
    free(detector->endless);
    free(detector->endless_ms);
    free(detector->stylus);
    free(detector->stylus_way);
    free(detector->scratch);
    free(detector->counts);
    free(detector->kept[0]);
    free(detector->kept[1]);
    free(detector->values);
    free(detector->calm);
    free(detector->edges);
    free(detector);
}

void ts_detector_tap(struct ts_detector *detector, double tap_ms)
{
    detector->tap_ms = tap_ms - detector->base_ms;
}

/* What moved until now, moved before the tap. */
static void pass_tap(struct ts_detector *detector)
{
    ts_detector_begin_at_rest(detector);
    detector->not_quiet = ts_mask_stylus(&detector->track, &detector->window, detector->tap_ms,
                                         detector->stylus, detector->stylus_way, detector->scratch);
    detector->track.tapped = true;
    detector->stylus_ms = detector->tap_ms;
}

/* A third change in one place may be the launch's last, or the first turns of a spinner, and a slow
 * fade is restless too: only what has gone on for long is sure to go on. What may be the stylus is
 * waited for like the screen. */
static bool surely_endless(const struct ts_detector *detector, size_t block, double now_ms)
{
    return detector->endless[block] &&
           now_ms - (double)detector->endless_ms[block] >= SURE_TIMES * detector->view.quiet_ms;
}

/* Beside what surely goes on, where the lens shows some of it. */
static bool is_rim(const struct ts_detector *detector, size_t block, double now_ms)
{
    const struct ts_track *track = &detector->track;
    const size_t by = ts_track_scaled(track, RIM_NEAR), x = block % track->across,
                 y = block / track->across;
    bool rim = false;
    for (size_t j = y > by ? y - by : 0; j <= y + by && j < track->down && !rim; j++) {
        for (size_t i = x > by ? x - by : 0; i <= x + by && i < track->across && !rim; i++)
            rim = surely_endless(detector, j * track->across + i, now_ms);
    }
    return rim;
}

/* What the block did last may yet be a change that counts. What the lens shows is too little, and
 * comes and goes. */
static bool is_unsure(const struct ts_detector *detector, size_t block, double now_ms)
{
    return !surely_endless(detector, block, now_ms) &&
           (ts_belong_changed(&detector->track, block) || !is_rim(detector, block, now_ms));
}

static void note_endless(struct ts_detector *detector, size_t block, double last_ms, double now_ms)
{
    float *since_ms = &detector->endless_ms[block];
    if (detector->endless[block])
        *since_ms = fminf(*since_ms, (float)now_ms);
    else if (now_ms - last_ms >= detector->view.quiet_ms)
        *since_ms = INFINITY;
}

/* Regions that go on changing are looked for while something moves, or may come to rest; what moved
 * in them does not count any more. */
static void look_for_endless(struct ts_detector *detector, double now_ms)
{
    if (now_ms - detector->masked_ms < MASK_EVERY_MS)
        return;
    detector->masked_ms = now_ms;
    detector->endless_count = ts_endless_find(&detector->track, NULL, detector->view.quiet_ms,
                                              now_ms, detector->endless, detector->scratch);
    detector->moved_ms = detector->unsure_ms = -INFINITY;
    for (size_t block = 0; block < detector->blocks; block++) {
        const double last = (double)detector->track.last_ms[block];
        note_endless(detector, block, last, now_ms);
        if (isinf(detector->track.first_ms[block]))
            continue;
        if (ts_detector_counts(detector, block, last))
            detector->moved_ms = fmax(detector->moved_ms, last);
        if (last > detector->unsure_ms && is_unsure(detector, block, now_ms))
            detector->unsure_ms = last;
    }
}

/* The screen has just brightened behind much of what the stylus may cover. */
static bool screen_lights_up(const struct ts_detector *detector)
{
    const struct ts_track *track = &detector->track;
    size_t brighter = 0, covered = 0;
    for (size_t block = 0; block < detector->blocks; block++)
        covered += detector->stylus[block];
    for (size_t i = 0; i < track->moved_count; i++) {
        const size_t block = track->moved[i];
        brighter += detector->stylus[block] && track->out[block] > 0;
    }
    return (double)brighter > LIGHTS_UP * (double)covered;
}

/* The stylus goes away in one movement, however late it ends. Where a rig tells of its own, it is
 * followed for as long as it moves; a hand's shadow is not. A change of the screen is no movement
 * of it, but where it lights up, the stylus may be seen again that went unseen over a screen as
 * dark as itself: if it is there, it moves on at once. */
static void see_stylus(struct ts_detector *detector, double now_ms)
{
    const struct ts_track *track = &detector->track;
    const bool told = !isnan(detector->view.stylus_from_ms);
    const bool here = ts_detector_stylus_goes_on(detector, now_ms);
    const bool held = here && detector->view.stylus_held_ms > 0;
    /* Until the app has changed anything, what it changes beside the stylus is not given away. */
    const uint8_t *way = held && detector->app_changed ? detector->stylus_way : NULL;
    const bool screen = ts_mask_screen_moves(track, detector->stylus, way);
    if (held && !screen && !memchr(detector->stylus, 1, detector->blocks))
        ts_mask_find_stylus(track, detector->stylus, detector->stylus_way, detector->scratch);
    else if (here && !screen)
        ts_mask_follow_stylus(track, now_ms, detector->stylus_way, detector->stylus);
    size_t moved = 0;
    for (size_t i = 0; i < track->moved_count; i++)
        moved += detector->stylus[track->moved[i]];
    if (told && screen && (here || screen_lights_up(detector)))
        detector->stylus_ms = fmax(detector->stylus_ms, now_ms + AGAIN_MS - TS_STYLUS_REST_MS);
    else if (here && moved >= ARM_LEAST)
        detector->stylus_ms = told ? now_ms : fmin(now_ms, detector->tap_ms + HAND_GONE_MS);
}

/* At once in so many blocks that the stylus may cover, and has not moved through: the screen. */
static bool screen_changes_under_stylus(const struct ts_detector *detector, double now_ms)
{
    const struct ts_track *track = &detector->track;
    const size_t scale = ts_track_scale(track);
    size_t fresh = 0;
    if (ts_detector_stylus_goes_on(detector, now_ms) &&
        !ts_detector_stylus_is_slow(detector, now_ms))
        return false;
    for (size_t i = 0; i < track->moved_count; i++) {
        const size_t block = track->moved[i];
        fresh += detector->stylus[block] && track->first_ms[block] >= (float)now_ms;
    }
    return fresh >= UNDER_LEAST * scale * scale;
}

static void take_moves(struct ts_detector *detector, double now_ms)
{
    const struct ts_track *track = &detector->track;
    if (isinf(detector->under_ms) && screen_changes_under_stylus(detector, now_ms)) {
        detector->under_ms = now_ms;
        if (isnan(detector->trigger_ms))
            detector->trigger_ms = now_ms;
    }
    for (size_t i = 0; i < track->moved_count; i++) {
        const size_t block = track->moved[i];
        detector->pending[block] = 1;
        if (is_unsure(detector, block, now_ms))
            detector->unsure_ms = now_ms;
        if (ts_detector_is_stylus(detector, block, now_ms))
            continue;
        ts_scenes_move(&detector->scenes, now_ms, block);
        if (isnan(detector->trigger_ms))
            detector->trigger_ms = now_ms;
        if (detector->endless[block])
            continue;
        detector->moved_ms = now_ms;
        detector->changed = true;
        detector->app_changed |= !detector->status_bar[block];
    }
    if (track->moved_count && isinf(detector->due_ms))
        detector->due_ms = now_ms + detector->view.quiet_ms + TELL_LATE_MS;
}

static void feed_progress(struct ts_detector *detector, double start_ms, const uint16_t *sums)
{
    const struct ts_vision_view *view = &detector->view;
    const double middle_ms =
        start_ms + (view->exposure_ms + view->readout_ms) / 2 - detector->tap_ms;
    if (!isfinite(middle_ms))
        return; /* there has been no tap yet */
    const bool moving = detector->track.moved_count > 0;
    const bool wanted = ts_progress_wants(detector->progress, middle_ms, moving);
    const size_t blocks = wanted ? detector->blocks : 0;
    uint16_t *restrict values = detector->values;
    for (size_t block = 0; block < blocks; block++) /* 25 pixels, codes times 100 */
        values[block] = (uint16_t)((sums[block] < SUM_MOST ? sums[block] : SUM_MOST) * 4);
    ts_progress_frame(detector->progress, middle_ms, wanted ? values : NULL, moving);
}

/* Nothing that counts may have moved yet: what did can be taken for endless at first. */
static bool first_is_due(const struct ts_detector *detector, double now_ms)
{
    const double kept_ms = detector->view.quiet_ms + LOOK_BACK_MS;
    const double since = now_ms - detector->trigger_ms; /* NAN: nothing has moved yet */
    return !detector->first_known && since > 0 &&
           (since > fmin(FIRST_MOST_MS, kept_ms - TS_FIRST_ROOM_MS) ||
            now_ms - fmax(detector->moved_ms, detector->trigger_ms) > FIRST_REST_MS);
}

int ts_detector_frame(struct ts_detector *detector, uint32_t sequence, double start_ms,
                      const uint16_t *blocks)
{
    if (detector->losses.frames == 0 && isfinite(start_ms)) {
        detector->base_ms = start_ms;
        detector->tap_ms -= start_ms;
    }
    start_ms -= detector->base_ms;
    const int err = ts_losses_frame(&detector->losses, sequence, start_ms);
    if (err)
        return err;
    if (detector->rule == TS_RULE_LITERAL) {
        ts_literal_frame(&detector->literal, start_ms, detector->tap_ms, blocks);
        return TS_OK;
    }
    const struct ts_vision_view *view = &detector->view;
    struct ts_window *window = &detector->window;
    ts_window_add(window, start_ms, blocks);
    if (!detector->track.tapped &&
        start_ms + view->exposure_ms + view->readout_ms >= detector->tap_ms)
        pass_tap(detector);
    blocks = ts_detector_see_calm(detector, window->count - 1);
    ts_track_frame(&detector->track, start_ms, blocks);
    const size_t lights = detector->flicker.count;
    if (ts_flicker_watch(&detector->flicker, window, detector->track.moved_count,
                         detector->track.tapped))
        ts_detector_see_again(detector, detector->flicker.count != lights);
    if (detector->track.tapped) {
        if (detector->track.moved_count) {
            see_stylus(detector, start_ms);
            take_moves(detector, start_ms);
        }
        if (detector->track.moved_count || detector->endless_count)
            look_for_endless(detector, start_ms);
        if (first_is_due(detector, start_ms))
            ts_detector_tell_first(detector);
        if (ts_creep_look(&detector->creep, &detector->track, start_ms))
            ts_detector_tell_crept(detector);
        if (start_ms >= detector->due_ms)
            ts_detector_tell(detector, start_ms - view->quiet_ms - 0.8 * TELL_LATE_MS);
        if (isinf(detector->certain_ms) && ts_detector_is_certain(detector))
            detector->certain_ms = start_ms;
    }
    feed_progress(detector, start_ms, blocks);
    return TS_OK;
}

bool ts_detector_has_changed(const struct ts_detector *detector)
{
    return detector->changed;
}

bool ts_detector_is_certain(const struct ts_detector *detector)
{
    const double now_ms = detector->losses.start_ms, rest_ms = now_ms - detector->unsure_ms;
    return detector->changed && rest_ms >= detector->view.quiet_ms &&
           !ts_detector_may_change_again(detector, now_ms, TS_DETECTOR_LIVE) &&
           (rest_ms >= TS_TICKS_FOLLOW_MS ||
            !ts_ticks_may_follow(&detector->track, now_ms, detector->endless, detector->scratch));
}

int ts_detector_result(struct ts_detector *detector, struct ts_vision_changes *out)
{
    const struct ts_metric nothing = {NAN, NAN, 0};
    *out = (struct ts_vision_changes){.first = nothing,
                                      .last = nothing,
                                      .settled = nothing,
                                      .visually_complete_85 = nothing,
                                      .speed_index = nothing,
                                      .splash = nothing,
                                      .first_app_frame = nothing,
                                      .main_content = nothing};
    if (detector->losses.frames < 2)
        return TS_EINVAL;
    if (detector->rule == TS_RULE_LITERAL)
        ts_literal_result(&detector->literal, detector->tap_ms, out);
    else
        ts_detector_judge(detector, out);
    if (ts_losses_matter(&detector->losses, &detector->view, detector->tap_ms, out))
        out->flags |= 1u << TS_FLAG_FRAMES_DROPPED;
    return TS_OK;
}

int ts_detect(const struct ts_vision_frames *frames, enum ts_rule rule,
              struct ts_vision_changes *out)
{
    struct ts_detector *detector;
    int err = ts_detector_open(&frames->view, rule, &detector);
    if (err)
        return err;
    for (size_t n = 0; n < frames->count && !err; n++)
        err = ts_detector_frame(detector, frames->sequence[n], frames->start_ms[n],
                                frames->blocks[n]);
    if (!err)
        err = ts_detector_result(detector, out);
    ts_detector_close(detector);
    return err;
}
