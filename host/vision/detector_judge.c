/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the blocks' stories to what one sees. */
#include "vision/detector_state.h"
#include "vision/bursts.h"
#include "vision/episodes.h"
#include "vision/fit.h"
#include "vision/pool.h"

#include <math.h>
#include <string.h>

#define BURST_LEAST      2 /* blocks */
#define LONG_REST_MS     1300.0
#define STRETCH_SHARE    0.5
#define PART_MOST        0.5    /* of the screen */
#define LIVE_REST_MS     1000.0 /* the same two, of who may look on, ... */
#define LIVE_PART_MOST   0.75
#define LIVE_SLACK_MS    300.0 /* ... and does for so much longer */
#define PASSAGE_MS       900.0 /* the longest change of one block that is followed back */
#define RESTED_MS        25.0  /* after its last move a block has come to rest */
#define TELL_TOGETHER_MS 150.0 /* blocks that come to rest one by one are told together */
#define FINAL_FRAMES     8     /* whose mean is the final picture */
#define AFTER_FRAMES     12    /* of rest that tell where a change ended */
#define REST_LEAST       4     /* frames */
#define DRIFT_U_MS       1.2   /* what an exposure that moves leaves open, as it was removed */

static void set_flag(struct ts_vision_changes *out, enum ts_flag flag, bool on)
{
    out->flags |= on ? 1u << flag : 0;
}

/* After the tap, and in frames that are still known. */
static bool moved_before(const struct ts_detector *detector, size_t block, size_t frame)
{
    const struct ts_moves *moves = &detector->track.moves[block];
    const double until_ms = ts_window_start_ms(&detector->window, frame);
    const double from_ms = fmax(detector->tap_ms, ts_window_start_ms(&detector->window, 0));
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        const double ms = ts_moves_back(moves, i);
        if (ms < until_ms)
            return ms > from_ms;
    }
    return false;
}

/* It moved, or crept, until moved_ms. */
static void tell_block(struct ts_detector *detector, size_t block, double moved_ms, bool crept,
                       bool drifts)
{
    const struct ts_window *window = &detector->window;
    const size_t count = window->count;
    const size_t from = drifts || crept ? 0 : ts_window_find(window, moved_ms - PASSAGE_MS);
    size_t rest = ts_window_find(window, moved_ms + RESTED_MS) + 1;
    if (rest + REST_LEAST > count)
        rest = count > REST_LEAST ? count - REST_LEAST : 0;
    if (drifts && rest + AFTER_FRAMES < count)
        rest = count - AFTER_FRAMES; /* of which the gain is relative */
    const size_t to = rest + AFTER_FRAMES < count ? rest + AFTER_FRAMES : count;
    if (from + REST_LEAST >= to)
        return;
    const struct ts_spill spill = {window, detector->endless, ts_track_scale(&detector->track)};
    struct ts_story_span span = {from, rest, to, count, drifts, crept, &spill};
    const double noise = ts_track_noise_codes(&detector->track, block);
    struct ts_story *story = &detector->stories[block];
    ts_story_end(&detector->reader, block, &span, noise, detector->tap_ms, story);
    if (story->settled.kind == TS_EDGE_NONE && moved_before(detector, block, from)) {
        span.from = 0; /* what it did last is not visible: what it did before may be */
        ts_story_end(&detector->reader, block, &span, noise, detector->tap_ms, story);
    }
    ts_detector_note_stylus(detector, &story->settled);
    ts_detector_note_stylus(detector, &story->last);
}

/* Marks in scratch the blocks that may move after since_ms. */
static void mark_moving(struct ts_detector *detector, double since_ms)
{
    for (size_t block = 0; block < detector->blocks; block++) {
        const double last = (double)detector->track.last_ms[block];
        const bool moving = last > since_ms || detector->endless[block];
        detector->scratch[block] = moving || detector->ignore[block];
    }
}

/* Only now it is seen that the exposure moves: what was told by the same frames took that for a
 * change. */
static void tell_again(struct ts_detector *detector)
{
    const double from_ms = ts_window_start_ms(&detector->window, 0) + PASSAGE_MS / 2;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_edge *settled = &detector->stories[block].settled;
        if ((double)detector->track.last_ms[block] > from_ms ||
            (settled->kind != TS_EDGE_NONE && (double)settled->ms > from_ms))
            detector->pending[block] = 1;
    }
}

