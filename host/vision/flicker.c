/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periodic, it is learnt where nothing else happens and predicted everywhere else. A gain estimated
 * frame by frame from blocks that seem steady was rejected: the end of a slow fade over the whole
 * screen looks exactly like such a gain, and would be taken out with it. */
#include "vision/flicker.h"

#include "vision/flicker_parts.h"
#include "vision/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_LEAST     24    /* frames */
#define LOOK_MS        900.0 /* of rest tell all there is */
#define HALVINGS       16
#define LOOK_AGAIN     256  /* frames: phases wander */
#define LOOK_RESTED    56   /* frames of another picture */
#define NEW_SHARE      0.25 /* of the blocks: another picture */
#define RESTLESS_SHARE 0.05 /* of the blocks */
#define MUCH_PART      8    /* of the blocks, each as often as it moves: the screen does */
#define STEADY_LEAST   0.05

int ts_flicker_open(struct ts_flicker *flicker, struct ts_window *window)
{
    const size_t blocks = window->blocks, down = window->down, frames = TS_FLICKER_FRAMES;
    *flicker = (struct ts_flicker){.blocks = blocks, .down = down, .due = LOOK_LEAST};
    const size_t cells = frames * down;
    float **const parts[] = {&flicker->mean,   &flicker->spread, &flicker->sorted,
                             &flicker->ratio,  &flicker->left,   &flicker->rows,
                             &flicker->totals, &flicker->lit_of, &flicker->dark_of};
    bool fine = true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i] = ts_memory_zeroed(blocks > cells ? blocks : cells, sizeof(float));
        fine = fine && *parts[i];
    }
    for (size_t i = 0; i < TS_FLICKERS; i++) {
        flicker->part[i] = ts_memory_zeroed(blocks, sizeof(float));
        flicker->cosine[i] = ts_memory_zeroed(cells, sizeof(float));
        flicker->sine[i] = ts_memory_zeroed(cells, sizeof(float));
        flicker->unsure[i] = ts_memory_zeroed(down, sizeof(float));
        fine = fine && flicker->part[i] && flicker->cosine[i] && flicker->sine[i] &&
               flicker->unsure[i];
    }
    flicker->steady = ts_memory_zeroed(blocks, 1);
    flicker->low = ts_memory_zeroed(blocks, sizeof *flicker->low);
    flicker->high = ts_memory_zeroed(blocks, sizeof *flicker->high);
    flicker->total = ts_memory_zeroed(blocks, sizeof *flicker->total);
    if (fine && flicker->steady && flicker->low && flicker->high && flicker->total)
        return TS_OK;
    ts_flicker_close(flicker);
    return TS_ENOMEM;
}

void ts_flicker_close(struct ts_flicker *flicker)
{
    free(flicker->low);
    free(flicker->high);
    free(flicker->total);
    free(flicker->mean);
    free(flicker->spread);
    free(flicker->sorted);
    free(flicker->ratio);
    free(flicker->left);
    free(flicker->rows);
    free(flicker->totals);
    free(flicker->lit_of);
    free(flicker->dark_of);
    for (size_t i = 0; i < TS_FLICKERS; i++) {
        free(flicker->part[i]);
        free(flicker->cosine[i]);
        free(flicker->sine[i]);
        free(flicker->unsure[i]);
    }
    free(flicker->steady);
    *flicker = (struct ts_flicker){0};
}

static struct ts_flicker_stretch stretch_of(struct ts_flicker *flicker, struct ts_window *window,
                                            size_t count)
{
    const size_t from = window->count - count;
    const double zero_ms =
        (ts_window_start_ms(window, from) + ts_window_start_ms(window, window->count - 1)) / 2;
    return (struct ts_flicker_stretch){flicker, window, from, count, zero_ms};
}

size_t ts_flicker_from(const struct ts_flicker *flicker, const struct ts_window *window)
{
    const size_t gone = window->seen - window->count;
    return flicker->begun > gone ? flicker->begun - gone : 0;
}

static size_t longest(const struct ts_window *window)
{
    const double most = fmin(TS_FLICKER_FRAMES, LOOK_MS / window->view->period_ms);
    return most > LOOK_LEAST ? (size_t)most : LOOK_LEAST;
}

