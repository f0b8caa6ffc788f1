/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/literal.h"

#include "vision/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP    638 /* |sum25 - sum25| * 10 > 255 * 25 */
#define SQRT_12 3.4641016151377544

int ts_literal_open(struct ts_literal *literal, const struct ts_vision_view *view)
{
    const size_t blocks = (size_t)view->camera->blocks_x * (size_t)view->camera->blocks_y;
    *literal = (struct ts_literal){
        .view = view, .blocks = blocks, .first = {NAN, NAN, 0}, .last = {NAN, NAN, 0}};
    literal->before = calloc(blocks, sizeof *literal->before);
    return literal->before ? TS_OK : TS_ENOMEM;
}

void ts_literal_close(struct ts_literal *literal)
{
    free(literal->before);
    literal->before = NULL;
}

static bool find_change(const struct ts_literal *literal, const uint16_t *sums, size_t *where)
{
    const uint8_t *ignore = literal->view->ignore;
    for (size_t block = 0; block < literal->blocks; block++) {
        const int step = abs((int)sums[block] - (int)literal->before[block]);
        if (step >= STEP && !(ignore && ignore[block])) {
            *where = block;
            return true;
        }
    }
    return false;
}

/* Seen in this frame and not in the one before: between the middles of their exposures. */
void ts_literal_frame(struct ts_literal *literal, double start_ms, double tap_ms,
                      const uint16_t *sums)
{
    const struct ts_vision_view *view = literal->view;
    const double gap = start_ms - literal->start_ms;
    size_t block;
    if (literal->frames++ > 0 && find_change(literal, sums, &block)) {
        const double row = ts_block_row_px(block, (size_t)view->camera->blocks_x);
        const double ms = start_ms - gap / 2 + view->exposure_ms / 2 +
                          view->readout_ms * row / view->camera->height_px - tap_ms;
        const double u =
            hypot(view->start_u_ms, hypot(view->exposure_u_ms, view->readout_u_ms) / 2);
        if (ms >= 0) {
            literal->last = (struct ts_metric){ms, hypot(u, gap / SQRT_12), 0};
            if (isnan(literal->first.value))
                literal->first = literal->last;
        }
    }
    literal->start_ms = start_ms;
    memcpy(literal->before, sums, literal->blocks * sizeof *sums);
}

void ts_literal_result(const struct ts_literal *literal, double tap_ms,
                       struct ts_vision_changes *out)
{
    const struct ts_vision_view *view = literal->view;
    const double end = literal->start_ms - tap_ms + view->exposure_ms;
    const bool changed = !isnan(literal->last.value);
    const bool rested = changed && end - literal->last.value >= view->quiet_ms - view->period_ms;
    out->first = literal->first;
    if (rested)
        out->last = out->settled = literal->last;
    out->flags |= changed ? 0 : 1u << TS_FLAG_NO_CHANGE;
    out->flags |= changed && !rested ? 1u << TS_FLAG_NEVER_SETTLED : 0;
}