/* Whether the exposure moves is told by what has rested since since_ms. */
static bool level(struct ts_detector *detector, double since_ms)
{
    mark_moving(detector, since_ms);
    ts_window_level(&detector->window);
    const bool drifts = ts_drift_remove(&detector->drift, &detector->window, detector->scratch);
    ts_finals_forget(&detector->reader.finals);
    return drifts;
}

void ts_detector_tell_crept(struct ts_detector *detector)
{
    const double now_ms = detector->losses.start_ms;
    const bool drifts = level(detector, now_ms - TS_CREEP_REST_MS);
    const uint8_t *not_its_own = ts_detector_lit_by_endless(detector);
    for (size_t block = 0; block < detector->blocks; block++) {
        if (!ts_creep_rested(&detector->creep, block, now_ms))
            continue;
        if (!not_its_own[block] && !detector->ignore[block]) {
            ts_detector_keep_uncrept(detector, block);
            tell_block(detector, block, (double)detector->creep.ms[block], true, drifts);
        }
        ts_creep_told(&detector->creep, block);
    }
}

void ts_detector_tell(struct ts_detector *detector, double since_ms)
{
    struct ts_window *window = &detector->window;
    const bool drifts = level(detector, since_ms);
    detector->due_ms = INFINITY;
    if (drifts && !detector->drifted)
        tell_again(detector);
    for (size_t block = 0; block < detector->blocks; block++) {
        if (!detector->pending[block])
            continue;
        const double last = (double)detector->track.last_ms[block];
        if (last > since_ms) {
            detector->due_ms =
                fmin(detector->due_ms, last + (detector->losses.start_ms - since_ms));
            continue;
        }
        tell_block(detector, block, last, false, drifts);
        detector->crept[block] = 0;
        detector->pending[block] = 0;
    }
    detector->due_ms += TELL_TOGETHER_MS;
    detector->drifted |= drifts;
    detector->light_changed |= !drifts && ts_light_changed(detector->light, window);
}

static struct ts_metric pool(struct ts_detector *detector, size_t count, enum ts_pool_end end,
                             bool arrival)
{
    return ts_edges_pool(&detector->window, detector->edges, count, end, arrival,
                         &detector->display);
}

static struct ts_metric first_change(struct ts_detector *detector)
{
    return pool(detector, ts_detector_first_edges(detector), TS_POOL_EARLIEST, false);
}

static struct ts_metric last_change(struct ts_detector *detector)
{
    return pool(detector, ts_detector_last_edges(detector), TS_POOL_LATEST, false);
}

static struct ts_metric settling(struct ts_detector *detector, bool *hangs)
{
    const size_t count = ts_detector_settled_edges(detector);
    const double sure_ms = ts_detector_surely_changed_ms(detector, count);
    const struct ts_metric settled = pool(detector, count, TS_POOL_LATEST, true);
    *hangs = ts_detector_hangs_on_limit(detector, sure_ms, &settled);
    return settled;
}

static double start_u(const struct ts_vision_view *view)
{
    /* A change is somewhere in the exposure and somewhere in the picture: half of each on average.
     */
    return hypot(view->start_u_ms, hypot(view->exposure_u_ms, view->readout_u_ms) / 2);
}

static void from_tap(const struct ts_detector *detector, struct ts_metric *metric)
{
    metric->value -= detector->tap_ms;
    metric->u = hypot(metric->u, start_u(&detector->view));
    if (detector->drifted)
        metric->u = hypot(metric->u, DRIFT_U_MS);
}

/* The app's own: the clock in the status bar is not, nor what goes on for ever. */
static bool is_app(const struct ts_detector *detector, size_t block)
{
    return !detector->ignore[block] && !detector->status_bar[block] && !detector->endless[block];
}

/* Since when the blocks that moved in the burst had rested, on average: some may lie over the edge
 * of what changed elsewhere. */
