/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/resume.h"

#include "android/logcat.h"
#include "base/buf.h"
#include "base/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines are stamped by their writers, so they come a little out of order; logcat may begin behind
 * the instant it is given. Hence both margins. */
#define BACK_NS  TS_NS_PER_S
#define KEPT_NS  (2 * TS_NS_PER_S)
#define KEPT_MAX 65536

/* FNV-1a, 64 bits: among some ten thousand lines no two of a stamp meet by chance. */
static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3u;
    return hash;
}

static void forget_old(struct ts_adb_resume *resume)
{
    size_t kept = 0;
    for (size_t i = 0; i < resume->count; i++) {
        if (resume->seen[i].stamp_ns >= resume->newest_ns - KEPT_NS)
            resume->seen[kept++] = resume->seen[i];
    }
    if (kept > KEPT_MAX / 2) { /* a flood: what is oldest goes first */
        memmove(resume->seen, resume->seen + kept / 2, (kept - kept / 2) * sizeof *resume->seen);
        kept -= kept / 2;
    }
    resume->count = kept;
    resume->next = 0;
}

static int note(struct ts_adb_resume *resume, const struct ts_log_line *line, uint64_t hash)
{
    if (resume->count == resume->capacity && resume->count && !resume->replaying)
        forget_old(resume);
    struct ts_adb_seen *seen =
        ts_grow((void **)&resume->seen, &resume->count, &resume->capacity, sizeof *resume->seen);
    if (!seen)
        return TS_ENOMEM;
    *seen = (struct ts_adb_seen){line->stamp_ns, hash, true};
    /* Later, or so much earlier that somebody has set the clock back. */
    if (resume->count == 1 || line->stamp_ns >= resume->newest_ns ||
        line->stamp_ns < resume->newest_ns - BACK_NS) {
        resume->newest_ns = line->stamp_ns;
        resume->epoch = line->stamp_kind == TS_STAMP_EPOCH;
        memcpy(resume->stamp, line->stamp, sizeof resume->stamp);
    }
    return TS_OK;
}

/* Repeated lines come in the order in which they came at first, nearly. */
static bool come_again(struct ts_adb_resume *resume, int64_t stamp_ns, uint64_t hash)
{
    for (size_t i = 0; i < resume->count; i++) {
        const size_t place = (resume->next + i) % resume->count;
        struct ts_adb_seen *seen = &resume->seen[place];
        if (seen->again || seen->stamp_ns != stamp_ns || seen->hash != hash)
            continue;
        seen->again = true;
        resume->next = place + 1;
        return true;
    }
    return false;
}

int ts_adb_resume_line(struct ts_adb_resume *resume, const char *text, size_t size)
{
    struct ts_log_line line;
    if (ts_logcat_parse_line(text, size, &line) || line.stamp_kind == TS_STAMP_NONE)
        return resume->replaying ? TS_ADB_LINE_SEEN : TS_ADB_LINE_NEW; /* logcat's own words */
    const uint64_t hash = hash_of(text, size);
    int result = TS_ADB_LINE_NEW;
    if (resume->replaying && line.stamp_ns <= resume->break_ns) {
        if (come_again(resume, line.stamp_ns, hash)) {
            resume->proven |= line.stamp_ns == resume->break_ns;
            return TS_ADB_LINE_SEEN;
        }
    } else if (resume->replaying) {
        resume->replaying = false;
        result = resume->proven ? TS_ADB_LINE_NEW : TS_ADB_LINE_LATER;
    }
    const int err = note(resume, &line, hash);
    return err ? err : result;
}

void ts_adb_resume_break(struct ts_adb_resume *resume)
{
    forget_old(resume);
    for (size_t i = 0; i < resume->count; i++)
        resume->seen[i].again = false;
    /* A second break before the first was made good leaves its question open. */
    resume->break_ns = resume->count ? resume->newest_ns : INT64_MIN;
    resume->replaying = true;
    resume->proven = false;
}

void ts_adb_resume_from(const struct ts_adb_resume *resume, char *text, size_t size)
{
    if (!resume->count) {
        snprintf(text, size, "%s", "");
        return;
    }
    /* Dates are given back as they were printed: nobody knows their zone or year. */
    const int64_t from_ns = resume->newest_ns - BACK_NS;
    if (resume->epoch && from_ns > 0 && !strchr(resume->stamp, '-'))
        snprintf(text, size, "%lld.%09lld", (long long)(from_ns / TS_NS_PER_S),
                 (long long)(from_ns % TS_NS_PER_S));
    else
        snprintf(text, size, "%s", resume->stamp);
}

void ts_adb_resume_free(struct ts_adb_resume *resume)
{
    free(resume->seen);
    *resume = (struct ts_adb_resume){0};
}
