/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What creeps beside something that goes on is the light of that, which the lens shows there: the
 * next page of a carousel does to the blocks around what no frame shows as a move. Where it is
 * known to go on only later, they have been told by then, and what was told before counts. */
#include "vision/detector_state.h"
#include "vision/region.h"

enum { TOLD = 1, LEFT = 2 };

void ts_detector_note_crept(struct ts_detector *detector, size_t block,
                            const struct ts_story *before)
{
    struct ts_story *story = &detector->stories[block];
    if (story->settled.kind == TS_EDGE_NONE) {
        *story = *before; /* by nothing visible: what was before that stays true */
        return;
    }
    if (!detector->crept[block])
        detector->uncrept[block] = *before;
    detector->crept[block] = TOLD;
}

/* But for the first change, which no creeping tells. */
static void exchange(struct ts_detector *detector, size_t block)
{
    struct ts_story *story = &detector->stories[block], *other = &detector->uncrept[block];
    const struct ts_story crept = *story;
    *story = *other;
    story->first = crept.first;
    *other = crept;
}

void ts_detector_leave_crept(struct ts_detector *detector)
{
    const struct ts_region_grid grid = {detector->track.across, detector->track.down};
    uint8_t *near = detector->scratch;
    ts_region_grow(grid, detector->endless, TS_LENS_NEAR * ts_track_scale(&detector->track), near);
    for (size_t block = 0; block < detector->blocks; block++) {
        if (detector->crept[block] != TOLD || !near[block])
            continue;
        exchange(detector, block);
        detector->crept[block] = LEFT;
    }
}

void ts_detector_take_crept(struct ts_detector *detector)
{
    for (size_t block = 0; block < detector->blocks; block++) {
        if (detector->crept[block] != LEFT)
            continue;
        exchange(detector, block);
        detector->crept[block] = TOLD;
    }
}
