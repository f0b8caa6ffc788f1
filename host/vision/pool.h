/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: one instant for the screen out of many blocks' instants. */
#ifndef TS_VISION_POOL_H
#define TS_VISION_POOL_H

#include "vision/edge.h"

enum ts_pool_end { TS_POOL_EARLIEST = -1, TS_POOL_LATEST = 1 };

/* What is known of the display, ms: how much later the right and lower ends of the picture are
 * drawn, and its response. Every event that shows it well tells the next; begin with zeros. */
enum {
    TS_DISPLAY_RIGHT,
    TS_DISPLAY_DOWN,
    TS_DISPLAY_RESPONSE,
    TS_DISPLAY_BEND_RIGHT,
    TS_DISPLAY_BEND_DOWN,
    TS_DISPLAY_TRAITS
};

struct ts_display {
    bool known;
    double is[TS_DISPLAY_TRAITS], u[TS_DISPLAY_TRAITS];
};

/* The earliest or latest of count edges (none NULL; put into another order), with the uncertainty
 * that comes from the pictures alone. arrival: the edges are passages to within TS_VISIBLE_CODES of
 * their end, not half of a step. value is NAN when there is none. */
struct ts_metric ts_edges_pool(const struct ts_window *window, const struct ts_edge **edges,
                               size_t count, enum ts_pool_end end, bool arrival,
                               struct ts_display *display);

#endif