static void look(struct ts_flicker *flicker, struct ts_window *window)
{
    const size_t kept = window->count - ts_flicker_from(flicker, window);
    const size_t most = longest(window), whole = kept < most ? kept : most;
    size_t lengths[HALVINGS], halvings = 0, best = 0, taken = 0;
    double best_tells = 0;
    for (size_t count = whole; count >= LOOK_LEAST && halvings < HALVINGS; count /= 2)
        lengths[halvings++] = count;
    while (halvings > 0) { /* each goes on where the shorter one ends */
        const size_t count = lengths[--halvings];
        ts_flicker_range(flicker, window, window->count - count, window->count - taken, taken == 0);
        taken = count;
        const struct ts_flicker_stretch stretch = stretch_of(flicker, window, count);
        const double tells = (double)ts_flicker_find_steady(&stretch) * sqrt((double)count);
        if (tells < best_tells)
            continue;
        best_tells = tells;
        best = count;
    }
    flicker->stretch = best;
    if (best == 0)
        return;
    const struct ts_flicker_stretch stretch = stretch_of(flicker, window, best);
    if (best < taken)
        ts_flicker_range(flicker, window, stretch.from, window->count, true);
    const size_t steady = ts_flicker_find_steady(&stretch);
    if ((double)steady < STEADY_LEAST * (double)window->blocks)
        return;
    struct ts_flicker_source known[TS_FLICKERS];
    const size_t count = flicker->count;
    memcpy(known, flicker->source, sizeof known);
    if (!flicker->moves)
        flicker->count = 0;
    if (ts_flicker_search(&stretch))
        ts_flicker_fit(&stretch);
    if (flicker->moves || flicker->count >= count)
        return;
    memcpy(flicker->source, known, sizeof known); /* there is another picture */
    flicker->count = count;
    if (ts_flicker_search(&stretch))
        ts_flicker_fit(&stretch);
}

bool ts_flicker_watch(struct ts_flicker *flicker, struct ts_window *window, size_t moved,
                      bool tapped)
{
    const bool restless = (double)moved > RESTLESS_SHARE * (double)window->blocks;
    flicker->restless = restless ? flicker->restless + 1 : 0;
    flicker->rested = restless ? 0 : flicker->rested + 1;
    flicker->moved += moved;
    flicker->changed += tapped ? moved : 0;
    if ((double)moved > NEW_SHARE * (double)window->blocks)
        flicker->shown = 1;
    else if (flicker->shown > 0)
        flicker->shown++;
    const bool shown =
        flicker->shown == longest(window) && flicker->attempts >= TS_FLICKER_FIRST_LOOKS;
    const bool unknown =
        flicker->restless >= LOOK_LEAST && window->seen - flicker->looked >= LOOK_LEAST;
    if (window->seen < flicker->due && !unknown && !shown &&
        !(flicker->moved > window->blocks / MUCH_PART && flicker->rested >= LOOK_RESTED &&
          window->seen - flicker->looked >= LOOK_RESTED))
        return false;
    if (flicker->rested >= longest(window))
        flicker->moved = 0; /* until then, the change is in what is looked at */
    flicker->attempts++;
    flicker->moves =
        flicker->changed > window->blocks / MUCH_PART || flicker->attempts > TS_FLICKER_FIRST_LOOKS;
    flicker->looked = window->seen;
    flicker->due =
        window->seen +
        (flicker->attempts < TS_FLICKER_FIRST_LOOKS ? window->seen - flicker->begun : LOOK_AGAIN);
    look(flicker, window);
    return flicker->count > 0;
}

void ts_flicker_begin(struct ts_flicker *flicker, struct ts_window *window, size_t from)
{
    memset(flicker->lit_of, 0, flicker->blocks * sizeof *flicker->lit_of);
    memset(flicker->dark_of, 0, flicker->blocks * sizeof *flicker->dark_of);
    ts_window_darken(window);
    flicker->begun = window->seen - window->count + from;
    flicker->count = flicker->attempts = 0;
    flicker->restless = flicker->rested = flicker->shown = flicker->moved = flicker->changed = 0;
    flicker->due = flicker->begun + LOOK_LEAST;
    ts_flicker_watch(flicker, window, 0, false);
}

void ts_flicker_remove(const struct ts_flicker *flicker, struct ts_window *window, size_t frame)
{
    const size_t slot = ts_window_slot(window, frame);
    float *lamp = window->lamp + slot * window->down, *shine = window->shine + slot * window->down;
    memset(lamp, 0, window->down * sizeof *lamp);
    memset(shine, 0, window->down * sizeof *shine);
    window->flickers = flicker->count > 0;
    for (size_t i = 0; i < flicker->count; i++) {
        const struct ts_flicker_source *source = &flicker->source[i];
        const struct ts_flicker_wave *known = &source->known;
        const double ms = window->start_ms[slot] - known->at_ms;
        const double angle = known->turn + TS_TWO_PI * known->hz / 1000 * ms;
        double c = source->strength * cos(angle), s = source->strength * sin(angle);
        const double turn_c = cos(known->slope), turn_s = sin(known->slope);
        float *wave = source->room ? lamp : shine;
        for (size_t row = 0; row < window->down; row++) {
            wave[row] += (float)c;
            const double next = c * turn_c - s * turn_s;
            s = s * turn_c + c * turn_s;
            c = next;
        }
    }
}
