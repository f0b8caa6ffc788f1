/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/evidence.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define GROW(evidence, list, count, capacity)                                                      \
    ts_grow((void **)&(evidence)->list, &(evidence)->count, &(evidence)->capacity,                 \
            sizeof *(evidence)->list)

static int add_frame(struct ts_evidence *evidence, const struct ts_frame *frame)
{
    const size_t size =
        (size_t)evidence->camera.blocks_x * (size_t)evidence->camera.blocks_y * sizeof(uint16_t);
    uint16_t *blocks = malloc(size);
    if (!blocks)
        return TS_ENOMEM;
    memcpy(blocks, frame->blocks, size);
    void **kept = GROW(evidence, kept, kept_count, kept_capacity);
    if (!kept) {
        free(blocks);
        return TS_ENOMEM;
    }
    *kept = blocks;
    struct ts_evidence_frame *added = GROW(evidence, frames, frame_count, frame_capacity);
    if (!added)
        return TS_ENOMEM;
    *added = (struct ts_evidence_frame){frame->sequence, frame->arrival, blocks};
    return TS_OK;
}

static int add_line(struct ts_evidence *evidence, const struct ts_item *item)
{
    struct ts_evidence_line *added = GROW(evidence, lines, line_count, line_capacity);
    if (!added)
        return TS_ENOMEM;
    *added =
        (struct ts_evidence_line){item->arrival, item->u.line.stream, strdup(item->u.line.text)};
    return added->text ? TS_OK : TS_ENOMEM;
}

int ts_evidence_add(struct ts_evidence *evidence, const struct ts_item *item)
{
    switch (item->kind) {
    case TS_ITEM_FRAME:
        return add_frame(evidence, item->u.frame);
    case TS_ITEM_LINE:
        return add_line(evidence, item);
    case TS_ITEM_MCU: {
        struct ts_evidence_mcu *added = GROW(evidence, mcu, mcu_count, mcu_capacity);
        if (!added)
            return TS_ENOMEM;
        *added = (struct ts_evidence_mcu){item->arrival, item->u.mcu};
        return TS_OK;
    }
    case TS_ITEM_CLOCK: {
        struct ts_item_clock *added = GROW(evidence, clocks, clock_count, clock_capacity);
        if (!added)
            return TS_ENOMEM;
        *added = item->u.clock;
        return TS_OK;
    }
    case TS_ITEM_FAULT: {
        struct ts_evidence_fault *added = GROW(evidence, faults, fault_count, fault_capacity);
        if (!added)
            return TS_ENOMEM;
        *added = (struct ts_evidence_fault){item->arrival, item->u.fault};
        return TS_OK;
    }
    case TS_ITEM_DONE:
        return TS_OK; /* control's business; it leaves what matters in the intent */
    }
    return TS_EINVAL;
}

void ts_evidence_free(struct ts_evidence *evidence)
{
    for (size_t i = 0; i < evidence->line_count; i++)
        free(evidence->lines[i].text);
    for (size_t i = 0; i < evidence->kept_count; i++)
        free(evidence->kept[i]);
    free(evidence->frames);
    free(evidence->mcu);
    free(evidence->lines);
    free(evidence->clocks);
    free(evidence->faults);
    free(evidence->kept);
    *evidence = (struct ts_evidence){0};
}
