/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/scenes.h"

#include "vision/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REST_MS      100.0 /* without movement: the next movement is another episode */
#define FIRST_KEPT   8
#define BLOCKS_LEAST 2 /* that make an episode */

int ts_scenes_open(struct ts_scenes *scenes, size_t blocks)
{
    *scenes = (struct ts_scenes){.blocks = blocks};
    for (size_t i = 0; i < TS_EPISODES_MOST; i++) {
        scenes->scene[i].seen = ts_memory_zeroed(blocks, 1);
        if (!scenes->scene[i].seen) {
            ts_scenes_close(scenes);
            return TS_ENOMEM;
        }
    }
    return TS_OK;
}

void ts_scenes_close(struct ts_scenes *scenes)
{
    for (size_t i = 0; i < TS_EPISODES_MOST; i++)
        free(scenes->scene[i].seen);
    *scenes = (struct ts_scenes){0};
}

/* Makes room for one more: the first ones and the latest ones are what matters. */
static void join_middle(struct ts_scenes *scenes)
{
    struct ts_scene *into = &scenes->scene[FIRST_KEPT - 1], *from = into + 1;
    const struct ts_scene joined = *from;
    for (size_t block = 0; block < scenes->blocks; block++)
        into->seen[block] |= from->seen[block];
    into->end_ms = from->end_ms;
    for (size_t i = FIRST_KEPT; i + 1 < scenes->count; i++)
        scenes->scene[i] = scenes->scene[i + 1];
    scenes->scene[--scenes->count].seen = joined.seen;
    memset(joined.seen, 0, scenes->blocks);
}

void ts_scenes_move(struct ts_scenes *scenes, double now_ms, size_t block)
{
    struct ts_scene *latest = scenes->count ? &scenes->scene[scenes->count - 1] : NULL;
    if (!latest || now_ms - latest->end_ms > REST_MS) {
        if (scenes->count == TS_EPISODES_MOST)
            join_middle(scenes);
        latest = &scenes->scene[scenes->count++];
        latest->begin_ms = now_ms;
    }
    latest->end_ms = now_ms;
    latest->seen[block] = 1;
}

static struct ts_vision_episode tell(const struct ts_scenes *scenes, const struct ts_scene *scene,
                                     const struct ts_vision_view *view, double tap_ms,
                                     const struct ts_story *stories, const uint8_t *counts)
{
    const int across = view->camera->blocks_x;
    struct ts_vision_episode episode = {.begin_ms = scene->begin_ms - tap_ms,
                                        .end_ms = scene->end_ms - tap_ms,
                                        .x0 = across,
                                        .y0 = view->camera->blocks_y,
                                        .x1 = -1,
                                        .y1 = -1,
                                        .gain = NAN};
    size_t changed = 0, screen = 0;
    double settled = -INFINITY;
    for (size_t block = 0; block < scenes->blocks; block++) {
        const int x = (int)block % across, y = (int)block / across;
        screen += counts[block];
        if (!scene->seen[block] || !counts[block])
            continue;
        changed++;
        episode.x0 = x < episode.x0 ? x : episode.x0;
        episode.y0 = y < episode.y0 ? y : episode.y0;
        episode.x1 = x > episode.x1 ? x : episode.x1;
        episode.y1 = y > episode.y1 ? y : episode.y1;
        const struct ts_edge *edge = &stories[block].settled;
        if (edge->kind != TS_EDGE_NONE && (double)edge->ms > scene->begin_ms - REST_MS &&
            (double)edge->ms < scene->end_ms + REST_MS)
            settled = fmax(settled, (double)edge->ms);
    }
    episode.endless = changed < BLOCKS_LEAST;
    episode.share = screen ? (double)changed / (double)screen : 0;
    if (!isinf(settled))
        episode.end_ms = settled - tap_ms;
    episode.begin_ms = fmin(episode.begin_ms, episode.end_ms);
    return episode;
}

void ts_scenes_result(const struct ts_scenes *scenes, const struct ts_vision_view *view,
                      double tap_ms, const struct ts_story *stories, const uint8_t *counts,
                      struct ts_vision_changes *out)
{
    struct ts_vision_episode *latest = NULL;
    out->episode_count = 0;
    for (size_t i = 0; i < scenes->count; i++) {
        struct ts_vision_episode *episode = &out->episodes[out->episode_count++];
        *episode = tell(scenes, &scenes->scene[i], view, tap_ms, stories, counts);
        if (episode->endless)
            continue;
        if (!latest)
            episode->begin_ms = fmin(episode->end_ms, out->first.value);
        latest = episode;
    }
    if (latest && !isnan(out->settled.value))
        latest->end_ms = out->settled.value;
}
