/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/episodes.h"

#include <math.h>

#define MOST_BLOCKS 0.5 /* share of the screen's blocks */
#define SOME_BLOCKS 0.1 /* enough, when they lie over MOST_AREA of what ever changed */
#define MOST_AREA   0.7

static double area(const struct ts_vision_episode *box)
{
    return (double)(box->x1 - box->x0 + 1) * (double)(box->y1 - box->y0 + 1);
}

/* The box of everything that changed outside endless regions. */
static struct ts_vision_episode everything(const struct ts_vision_changes *changes)
{
    struct ts_vision_episode all = {.x0 = 0, .x1 = -1};
    for (size_t i = 0; i < changes->episode_count; i++) {
        const struct ts_vision_episode *e = &changes->episodes[i];
        if (e->endless)
            continue;
        if (all.x1 < all.x0) {
            all = *e;
            continue;
        }
        all.x0 = e->x0 < all.x0 ? e->x0 : all.x0;
        all.y0 = e->y0 < all.y0 ? e->y0 : all.y0;
        all.x1 = e->x1 > all.x1 ? e->x1 : all.x1;
        all.y1 = e->y1 > all.y1 ? e->y1 : all.y1;
    }
    return all;
}

/* The first episode from `from` on that covers most of the screen; episode_count: there is none. */
static size_t next_covering(const struct ts_vision_changes *changes, size_t from)
{
    const struct ts_vision_episode all = everything(changes);
    size_t i = from;
    for (; i < changes->episode_count; i++) {
        const struct ts_vision_episode *e = &changes->episodes[i];
        const bool spread = e->share >= SOME_BLOCKS && area(e) >= MOST_AREA * area(&all);
        if (!e->endless && (e->share >= MOST_BLOCKS || spread))
            break;
    }
    return i;
}

static size_t largest_gain(const struct ts_vision_changes *changes, size_t from)
{
    size_t best = changes->episode_count;
    double most = 0;
    for (size_t i = from; i < changes->episode_count; i++) {
        const struct ts_vision_episode *e = &changes->episodes[i];
        if (e->endless || !(e->gain > most))
            continue;
        best = i;
        most = e->gain;
    }
    return best;
}

static struct ts_metric end_of(const struct ts_vision_changes *changes, size_t episode)
{
    const double u = fmax(changes->first.u, changes->settled.u); /* passes over NAN */
    if (episode >= changes->episode_count || isnan(u))
        return (struct ts_metric){NAN, NAN, 0};
    return (struct ts_metric){changes->episodes[episode].end_ms, u, 0};
}

void ts_episodes_name(struct ts_vision_changes *out)
{
    const size_t none = out->episode_count;
    const size_t first = next_covering(out, 0);
    const size_t second = first < none ? next_covering(out, first + 1) : none;
    const size_t app = second < none ? second : first;
    out->splash = end_of(out, second < none ? first : none);
    out->first_app_frame = end_of(out, app);
    out->main_content = end_of(out, largest_gain(out, app < none ? app : 0));
}
