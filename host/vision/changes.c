/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/changes.h"

#include "vision/blocks.h"
#include "vision/changes_light.h"
#include "vision/changes_mask.h"
#include "vision/changes_pool.h"

#include <math.h>
#include <stdlib.h>

#define LITERAL_STEP   638 /* |sum25 - sum25| * 10 > 255 * 25 */
#define SOONEST_MS     5.0 /* no touch gets through a phone faster */
#define STYLUS_GONE_MS 1000.0
#define DROPPED_MANY   5
/* A display's pixels take 1 to 5 ms to follow, and nobody has measured this one's: what that does
 * to the instant at half the step, and to that within 2 % of its end. */
#define HALF_WAY_U_MS 0.7
#define ARRIVED_U_MS  1.6
#define SQRT_12       3.4641016151377544

static const struct ts_metric NOTHING = {NAN, NAN, 0};

static int check(const struct ts_old_frames *frames)
{
    const struct ts_camera_geometry *camera = frames->camera;
    if (frames->count < 2 || camera->blocks_x < 1 || camera->blocks_y < 1 ||
        !(frames->period_ms > 0) || !(frames->exposure_ms >= 0) || !(frames->readout_ms >= 0) ||
        !(frames->gamma > 0) || !(frames->quiet_ms > 0))
        return TS_EINVAL;
    for (size_t n = 1; n < frames->count; n++) {
        if (!(frames->start_ms[n] > frames->start_ms[n - 1]))
            return TS_EINVAL;
    }
    return TS_OK;
}

static double start_u(const struct ts_old_frames *frames)
{
    /* A change is somewhere in the exposure and somewhere in the picture: half of each on average.
     */
    return sqrt(frames->start_u_ms * frames->start_u_ms +
                frames->exposure_u_ms * frames->exposure_u_ms / 4 +
                frames->readout_u_ms * frames->readout_u_ms / 4);
}

/* Losses that could hide or shift what was measured. */
static bool losses_matter(const struct ts_old_frames *frames,
                          const struct ts_old_changes *out)
{
    const double end = isnan(out->settled.value) ? INFINITY : out->settled.value;
    const double slack = frames->period_ms;
    uint32_t lost_in_all = 0;
    for (size_t n = 1; n < frames->count; n++) {
        const uint32_t lost = frames->sequence[n] - frames->sequence[n - 1] - 1;
        const double from = frames->start_ms[n - 1], to = frames->start_ms[n];
        if (lost == 0 || to < 0 || from > end + slack)
            continue;
        lost_in_all += lost;
        const double late = to + frames->readout_ms + frames->exposure_ms;
        if ((out->first.value > from && out->first.value < late) ||
            (out->settled.value > from && out->settled.value < late))
            return true;
    }
    return lost_in_all > DROPPED_MANY;
}

static void set_flag(struct ts_old_changes *out, enum ts_flag flag, bool on)
{
    out->flags |= on ? 1u << flag : 0;
}

/* --- the paper's rule --- */

static bool literal_change(const struct ts_old_frames *frames, size_t n, size_t *where)
{
    const size_t blocks = (size_t)frames->camera->blocks_x * (size_t)frames->camera->blocks_y;
    const uint16_t *now = frames->blocks[n], *before = frames->blocks[n - 1];
    for (size_t block = 0; block < blocks; block++) {
        const int step = abs((int)now[block] - (int)before[block]);
        if (step >= LITERAL_STEP && !(frames->ignore && frames->ignore[block])) {
            *where = block;
            return true;
        }
    }
    return false;
}

/* Seen in this frame and not in the one before: between the middles of their exposures. */
static double literal_ms(const struct ts_old_frames *frames, size_t n, size_t block)
{
    const double row = ts_block_row_px(block, (size_t)frames->camera->blocks_x);
    return (frames->start_ms[n - 1] + frames->start_ms[n]) / 2 + frames->exposure_ms / 2 +
           frames->readout_ms * row / frames->camera->height_px;
}

int ts_changes_literal(const struct ts_old_frames *frames, struct ts_old_changes *out)
{
    *out = (struct ts_old_changes){.first = NOTHING, .last = NOTHING, .settled = NOTHING};
    const int err = check(frames);
    if (err)
        return err;
    for (size_t n = 1; n < frames->count; n++) {
        size_t block;
        if (!literal_change(frames, n, &block))
            continue;
        const double ms = literal_ms(frames, n, block);
        if (ms < 0)
            continue;
        const double gap = frames->start_ms[n] - frames->start_ms[n - 1];
        out->last = (struct ts_metric){ms, hypot(start_u(frames), gap / SQRT_12), 0};
        if (isnan(out->first.value))
            out->first = out->last;
    }
    const double end = frames->start_ms[frames->count - 1] + frames->exposure_ms;
    const bool changed = !isnan(out->last.value);
    const bool rested = changed && end - out->last.value >= frames->quiet_ms - frames->period_ms;
    set_flag(out, TS_FLAG_NO_CHANGE, !changed);
    set_flag(out, TS_FLAG_NEVER_SETTLED, changed && !rested);
    if (rested)
        out->settled = out->last;
    else
        out->last = NOTHING;
    set_flag(out, TS_FLAG_FRAMES_DROPPED, losses_matter(frames, out));
    return TS_OK;
}

/* --- ours --- */

