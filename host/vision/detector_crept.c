/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What creeps beside something that goes on is the light of that, which the lens shows there: the
 * next page of a carousel does to the blocks around what no frame shows as a move. Where it is
 * known to go on only later, they have been told by then, and what was told before counts. */
#include "vision/detector_state.h"
#include "vision/region.h"

#define LENS_NEAR 3 /* coarse blocks: so far the lens shows what goes on */

enum { TOLD = 1, LEFT = 2 };

const uint8_t *ts_detector_lit_by_endless(struct ts_detector *detector)
{
    const struct ts_region_grid grid = {detector->track.across, detector->track.down};
    const size_t by = LENS_NEAR * ts_track_scale(&detector->track);
    ts_region_grow(grid, detector->endless, by, detector->scratch);
    return detector->scratch;
}

void ts_detector_keep_uncrept(struct ts_detector *detector, size_t block)
{
    if (!detector->crept[block])
        detector->uncrept[block] = detector->stories[block];
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
    const uint8_t *lit = ts_detector_lit_by_endless(detector);
    for (size_t block = 0; block < detector->blocks; block++) {
        if (detector->crept[block] != TOLD || !lit[block])
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
