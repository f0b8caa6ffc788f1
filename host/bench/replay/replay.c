/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/replay/replay.h"

#include "store/journal.h"
#include "store/part.h"
#include "store/session.h"

#include <stdlib.h>
#include <string.h>

struct replay {
    struct ts_bench bench;
    struct ts_session *session; /* owned */
    struct ts_part *part;       /* owned; the open one, NULL between parts */
    int next_part;              /* to be opened */
    /* The journal's next item or command, looked at and not yet taken. */
    struct ts_journal_entry ahead; /* owned */
    bool fetched;                  /* there is one */
    struct ts_journal_entry taken; /* owned; the item that the caller has in hand */
    int last_part;                 /* of the item handed out last */
    uint64_t last_sequence;        /* its number */
    int ended;                     /* what next() gives from now on; 0: go on */
    struct ts_why difference;
    struct ts_buf wanted, given; /* a command of the journal and of the caller, as lines */
};

static struct replay *replay_of(struct ts_bench *bench)
{
    return (struct replay *)bench;
}

/* Fetches the next item or command; intents are notes of control, not part of the seam. */
static int look_ahead(struct replay *replay)
{
    while (!replay->fetched && !replay->ended) {
        if (!replay->part) {
            if (replay->next_part > ts_session_launch_count(replay->session))
                return replay->ended = TS_EOF;
            replay->ended = ts_part_open(replay->session, replay->next_part++, &replay->part,
                                         &replay->difference);
            continue;
        }
        const int err = ts_part_next(replay->part, &replay->ahead, &replay->difference);
        if (err == TS_EOF) {
            ts_part_close(replay->part);
            replay->part = NULL;
        } else if (err) {
            replay->ended = err;
        } else if (replay->ahead.kind == TS_JOURNAL_INTENT) {
            ts_part_release(&replay->ahead);
        } else {
            replay->fetched = true;
        }
    }
    return replay->ended;
}

/* Lines end in '\n', which the text of a difference does not want. */
static int line_length(const struct ts_buf *line)
{
    return line->size > 150 ? 150 : (int)line->size - 1;
}

static void differ(struct replay *replay, const char *what)
{
    replay->ended = ts_fail(&replay->difference, TS_EPROTO,
                            "after item %llu of part %04d: %s; journal: %.*s; now: %.*s",
                            (unsigned long long)replay->last_sequence, replay->last_part, what,
                            replay->wanted.size ? line_length(&replay->wanted) : 1,
                            replay->wanted.size ? (const char *)replay->wanted.data : "-",
                            replay->given.size ? line_length(&replay->given) : 1,
                            replay->given.size ? (const char *)replay->given.data : "-");
}

/* Commands are equal when they print equal: one rule for all kinds, and the one of the file. */
static int replay_submit(struct ts_bench *bench, const struct ts_command *command)
{
    struct replay *replay = replay_of(bench);
    ts_buf_clear(&replay->wanted);
    ts_buf_clear(&replay->given);
    int err = ts_journal_put_command(&replay->given, command);
    if (err)
        return err;
    if (look_ahead(replay))
        return TS_OK; /* next() tells why */
    if (replay->ahead.kind != TS_JOURNAL_COMMAND) {
        differ(replay, "a command that the journal does not have");
        return TS_OK;
    }
    err = ts_journal_put_command(&replay->wanted, &replay->ahead.command);
    ts_part_release(&replay->ahead);
    replay->fetched = false;
    if (err)
        return err;
    if (replay->wanted.size != replay->given.size ||
        memcmp(replay->wanted.data, replay->given.data, replay->given.size) != 0)
        differ(replay, "another command than the journal's");
    return TS_OK;
}

static int replay_next(struct ts_bench *bench, struct ts_item *item)
{
    struct replay *replay = replay_of(bench);
    int err = look_ahead(replay);
    if (err)
        return err;
    if (replay->ahead.kind == TS_JOURNAL_COMMAND) {
        ts_buf_clear(&replay->wanted);
        ts_buf_clear(&replay->given);
        err = ts_journal_put_command(&replay->wanted, &replay->ahead.command);
        if (err)
            return err;
        differ(replay, "a command of the journal was not given");
        return replay->ended;
    }
    ts_part_release(&replay->taken);
    replay->taken = replay->ahead;
    replay->ahead = (struct ts_journal_entry){0};
    replay->fetched = false;
    *item = replay->taken.item;
    replay->last_sequence = item->sequence;
    replay->last_part = replay->next_part - 1;
    return TS_OK;
}

static const struct ts_camera_geometry *replay_camera(struct ts_bench *bench)
{
    return &ts_session_get_info(replay_of(bench)->session)->camera;
}

static void replay_close(struct ts_bench *bench)
{
    struct replay *replay = replay_of(bench);
    if (replay->fetched)
        ts_part_release(&replay->ahead);
    ts_part_release(&replay->taken);
    ts_part_close(replay->part);
    ts_session_free(replay->session);
    ts_buf_free(&replay->wanted);
    ts_buf_free(&replay->given);
    free(replay);
}

static const struct ts_bench_ops ops = {replay_submit, replay_next, replay_camera, replay_close,
                                        NULL};

static int replay_open(const struct ts_bench_config *config, struct ts_bench **out,
                       struct ts_why *why)
{
    *out = NULL;
    if (!config->session_path)
        return ts_fail(why, TS_EINVAL, "replay needs the folder of a session");
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    replay->bench.ops = &ops;
    const int err = ts_session_open(config->session_path, &replay->session, why);
    if (err) {
        replay_close(&replay->bench);
        return err;
    }
    *out = &replay->bench;
    return TS_OK;
}

const struct ts_bench_driver ts_bench_replay = {"replay", replay_open};

const char *ts_bench_replay_difference(const struct ts_bench *bench)
{
    const struct replay *replay = (const struct replay *)bench;
    return replay->ended && replay->ended != TS_EOF ? replay->difference.text : NULL;
}