static double rested_since(const struct ts_detector *detector, const struct ts_burst *burst)
{
    double sum_ms = 0;
    size_t count = 0;
    for (size_t block = 0; block < detector->blocks; block++) {
        const struct ts_moves *moves = &detector->track.moves[block];
        if (!is_app(detector, block) || !ts_burst_has(burst, &detector->track, block))
            continue;
        double since_ms = detector->tap_ms;
        for (size_t i = 0; i < ts_moves_known(moves); i++) {
            const double ms = ts_moves_back(moves, i);
            since_ms = ms < burst->begin_ms ? fmax(since_ms, ms) : since_ms;
        }
        sum_ms += since_ms;
        count++;
    }
    return count ? sum_ms / (double)count : burst->begin_ms;
}

/* Much of what moved in the later one had moved in the earlier one too: it came, and went. */
static bool is_one_stretch(const struct ts_detector *detector, const struct ts_burst *later,
                           const struct ts_burst *earlier, double rest_ms)
{
    size_t both = 0;
    if (later->begin_ms - earlier->end_ms >= rest_ms ||
        !ts_bursts_in_one_place(&detector->track, later, earlier))
        return false;
    for (size_t block = 0; block < detector->blocks; block++)
        both += is_app(detector, block) && ts_burst_has(later, &detector->track, block) &&
                ts_burst_has(earlier, &detector->track, block);
    return (double)both > STRETCH_SHARE * (double)later->blocks;
}

/* Bursts number latest .. first (which began earlier) are one stretch, and `before` is the one
 * before them; count: none. */
struct stretch {
    size_t latest, first, before;
};

static struct stretch find_stretch(const struct ts_detector *detector,
                                   const struct ts_bursts *bursts, size_t from, double rest_ms)
{
    struct stretch found = {bursts->count, bursts->count, bursts->count};
    for (size_t i = from; i < bursts->count; i++) {
        if (bursts->burst[i].blocks < BURST_LEAST)
            continue;
        if (found.latest == bursts->count)
            found.latest = i;
        else if (!is_one_stretch(detector, &bursts->burst[found.first], &bursts->burst[i],
                                 rest_ms)) {
            found.before = i;
            break;
        }
        found.first = i;
    }
    return found;
}

bool ts_detector_may_change_again(const struct ts_detector *detector, double end_ms,
                                  enum ts_detector_asks asks)
{
    const double rest_ms = asks == TS_DETECTOR_LIVE ? LIVE_REST_MS : LONG_REST_MS;
    const double part = asks == TS_DETECTOR_LIVE ? LIVE_PART_MOST : PART_MOST;
    end_ms -= asks == TS_DETECTOR_LIVE ? LIVE_SLACK_MS : 0;
    size_t screen = 0;
    for (size_t block = 0; block < detector->blocks; block++)
        screen += !detector->ignore[block] && !detector->status_bar[block];
    const uint8_t *const skip[TS_BURSTS_SKIPS] = {detector->ignore, detector->status_bar,
                                                  detector->endless};
    struct ts_bursts bursts;
    if (ts_bursts_are_over(&detector->track, skip, detector->tap_ms, end_ms))
        return false;
    ts_bursts_find(&detector->track, skip, end_ms, &bursts);
    /* Where something goes on for ever, each place may have a rhythm of its own, which is told by
     * its own rest; elsewhere apps go on step by step, and the screen's latest rest tells. */
    const bool restless = memchr(detector->endless, 1, detector->blocks);
    for (size_t from = 0; from < bursts.count;) {
        const struct stretch stretch = find_stretch(detector, &bursts, from, rest_ms);
        from = stretch.before;
        if (from == bursts.count || bursts.burst[from].end_ms <= detector->tap_ms)
            return false;
        const struct ts_burst *first = &bursts.burst[stretch.first];
        const double before_ms = bursts.burst[from].end_ms;
        const double since_ms = restless ? rested_since(detector, first) : before_ms;
        if (first->begin_ms - before_ms >= rest_ms &&
            (double)first->blocks <= part * (double)screen &&
            end_ms - bursts.burst[stretch.latest].end_ms < first->begin_ms - since_ms)
            return true;
        if (!restless)
            return false;
    }
    return false;
}

