/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch fills the display, so that where the picture changed, holes filled, is the display. */
#include "vision/screen.h"

#include <math.h>
#include <stdlib.h>

#define CHANGED_CODES 16.0f /* of 255; flicker and noise, smoothed, stay below */
#define THICK         2     /* blocks on each side: what is thinner than five is a trace */

struct map {
    int across, down;
    double *now, *next; /* [blocks] 0 or 1 */
};

static double at(const struct map *map, int x, int y)
{
    return x < 0 || y < 0 || x >= map->across || y >= map->down ? 0 : map->now[y * map->across + x];
}

static void swap(struct map *map)
{
    double *now = map->now;
    map->now = map->next;
    map->next = now;
}

/* The least (erode) or the greatest of a block's surroundings. */
static void spread(struct map *map, bool erode)
{
    for (int y = 0; y < map->down; y++) {
        for (int x = 0; x < map->across; x++) {
            double value = erode;
            for (int j = y - THICK; j <= y + THICK; j++) {
                for (int i = x - THICK; i <= x + THICK; i++)
                    value = erode ? fmin(value, at(map, i, j)) : fmax(value, at(map, i, j));
            }
            map->next[y * map->across + x] = value;
        }
    }
    swap(map);
}

/* What lies between two that changed, in its row or in its column. */
static void fill(struct map *map)
{
    for (int i = 0; i < map->across * map->down; i++)
        map->next[i] = map->now[i];
    for (int y = 0; y < map->down; y++) {
        int first = 0, last = map->across - 1;
        while (first < map->across && at(map, first, y) == 0)
            first++;
        while (last > first && at(map, last, y) == 0)
            last--;
        for (int x = first; x <= last; x++)
            map->next[y * map->across + x] = 1;
    }
    for (int x = 0; x < map->across; x++) {
        int first = 0, last = map->down - 1;
        while (first < map->down && at(map, x, first) == 0)
            first++;
        while (last > first && at(map, x, last) == 0)
            last--;
        for (int y = first; y <= last; y++)
            map->next[y * map->across + x] = 1;
    }
    swap(map);
}

int ts_screen_find_moving(const struct ts_camera_geometry *camera, const float *lowest,
                          const float *highest, double corners[4][2], struct ts_why *why)
{
    const size_t blocks = (size_t)camera->blocks_x * (size_t)camera->blocks_y;
    double *maps = calloc(3 * blocks, sizeof *maps);
    if (!maps)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    struct map map = {camera->blocks_x, camera->blocks_y, maps, maps + blocks};
    for (size_t b = 0; b < blocks; b++)
        map.now[b] = highest[b] - lowest[b] > CHANGED_CODES;
    fill(&map);
    spread(&map, true);
    spread(&map, false);
    struct ts_why reason = {""};
    const int err = ts_screen_find(camera, map.now, maps + 2 * blocks, corners, &reason);
    if (err)
        ts_fail(why, err, "what changes in the picture does not have the shape of a display");
    free(maps);
    return err;
}
