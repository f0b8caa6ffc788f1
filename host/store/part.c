/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/part.h"

#include "store/blocks_file.h"
#include "store/files.h"
#include "store/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ts_part {
    struct ts_path path; /* of events.jsonl */
    FILE *events;        /* owned */
    char *line;          /* owned, getline's */
    size_t line_capacity;
    size_t line_number;
    struct ts_blocks_reader *blocks; /* owned */
    size_t block_count;              /* of one frame */
};

/* A frame of its own, since whoever retains it may keep it as long as he likes. */
struct part_frame {
    struct ts_frame frame;
    int references;
    uint16_t blocks[];
};

static void retain(struct ts_frame *frame)
{
    ((struct part_frame *)frame)->references++;
}

static void release(struct ts_frame *frame)
{
    if (--((struct part_frame *)frame)->references == 0)
        free(frame);
}

static const struct ts_frame_ops frame_ops = {retain, release};

static int open_files(struct ts_part *part, const struct ts_session *session, int launch,
                      struct ts_why *why)
{
    const struct ts_camera_geometry *camera = &ts_session_get_info(session)->camera;
    struct ts_path blocks;
    int err = ts_layout_file(ts_session_get_folder(session), launch, "blocks.bin", &blocks, why);
    if (!err)
        err = ts_layout_file(ts_session_get_folder(session), launch, "events.jsonl", &part->path,
                             why);
    if (!err)
        err = ts_blocks_open(blocks.text, &part->blocks, why);
    if (err)
        return err;
    const struct ts_camera_geometry *own = ts_blocks_camera(part->blocks);
    if (own->width_px != camera->width_px || own->height_px != camera->height_px)
        return ts_fail(why, TS_EPROTO, "%s: its pictures are not of the session's size",
                       blocks.text);
    part->events = fopen(part->path.text, "rb");
    if (!part->events)
        return ts_file_fail(why, part->path.text, "opened", errno);
    part->block_count = (size_t)own->blocks_x * (size_t)own->blocks_y;
    return TS_OK;
}

int ts_part_open(const struct ts_session *session, int launch, struct ts_part **out,
                 struct ts_why *why)
{
    *out = NULL;
    struct ts_part *part = calloc(1, sizeof *part);
    if (!part)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int err = open_files(part, session, launch, why);
    if (err) {
        ts_part_close(part);
        return err;
    }
    *out = part;
    return TS_OK;
}

void ts_part_close(struct ts_part *part)
{
    if (!part)
        return;
    if (part->events)
        fclose(part->events);
    ts_blocks_close(part->blocks);
    free(part->line);
    free(part);
}

static int take_frame(struct ts_part *part, struct ts_journal_entry *entry, struct ts_why *why)
{
    struct part_frame *taken = malloc(sizeof *taken + part->block_count * sizeof(uint16_t));
    if (!taken)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    taken->references = 1;
    taken->frame = (struct ts_frame){.ops = &frame_ops,
                                     .sequence = entry->frame_sequence,
                                     .arrival = entry->item.arrival,
                                     .blocks = taken->blocks};
    const int err = ts_blocks_read(part->blocks, taken->blocks);
    if (!err) {
        entry->item.u.frame = &taken->frame;
        return TS_OK;
    }
    free(taken);
    return ts_fail(why, TS_EPROTO, "%s, line %zu: a frame without block sums: blocks.bin %s",
                   part->path.text, part->line_number,
                   err == TS_EOF ? "has fewer frames" : "is damaged");
}

/* Both files must end together. */
static int end_of_part(struct ts_part *part, struct ts_why *why)
{
    if (ferror(part->events))
        return ts_file_fail(why, part->path.text, "read", errno);
    uint16_t *blocks = malloc(part->block_count * sizeof *blocks);
    if (!blocks)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int err = ts_blocks_read(part->blocks, blocks);
    free(blocks);
    return err == TS_EOF ? err
                         : ts_fail(why, TS_EPROTO, "%s: blocks.bin has more frames, or is damaged",
                                   part->path.text);
}

int ts_part_next(struct ts_part *part, struct ts_journal_entry *entry, struct ts_why *why)
{
    *entry = (struct ts_journal_entry){0};
    const ssize_t size = getline(&part->line, &part->line_capacity, part->events);
    if (size < 0)
        return end_of_part(part, why);
    part->line_number++;
    struct ts_why what = {""};
    int err = ts_journal_parse(part->line, (size_t)size, entry, &what);
    if (err)
        return ts_fail(why, err, "%s, line %zu: %s", part->path.text, part->line_number, what.text);
    if (entry->kind == TS_JOURNAL_ITEM && entry->item.kind == TS_ITEM_FRAME)
        err = take_frame(part, entry, why);
    if (err)
        ts_journal_entry_free(entry);
    return err;
}

void ts_part_release(struct ts_journal_entry *entry)
{
    if (entry->kind == TS_JOURNAL_ITEM && entry->item.kind == TS_ITEM_FRAME)
        release(entry->item.u.frame);
    ts_journal_entry_free(entry);
}
