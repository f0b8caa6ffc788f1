/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a journal line. What is taken must print, and read back, to the same bytes. */
#include "store/journal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int print(struct ts_journal_entry *entry, struct ts_buf *out)
{
    struct ts_frame frame = {.sequence = entry->frame_sequence};
    if (entry->kind == TS_JOURNAL_COMMAND)
        return ts_journal_put_command(out, &entry->command);
    if (entry->kind == TS_JOURNAL_INTENT)
        return ts_journal_put_intent(out, &entry->intent);
    if (entry->item.kind == TS_ITEM_FRAME)
        entry->item.u.frame = &frame;
    return ts_journal_put_item(out, &entry->item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ts_journal_entry entry;
    struct ts_why why;
    struct ts_buf first = {0}, second = {0};
    if (ts_journal_parse((const char *)data, size, &entry, &why))
        return 0;
    if (print(&entry, &first))
        abort();
    ts_journal_entry_free(&entry);
    if (ts_journal_parse((const char *)first.data, first.size, &entry, &why))
        abort();
    if (print(&entry, &second) || first.size != second.size ||
        memcmp(first.data, second.data, first.size) != 0)
        abort();
    ts_journal_entry_free(&entry);
    ts_buf_free(&first);
    ts_buf_free(&second);
    return 0;
}
