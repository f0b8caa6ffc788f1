/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal: what crossed the seam, one JSON object a line, in the order in which it crossed.
 *
 *   {"i":17,"t":123456789,"k":"mcu","type":133,"body":"0001...","boot":4711}      an item
 *   {"i":18,"t":...,"k":"frame","seq":311}          its blocks are record n of blocks.bin
 *   {"c":9,"k":"shell","text":"am force-stop com.x"}                               a command
 *   {"n":"intent", ...}                              what control knew: struct ts_evidence_intent
 *
 * i: sequence of the item, t: arrival (host ns), c: id of the command. PROTOCOL of every kind is in
 * FORMAT.md beside this file. */
#ifndef TS_STORE_JOURNAL_H
#define TS_STORE_JOURNAL_H

#include "base/buf.h"
#include "model/evidence.h"
#include "model/item.h"

enum ts_journal_kind { TS_JOURNAL_ITEM, TS_JOURNAL_COMMAND, TS_JOURNAL_INTENT };

/* Append one line with its '\n'. */
int ts_journal_put_item(struct ts_buf *out, const struct ts_item *item) TS_MUST_CHECK;
int ts_journal_put_command(struct ts_buf *out, const struct ts_command *command) TS_MUST_CHECK;
int ts_journal_put_intent(struct ts_buf *out,
                          const struct ts_evidence_intent *intent) TS_MUST_CHECK;

/* One line read back. Strings inside live until ts_journal_entry_free(). A frame item comes with
 * u.frame == NULL and its sequence number in frame_sequence. */
struct ts_journal_entry {
    enum ts_journal_kind kind;
    struct ts_item item;
    uint32_t frame_sequence;
    struct ts_command command;
    struct ts_evidence_intent intent;
    void *owner; /* owned */
};
/* TS_EPROTO with *why for anything malformed; never trusts a size or a number. */
int ts_journal_parse(const char *line, size_t size, struct ts_journal_entry *out,
                     struct ts_why *why) TS_MUST_CHECK;
void ts_journal_entry_free(struct ts_journal_entry *entry);

#endif