static void tell_progress(struct ts_detector *detector, struct ts_vision_changes *out)
{
    const struct ts_window *window = &detector->window;
    const size_t last = window->count < FINAL_FRAMES ? window->count : FINAL_FRAMES;
    if (last == 0)
        return;
    for (size_t block = 0; block < detector->blocks; block++) {
        uint32_t sum = 0;
        for (size_t n = window->count - last; n < window->count; n++)
            sum += ts_window_sums(window, n)[block];
        detector->counts[block] = !detector->ignore[block] && !detector->endless[block];
        detector->values[block] = (uint16_t)(sum * 4 / last); /* codes times 100 */
    }
    ts_scenes_result(&detector->scenes, &detector->view, detector->tap_ms, detector->stories,
                     detector->counts, out);
    for (size_t block = 0; block < detector->blocks; block++)
        detector->counts[block] = detector->counts[block] && !detector->stylus[block];
    ts_progress_result(detector->progress, detector->counts, detector->values, out);
    out->visually_complete_85.u = hypot(out->visually_complete_85.u, start_u(&detector->view));
    out->speed_index.u = hypot(out->speed_index.u, start_u(&detector->view));
    ts_episodes_name(out);
}

/* A result may be asked for before the end: what it takes for granted must not last. */
static void keep(struct ts_detector *detector)
{
    memcpy(detector->kept[0], detector->pending, detector->blocks);
    memcpy(detector->kept[1], detector->endless, detector->blocks);
}

static void go_on(struct ts_detector *detector, const struct ts_detector *before)
{
    memcpy(detector->pending, detector->kept[0], detector->blocks);
    memcpy(detector->endless, detector->kept[1], detector->blocks);
    ts_detector_take_crept(detector);
    detector->due_ms = before->due_ms;
    detector->first_known = before->first_known;
    detector->doubted_first_ms = before->doubted_first_ms;
    detector->trigger_ms = before->trigger_ms;
    detector->not_quiet = before->not_quiet;
    detector->light_changed = before->light_changed;
    detector->drifted = before->drifted;
}

void ts_detector_judge(struct ts_detector *detector, struct ts_vision_changes *out)
{
    const struct ts_vision_view *view = &detector->view;
    const struct ts_window *window = &detector->window;
    const double end = ts_window_end_ms(window);
    keep(detector);
    const struct ts_detector before = *detector;
    ts_window_level(&detector->window); /* of a part of it a gain may be known */
    out->endless_blocks = ts_endless_find(&detector->track, window, view->quiet_ms, end,
                                          detector->endless, detector->scratch);
    if (!detector->first_known && !isnan(detector->trigger_ms))
        ts_detector_tell_first(detector);
    ts_detector_tell(detector, INFINITY);
    ts_detector_leave_crept(detector);
    detector->display = (struct ts_display){0};
    out->first = first_change(detector);
    const bool changed = !isnan(out->first.value) && detector->app_changed;
    bool hangs = changed && ts_detector_first_hangs_on_limit(detector, out->first.value);
    if (changed) {
        /* First, for what changes later must not tell it anything. */
        bool settled_hangs;
        out->settled = settling(detector, &settled_hangs);
        if (ts_detector_free_stayed(detector, out->settled.value))
            out->settled = settling(detector, &settled_hangs);
        hangs |= settled_hangs;
        out->last = last_change(detector);
        if (isnan(out->settled.value)) /* all that changed goes on, or came back */
            out->settled = out->first;
    }
    from_tap(detector, &out->first);
    from_tap(detector, &out->last);
    from_tap(detector, &out->settled);
    const bool rested =
        end - detector->tap_ms - out->settled.value >= view->quiet_ms - 2 * view->period_ms &&
        !ts_detector_may_change_again(detector, end, TS_DETECTOR_AFTER);
    set_flag(out, TS_FLAG_NO_CHANGE, !changed);
    set_flag(out, TS_FLAG_NEVER_SETTLED, changed && !rested);
    set_flag(out, TS_FLAG_BARELY_VISIBLE, rested && hangs);
    set_flag(out, TS_FLAG_OVEREXPOSED,
             rested && ts_detector_is_overexposed(detector, detector->tap_ms + out->settled.value));
    set_flag(out, TS_FLAG_SCREEN_NOT_QUIET, detector->not_quiet);
    set_flag(out, TS_FLAG_LIGHT_CHANGED, detector->light_changed);
    const struct ts_metric nothing = {NAN, NAN, 0};
    if (!rested)
        out->settled = nothing;
    if (!rested || out->endless_blocks)
        out->last = nothing;
    tell_progress(detector, out);
    go_on(detector, &before);
}
