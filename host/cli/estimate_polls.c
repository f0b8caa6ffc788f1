/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_polls.h"

#include "android/polling.h"
#include "estimators/dictionary.h"
#include "store/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_MS 1000 /* what the features look at */

void ts_polls_free(struct ts_polls *polls)
{
    free(polls->samples);
    *polls = (struct ts_polls){0};
}

struct reader {
    struct ts_polls *to;
    struct ts_resource_reading before;
    int64_t tap_ns;
    uint32_t asked; /* id of the latest poll; 0: none */
};

/* A reading counts from when its answer came. */
static int take_answer(struct reader *reader, const struct ts_item *item)
{
    struct ts_resource_reading now;
    if (ts_resource_read(item->u.done.text, &now))
        return TS_OK;
    void *samples = reader->to->samples;
    struct ts_resource_sample *sample =
        ts_grow(&samples, &reader->to->count, &reader->to->capacity, sizeof *sample);
    reader->to->samples = samples;
    if (!sample)
        return TS_ENOMEM;
    *sample =
        (struct ts_resource_sample){(double)(item->arrival.ns - reader->tap_ns) / 1e6,
                                    now.available_kb, ts_resource_load(&reader->before, &now)};
    reader->before = now;
    return TS_OK;
}

/* One poll is on its way at a time. */
static int take_entry(struct reader *reader, const struct ts_journal_entry *entry)
{
    if (entry->kind == TS_JOURNAL_COMMAND && entry->command.kind == TS_COMMAND_PHONE_SHELL &&
        strcmp(entry->command.u.shell, TS_POLLING_COMMAND) == 0)
        reader->asked = entry->command.id;
    if (entry->kind != TS_JOURNAL_ITEM || entry->item.kind != TS_ITEM_DONE || !reader->asked ||
        entry->item.u.done.command != reader->asked)
        return TS_OK;
    reader->asked = 0;
    return take_answer(reader, &entry->item);
}

int ts_polls_read(const struct ts_session *session, int launch, int64_t tap_ns,
                  struct ts_polls *out, struct ts_why *why)
{
    struct reader reader = {.to = out, .before = {.total = NAN}, .tap_ns = tap_ns};
    struct ts_journal_entry entry;
    struct ts_part *part;
    *out = (struct ts_polls){0};
    int err = ts_part_open(session, launch, &part, why);
    if (err)
        return err;
    while (!(err = ts_part_next(part, &entry, why))) {
        err = take_entry(&reader, &entry);
        ts_part_release(&entry);
        if (err) {
            ts_fail(why, err, "out of memory");
            break;
        }
    }
    ts_part_close(part);
    /* An answer to the launch before may still come in this part. */
    if (err != TS_EOF || (out->count && out->samples[out->count - 1].at_ms <= 0))
        ts_polls_free(out);
    return err == TS_EOF ? TS_OK : err;
}

void ts_polls_features(const struct ts_polls *polls, double horizon_ms, double *values)
{
    const double last_ms = fmin(horizon_ms, FIRST_MS);
    double before = NAN, least = NAN, loads = 0;
    size_t count = 0;
    for (size_t i = 0; i < polls->count && polls->samples[i].at_ms <= last_ms; i++) {
        const struct ts_resource_sample *sample = &polls->samples[i];
        if (sample->at_ms <= 0) {
            before = sample->available_kb;
            continue;
        }
        least = fmin(least, sample->available_kb);
        loads += isfinite(sample->load) ? sample->load : 0;
        count += isfinite(sample->load) ? 1 : 0;
    }
    values[TS_FEATURE_ram_before_kb] = before;
    values[TS_FEATURE_ram_taken_kb] = before - least;
    values[TS_FEATURE_load_first_second] = count ? loads / (double)count : NAN;
}
