/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: one instant for the screen out of many blocks' instants. */
#ifndef TS_VISION_CHANGES_POOL_H
#define TS_VISION_CHANGES_POOL_H

#include "vision/changes_steps.h"

enum ts_pool_end { TS_POOL_EARLIEST = -1, TS_POOL_LATEST = 1 };

/* The earliest or latest of count edges (which may hold TS_EDGE_NONE), with the uncertainty that
 * comes from the pictures alone. value is NAN when there is none. */
struct ts_metric ts_edges_pool(const struct ts_series *series, const struct ts_edge *edges,
                               size_t count, enum ts_pool_end end);

#endif
