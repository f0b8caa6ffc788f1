/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/detector.h"

#include "vision/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ts_detector {
    struct ts_vision_view view;
    enum ts_rule rule;
    size_t count, capacity, blocks;
    uint16_t **sums;
    double *start_ms;
    uint32_t *sequence;
};

int ts_detector_open(const struct ts_vision_view *view, enum ts_rule rule, struct ts_detector **out)
{
    struct ts_detector *detector = calloc(1, sizeof *detector);
    if (!detector)
        return TS_ENOMEM;
    detector->view = *view;
    detector->rule = rule;
    detector->blocks = (size_t)view->camera->blocks_x * (size_t)view->camera->blocks_y;
    *out = detector;
    return TS_OK;
}

void ts_detector_close(struct ts_detector *detector)
{
    if (!detector)
        return;
    for (size_t n = 0; n < detector->count; n++)
        free(detector->sums[n]);
    free(detector->sums);
    free(detector->start_ms);
    free(detector->sequence);
    free(detector);
}

int ts_detector_frame(struct ts_detector *detector, uint32_t sequence, double start_ms,
                      const uint16_t *blocks)
{
    if (detector->count == detector->capacity) {
        const size_t more = detector->capacity * 2 + 256;
        detector->sums = realloc(detector->sums, more * sizeof *detector->sums);
        detector->start_ms = realloc(detector->start_ms, more * sizeof *detector->start_ms);
        detector->sequence = realloc(detector->sequence, more * sizeof *detector->sequence);
        detector->capacity = more;
    }
    uint16_t *copy = malloc(detector->blocks * sizeof *copy);
    if (!copy)
        return TS_ENOMEM;
    memcpy(copy, blocks, detector->blocks * sizeof *copy);
    detector->sums[detector->count] = copy;
    detector->start_ms[detector->count] = start_ms;
    detector->sequence[detector->count++] = sequence;
    return TS_OK;
}

bool ts_detector_is_certain(const struct ts_detector *detector)
{
    (void)detector;
    return false;
}

int ts_detector_result(struct ts_detector *detector, struct ts_vision_changes *out)
{
    const struct ts_vision_frames frames = {detector->view, detector->count,
                                            (const uint16_t *const *)detector->sums,
                                            detector->start_ms, detector->sequence};
    return ts_detect(&frames, detector->rule, out);
}

int ts_detect(const struct ts_vision_frames *frames, enum ts_rule rule,
              struct ts_vision_changes *out)
{
    const struct ts_vision_view *view = &frames->view;
    const struct ts_old_frames old = {
        .camera = view->camera,
        .count = frames->count,
        .blocks = frames->blocks,
        .start_ms = frames->start_ms,
        .sequence = frames->sequence,
        .period_ms = view->period_ms,
        .exposure_ms = view->exposure_ms,
        .readout_ms = view->readout_ms,
        .gamma = view->gamma,
        .start_u_ms = view->start_u_ms,
        .exposure_u_ms = view->exposure_u_ms,
        .readout_u_ms = view->readout_u_ms,
        .ignore = view->ignore,
        .status_bar = view->status_bar,
        .stylus_from_ms = view->stylus_from_ms,
        .stylus_down_ms = view->stylus_down_ms,
        .stylus_up_ms = view->stylus_up_ms,
        .quiet_ms = view->quiet_ms,
    };
    struct ts_old_changes changes;
    const struct ts_metric nothing = {NAN, NAN, 0};
    const int err = rule == TS_RULE_LITERAL ? ts_changes_literal(&old, &changes)
                                            : ts_changes_robust(&old, &changes);
    *out = (struct ts_vision_changes){.first = changes.first,
                                      .last = changes.last,
                                      .settled = changes.settled,
                                      .visually_complete_85 = nothing,
                                      .speed_index = nothing,
                                      .splash = nothing,
                                      .first_app_frame = nothing,
                                      .main_content = nothing,
                                      .flags = changes.flags,
                                      .endless_blocks = changes.endless_blocks};
    return err;
}