struct work {
    const struct ts_old_frames *frames;
    struct ts_series series;
    struct ts_story *stories; /* [blocks] */
    struct ts_edge *edges;    /* [blocks] */
    uint8_t *endless, *stylus, *scratch;
};

static bool ignored(const struct work *work, size_t block)
{
    return work->frames->ignore && work->frames->ignore[block];
}

static struct ts_metric first_change(struct work *work)
{
    for (size_t block = 0; block < work->series.blocks; block++) {
        work->edges[block] = work->stories[block].first;
        if (ignored(work, block) || work->stylus[block])
            work->edges[block].kind = TS_EDGE_NONE;
    }
    return ts_edges_pool(&work->series, work->edges, work->series.blocks, TS_POOL_EARLIEST);
}

/* A clock that ticked is no launch. */
static bool app_changed(const struct work *work)
{
    const uint8_t *bar = work->frames->status_bar;
    for (size_t block = 0; block < work->series.blocks; block++) {
        if (work->edges[block].kind != TS_EDGE_NONE && !(bar && bar[block]))
            return true;
    }
    return false;
}

static bool by_stylus(const struct work *work, const struct ts_edge *edge)
{
    return work->stylus[edge->block] && edge->ms < STYLUS_GONE_MS;
}

static struct ts_metric last_change(struct work *work)
{
    for (size_t block = 0; block < work->series.blocks; block++) {
        work->edges[block] = work->stories[block].last;
        if (ignored(work, block) || by_stylus(work, &work->edges[block]))
            work->edges[block].kind = TS_EDGE_NONE;
    }
    return ts_edges_pool(&work->series, work->edges, work->series.blocks, TS_POOL_LATEST);
}

static struct ts_metric settling(struct work *work)
{
    const uint8_t *bar = work->frames->status_bar;
    for (size_t block = 0; block < work->series.blocks; block++) {
        struct ts_edge *edge = &work->edges[block];
        *edge = work->stories[block].settled;
        if (ignored(work, block) || (bar && bar[block]) || work->endless[block] ||
            by_stylus(work, edge) || edge->ms < 0)
            edge->kind = TS_EDGE_NONE;
    }
    return ts_edges_pool(&work->series, work->edges, work->series.blocks, TS_POOL_LATEST);
}

static void add_uncertainty(const struct ts_old_frames *frames, double response_u_ms,
                            struct ts_metric *metric)
{
    metric->u = hypot(metric->u, hypot(start_u(frames), response_u_ms));
}

static int judge(struct work *work, struct ts_old_changes *out)
{
    const struct ts_old_frames *frames = work->frames;
    out->endless_blocks =
        ts_mask_endless(&work->series, work->stories, work->endless, work->scratch);
    const bool not_quiet =
        ts_mask_stylus(&work->series, work->stories, work->stylus, work->scratch);
    out->first = first_change(work);
    const bool changed = !isnan(out->first.value) && app_changed(work);
    if (changed) {
        out->last = last_change(work);
        out->settled = settling(work);
        if (isnan(out->settled.value)) /* all that changed goes on, or came back */
            out->settled = out->first;
    }
    const double end = ts_series_end_ms(&work->series) - frames->readout_ms;
    const bool rested = end - out->settled.value >= frames->quiet_ms - 2 * frames->period_ms;
    set_flag(out, TS_FLAG_NO_CHANGE, !changed);
    set_flag(out, TS_FLAG_NEVER_SETTLED, changed && !rested);
    set_flag(out, TS_FLAG_SCREEN_NOT_QUIET, not_quiet || out->first.value < SOONEST_MS);
    set_flag(out, TS_FLAG_FRAMES_DROPPED, losses_matter(frames, out));
    const int light = ts_light_changed(&work->series);
    if (light < 0)
        return light;
    set_flag(out, TS_FLAG_LIGHT_CHANGED, light);
    if (!rested)
        out->settled = NOTHING;
    if (!rested || out->endless_blocks)
        out->last = NOTHING;
    add_uncertainty(frames, HALF_WAY_U_MS, &out->first);
    add_uncertainty(frames, HALF_WAY_U_MS, &out->last);
    add_uncertainty(frames, ARRIVED_U_MS, &out->settled);
    return TS_OK;
}

int ts_changes_robust(const struct ts_old_frames *frames, struct ts_old_changes *out)
{
    *out = (struct ts_old_changes){.first = NOTHING, .last = NOTHING, .settled = NOTHING};
    int err = check(frames);
    if (err)
        return err;
    struct work work = {.frames = frames};
    struct ts_steps steps = {0};
    err = ts_series_open(&work.series, frames);
    if (err)
        return err;
    const size_t blocks = work.series.blocks;
    work.stories = calloc(blocks, sizeof *work.stories);
    work.edges = calloc(blocks, sizeof *work.edges);
    work.endless = calloc(blocks, 1);
    work.stylus = calloc(blocks, 1);
    work.scratch = calloc(blocks, 1);
    err = TS_ENOMEM;
    if (!work.stories || !work.edges || !work.endless || !work.stylus || !work.scratch)
        goto end;
    err = ts_steps_open(&steps, &work.series);
    if (err)
        goto end;
    for (size_t block = 0; block < blocks; block++)
        ts_steps_block(&steps, block, &work.stories[block]);
    err = judge(&work, out);
end:
    ts_steps_close(&steps);
    free(work.scratch);
    free(work.stylus);
    free(work.endless);
    free(work.edges);
    free(work.stories);
    ts_series_close(&work.series);
    return err;
}
